//! The operations of linalg's table.

use nonius_linalg::{BinaryOp, Operations, Scalar, TernaryOp, UnaryOp};

use crate::library::Functions;

/// The operations of a few instructions.
pub(crate) fn short<T: Scalar>(library: &Functions, operands: &[Vec<T>; 3]) {
    for &operation in UnaryOp::ALL.iter().filter(|operation| !operation.is_long()) {
        library.check(operation.name(), operands, |[x, _, _]| operation.apply([x]));
    }
    for &operation in BinaryOp::ALL.iter().filter(|operation| !operation.is_long()) {
        library.check(operation.name(), operands, |[x, y, _]| operation.apply([x, y]));
    }
    for &operation in TernaryOp::ALL.iter().filter(|operation| !operation.is_long()) {
        library.check(operation.name(), operands, |operands| operation.apply(operands));
    }
}

/// The elementary functions.
pub(crate) fn long<T: Scalar>(library: &Functions, operands: &[Vec<T>; 3]) {
    for &operation in UnaryOp::ALL.iter().filter(|operation| operation.is_long()) {
        library.check(operation.name(), operands, |[x, _, _]| operation.apply([x]));
    }
    for &operation in BinaryOp::ALL.iter().filter(|operation| operation.is_long()) {
        library.check(operation.name(), operands, |[x, y, _]| operation.apply([x, y]));
    }
}
