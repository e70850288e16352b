//! Elementwise operations, one number after the other.

use crate::Scalar;
use crate::dense::{MatMut, MatRef, Operand};
use crate::operation::Operations;

/// `output ← operation(operands)`, entry by entry. Panics when the shapes do not fit.
pub fn elementwise<const K: usize, T: Scalar>(
    operation: impl Operations<K>,
    operands: [Operand<T, MatRef<'_, T>>; K],
    mut output: MatMut<'_, T>,
) {
    for operand in &operands {
        if let Operand::Entries(x) = operand {
            assert_eq!(x.shape(), output.shape(), "shape of an operand");
        }
    }
    for j in 0..output.cols() {
        for i in 0..output.rows() {
            let numbers = operands.map(|operand| match operand {
                Operand::Entries(x) => x.at(i, j),
                Operand::Scalar(x) => x,
                Operand::Output => output.at(i, j),
            });
            *output.at_mut(i, j) = operation.apply(numbers);
        }
    }
}
