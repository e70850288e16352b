//! Vectors times numbers, entry by entry, with the bits of the operators.

use crate::cpu::elementwise::elementwise;
use crate::dense::Operand;
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
pub(super) fn axpy<T: Scalar>(alpha: T, x: Slice<'_, T>, y: SliceMut<'_, T>) {
    let operands = [Operand::Scalar(alpha), Operand::Entries(x.into()), Operand::Output];
    elementwise(TernaryOp::MulAdd, operands, y.into());
}
