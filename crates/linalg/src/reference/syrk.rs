//! `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle of `C`.
//!
//! Error as for [`gemm`](super::gemm).

use nonius_num::Real;

use super::gemm::{combine, product_entry, scale_entry};
use crate::dense::{MatMut, MatRef, Transpose, Triangle};

/// `C ← α·op(A)·op(A)ᵀ + β·C` on `triangle`; the rest of `C` is neither read nor written. `op(A)`
/// is `A` or `Aᵀ`. `C` may have fewer columns than rows; then these are the first columns of the
/// product.
///
/// With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` is not. Panics when the shapes do
/// not fit.
pub fn syrk<T: Real>(
    triangle: Triangle,
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    beta: T,
    mut c: MatMut<'_, T>,
) {
    let (m, k) = transpose.shape(a.shape());
    assert!(c.rows() == m && c.cols() <= m, "shape of C");
    for j in 0..c.cols() {
        for i in (0..m).filter(|&i| triangle.contains(i, j)) {
            let mut entry = c.at(i, j);
            if k == 0 || alpha == T::ZERO {
                scale_entry(beta, &mut entry);
            } else {
                let sum = product_entry(transpose, a, i, transpose.flipped(), a, j);
                combine(alpha, sum, beta, &mut entry);
            }
            c.set(i, j, entry);
        }
    }
}
