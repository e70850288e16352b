//! What vectors of limbs are computed by.

use crate::cpu::elementwise::elementwise;
use crate::cpu::{lines, reduce};
use crate::dense::Operand;
use crate::dense::gemm::Arithmetic;
use crate::operation::{BinaryOp, TernaryOp};
use crate::{Numbers, Scalar, Slice, SliceMut};

/// An exponent that limbs cannot reach, by sign.
const BEYOND_ALL_EXPONENTS: i64 = 1 << 13;

/// `Σ x[i]·y[i]`; `sums` is memory for those of blocks.
pub(in crate::cpu) fn sum_products<T: Scalar>(
    _: Arithmetic,
    x: Slice<'_, T>,
    y: Slice<'_, T>,
    sums: &mut Numbers<T>,
) -> T {
    reduce::dot_in(x.cells(), y.cells(), sums.as_mut_vec())
}

/// `y ← y + α·x`.
pub(in crate::cpu) fn axpy<T: Scalar>(
    _: Arithmetic,
    alpha: T,
    x: Slice<'_, T>,
    y: SliceMut<'_, T>,
) {
    lines::axpy(alpha, x, y);
}

/// `y ← x + β·y`.
pub(in crate::cpu) fn xpay<T: Scalar>(_: Arithmetic, x: Slice<'_, T>, beta: T, y: SliceMut<'_, T>) {
    let operands = [Operand::Scalar(beta), Operand::Output, Operand::Entries(x.into())];
    elementwise(TernaryOp::MulAdd, operands, y.into());
}

/// `x ← α·x`.
pub(in crate::cpu) fn scale<T: Scalar>(alpha: T, x: SliceMut<'_, T>) {
    lines::scale(x, alpha);
}

/// `y[i] ← x[i]·y[i]`.
pub(in crate::cpu) fn multiply<T: Scalar>(x: Slice<'_, T>, y: SliceMut<'_, T>) {
    elementwise(BinaryOp::Mul, [Operand::Entries(x.into()), Operand::Output], y.into());
}

/// `to ← 2^−exponent·x`, each entry rounded.
pub(in crate::cpu) fn round<T: Scalar>(x: Slice<'_, T>, exponent: i64, to: &mut [f64]) {
    let shift = (-exponent).clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
    to.iter_mut().zip(x.cells()).for_each(|(to, x)| *to = x.ldexp(shift).to_f64());
}

/// `to ← 2^exponent·x`, each entry rounded.
pub(in crate::cpu) fn widen<T: Scalar>(x: &[f64], exponent: i64, to: SliceMut<'_, T>) {
    let shift = exponent.clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
    to.plain().iter_mut().zip(x).for_each(|(to, &x)| *to = T::from_f64(x).ldexp(shift));
}
