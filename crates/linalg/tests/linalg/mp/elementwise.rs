//! Elementwise operations with numbers of more bits than the entries have, which are rounded first.

use nonius_linalg::dense::{Operand, elementwise};
use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::{BinaryOp, Error, Operations, TernaryOp, UnaryOp};
use nonius_num::Real;

use crate::mp::{assert_same_bits, bits, matrix};

fn all<const K: usize, O: Operations<K>>(precision: u32) {
    let p = bits(precision);
    // A third rounds differently to the entries' bits.
    let third = Mp::one(bits(4096)) / Mp::from_f64(bits(4096), 3.0);
    let (rows, cols) = (5, 3);
    let x = matrix(p, rows, cols, 1);
    for &operation in O::ALL {
        for scalar in 0..K {
            let operands = core::array::from_fn(|k| match k == scalar {
                true => Operand::Scalar(third),
                false => Operand::Entries(x.view()),
            });
            let mut found = matrix(p, rows, cols, 9);
            elementwise(operation, operands, found.view_mut()).unwrap();
            let expected = Matrix::from_fn_in(p, rows, cols, |i, j| {
                operation.apply(core::array::from_fn(|k| match k == scalar {
                    true => third.to_format(p),
                    false => x.at(i, j),
                }))
            });
            assert_same_bits(&found, &expected, operation.name());
        }
    }
}

#[test]
fn numbers_of_more_bits_are_rounded_first() {
    for precision in [64, 106, 424] {
        all::<1, UnaryOp>(precision);
        all::<2, BinaryOp>(precision);
        all::<3, TernaryOp>(precision);
    }
}

#[test]
fn shapes_and_precisions_that_do_not_fit() {
    let (x, mut y) = (matrix(bits(64), 2, 2, 1), matrix(bits(65), 2, 2, 2));
    let error = elementwise(UnaryOp::Neg, [x.view().into()], y.view_mut()).unwrap_err();
    assert_eq!(error, Error::Precision { operand: "x", expected: 65, found: 64 });
    let mut short = matrix(bits(64), 2, 1, 2);
    let error = elementwise(UnaryOp::Neg, [x.view().into()], short.view_mut()).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
}
