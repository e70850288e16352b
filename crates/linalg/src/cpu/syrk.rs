//! `C ← α·op(A)·op(A)ᵀ + β·C` on one triangle of `C`, and other products of which one triangle is
//! wanted.

use super::gemm::{Factors, Operand, Part, multiply};
use crate::Number;
use crate::dense::gemm::{Places, Products, Report, Way};
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

/// `C ← α·op(A)·op(B)ᵀ + β·C` on what is in `triangle` of a larger matrix, of which `C` is the rows
/// and columns at `places`; the rest of `C` is neither read nor written. `op` is nothing or the
/// transpose. In a way that was chosen for the larger matrix its entries have their bits.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn triangle_by<T: Number>(
    products: Products,
    way: Way,
    triangle: Triangle,
    places: Places<'_>,
    transpose: Transpose,
    alpha: T,
    [a, b]: [MatRef<'_, T>; 2],
    beta: T,
    c: MatMut<'_, T>,
) {
    assert_eq!(c.shape(), (places.rows.len(), places.columns.len()), "a place for each line");
    let operands = [Operand::new(transpose, a), Operand::new(transpose.flipped(), b)];
    let (factors, part) = (Factors { alpha, beta }, Part::Within(triangle, places));
    multiply(products, Some(way), operands, [None; 2], factors, part, c);
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
