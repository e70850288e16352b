//! Elementwise operations, one number after the other.

use crate::Number;
use crate::dense::{MatMut, MatRef, Operand};
use crate::operation::Operations;

/// `output ← operation(operands)`, entry by entry. Panics when the shapes do not fit.
pub fn elementwise<const K: usize, T: Number>(
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
                Operand::Scalar(x) => x.to_format(output.format()),
                Operand::Output => output.at(i, j),
            });
            output.set(i, j, operation.apply(numbers));
        }
    }
}

/// `output ← x^n`, entry by entry. Panics when the shapes do not fit.
pub fn powi<T: Number>(x: MatRef<'_, T>, n: i32, mut output: MatMut<'_, T>) {
    assert_eq!(x.shape(), output.shape(), "shape of the result");
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            output.set(i, j, x.at(i, j).powi(n));
        }
    }
}

/// `sin ← sin x` and `cos ← cos x`, entry by entry. Panics when the shapes do not fit.
pub fn sin_cos<T: Number>(x: MatRef<'_, T>, mut sin: MatMut<'_, T>, mut cos: MatMut<'_, T>) {
    assert_eq!((sin.shape(), cos.shape()), (x.shape(), x.shape()), "shapes of the results");
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            let (sine, cosine) = x.at(i, j).sin_cos();
            sin.set(i, j, sine);
            cos.set(i, j, cosine);
        }
    }
}
