//! Products of a matrix with its own transpose.

use crate::cpu;
use crate::dense::gemm::Products;
use crate::dense::{MatMut, MatRef, Transpose, Triangle};
use crate::{Error, Number};

/// Multiplies a matrix with its own transpose: `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle.
///
/// `op` is nothing or the transpose. The other triangle of `C` is neither read nor written.
///
/// With `β = 0`, `C` is not read and may hold anything; with `α = 0` or no terms, `A` is not read.
/// Entries are those of [`gemm`](super::gemm::gemm) by the same engine, bit for bit.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::{Transpose, Triangle, syrk};
///
/// let a = Matrix::from_fn(2, 3, |i, j| (i + j) as f64);
/// let mut c = Matrix::<f64>::zeros(2, 2);
/// syrk(Triangle::Lower, Transpose::No, 1.0, a.view(), 0.0, c.view_mut())?;
/// assert_eq!(c.as_slice(), [5.0, 8.0, 0.0, 14.0]); // the other triangle is as it was
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ.
pub fn syrk<T: Number>(
    triangle: Triangle,
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Result<(), Error> {
    let (n, _) = transpose.shape(a.shape());
    Error::check_shape("c", (n, n), c.shape())?;
    Error::check_format::<T>("a", c.format(), a.format())?;
    cpu::syrk::syrk(Products::default(), triangle, transpose, alpha, a, beta, c);
    Ok(())
}
