//! Matrix products: which method computes them.
//!
//! `direct` carries out every multiply-add in the element's own arithmetic ([`cpu::gemm`]). It needs no simpler twin for
//! small matrices: from 3 × 3 × 3 on it beats the textbook loop at every multi-limb precision, from 8 × 8 × 8 on at f64, and
//! a product of single numbers takes 0.1 µs.

use crate::cpu;
use crate::dense::{MatMut, MatRef, Transpose};
use crate::{Error, Scalar};

/// `C ← α·op(A)·op(B) + β·C`, where `op` is nothing or the transpose.
///
/// With `β = 0`, `C` is not read and may hold anything; with `α = 0` or no terms, `A` and `B` are not read. The result
/// is the same, bit for bit, on every processor and for any number of threads.
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit.
pub fn gemm<T: Scalar>(
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Result<(), Error> {
    Error::check_product(transpose_a, a.shape(), transpose_b, b.shape(), c.shape())?;
    let (m, n) = c.shape();
    // Without rows there may be any number of columns, which take no memory but would take time.
    if m == 0 || n == 0 {
        return Ok(());
    }
    cpu::gemm::gemm(transpose_a, transpose_b, alpha, a, b, beta, c);
    Ok(())
}
