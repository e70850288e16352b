//! `C ← α·op(A)·op(B) + β·C`.

use nonius_linalg::Matrix;
use nonius_linalg::backend::{Gemm, Reading, Reference};
use nonius_linalg::dense::Transpose;

use super::{
    DATA, Data, TRANSPOSES, Units, affordable_often, assert_close, exact_product, exact_update,
    factors, samples, stored, update_units,
};
use crate::framed::{Framed, assert_same_bits, nan};
use crate::{Random, Sample};

/// Runs the suite for one precision. `units` is the backend's bound.
pub fn gemm<T: Sample, B: Gemm<T>>(backend: &B, format: T::Format, units: Units) {
    let mut random = Random::new(T::seed(format));
    for shape in shapes(T::cost(format)) {
        if !affordable_often::<T>(format, shape) {
            continue;
        }
        let (a, b) = factors::<T>(format, Data::Plain, shape, &mut random);
        let case = Case::new(a, b, &mut random);
        let mut results = Vec::new();
        for op_a in TRANSPOSES {
            for op_b in TRANSPOSES {
                results.push(case.run(backend, op_a, op_b));
            }
        }
        case.judge(&results[0], units, &mut random);
        for result in &results[1..] {
            assert_same_bits(result, &results[0], "transposed operands");
        }
    }
    for data in DATA {
        for shape in [[5, 4, 1], [17, 6, 40], [9, 11, 257], [3, 2, 1000]] {
            if !affordable_often::<T>(format, shape) {
                continue;
            }
            let (a, b) = factors::<T>(format, data, shape, &mut random);
            let mut case = Case::new(a, b, &mut random);
            let (alpha, beta) = (case.alpha, case.beta);
            for (alpha, beta) in [
                (T::ONE, T::ZERO),
                (T::ONE, T::ONE),
                (-T::ONE, T::ONE),
                (alpha, T::ZERO),
                (alpha, T::ONE),
                (T::ONE, beta),
                (alpha, beta),
            ] {
                (case.alpha, case.beta) = (alpha, beta);
                let result = case.run(backend, Transpose::No, Transpose::No);
                case.judge(&result, units, &mut random);
            }
        }
    }
    what_is_not_read::<T, B>(backend, format);
    specials::<T, B>(backend, format);
}

/// Sizes around those that kernels like: registers, tiles, periods and blocks. Fewer of them
/// for numbers that cost much.
fn shapes(cost: usize) -> Vec<[usize; 3]> {
    let mut shapes = vec![
        // Around blocks of k.
        [17, 5, 255],
        [17, 5, 256],
        [17, 5, 257],
        [2, 3, 513],
        // Around blocks of rows and of columns.
        [143, 2, 3],
        [145, 3, 2],
        [193, 1, 5],
        [241, 2, 5],
        [481, 3, 2],
        [2, 289, 3],
        [3, 385, 2],
        [1, 481, 5],
        [2, 961, 2],
        [150, 150, 20],
    ];
    for m in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 23, 24, 25, 33] {
        for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, 13] {
            for k in [0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33] {
                // Every pair of neighbours somewhere, not every triple.
                let step = if cost > COSTLY { 15 } else { 3 };
                if (m + 4 * n + 7 * k) % step == 0 {
                    shapes.push([m, n, k]);
                }
            }
        }
    }
    shapes
}

/// A [cost](nonius_linalg::Number::cost) beyond that of all limbs.
const COSTLY: usize = 500;

struct Case<T: Sample> {
    a: Framed<T>,
    b: Framed<T>,
    c: Framed<T>,
    alpha: T,
    beta: T,
}

impl<T: Sample> Case<T> {
    fn new(a: Framed<T>, b: Framed<T>, random: &mut Random) -> Self {
        let format = a.format();
        let mut number = || T::random(format, random);
        let c = Framed::from_fn_in(format, a.shape().0, b.shape().1, |_, _| number());
        Self { a, b, c, alpha: number(), beta: number() }
    }

    /// `α·A·B + β·C`, from operands stored as `op_a` and `op_b` want them.
    fn run<B: Gemm<T>>(&self, backend: &B, op_a: Transpose, op_b: Transpose) -> Matrix<T> {
        let (a, b) = (stored(&self.a, op_a), stored(&self.b, op_b));
        let (on_device_a, on_device_b) = (a.upload(backend), b.upload(backend));
        self.c.update(backend, |c| {
            let (a, b) = (a.view(backend, &on_device_a), b.view(backend, &on_device_b));
            backend.gemm(op_a, op_b, self.alpha, a, b, self.beta, c);
        })
    }

    fn judge(&self, result: &Matrix<T>, units: Units, random: &mut Random) {
        let ((m, k), (_, n)) = (self.a.shape(), self.b.shape());
        let format = self.c.format();
        for (i, j) in samples(m, n, random) {
            let c = self.c.at(i, j);
            let terms = (0..k).map(|l| (self.a.at(i, l), self.b.at(l, j)));
            let (sum, size) = exact_product(format, terms);
            let exact = exact_update(format, self.alpha, sum, self.beta, c);
            let allowed = Reading::of(units(k)) * self.alpha.magnitude() * size
                + update_units(self.alpha, size, self.beta, c);
            assert_close(format, result.at(i, j), exact, allowed, &|| {
                format!("entry ({i}, {j}) of {m} × {k} times {k} × {n}")
            });
        }
    }
}

/// Operands that a factor zero or an empty sum makes irrelevant.
fn what_is_not_read<T: Sample, B: Gemm<T>>(backend: &B, format: T::Format) {
    let mut random = Random::new(7);
    let (m, n, k) = (19, 6, 9);
    let (a, b) = factors::<T>(format, Data::Plain, [m, n, k], &mut random);
    let mut case = Case::new(a, b, &mut random);
    let (alpha, beta) = (case.alpha, case.beta);
    let run = |case: &Case<T>| case.run(backend, Transpose::No, Transpose::No);

    case.beta = T::ZERO;
    let clean = run(&case);
    case.c = Framed::from_fn_in(format, m, n, |_, _| nan());
    assert_same_bits(&run(&case), &clean, "β = 0 and C full of NaN");

    case.c = Framed::from_fn_in(format, m, n, |_, _| T::random(format, &mut random));
    (case.alpha, case.beta) = (T::ZERO, beta);
    case.a = Framed::from_fn_in(format, m, k, |_, _| nan());
    let scaled = Matrix::from_fn_in(format, m, n, |i, j| beta * case.c.at(i, j));
    assert_same_bits(&run(&case), &scaled, "α = 0 and A full of NaN");
    case.beta = T::ONE;
    assert_same_bits(&run(&case), &case.c.inside(), "α = 0, β = 1");
    case.beta = T::ZERO;
    assert_same_bits(&run(&case), &Matrix::zeros_in(format, m, n), "α = 0, β = 0");

    (case.alpha, case.beta) = (alpha, beta);
    case.a = Framed::from_fn_in(format, m, 0, |_, _| nan());
    case.b = Framed::from_fn_in(format, 0, n, |_, _| nan());
    assert_same_bits(&run(&case), &scaled, "no terms");
}

/// NaN, infinities, overflow, signed zeros and subnormal numbers: as the textbook kernel has them.
fn specials<T: Sample, B: Gemm<T>>(backend: &B, format: T::Format) {
    let mut random = Random::new(8);
    let (m, n, k) = (18, 7, 21);
    let of = T::from_f64;
    let infinity = of(f64::INFINITY);
    let [big, large, small, least] = T::extremes();
    let odd =
        [of(f64::NAN), infinity, -infinity, of(0.0), of(-0.0), small, least, large, big, -big];
    let odd = if T::OVERFLOWS_ON_THE_WAY { &odd[..] } else { &odd[..7] };
    for round in 0..40 {
        let mut entry = |_, _| {
            if random.below(12) == 0 {
                odd[random.below(odd.len())]
            } else if round % 4 == 3 {
                T::from_f64(if random.below(2) == 0 { 0.0 } else { -0.0 })
            } else {
                T::random(format, &mut random)
            }
        };
        let a = Framed::from_fn_in(format, m, k, &mut entry);
        let b = Framed::from_fn_in(format, k, n, &mut entry);
        let mut case = Case::new(a, b, &mut random);
        for (alpha, beta) in [(T::ONE, T::ZERO), (-T::ONE, T::ONE), (case.alpha, case.beta)] {
            (case.alpha, case.beta) = (alpha, beta);
            let result = case.run(backend, Transpose::No, Transpose::No);
            let expected = case.run(&Reference, Transpose::No, Transpose::No);
            for j in 0..n {
                for i in 0..m {
                    assert_like(format, result.at(i, j), expected.at(i, j));
                }
            }
        }
    }
    tiny_products::<T, B>(backend, format);
}

/// Panics unless both are NaN, or the same infinity, or both finite.
fn assert_like<T: Sample>(format: T::Format, found: T, expected: T) {
    let alike = if expected.is_nan() {
        found.is_nan()
    } else if expected.is_finite() {
        found.is_finite()
    } else {
        found.same_bits(expected)
    };
    assert!(alike, "{}: {found:?} where the textbook has {expected:?}", T::name(format));
}

/// Products below the smallest normal number: each may lose a few of the smallest subnormal.
fn tiny_products<T: Sample, B: Gemm<T>>(backend: &B, format: T::Format) {
    let lost_a_term = Reading::of(16.0).scaled(T::LEAST_EXPONENT.into());
    let mut random = Random::new(9);
    let (m, n, k) = (9, 5, 12);
    for above in [77, 37, 7, -3] {
        let scale = T::LEAST_EXPONENT / 2 + above;
        let mut entry = |_, _| T::random(format, &mut random).ldexp(scale);
        let a = Framed::from_fn_in(format, m, k, &mut entry);
        let b = Framed::from_fn_in(format, k, n, &mut entry);
        let mut case = Case::new(a, b, &mut random);
        (case.alpha, case.beta) = (T::ONE, T::ZERO);
        let result = case.run(backend, Transpose::No, Transpose::No);
        let expected = case.run(&Reference, Transpose::No, Transpose::No);
        for j in 0..n {
            for i in 0..m {
                let error = (result.at(i, j) - expected.at(i, j)).magnitude();
                let term = |l| (case.a.at(i, l) * case.b.at(l, j)).magnitude();
                let size = (0..k).map(term).fold(Reading::ZERO, Reading::plus);
                let lost = Reading::of(2.0 * k as f64) * lost_a_term;
                let allowed = T::units(format, 200.0) * size + lost;
                let name = T::name(format);
                assert!(error <= allowed, "{name} at 2^{scale}: {error:e} > {allowed:e}");
            }
        }
    }
}
