//! Elementwise operations give what the numbers' own do, in any shape.

use nonius_linalg::dense::{Operand, elementwise, powi, sin_cos};
use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::{BinaryOp, Error, Operations, TernaryOp, UnaryOp};
use nonius_num::{Elementary, Real};

use crate::mp::{assert_same_bits, bits, matrix};

/// Parts that one thread takes have up to 256 entries.
const SHAPES: [(usize, usize); 7] = [(0, 3), (3, 0), (1, 1), (7, 3), (2, 130), (257, 2), (600, 1)];

/// Every mixture of entries, a scalar and the output itself.
fn all<const K: usize, O: Operations<K>>(precision: u32) {
    let p = bits(precision);
    // The scalar has more bits than the others; a third rounds differently in both.
    let third = Mp::one(bits(4096)) / Mp::from_f64(bits(4096), 3.0);
    for (rows, cols) in SHAPES {
        let inputs: Vec<Matrix> = (0..K as u64).map(|k| matrix(p, rows, cols, k)).collect();
        let before = matrix(p, rows, cols, 9);
        for &operation in O::ALL {
            for mixture in 0..3_usize.pow(K as u32) {
                let kind = |k: usize| mixture / 3_usize.pow(k as u32) % 3;
                let operands = core::array::from_fn(|k| match kind(k) {
                    0 => Operand::Entries(inputs[k].view()),
                    1 => Operand::Scalar(third),
                    _ => Operand::Output,
                });
                let mut found = before.clone();
                elementwise(operation, operands, found.view_mut()).unwrap();
                let expected = Matrix::from_fn_in(p, rows, cols, |i, j| {
                    operation.apply(core::array::from_fn(|k| match kind(k) {
                        0 => inputs[k].at(i, j),
                        1 => third.to_format(p),
                        _ => before.at(i, j),
                    }))
                });
                assert_same_bits(&found, &expected, operation.name());
            }
        }
    }
}

#[test]
fn every_operation() {
    for precision in [64, 106, 424] {
        all::<1, UnaryOp>(precision);
        all::<2, BinaryOp>(precision);
        all::<3, TernaryOp>(precision);
    }
}

#[test]
fn powers_and_sines_with_cosines() {
    let p = bits(212);
    for (rows, cols) in SHAPES {
        let x = matrix(p, rows, cols, 1);
        let [mut power, mut sin, mut cos] = [(); 3].map(|()| matrix(p, rows, cols, 2));
        for n in [0, 1, -3, 17] {
            powi(x.view(), n, power.view_mut()).unwrap();
            let expected = Matrix::from_fn_in(p, rows, cols, |i, j| x.at(i, j).powi(n));
            assert_same_bits(&power, &expected, "power");
        }
        sin_cos(x.view(), sin.view_mut(), cos.view_mut()).unwrap();
        let of = |f: fn(Mp) -> Mp| Matrix::from_fn_in(p, rows, cols, |i, j| f(x.at(i, j)));
        assert_same_bits(&sin, &of(Elementary::sin), "sine");
        assert_same_bits(&cos, &of(Elementary::cos), "cosine");
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
