//! Triangular systems.

use nonius_linalg::Matrix;
use nonius_linalg::backend::{Gemm, Reading, Trsm};
use nonius_linalg::dense::{Diagonal, Side, Transpose, Triangle, trsm_on};

use super::{FIRST_ORDER, TRANSPOSES, Units, affordable_often, samples};
use crate::framed::{Framed, assert_same_bits, nan};
use crate::{Random, Sample};

/// What is lost beside the sums, in units of roundoff of `(|op(A)||X|)`: 8 for a division, 2 for
/// `α·b`, 1 for each of at most two differences, and the first-order part that
/// `|α·b| <= |op(A)||X|` leaves out.
const FIXED_ROUNDOFFS: f64 = 13.0;

/// Runs the suite for one precision.
///
/// Substitution is backward stable row by row: with `c(k)` the backend's bound for sums, `X` is
/// required to satisfy `|α·B − op(A)·X| <= (c(n) + 13)·u·(|op(A)||X|)` entrywise (or with `op(A)`
/// on the right), whatever the condition.
pub fn trsm<T: Sample, B: Trsm<T> + Gemm<T>>(backend: &B, format: T::Format, units: Units) {
    let mut random = Random::new(20 + T::seed(format));
    for (n, rights) in [
        (0, 3),
        (1, 1),
        (2, 5),
        (3, 0),
        (7, 9),
        (8, 2),
        (17, 8),
        (33, 17),
        (63, 3),
        (64, 4),
        (65, 33),
        (130, 7),
        // Enough right-hand sides for halves.
        (33, 70),
    ] {
        if !affordable_often::<T>(format, [n, n, rights]) {
            continue;
        }
        for side in [Side::Left, Side::Right] {
            for triangle in [Triangle::Lower, Triangle::Upper] {
                for op in TRANSPOSES {
                    for diagonal in [Diagonal::NonUnit, Diagonal::Unit] {
                        let plain = random.below(2) == 0;
                        let alpha = if plain { T::ONE } else { T::random(format, &mut random) };
                        let system = (side, triangle, op, diagonal);
                        Case::new(format, system, alpha, (n, rights), &mut random).check(
                            backend,
                            units,
                            &mut random,
                        );
                    }
                }
            }
        }
    }
    alpha_zero::<T, B>(backend, format);
}

struct Case<T: Sample> {
    side: Side,
    triangle: Triangle,
    op: Transpose,
    diagonal: Diagonal,
    alpha: T,
    a: Framed<T>,
    b: Framed<T>,
}

impl<T: Sample> Case<T> {
    fn new(
        format: T::Format,
        (side, triangle, op, diagonal): (Side, Triangle, Transpose, Diagonal),
        alpha: T,
        (n, rights): (usize, usize),
        random: &mut Random,
    ) -> Self {
        // Small off the diagonal, so that solutions neither overflow nor vanish; NaN where nothing
        // may be read.
        let a = Framed::from_fn_in(format, n, n, |i, j| {
            let x = T::random(format, random);
            if i == j && diagonal == Diagonal::NonUnit {
                x.abs() + T::ONE
            } else if i != j && triangle.contains(i, j) {
                x * T::from_f64(2.0 / n as f64)
            } else {
                nan()
            }
        });
        let (rows, cols) = if side == Side::Left { (n, rights) } else { (rights, n) };
        let b = Framed::from_fn_in(format, rows, cols, |_, _| T::random(format, random));
        Self { side, triangle, op, diagonal, alpha, a, b }
    }

    fn run<B: Trsm<T> + Gemm<T>>(&self, backend: &B) -> Matrix<T> {
        let uploaded = self.a.upload(backend);
        self.b.update(backend, |b| {
            let a = self.a.view(backend, &uploaded);
            let Self { side, triangle, op, diagonal, alpha, .. } = *self;
            trsm_on(backend, side, triangle, op, diagonal, alpha, a, b).expect("shapes that fit");
        })
    }

    /// Entry `(i, l)` of `op(A)`.
    fn factor(&self, i: usize, l: usize) -> T {
        let (i, l) = if self.op == Transpose::No { (i, l) } else { (l, i) };
        if i == l && self.diagonal == Diagonal::Unit {
            T::ONE
        } else if self.triangle.contains(i, l) {
            self.a.at(i, l)
        } else {
            T::ZERO
        }
    }

    fn check<B: Trsm<T> + Gemm<T>>(&self, backend: &B, units: Units, random: &mut Random) {
        let x = self.run(backend);
        let (n, format) = (self.a.shape().0, self.a.format());
        let wide = T::wide(format);
        for (i, j) in samples(x.rows(), x.cols(), random) {
            let mut residual = self.alpha.in_bits(wide) * self.b.at(i, j).in_bits(wide);
            let mut size = Reading::ZERO;
            for l in 0..n {
                let (f, y) = match self.side {
                    Side::Left => (self.factor(i, l), x.at(l, j)),
                    Side::Right => (self.factor(l, j), x.at(i, l)),
                };
                residual -= f.in_bits(wide) * y.in_bits(wide);
                size += f.magnitude() * y.magnitude();
            }
            let error = residual.magnitude();
            let allowed = T::units(format, (units(n) + FIXED_ROUNDOFFS) * FIRST_ORDER) * size;
            let Self { side, triangle, op, diagonal, .. } = self;
            assert!(
                error <= allowed,
                "{} {side:?} {triangle:?} {op:?} {diagonal:?} order {n}: residual {error:e} > {allowed:e} at ({i}, {j})",
                T::name(format),
            );
        }
    }
}

fn alpha_zero<T: Sample, B: Trsm<T> + Gemm<T>>(backend: &B, format: T::Format) {
    for side in [Side::Left, Side::Right] {
        let mut random = Random::new(30);
        let triangle = Triangle::Lower;
        let system = (side, triangle, Transpose::No, Diagonal::NonUnit);
        let mut case = Case::new(format, system, T::ZERO, (9, 9), &mut random);
        case.a = Framed::from_fn_in(format, 9, 9, |_, _| nan());
        case.b = Framed::from_fn_in(format, 9, 9, |_, _| nan());
        assert_same_bits(&case.run(backend), &Matrix::zeros_in(format, 9, 9), "α = 0");
    }
}
