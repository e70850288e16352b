//! Iterative methods on small systems of every kind and scale: what the report says of residuals is
//! true, in exact arithmetic.

use nonius::num::mp::Bits;
use nonius::sparse::{
    Algorithm, Coo, Error, Format, Iteration, Options, Preconditioning, Residual, Solve, Stopped,
    Triplet,
};
use nonius::{Dd, Device, Matrix, Mp, Number, Qd, Td};
use nonius_linalg::{Scalar, mp};
use nonius_testkit::{Random, random_cases};
use num_bigint::BigInt;

/// `value · 2^exponent`.
#[derive(Clone)]
struct Exact {
    value: BigInt,
    exponent: i64,
}

impl Exact {
    fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let (biased, fraction) = (bits >> 52 & 0x7ff, (bits & ((1 << 52) - 1)) as i64);
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        let signed = if x < 0.0 { -significand } else { significand };
        Self { value: BigInt::from(signed), exponent: biased.max(1) as i64 - 1075 }
    }

    fn sum(limbs: &[f64]) -> Self {
        limbs.iter().fold(Self::of(0.0), |sum, &limb| sum.plus(&Self::of(limb)))
    }

    fn plus(&self, y: &Self) -> Self {
        let exponent = self.exponent.min(y.exponent);
        let at = |x: &Self| &x.value << (x.exponent - exponent) as usize;
        Self { value: at(self) + at(y), exponent }
    }

    fn times(&self, y: &Self) -> Self {
        Self { value: &self.value * &y.value, exponent: self.exponent + y.exponent }
    }

    /// `(s, e)` with the number near `s·2^e`.
    fn parts(&self) -> (f64, i64) {
        let extra = self.value.bits().saturating_sub(60);
        let short = i64::try_from(&self.value >> extra as usize).expect("60 bits");
        (short as f64, self.exponent + extra as i64)
    }
}

/// The binary logarithm of the norm; −∞ for zeros.
fn log2_norm(x: &[Exact]) -> f64 {
    let parts: Vec<(f64, i64)> = x.iter().map(Exact::parts).filter(|&(s, _)| s != 0.0).collect();
    let Some(most) = parts.iter().map(|&(_, e)| e).max() else { return f64::NEG_INFINITY };
    let squares = parts.iter().map(|&(s, e)| (s * 2.0_f64.powi((e - most) as i32)).powi(2));
    squares.sum::<f64>().log2() / 2.0 + most as f64
}

/// A system, and what is asked for.
struct Case {
    n: usize,
    triplets: Vec<Triplet<f64>>,
    right: Vec<f64>,
    start: Vec<f64>,
    options: Options,
}

fn draw(random: &mut Random, range: usize) -> Case {
    let most = if random.below(4) == 0 { 60 } else { 6 };
    let n = 1 + random.below(most);
    let scale = |random: &mut Random| match random.below(2) {
        0 => 1.0,
        _ => 2.0_f64.powi(random.below(2 * range) as i32 - range as i32),
    };
    let (matrix_scale, right_scale) = (scale(random), scale(random));
    let symmetric = random.below(3) != 0;
    let definite = random.below(2) == 0;
    let mut triplets = Vec::new();
    let mut sums = vec![0.0; n];
    for row in 0..n {
        for col in 0..row {
            if random.below(n) < 3 {
                let value = 2.0 * random.unit() - 1.0;
                let other = if symmetric { value } else { 2.0 * random.unit() - 1.0 };
                triplets.push(Triplet { row, col, value: value * matrix_scale });
                triplets.push(Triplet { row: col, col: row, value: other * matrix_scale });
                sums[row] += value.abs();
                sums[col] += other.abs();
            }
        }
    }
    for (row, sum) in sums.into_iter().enumerate() {
        let value = if definite { sum + random.unit() } else { 2.0 * random.unit() - 1.0 };
        triplets.push(Triplet { row, col: row, value: value * matrix_scale });
    }
    let zero = random.below(20) == 0;
    let right = |random: &mut Random| {
        if zero { 0.0 } else { (2.0 * random.unit() - 1.0) * right_scale }
    };
    let right: Vec<f64> = (0..n).map(|_| right(random)).collect();
    // Zero, anywhere, or where the solution would be of a matrix of ones on the diagonal.
    let start_scale = scale(random);
    let start = match random.below(3) {
        0 => (0..n).map(|_| (2.0 * random.unit() - 1.0) * start_scale).collect(),
        1 if random.below(2) == 0 => right.iter().map(|b| b / matrix_scale).collect(),
        _ => vec![0.0; n],
    };
    let restart = 1 + random.below(8);
    let algorithms =
        [Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab, Algorithm::Gmres { restart }];
    let formats = [Format::Csr, Format::Ell, Format::Jad, Format::Dia, Format::Full];
    let preconditioners = [
        Preconditioning::None,
        Preconditioning::None,
        Preconditioning::Jacobi,
        Preconditioning::BlockJacobi(2),
        Preconditioning::IncompleteCholesky,
    ];
    let options = Options {
        algorithm: algorithms[random.below(4)],
        iteration: Iteration {
            tolerance: 10.0_f64.powi(-(random.below(24) as i32)),
            residual: if random.below(2) == 0 { Residual::Recursive } else { Residual::True },
            max_iterations: random.below(200),
            history: random.below(4) == 0,
            ..Iteration::default()
        },
        refine: (random.below(5) == 0).then_some(1e-6),
        preconditioning: preconditioners[random.below(5)],
        format: formats[random.below(5)],
        full_preconditioner: random.below(2) == 0,
        ..Options::default()
    };
    Case { n, triplets, right, start, options }
}

fn check<T: Number>(
    case: &Case,
    u: f64,
    matrix: impl Fn(&[f64]) -> Matrix<T>,
    exact: impl Fn(&Matrix<T>, usize) -> Exact,
) {
    let Case { n, triplets, right, start, options } = case;
    let a = Coo::new(*n, *n, triplets.clone()).expect("inside");
    let (b, x0) = (matrix(right), matrix(start));
    let solve = Solve::short(a, &b).start(&x0).options(options.clone());
    let outcome = solve.device(Device::Cpu).run();
    let what = format!("n = {n}, u = {u:e}, {options:?}, {triplets:?}, {right:?}, {start:?}");
    let (x, report) = match outcome {
        Ok(found) => found,
        Err(
            Error::Breakdown { .. }
            | Error::NotSymmetric { .. }
            | Error::Singular { .. }
            | Error::IncompletePivot { .. },
        ) => return,
        Err(error) => panic!("{error:?}: {what}"),
    };
    let report = report.iteration;
    let rest = |x: &[Exact]| {
        let mut rest: Vec<Exact> = right.iter().map(|&b| Exact::of(b)).collect();
        for t in triplets {
            rest[t.row] = rest[t.row].plus(&Exact::of(-t.value).times(&x[t.col]));
        }
        log2_norm(&rest)
    };
    let x: Vec<Exact> = (0..*n).map(|i| exact(&x, i)).collect();
    let start: Vec<Exact> = start.iter().map(|&x| Exact::of(x)).collect();
    let first = rest(&start);
    if first == f64::NEG_INFINITY {
        assert!(report.converged && report.relative_residual_true == 0.0, "{what}");
        return;
    }
    let relative = (rest(&x) - first).exp2();
    let said = report.relative_residual_true;
    // Roundings of norms, and of residuals that are well above rounding: a part in 1024 each.
    let near = (said - relative).abs() <= relative / 256.0;
    // Below, relative residuals are subnormal; above, infinite.
    assert!(
        near || !(1e-300..=1e300).contains(&relative),
        "said {said:e}, is {relative:e}: {what}"
    );
    assert_eq!(report.converged, report.stopped == Stopped::Converged, "{what}");
    if report.converged {
        let norm = log2_norm(&triplets.iter().map(|t| Exact::of(t.value)).collect::<Vec<_>>());
        let sizes = [&x, &start].map(|x| norm + log2_norm(x));
        let of_right = log2_norm(&right.iter().map(|&b| Exact::of(b)).collect::<Vec<_>>());
        let drift: f64 =
            [sizes[0], sizes[1], of_right].map(|size| (size - first).exp2()).iter().sum();
        // The bound of the module, with the matrix's norm from above by that of Frobenius, times
        // √n.
        let bound = options.iteration.tolerance * (1.0 + 16.0 * f64::EPSILON)
            + (report.iterations as f64 + 8.0) * u * drift * 2.0 * (*n as f64).sqrt();
        assert!(relative <= bound, "{relative:e} above {bound:e}: {what}");
    }
}

fn limbs<T: Number + Scalar>(random: &mut Random) {
    // Squares of limbs' least parts reach the end of the range.
    let case = draw(random, 500);
    let u = T::UNIT_ROUNDOFF;
    let matrix = |x: &[f64]| Matrix::from_fn(x.len(), 1, |i, _| T::from_f64(x[i]));
    let exact = |x: &Matrix<T>, i: usize| {
        let limbs: Vec<f64> = (0..<T as Scalar>::LIMBS).map(|l| x[(i, 0)].limb(l)).collect();
        Exact::sum(&limbs)
    };
    check::<T>(&case, u, matrix, exact);
}

fn any_bits(random: &mut Random) {
    let case = draw(random, 300);
    let digits = 64 + random.below(200) as u32;
    let bits = Bits::new(digits).expect("64 and more");
    // Vectors beyond the range of `f64`, too.
    let power = [0, 3_000, -3_000][random.below(3)];
    let matrix = |x: &[f64]| {
        mp::Matrix::from_fn_in(bits, x.len(), 1, |i, _| Mp::from_f64(bits, x[i]).ldexp(power))
    };
    let exact = |x: &mp::Matrix, i: usize| {
        let mut rest = x.entry(i, 0).to_mp(bits).ldexp(-power);
        let mut limbs = Vec::new();
        while !rest.is_zero() {
            let limb = rest.to_f64();
            limbs.push(limb);
            rest -= Mp::from_f64(bits, limb);
        }
        Exact::sum(&limbs)
    };
    check::<Mp>(&case, 0.5_f64.powi(digits as i32), matrix, exact);
}

#[test]
fn random_systems() {
    random_cases("iterative methods", 1000, |random| match random.below(5) {
        0 => limbs::<f64>(random),
        1 => limbs::<Dd>(random),
        2 => limbs::<Td>(random),
        3 => limbs::<Qd>(random),
        _ => any_bits(random),
    });
}

/// Right-hand sides at the ends of the range have the solutions of those in the middle, times a
/// power of two.
#[test]
fn far_right_hand_sides() {
    let t = |row, col, value| Triplet { row, col, value };
    let triplets = vec![t(0, 0, 2.0), t(0, 1, 1.0), t(1, 0, 1.0), t(1, 1, 3.0)];
    for algorithm in
        [Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab, Algorithm::Gmres { restart: 5 }]
    {
        let solve = |scale: i32| {
            let a = Coo::new(2, 2, triplets.clone()).unwrap();
            let b = Matrix::from_fn(2, 1, |i, _| (1.0 + i as f64) * 2.0_f64.powi(scale));
            Solve::new(a, &b).algorithm(algorithm).device(Device::Cpu).run().unwrap()
        };
        let (middle, _) = solve(0);
        for scale in [-900, -700, 700, 900] {
            let (x, report) = solve(scale);
            assert!(report.iteration.converged, "{algorithm} 2^{scale}");
            for i in 0..2 {
                assert_eq!(x[(i, 0)], middle[(i, 0)] * 2.0_f64.powi(scale), "{algorithm}");
            }
        }
    }
}
