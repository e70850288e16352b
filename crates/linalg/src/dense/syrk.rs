//! Products of a matrix with its own transpose.

use crate::cpu;
use crate::dense::gemm::Products;
use crate::dense::{MatMut, MatRef, Transpose, Triangle};
use crate::{Error, Number};

/// `C ← α·op(A)·op(A)ᵀ + β·C` on `triangle`, where `op` is nothing or the transpose; the other
/// triangle of `C` is neither read nor written.
///
/// With `β = 0`, `C` is not read and may hold anything; with `α = 0` or no terms, `A` is not read.
/// Entries are those of [`gemm`](super::gemm::gemm) by the same engine, bit for bit.
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
