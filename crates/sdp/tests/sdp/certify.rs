//! Bounds that are proved, and proofs that are refused.

use std::time::Instant;

use nonius_linalg::backend::Cpu;
use nonius_linalg::mp::Bits;
use nonius_linalg::{Numbers, Scalar};
use nonius_num::{Dd, Decimal, Mp, Plain, Qd, Real};
use nonius_sdp::certify::{Certificate, Corrector, Unproved, certify};
use nonius_sdp::cone::Cone;
use nonius_sdp::cpu::{CpuCone, Kernels};
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::{Phase, Point};
use nonius_sdp::{AnyPoint, BlockValues, Problem, Reduced, Solution, Task};
use rayon::ThreadPoolBuilder;

use crate::common::example::EXAMPLE;
use crate::common::{Sequence, within};

fn limbs<T: Scalar + Kernels>(problem: &Problem) -> CpuCone<T> {
    let numbers = problem.numbers().values::<T>(()).unwrap();
    CpuCone::new(Reduced::new(problem).program(problem, &numbers).unwrap(), Cpu::default())
}

fn solve<T>(problem: &Problem, tolerance: f64) -> (Phase, Solution<T>)
where
    T: Scalar + Kernels,
{
    let parameters = within(tolerance);
    let reduced = Reduced::new(problem);
    let began = Instant::now();
    let task = Task { problem, reduced: &reduced, parameters: &parameters, began };
    let (report, solution) = task.run(&limbs::<T>(problem), None, |_, _| true).unwrap();
    (report.phase, solution)
}

fn map<S: Plain, T: Plain>(solution: &Solution<S>, number: impl Fn(&S) -> T + Copy) -> Solution<T> {
    let list = |numbers: &Numbers<S>| -> Numbers<T> {
        numbers.plain().iter().map(number).collect::<Vec<T>>().into()
    };
    let block = |block: &BlockValues<S>| match block {
        BlockValues::Dense { order, entries } => {
            BlockValues::Dense { order: *order, entries: list(entries) }
        }
        BlockValues::Diagonal(entries) => BlockValues::Diagonal(list(entries)),
    };
    let blocks = |blocks: &[BlockValues<S>]| blocks.iter().map(block).collect();
    Solution {
        x: list(&solution.x),
        primal: blocks(&solution.primal),
        dual: blocks(&solution.dual),
    }
}

/// A proof on a cone, with corrections in its own precision or none.
fn prove_on<C: Cone>(
    cone: &C,
    problem: &Problem,
    (solution, phase): (&Solution<C::Number>, Phase),
    corrects: bool,
) -> Certificate {
    let reduced = Reduced::new(problem);
    let numbers = problem.numbers().values::<f64>(()).unwrap();
    let rounded = reduced.program(problem, &numbers).unwrap();
    let point = || {
        let (x, [primal, dual]) = reduced.restrict(solution, cone.format()).unwrap();
        Point {
            x: cone.upload_vector(&x).unwrap(),
            primal: cone.upload_blocks(&primal).unwrap(),
            dual: cone.upload_blocks(&dual).unwrap(),
        }
    };
    let corrector = if corrects { Corrector::new(cone, point()).unwrap() } else { None };
    certify(cone, &rounded, (point(), phase), &mut |residual, target| {
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
    T: Scalar + Kernels,
{
    prove_on(&limbs::<T>(problem), problem, (solution, Phase::Optimal), corrects)
}

/// The relative gap that tests ask of `f64`.
const GAP_OF_F64: f64 = 1e-8;

/// From the solution in `f64` bounds in `dd`, and from that in `dd` those in `qd`.
fn both(problem: &Problem) -> [Certificate; 2] {
    let (_, rough) = solve::<f64>(problem, GAP_OF_F64);
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
    if let (Ok(lower), Ok(upper)) = (&certificate.lower, &certificate.upper) {
        assert!(number(lower) <= number(upper), "weak duality: {certificate:?}");
    }
    for bound in [&certificate.lower, &certificate.upper] {
        assert_ne!(bound, &Err(Unproved::Crossed), "{certificate:?}");
    }
}

/// Asserts that both bounds are there, enclose an optimum and share at least `digits` digits.
fn assert_proves(certificate: &Certificate, optimum: Qd, digits: f64) {
    assert_encloses(certificate, optimum);
    assert!(certificate.digits().is_some_and(|found| found >= digits), "{certificate:?}");
    let [lower, upper] = [&certificate.lower, &certificate.upper].map(|b| b.clone().unwrap());
    let width = (number(&upper) - number(&lower)).to_f64() / optimum.to_f64().abs();
    assert!(width <= 10_f64.powf(-digits), "{certificate:?}");
}

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
    let solution = AnyPoint::of(solution).to::<Mp>(bits);
    let numbers = problem.numbers().values::<Mp>(bits).unwrap();
    let program = Reduced::new(&problem).program(&problem, &numbers).unwrap();
    let cone = CpuCone::new(program, Cpu::default());
    let found = prove_on(&cone, &problem, (&solution, Phase::Optimal), true);
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

/// A problem of which every constraint but the first has `share` of eleven of its entries, and its
/// optimum.
fn known(seed: u64, order: usize, m: usize, share: i64) -> (Problem, f64) {
    let (problem, _, optimum) =
        crate::common::known::known(seed, [order, m], Some(share), (0, &[]));
    (problem, optimum as f64)
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
                spoilt.x.plain_mut().iter_mut().for_each(|x| *x += off());
                let BlockValues::Dense { entries, .. } = &mut spoilt.dual[0] else { panic!("one") };
                entries.plain_mut().iter_mut().for_each(|y| *y += off());
                let certificate = prove(&problem, &spoilt, corrects);
                assert_encloses(&certificate, Qd::from_f64(optimum));
                refused += usize::from(certificate.digits().is_none());
                // The right `Y`, and an `x` that is almost feasible.
                let mut outside = solution.clone();
                outside.x.plain_mut().iter_mut().for_each(|x| *x *= Dd::from(1.0 - size));
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
    let parameters = within(1e-10);
    let task = Task {
        problem: &problem,
        reduced: &reduced,
        parameters: &parameters,
        began: Instant::now(),
    };
    let (mut points, mut proved) = (Vec::new(), 0);
    task.run(&limbs::<f64>(&problem), None, |_, fetch| {
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
    let list = |numbers: &[f64]| -> Numbers<Dd> {
        numbers.iter().map(|&x| Dd::from(x)).collect::<Vec<Dd>>().into()
    };
    let block = |entries: &[f64]| {
        vec![BlockValues::Dense { order: entries.len().isqrt(), entries: list(entries) }]
    };
    Solution { x: list(x), primal: block(primal), dual: block(dual) }
}

/// `Y₁₁ = 0`: no `Y` is positive definite.
#[test]
fn a_dual_problem_without_interior_has_no_lower_bound() {
    let text = "2\n1\n2\n0 1\n0 1 1 2 1\n1 1 1 1 1\n2 1 2 2 1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let least = 2e-6;
    for (entry, corrects) in [(0.0, false), (1e-20, false), (1e-20, true)] {
        let solution = point(&[1e6, least], &[1e6, -1.0, -1.0, least], &[entry, 0.0, 0.0, 1.0]);
        let certificate = prove(&problem, &solution, corrects);
        assert_eq!(certificate.lower, Err(Unproved::Dual));
        assert_encloses(&certificate, Qd::from_f64(0.0));
        // The objective of the point is `least`; corrections and rounding may add half as much.
        assert!(
            number(&certificate.upper.clone().unwrap()).to_f64() < 1.5 * least,
            "{certificate:?}"
        );
        assert_eq!((certificate.digits(), certificate.infeasible), (None, None));
    }
}

/// `X = [[x, x], [x, 0]]` is positive semidefinite for `x = 0` alone, and definite for none.
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
    let specials = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e-300];
    for (special, corrects) in specials.into_iter().flat_map(|x| [(x, false), (x, true)]) {
        let mut spoilt = solution.clone();
        spoilt.x.set(1, Dd::from(special));
        spoilt.dual[0].set(0, 0, Dd::from(special));
        let certificate = prove(&problem, &spoilt, corrects);
        assert_encloses(&certificate, tenths(-419.0));
        if !special.is_finite() {
            assert_eq!(certificate.upper, Err(Unproved::Range), "{special}");
            assert_eq!(certificate.lower, Err(Unproved::Range), "{special}");
            assert_eq!((certificate.digits(), certificate.width), (None, f64::INFINITY));
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
        let certificate = prove_on(&cone, &problem, (&solution, phase), true);
        assert_eq!(certificate.infeasible, Some(expected));
        assert_eq!(certificate.lower, Err(Unproved::Infeasible));
    }
    // What has a solution is not proved to have none.
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (_, solution) = solve::<Dd>(&problem, 1e-20);
    for phase in [Phase::PrimalInfeasible, Phase::DualInfeasible] {
        let cone = limbs::<Dd>(&problem);
        let certificate = prove_on(&cone, &problem, (&solution, phase), true);
        assert_eq!(certificate.infeasible, None);
        assert_encloses(&certificate, tenths(-419.0));
    }
}

/// Proofs in `qd` from the solution in `dd` of a problem whose numbers have very different sizes.
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

/// The largest eigenvalue of `[[0, 1], [1, 0]]`, twice: `max 2·Y₁₂` where `Y₁₁ + Y₂₂ = 2`, and
/// `min 2·x` where `x·I − F₀ ⪰ 0`, of which the optimum is 2 at the edge. In `dd` it is seen on
/// which side of it a point is, `10⁻²⁰` away.
#[test]
fn which_side_of_the_edge() {
    let problem = read_sparse(b"1\n1\n2\n2\n0 1 1 2 1\n1 1 1 1 1\n1 1 2 2 1\n".as_slice()).unwrap();
    for (off, is_feasible) in [(1e-20_f64, true), (-1e-20, false), (1e-24, true), (0.0, false)] {
        let mut solution = point(&[1.0], &[1.0, -1.0, -1.0, 1.0], &[1.0; 4]);
        solution.x.set(0, solution.x[0] + Dd::from(off));
        let BlockValues::Dense { entries, .. } = &mut solution.dual[0] else { panic!("a block") };
        [1, 2].into_iter().for_each(|i| entries.plain_mut()[i] -= Dd::from(off));
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

/// `min 2·x₁` where `x₁ ≥ |x₂|`: without `F₀` the optimum is zero, and so is `F₀•Y` to the last
/// bit.
#[test]
fn a_problem_without_a_constant_matrix() {
    // Terms are zero, so that a bound has only the allowance for underflow.
    const UNDERFLOW: f64 = 1e-200;
    let text = "2\n1\n2\n2 0\n1 1 1 1 1\n1 1 2 2 1\n2 1 1 2 1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    for certificate in both(&problem) {
        assert_encloses(&certificate, Qd::ZERO);
        let lower = number(certificate.lower.as_ref().unwrap());
        assert!(lower.to_f64() > -UNDERFLOW, "{certificate:?}");
        let upper = number(certificate.upper.as_ref().unwrap());
        // Ten times the gap that was asked for.
        assert!(upper.to_f64() <= 10.0 * GAP_OF_F64, "{certificate:?}");
        // Beside an optimum of zero no digit is right.
        assert_eq!(certificate.digits(), Some(0.0));
    }
}

/// A solution and its certificate, but for the time that it took.
fn from_start_to_end<S>(problem: &Problem, tolerance: f64) -> (Vec<Numbers<S>>, Certificate)
where
    S: Scalar + Kernels,
{
    let (_, solution) = solve::<S>(problem, tolerance);
    let wide = map(&solution, |x| {
        (0..S::LIMBS).rev().fold(Qd::ZERO, |sum, limb| sum + Qd::from_f64(x.limb(limb)))
    });
    let certificate = prove(problem, &wide, true);
    let mut numbers = vec![solution.x];
    let blocks = solution.primal.iter().chain(&solution.dual);
    numbers.extend(blocks.map(|block| block.entries().clone()));
    (numbers, Certificate { seconds: 0.0, ..certificate })
}

/// However many threads share the work. The square is large enough to be shared, and for products
/// by blocks.
#[test]
fn bits_do_not_depend_on_threads() {
    let (problem, _) = known(11, 48, 20, 6);
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let rough = from_start_to_end::<f64>(&problem, 1e-8);
            (rough, from_start_to_end::<Dd>(&problem, 1e-20))
        })
    };
    let one = on(1);
    assert!(one.0.1.digits().is_some() && one.1.1.digits().is_some(), "{one:?}");
    for threads in [2, 3] {
        assert_eq!(on(threads), one, "{threads} threads");
    }
}
