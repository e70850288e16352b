//! Bounds that are proved, and proofs that are refused.

mod common;

use std::fmt::Write;
use std::time::Instant;

use nonius_linalg::backend::{Cone, Cpu};
use nonius_linalg::cpu::cone::{LimbCone, MpCone};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Bits, Numbers};
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Decimal, Mp, Qd, Real};
use nonius_sdp::certify::{Certificate, Corrector, Unproved, certify};
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::{Phase, Point};
use nonius_sdp::{BlockValues, Parameters, Problem, Reduced, Solution, Task};

use common::Sequence;

fn limbs<T: Scalar + Decimal>(problem: &Problem) -> LimbCone<T> {
    let numbers = problem.numbers().values::<Vec<T>>(()).unwrap();
    LimbCone::new(Reduced::new(problem).program(problem, &numbers).unwrap(), Cpu::default())
}

fn solve<T>(problem: &Problem, tolerance: f64) -> (Phase, Solution<T>)
where
    T: Scalar + Decimal + Entry<Format = ()>,
{
    let parameters = Parameters { gap: tolerance, feasibility: tolerance, ..Parameters::default() };
    let reduced = Reduced::new(problem);
    let began = Instant::now();
    let task = Task { problem, reduced: &reduced, parameters: &parameters, began };
    let (report, solution) = task.run(&limbs::<T>(problem), (), None, |_, _| true).unwrap();
    (report.phase, solution)
}

fn map<S, T>(solution: &Solution<S>, number: impl Fn(&S) -> T + Copy) -> Solution<T> {
    let block = |block: &BlockValues<S>| match block {
        BlockValues::Dense { order, entries } => {
            BlockValues::Dense { order: *order, entries: entries.iter().map(number).collect() }
        }
        BlockValues::Diagonal(entries) => {
            BlockValues::Diagonal(entries.iter().map(number).collect())
        }
    };
    let blocks = |blocks: &[BlockValues<S>]| blocks.iter().map(block).collect();
    Solution {
        x: solution.x.iter().map(number).collect(),
        primal: blocks(&solution.primal),
        dual: blocks(&solution.dual),
    }
}

/// A proof on a cone, with corrections in its own precision or none.
fn prove_on<C: Cone>(
    cone: &C,
    format: <C::Number as Entry>::Format,
    problem: &Problem,
    (solution, phase): (&Solution<C::Number>, Phase),
    corrects: bool,
) -> Certificate
where
    C::Number: Entry,
{
    let reduced = Reduced::new(problem);
    let numbers = problem.numbers().values::<Vec<f64>>(()).unwrap();
    let rounded = reduced.program(problem, &numbers).unwrap();
    let point = || {
        let (x, [primal, dual]) = reduced.restrict(solution).unwrap();
        Point {
            x: cone.upload_vector(&x).unwrap(),
            primal: cone.upload_blocks(&primal).unwrap(),
            dual: cone.upload_blocks(&dual).unwrap(),
        }
    };
    let corrector = if corrects { Corrector::new(cone, point()).unwrap() } else { None };
    certify(cone, format, &rounded, (point(), phase), &mut |residual, target| {
        let Some(corrector) = &corrector else { return Ok(None) };
        let change = corrector.correct(cone, &cone.upload_vector(residual)?, target)?;
        change
            .map(|to| Ok((cone.download_vector(&to.x)?, cone.download_blocks(&to.dual)?)))
            .transpose()
    })
    .unwrap()
}

fn prove<T>(problem: &Problem, solution: &Solution<T>, corrects: bool) -> Certificate
where
    T: Scalar + Decimal + Entry<Format = ()>,
{
    prove_on(&limbs::<T>(problem), (), problem, (solution, Phase::Optimal), corrects)
}

/// From the solution in `f64` bounds in `dd`, and from that in `dd` those in `qd`.
fn both(problem: &Problem) -> [Certificate; 2] {
    let (_, rough) = solve::<f64>(problem, 1e-8);
    let (_, fine) = solve::<Dd>(problem, 1e-20);
    let widened = map(&fine, |x| Qd::from_f64(x.limbs()[1]) + Qd::from_f64(x.limbs()[0]));
    [prove(problem, &map(&rough, |&x| Dd::from(x)), true), prove(problem, &widened, true)]
}

fn number(text: &str) -> Qd {
    Qd::from_decimal(text.as_bytes()).unwrap()
}

/// Asserts that bounds that are there enclose an optimum.
fn assert_encloses(certificate: &Certificate, optimum: Qd) {
    if let Ok(lower) = &certificate.lower {
        assert!(number(lower) <= optimum, "{certificate:?} {optimum}");
    }
    if let Ok(upper) = &certificate.upper {
        assert!(number(upper) >= optimum, "{certificate:?} {optimum}");
    }
}

/// Asserts that both bounds are there, enclose an optimum and share so many digits.
fn assert_proves(certificate: &Certificate, optimum: Qd, digits: f64) {
    assert_encloses(certificate, optimum);
    assert!(certificate.digits().is_some_and(|found| found >= digits), "{certificate:?}");
    let [lower, upper] = [&certificate.lower, &certificate.upper].map(|b| b.clone().unwrap());
    let width = (number(&upper) - number(&lower)).to_f64() / optimum.to_f64().abs();
    assert!(width <= 10_f64.powf(-digits), "{certificate:?}");
}

const EXAMPLE: &str = "\"Example 1\n3\n1\n2\n48 -8 20\n\
                       0 1 1 1 -11\n0 1 2 2 23\n1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";

fn tenths(x: f64) -> Qd {
    Qd::from_f64(x) / Qd::from_f64(10.0)
}

#[test]
fn the_example_of_sdpa() {
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let [rough, fine] = both(&problem);
    assert_proves(&rough, tenths(-419.0), 7.0);
    assert_proves(&fine, tenths(-419.0), 19.0);
    assert_eq!((rough.precision.as_str(), fine.precision.as_str()), ("dd", "qd"));
}

/// From `qd` and from bits to twice as many.
#[test]
fn any_number_of_bits() {
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (_, solution) = solve::<Qd>(&problem, 1e-40);
    let bits = Bits::new(416).unwrap();
    let solution = map(&solution, |x| Mp::from_limbs(bits, &x.limbs()));
    let numbers = problem.numbers().values::<Numbers>(bits).unwrap();
    let program = Reduced::new(&problem).program(&problem, &numbers).unwrap();
    let cone = MpCone::new(program, Products::default());
    let found = prove_on(&cone, bits, &problem, (&solution, Phase::Optimal), true);
    assert_proves(&found, tenths(-419.0), 39.0);
    assert_eq!(found.precision, "mp416");
}

/// Numbers that no binary number is: `0.1·x ≥ 0.3` and `0.7·x ≤ 21`, with the optimum 3.
#[test]
fn decimal_numbers_count_as_they_are_written() {
    let text = "1\n1\n-2\n1\n0 1 1 1 0.3\n0 1 2 2 -21\n1 1 1 1 0.1\n1 1 2 2 -0.7\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let [rough, fine] = both(&problem);
    assert_proves(&rough, Qd::from_f64(3.0), 7.0);
    assert_proves(&fine, Qd::from_f64(3.0), 19.0);
}

/// A problem of integers with a known optimum: `X = H·diag(a, 0)·H` and `Y = H·diag(0, b)·H` with a reflection `H`, `F₀ = Σ xᵢ·Fᵢ − X` and `cᵢ = Fᵢ•Y`. Every
/// constraint but the first, which is the identity, so that there is a primal interior, has `share` of eleven of its entries.
fn known(seed: u64, order: usize, m: usize, share: i64) -> (Problem, f64) {
    let mut numbers = Sequence(seed);
    let v: Vec<i64> = (0..order).map(|i| numbers.next(1) + i64::from(i == 0) * 2).collect();
    let square: i64 = v.iter().map(|x| x * x).sum();
    let h = |i: usize, j: usize| i64::from(i == j) * square - 2 * v[i] * v[j];
    let weights: Vec<i64> = (0..order).map(|_| 1 + numbers.next(1).abs()).collect();
    let sum = |i: usize, j: usize, range: core::ops::Range<usize>| -> i64 {
        range.map(|k| h(i, k) * weights[k] * h(j, k)).sum()
    };
    let mut f0 = Matrix::from_fn(order, order, |i, j| -sum(i, j, 0..order / 2));
    let y = Matrix::from_fn(order, order, |i, j| sum(i, j, order / 2..order));
    let (mut c, mut entries) = (vec![0_i64; m], String::new());
    let mut optimum = 0;
    for (k, c) in c.iter_mut().enumerate() {
        let x = numbers.next(3);
        for (i, j) in (0..order).flat_map(|j| (0..=j).map(move |i| (i, j))) {
            let f = if k > 0 { numbers.next(4) } else { i64::from(i == j) };
            if f != 0 && (k == 0 || numbers.next(5) + 5 < share) {
                writeln!(entries, "{} 1 {} {} {f}", k + 1, i + 1, j + 1).unwrap();
                *c += f * y[(i, j)] * if i == j { 1 } else { 2 };
                f0[(i, j)] += x * f;
            }
        }
        optimum += x * *c;
    }
    for (i, j) in (0..order).flat_map(|j| (0..=j).map(move |i| (i, j))) {
        writeln!(entries, "0 1 {} {} {}", i + 1, j + 1, f0[(i, j)]).unwrap();
    }
    let c: Vec<String> = c.iter().map(i64::to_string).collect();
    let text = format!("{m}\n1\n{order}\n{}\n{entries}", c.join(" "));
    (read_sparse(text.as_bytes()).unwrap(), optimum as f64)
}

/// The optimum is `c·x` with the `x` of the problem, where `X` and `Y` are complementary.
#[test]
fn problems_with_known_optima() {
    for seed in 1..=6 {
        let order = 4 + 2 * seed as usize;
        let (problem, optimum) = known(seed, order, 2 + order / 2, [3, 9][seed as usize % 2]);
        let [rough, fine] = both(&problem);
        assert_proves(&rough, Qd::from_f64(optimum), 5.0);
        assert_proves(&fine, Qd::from_f64(optimum), 18.0);
    }
}

/// A point that is off by `10⁻¹⁰` anywhere, or by much, proves nothing that is wrong.
#[test]
fn wrong_points_prove_nothing_wrong() {
    let mut refused = 0;
    for seed in 1..=3 {
        let (problem, optimum) = known(seed, 6, 5, 5);
        let (_, solution) = solve::<Dd>(&problem, 1e-20);
        let mut numbers = Sequence(seed);
        for size in [1e-18, 1e-10, 1e-3, 10.0] {
            for corrects in [false, true] {
                let mut spoilt = solution.clone();
                let mut off = || Dd::from(numbers.next(100) as f64 / 100.0 * size);
                spoilt.x.iter_mut().for_each(|x| *x += off());
                let BlockValues::Dense { entries, .. } = &mut spoilt.dual[0] else { panic!("one") };
                entries.iter_mut().for_each(|y| *y += off());
                let certificate = prove(&problem, &spoilt, corrects);
                assert_encloses(&certificate, Qd::from_f64(optimum));
                refused += usize::from(certificate.digits().is_none());
                // The right `Y`, and an `x` that is almost feasible.
                let mut outside = solution.clone();
                outside.x.iter_mut().for_each(|x| *x *= Dd::from(1.0 - size));
                let certificate = prove(&problem, &outside, corrects);
                assert_encloses(&certificate, Qd::from_f64(optimum));
            }
        }
    }
    assert!(refused > 3, "{refused}");
}

/// Every iterate is a point from which bounds are right, if there are any.
#[test]
fn bounds_on_the_way() {
    let (problem, optimum) = known(5, 8, 6, 7);
    let reduced = Reduced::new(&problem);
    let parameters = Parameters { gap: 1e-10, feasibility: 1e-10, ..Parameters::default() };
    let task = Task {
        problem: &problem,
        reduced: &reduced,
        parameters: &parameters,
        began: Instant::now(),
    };
    let (mut points, mut proved) = (Vec::new(), 0);
    task.run(&limbs::<f64>(&problem), (), None, |_, fetch| {
        points.push(fetch().unwrap());
        true
    })
    .unwrap();
    for point in &points {
        let certificate = prove(&problem, &map(point, |&x| Dd::from(x)), true);
        assert_encloses(&certificate, Qd::from_f64(optimum));
        proved += usize::from(certificate.digits().is_some());
    }
    assert!(proved > 3 && points.len() > proved, "{proved} of {}", points.len());
}

fn point(x: &[f64], primal: &[f64], dual: &[f64]) -> Solution<Dd> {
    let block = |entries: &[f64]| {
        let order = entries.len().isqrt();
        vec![BlockValues::Dense { order, entries: entries.iter().map(|&x| Dd::from(x)).collect() }]
    };
    let x = x.iter().map(|&x| Dd::from(x)).collect();
    Solution { x, primal: block(primal), dual: block(dual) }
}

/// `Y₁₁ = 0`: no `Y` is positive definite.
#[test]
fn a_dual_problem_without_interior_has_no_lower_bound() {
    let text = "2\n1\n2\n0 1\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    for (entry, corrects) in [(0.0, false), (1e-20, false), (1e-20, true)] {
        let solution = point(&[1e6, 2e-6], &[1e6, -1.0, -1.0, 2e-6], &[entry, 0.0, 0.0, 1.0]);
        let certificate = prove(&problem, &solution, corrects);
        assert_eq!(certificate.lower, Err(Unproved::Dual));
        assert_encloses(&certificate, Qd::from_f64(0.0));
        assert!(number(&certificate.upper.clone().unwrap()).to_f64() < 3e-6, "{certificate:?}");
        assert_eq!((certificate.digits(), certificate.infeasible), (None, None));
    }
}

/// `X = [[x, 1], [1, 0]] ⪰ 0` for no `x`, and `[[x, 0], [0, 0]]` has no interior.
#[test]
fn a_primal_problem_without_interior_has_no_upper_bound() {
    let text = "1\n1\n2\n1\n0 1 2 2 0.0\n1 1 1 1 1\n1 1 1 2 1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let solution = point(&[0.0], &[0.0; 4], &[1.0, 0.0, 0.0, 1.0]);
    let certificate = prove(&problem, &solution, false);
    assert_eq!(certificate.upper, Err(Unproved::Primal));
    assert_encloses(&certificate, Qd::from_f64(0.0));
    assert!(certificate.lower.is_ok());
}

#[test]
fn constraints_that_depend_on_each_other_are_named() {
    let text = "2\n1\n2\n1 2\n1 1 1 1 1\n1 1 1 2 0.5\n1 1 2 2 1\n2 1 1 1 2\n2 1 1 2 1\n2 1 2 2 2\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let solution = point(&[1.0, 1.0], &[3.0, 1.5, 1.5, 3.0], &[0.5, 0.0, 0.0, 0.5]);
    let certificate = prove(&problem, &solution, true);
    assert_eq!(certificate.lower, Err(Unproved::Dependent));
    assert!(certificate.upper.is_ok());
}

#[test]
fn what_is_not_finite_proves_nothing() {
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (_, solution) = solve::<Dd>(&problem, 1e-20);
    for special in [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e-300] {
        for corrects in [false, true] {
            let mut spoilt = solution.clone();
            spoilt.x[1] = Dd::from(special);
            let BlockValues::Dense { entries, .. } = &mut spoilt.dual[0] else { panic!("a block") };
            entries[0] = Dd::from(special);
            let certificate = prove(&problem, &spoilt, corrects);
            assert_encloses(&certificate, tenths(-419.0));
        }
    }
}

/// `x ≥ 1` and `−x ≥ 1`; `min −x` where `x ≥ 0`.
#[test]
fn problems_without_a_point() {
    let primal = "1\n1\n2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 -1\n";
    let dual = "2\n1\n2\n-1 0\n1 1 1 1 1\n1 1 1 2 0.5\n1 1 2 2 1\n2 1 2 2 1\n";
    for (text, expected) in [(primal, Phase::PrimalInfeasible), (dual, Phase::DualInfeasible)] {
        let problem = read_sparse(text.as_bytes()).unwrap();
        let (phase, solution) = solve::<f64>(&problem, 1e-7);
        assert_eq!(phase, expected);
        let solution = map(&solution, |&x| Dd::from(x));
        let cone = limbs::<Dd>(&problem);
        let certificate = prove_on(&cone, (), &problem, (&solution, phase), true);
        assert_eq!(certificate.infeasible, Some(expected));
        assert_eq!(certificate.lower, Err(Unproved::Infeasible));
    }
    // What has a solution is not proved to have none.
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (_, solution) = solve::<Dd>(&problem, 1e-20);
    for phase in [Phase::PrimalInfeasible, Phase::DualInfeasible] {
        let cone = limbs::<Dd>(&problem);
        let certificate = prove_on(&cone, (), &problem, (&solution, phase), true);
        assert_eq!(certificate.infeasible, None);
        assert_encloses(&certificate, tenths(-419.0));
    }
}

/// Proofs from the solution in `f64` of a problem whose numbers have very different sizes.
#[test]
fn scales_do_not_matter() {
    let scaled = EXAMPLE
        .replace("48 -8 20", "48e-9 -8 20e7")
        .replace("1 1 1 1 10\n1 1 1 2 4", "1 1 1 1 10e-9\n1 1 1 2 4e-9")
        .replace("3 1 1 2 -8\n3 1 2 2 -2", "3 1 1 2 -8e7\n3 1 2 2 -2e7");
    let problem = read_sparse(scaled.as_bytes()).unwrap();
    let (_, solution) = solve::<Dd>(&problem, 1e-18);
    let widened = map(&solution, |x| Qd::from_f64(x.limbs()[1]) + Qd::from_f64(x.limbs()[0]));
    let certificate = prove(&problem, &widened, true);
    assert_encloses(&certificate, tenths(-419.0));
    assert!(certificate.digits().is_some_and(|digits| digits > 10.0), "{certificate:?}");
}

/// The largest eigenvalue of `[[0, 1], [1, 0]]`, twice: `max 2·Y₁₂` where `Y₁₁ + Y₂₂ = 2`, and `min 2·x` where `x·I − F₀ ⪰ 0`, of which the optimum is 2 at the edge. In `dd` it is seen
/// on which side of it a point is, `10⁻²⁰` away.
#[test]
fn which_side_of_the_edge() {
    let problem = read_sparse(b"1\n1\n2\n2\n0 1 1 2 1\n1 1 1 1 1\n1 1 2 2 1\n".as_slice()).unwrap();
    for (off, is_feasible) in [(1e-20_f64, true), (-1e-20, false), (1e-24, true), (0.0, false)] {
        let mut solution = point(&[1.0], &[1.0, -1.0, -1.0, 1.0], &[1.0; 4]);
        solution.x[0] += Dd::from(off);
        let BlockValues::Dense { entries, .. } = &mut solution.dual[0] else { panic!("a block") };
        [1, 2].into_iter().for_each(|i| entries[i] -= Dd::from(off));
        let certificate = prove(&problem, &solution, false);
        assert_encloses(&certificate, Qd::from_f64(2.0));
        if is_feasible {
            let digits = -off.log10() - 1.0;
            assert!(certificate.digits().is_some_and(|found| found > digits), "{certificate:?}");
        } else {
            assert_eq!(certificate.lower, Err(Unproved::Dual));
            assert_eq!(certificate.upper, Err(Unproved::Primal));
        }
    }
}
