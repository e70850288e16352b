//! Elementwise operations of a backend against those of numbers.

use nonius_linalg::backend::{Elementwise, View};
use nonius_linalg::dense::Operand;
use nonius_linalg::{BinaryOp, Matrix, Operations, TernaryOp, UnaryOp};

use crate::framed::Framed;
use crate::{Random, Sample};

/// Rows and columns: around the widths of registers and of groups of threads, one entry, none.
const SHAPES: [(usize, usize); 8] =
    [(0, 3), (3, 0), (1, 1), (7, 3), (1, 70), (64, 2), (129, 3), (515, 1)];

/// Exponents: short chains of squares, long ones, and the largest.
const POWERS: [i32; 10] = [0, 1, -1, 2, 5, -7, 100, -511, 100_001, i32::MIN];

/// Whether two numbers have the same bits, where NaN equals NaN whatever its sign and payload.
pub fn same_number<T: Sample>(found: T, expected: T) -> bool {
    found.is_nan() && expected.is_nan() || found.same_bits(expected)
}

/// Entries of a matrix for which a function of numbers that cost so much is computed often.
fn most_entries(cost: usize) -> usize {
    2_000_000 / cost
}

/// Every operation of a few instructions with every mixture of operands: entries, a number, the
/// output itself.
///
/// `agree(found, expected)` says whether a result is right.
pub fn arithmetic<T: Sample, B: Elementwise<T>>(
    backend: &B,
    format: T::Format,
    agree: impl Fn(T, T) -> bool,
) {
    Suite { backend, format, agree: &agree }.all(false);
}

/// As [`arithmetic`], for the operations of hundreds of instructions; and integer powers, and sines
/// with their cosines.
pub fn functions<T: Sample, B: Elementwise<T>>(
    backend: &B,
    format: T::Format,
    agree: impl Fn(T, T) -> bool,
) {
    let suite = Suite { backend, format, agree: &agree };
    suite.all(true);
    let random = &mut Random::new(2);
    for (rows, cols) in suite.shapes(true) {
        let x = Matrix::from_fn_in(format, rows, cols, |_, _| T::special(format, random));
        for n in POWERS {
            suite.power(&x, n);
        }
        suite.sine_and_cosine(&x);
    }
}

struct Suite<'a, B, T: Sample> {
    backend: &'a B,
    format: T::Format,
    agree: &'a dyn Fn(T, T) -> bool,
}

impl<T: Sample, B: Elementwise<T>> Suite<'_, B, T> {
    fn shapes(&self, long: bool) -> impl Iterator<Item = (usize, usize)> {
        let most = most_entries(T::cost(self.format) * if long { 10 } else { 1 });
        SHAPES.into_iter().filter(move |(rows, cols)| rows * cols <= most.max(1))
    }

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
        let format = self.format;
        for (rows, cols) in self.shapes(operation.is_long()) {
            // Operands that begin in an even row and in an odd one.
            for offset in [0, 1] {
                let inputs: [Matrix<T>; K] = core::array::from_fn(|_| {
                    Matrix::from_fn_in(format, rows + offset, cols, |_, _| {
                        T::special(format, random)
                    })
                });
                let output =
                    Framed::from_fn_in(format, rows, cols, |_, _| T::special(format, random));
                let number = T::special(format, random);
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
                    0 => inputs[k].at(i + offset, j),
                    1 => output.at(i, j),
                    _ => number,
                });
                let (found, expected) = (found.at(i, j), operation.apply(operands));
                assert!(
                    (self.agree)(found, expected),
                    "{} {} of {operands:?} at ({i}, {j}) of {rows} × {cols}, operands {kinds:?} from row {offset}: \
                     {found:?} for {expected:?}",
                    T::name(self.format),
                    operation.name(),
                );
            }
        }
    }

    fn power(&self, x: &Matrix<T>, n: i32) {
        let uploaded = self.backend.upload(x.view());
        let output = Framed::from_fn_in(self.format, x.rows(), x.cols(), |_, _| T::ONE);
        let found = output.update(self.backend, |output| {
            self.backend.powi(self.backend.view(&uploaded), n, output);
        });
        self.compare(x, &format!("power {n}"), &found, |x| x.powi(n));
    }

    fn sine_and_cosine(&self, x: &Matrix<T>) {
        let (rows, cols) = x.shape();
        let uploaded = self.backend.upload(x.view());
        let mut cosines = self.backend.upload(x.view());
        let ones = Framed::from_fn_in(self.format, rows, cols, |_, _| T::ONE);
        let sines = ones.update(self.backend, |sin| {
            let cos = self.backend.view_mut(&mut cosines);
            self.backend.sin_cos(self.backend.view(&uploaded), sin, cos);
        });
        let cosines = self.backend.download(self.backend.view(&cosines)).expect("a download");
        self.compare(x, "sine", &sines, |x| x.sin_cos().0);
        self.compare(x, "cosine", &cosines, |x| x.sin_cos().1);
    }

    fn compare(&self, x: &Matrix<T>, what: &str, found: &Matrix<T>, function: impl Fn(T) -> T) {
        for j in 0..x.cols() {
            for i in 0..x.rows() {
                let (x, found) = (x.at(i, j), found.at(i, j));
                let expected = function(x);
                assert!(
                    (self.agree)(found, expected),
                    "{} {what} of {x:?} at ({i}, {j}): {found:?} for {expected:?}",
                    T::name(self.format)
                );
            }
        }
    }
}
