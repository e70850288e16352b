//! `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle of `C`, and other products of which one triangle is
//! wanted.

use super::gemm::{Factors, Operand, Part, multiply};
use crate::Number;
use crate::dense::gemm::{Products, Report, Way};
use crate::dense::{MatMut, MatRef, Transpose, Triangle};

/// `C ← α·op(A)·op(A)ᵀ + β·C` on `triangle`; the rest of `C` is neither read nor written. `op(A)`
/// is `A` or `Aᵀ`. `C` may have fewer columns than rows; then these are the first columns of the
/// product.
///
/// With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` is not. `α` and `β` are rounded to
/// the format of `C` first. Panics when the shapes do not fit or [`Products::check`] says no.
pub fn syrk<T: Number>(
    products: Products,
    triangle: Triangle,
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    syrk_by(products, None, triangle, transpose, alpha, a, beta, c)
}

/// [`syrk`] in a way that was chosen already or is chosen here.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn syrk_by<T: Number>(
    products: Products,
    way: Option<Way>,
    triangle: Triangle,
    transpose: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    let (k, columns) = (transpose.shape(a.shape()).1, c.cols());
    let (rows, cols) = transpose.shape((columns, k));
    let first = a.block(0, 0, rows, cols);
    let (left, right) = (Operand::new(transpose, a), Operand::new(transpose.flipped(), first));
    let (factors, part) = (Factors { alpha, beta }, Part::Only(triangle));
    multiply(products, way, [left, right], [None; 2], factors, part, c)
}

/// `C ← C − A·Bᵀ` on the lower triangle; the rest of `C` is neither read nor written.
pub(crate) fn subtract_lower<T: Number>(
    products: Products,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    c: MatMut<'_, T>,
) {
    let (left, right) = (Operand::new(Transpose::No, a), Operand::new(Transpose::Yes, b));
    let factors = Factors { alpha: -T::ONE, beta: T::ONE };
    multiply(products, None, [left, right], [None; 2], factors, Part::Only(Triangle::Lower), c);
}
