//! Elementwise operations of a backend against those of numbers.

use nonius_linalg::backend::{Elementwise, View};
use nonius_linalg::dense::Operand;
use nonius_linalg::{BinaryOp, Matrix, Operations, Scalar, TernaryOp, UnaryOp};

use crate::Random;
use crate::framed::Framed;

/// Rows and columns: around the widths of registers and of groups of threads, one entry, none.
const SHAPES: [(usize, usize); 8] =
    [(0, 3), (3, 0), (1, 1), (7, 3), (1, 70), (64, 2), (129, 3), (515, 1)];

/// Whether two numbers have the same limbs, where NaN equals NaN whatever its sign and payload.
pub fn same_number<T: Scalar>(found: T, expected: T) -> bool {
    let bits = |x: T, l| x.limb(l).to_bits();
    found.is_nan() && expected.is_nan()
        || (0..T::LIMBS).all(|l| bits(found, l) == bits(expected, l))
}

/// Every operation of a few instructions with every mixture of operands: entries, a number, the output itself.
///
/// `agree(found, expected)` says whether a result is right.
pub fn arithmetic<T: Scalar, B: Elementwise<T>>(backend: &B, agree: impl Fn(T, T) -> bool) {
    Suite { backend, agree: &agree }.all(false);
}

/// As [`arithmetic`], for the operations of hundreds of instructions.
pub fn functions<T: Scalar, B: Elementwise<T>>(backend: &B, agree: impl Fn(T, T) -> bool) {
    Suite { backend, agree: &agree }.all(true);
}

struct Suite<'a, B, T> {
    backend: &'a B,
    agree: &'a dyn Fn(T, T) -> bool,
}

impl<T: Scalar, B: Elementwise<T>> Suite<'_, B, T> {
    fn all(&self, long: bool) {
        let random = &mut Random::new(1);
        for &operation in UnaryOp::ALL.iter().filter(|operation| operation.is_long() == long) {
            self.one(operation, random);
        }
        for &operation in BinaryOp::ALL.iter().filter(|operation| operation.is_long() == long) {
            self.one(operation, random);
        }
        for &operation in TernaryOp::ALL.iter().filter(|operation| operation.is_long() == long) {
            self.one(operation, random);
        }
    }

    fn one<const K: usize>(&self, operation: impl Operations<K>, random: &mut Random) {
        for (rows, cols) in SHAPES {
            // Operands that begin in an even row and in an odd one.
            for offset in [0, 1] {
                let inputs: [Matrix<T>; K] = core::array::from_fn(|_| {
                    Matrix::from_fn(rows + offset, cols, |_, _| random.special_scalar())
                });
                let output = Framed::from_fn(rows, cols, |_, _| random.special_scalar());
                let number = random.special_scalar();
                for mixture in 0..3_usize.pow(K as u32) {
                    let kinds = core::array::from_fn(|k| mixture / 3_usize.pow(k as u32) % 3);
                    self.mixture(operation, kinds, offset, &inputs, number, &output);
                }
            }
        }
    }

    fn mixture<const K: usize>(
        &self,
        operation: impl Operations<K>,
        kinds: [usize; K],
        offset: usize,
        inputs: &[Matrix<T>; K],
        number: T,
        output: &Framed<T>,
    ) {
        let (rows, cols) = output.shape();
        let uploaded = inputs.each_ref().map(|x| self.backend.upload(x.view()));
        let found = output.update(self.backend, |output| {
            let operands = core::array::from_fn(|k| match kinds[k] {
                0 => Operand::Entries(self.backend.view(&uploaded[k]).block(offset, 0, rows, cols)),
                1 => Operand::Output,
                _ => Operand::Scalar(number),
            });
            self.backend.elementwise(operation, operands, output);
        });
        for j in 0..cols {
            for i in 0..rows {
                let operands: [T; K] = core::array::from_fn(|k| match kinds[k] {
                    0 => inputs[k][(i + offset, j)],
                    1 => output.at(i, j),
                    _ => number,
                });
                let (found, expected) = (found[(i, j)], operation.apply(operands));
                assert!(
                    (self.agree)(found, expected),
                    "{} {} of {operands:?} at ({i}, {j}) of {rows} × {cols}, operands {kinds:?} from row {offset}: \
                     {found:?} for {expected:?}",
                    T::NAME,
                    operation.name(),
                );
            }
        }
    }
}
