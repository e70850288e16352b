//! Vectors times numbers, and vectors times vectors, entry by entry, with the bits of the
//! operators.

use crate::cpu::elementwise::elementwise;
use crate::dense::Operand;
use crate::dense::gemm::Arithmetic;
use crate::operation::{BinaryOp, TernaryOp};
use crate::{Scalar, Slice, SliceMut};

/// `x ← x/by`
pub(super) fn divide<T: Scalar>(x: SliceMut<'_, T>, by: T) {
    elementwise(BinaryOp::Div, [Operand::Output, Operand::Scalar(by)], x.into());
}

/// `x ← by·x`
pub(super) fn scale<T: Scalar>(x: SliceMut<'_, T>, by: T) {
    elementwise(BinaryOp::Mul, [Operand::Scalar(by), Operand::Output], x.into());
}

/// `y ← α·x + y`
pub(super) fn axpy<T: Scalar>(_: Arithmetic, alpha: T, x: Slice<'_, T>, y: SliceMut<'_, T>) {
    let operands = [Operand::Scalar(alpha), Operand::Entries(x.into()), Operand::Output];
    elementwise(TernaryOp::MulAdd, operands, y.into());
}

/// `y ← x + β·y`
pub(super) fn xpay<T: Scalar>(_: Arithmetic, x: Slice<'_, T>, beta: T, y: SliceMut<'_, T>) {
    let operands = [Operand::Scalar(beta), Operand::Output, Operand::Entries(x.into())];
    elementwise(TernaryOp::MulAdd, operands, y.into());
}

/// `y[i] ← x[i]·y[i]`
pub(super) fn multiply<T: Scalar>(x: Slice<'_, T>, y: SliceMut<'_, T>) {
    elementwise(BinaryOp::Mul, [Operand::Entries(x.into()), Operand::Output], y.into());
}
