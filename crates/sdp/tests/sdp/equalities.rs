//! Equality constraints: what is left without them, and the way back.

use std::fmt::Write;
use std::time::Instant;

use nonius_linalg::backend::Cpu;
use nonius_linalg::{Numbers, Scalar};
use nonius_num::{Dd, Decimal, Qd, Real};
use nonius_sdp::certify::{Certificate, Unproved};
use nonius_sdp::cpu::{CpuCone, Kernels};
use nonius_sdp::equalities::Eliminated;
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::Phase;
use nonius_sdp::{BlockValues, Parameters, Problem, Reduced, Report, Row, Solution, Task};

use crate::common::known::known;
use crate::common::tolerance::{of_objective, of_point};
use crate::common::within;

fn read(text: &str) -> Problem {
    read_sparse(text.as_bytes()).unwrap()
}

/// Solves what is left of a problem from a point of the problem, and goes back.
fn solve_from<T>(
    eliminated: &Eliminated<'_>,
    tolerance: f64,
    start: Option<Solution<T>>,
) -> (Report, Solution<T>)
where
    T: Scalar + Kernels,
{
    let problem = eliminated.problem();
    let reduced = Reduced::new(problem);
    let numbers = problem.numbers().values::<T>(()).unwrap();
    let cone = CpuCone::new(reduced.program(problem, &numbers).unwrap(), Cpu::default());
    let told = within(tolerance);
    let parameters = &eliminated.parameters(&told);
    let task = Task { problem, reduced: &reduced, parameters, began: Instant::now() };
    let start = start.map(|start| eliminated.restrict(start).unwrap());
    let (report, solution) = task.run(&cone, start.as_ref(), |_, _| true).unwrap();
    (eliminated.report::<T>(report, &told, ()), eliminated.restore(solution).unwrap())
}

fn solve<T>(problem: &Problem, tolerance: f64) -> (Report, Solution<T>)
where
    T: Scalar + Kernels,
{
    solve_from(&Eliminated::new(problem).unwrap(), tolerance, None)
}

/// The largest entry of `|Σ xᵢ·Fᵢ − F₀ − X|`, and of `|cᵢ − Fᵢ•Y|`.
fn residuals<T>(problem: &Problem, solution: &Solution<T>) -> [f64; 2]
where
    T: Scalar + Kernels,
{
    let numbers = problem.numbers().values::<T>(()).unwrap();
    let mut x = solution.primal.clone();
    let mut c: Vec<T> = problem.objective().iter().map(|&c| numbers.at(c as usize)).collect();
    for entry in problem.entries() {
        let (place, value) = (entry.place, numbers.at(entry.value as usize));
        let [row, col] = [place.row, place.col].map(|i| i as usize);
        let factor = match place.matrix.checked_sub(1) {
            Some(k) => -solution.x[k as usize],
            None => T::ONE,
        };
        let block = place.block as usize;
        let weight = if row == col { 1 } else { 2 };
        for (i, j) in [(row, col), (col, row)].into_iter().take(weight) {
            let sum = x[block].at(i, j).unwrap() + factor * value;
            x[block].set(i, j, sum);
        }
        if let Some(k) = place.matrix.checked_sub(1) {
            let y = solution.dual[block].at(row, col).unwrap();
            c[k as usize] -= T::from_f64(weight as f64) * value * y;
        }
    }
    let largest = |numbers: &mut dyn Iterator<Item = T>| {
        numbers.fold(0.0, |most: f64, x| most.max(x.to_f64().abs()))
    };
    let mut entries = x.iter().flat_map(|block| block.entries().as_slice().iter());
    [largest(&mut entries), largest(&mut c.into_iter())]
}

fn number<T: Scalar>(text: &str) -> T {
    T::from_decimal(text.as_bytes()).unwrap()
}

/// Asserts that both objectives are near an optimum, and that the point is feasible for the problem
/// itself, where what is left was solved to a gap and infeasibilities: numbers of the problem are
/// up to ten times those.
fn assert_solved<T>(
    problem: &Problem,
    (report, solution): &(Report, Solution<T>),
    optimum: T,
    tolerance: f64,
) where
    T: Scalar + Kernels,
{
    assert_eq!(report.phase, Phase::Optimal, "{report:?}");
    let tolerance = 10.0 * of_objective(tolerance);
    for objective in &report.objectives {
        let error = (number::<T>(objective) - optimum).to_f64().abs();
        assert!(error <= tolerance * optimum.to_f64().abs().max(1.0), "{objective} {error:e}");
    }
    let [primal, dual] = residuals(problem, solution);
    assert!(primal <= tolerance && dual <= tolerance, "{primal:e} {dual:e} {tolerance:e}");
}

/// `min x₁ + x₂` where `x₁·x₂ ≥ 1` and `x₁ = 4·x₂`, in one of three forms; the optimum is 5/2.
fn by_hand(rows: &str) -> Problem {
    read(&format!("2\n3\n2 -3 1\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n{rows}"))
}

#[test]
fn an_equality_by_hand() {
    let forms = [
        // In a diagonal block, with a row between.
        "0 2 2 2 -7\n1 2 1 1 1\n2 2 1 1 -4\n1 2 3 3 -1.0\n2 2 3 3 +4e0\n",
        // In two blocks, one of order 1, with a pivot that is not one.
        "0 2 2 2 -7\n1 2 3 3 -7e-1\n2 2 3 3 2.8\n1 3 1 1 .7\n2 3 1 1 -28d-1\n",
    ];
    for (form, place) in forms.into_iter().zip([[(1, 0), (1, 2)], [(1, 2), (2, 0)]]) {
        let problem = by_hand(form);
        let eliminated = Eliminated::new(&problem).unwrap();
        assert_eq!(eliminated.equalities(), [1, 0]);
        assert_eq!(Reduced::new(eliminated.problem()).order(), 3);
        let found = solve::<Dd>(&problem, 1e-22);
        assert_solved(&problem, &found, number("2.5"), 1e-22);
        let (report, solution) = &found;
        assert_eq!(report.equalities, [1, 0]);
        for (x, expected) in solution.x.plain().iter().zip([2.0, 0.5]) {
            assert!((x.to_f64() - expected).abs() <= of_point(1e-22), "{x}");
        }
        let size = if form.contains("e-1") { -0.375 / 0.7 } else { 0.375 };
        let at = |blocks: &[BlockValues<Dd>], (block, row): (usize, usize)| -> f64 {
            blocks[block].at(row, row).unwrap().to_f64()
        };
        let [first, second] = place.map(|place| at(&solution.dual, place));
        assert!((first - second - size).abs() <= of_point(1e-22), "{first} {second}");
        assert_eq!(first.min(second), 0.0);
        assert!(place.iter().all(|&place| at(&solution.primal, place) == 0.0));
    }
}

#[test]
fn rows_of_dense_blocks_that_stand_alone() {
    let text = "2\n1\n4\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n1 1 3 3 1\n2 1 3 3 -4\n1 1 4 4 -1\n2 1 4 4 4\n";
    let problem = read(text);
    assert_solved(&problem, &solve::<Dd>(&problem, 1e-22), number("2.5"), 1e-22);
    // An entry of zero joins nothing, any other does.
    let zero = read(&format!("{text}2 1 3 4 0.0\n"));
    assert_eq!(Eliminated::new(&zero).unwrap().equalities(), [1, 0]);
    let joined = read(&format!("{text}2 1 3 4 1e-400\n"));
    assert!(Eliminated::new(&joined).unwrap().is_whole());
}

#[test]
fn problems_without_equalities_stay_what_they_are() {
    let texts = [
        "2\n2\n2 -2\n1 1\n0 1 1 2 -1\n1 1 1 1 1\n2 1 2 2 1\n1 2 1 1 1\n1 2 2 2 1\n",
        "1\n1\n-2\n1\n0 1 1 1 1\n1 1 1 1 1\n1 1 2 2 -1\n",
        "1\n1\n-2\n1\n1 1 1 1 1\n1 1 2 2 -1.0000000000000000000000000000000000000001\n",
    ];
    for text in texts {
        let problem = read(text);
        let eliminated = Eliminated::new(&problem).unwrap();
        assert!(std::ptr::eq(eliminated.problem(), &problem) && eliminated.is_whole(), "{text}");
        assert_eq!(eliminated.equalities(), [0, 0]);
    }
}

/// Pivots one; a power of two; numbers by which no quotient is finite.
#[test]
fn equalities_that_a_known_optimum_meets() {
    for (seed, numbers_of) in
        [&[1, -1, 0, 0][..], &[-2, 4, -16, 0], &[3, 7, -9, 0], &[-13, 6, 2, 3, 21]]
            .into_iter()
            .enumerate()
    {
        for equalities in 1..=3 {
            let (problem, x, optimum) =
                known(seed as u64 + 3, [8, 7], None, (equalities, numbers_of));
            let eliminated = Eliminated::new(&problem).unwrap();
            assert_eq!(eliminated.equalities(), [equalities, 0]);
            let found = solve::<Dd>(&problem, 1e-21);
            assert_solved(&problem, &found, Dd::from(optimum as f64), 1e-21);
            for (found, &expected) in found.1.x.plain().iter().zip(&x) {
                assert!(
                    (found.to_f64() - expected as f64).abs() <= 10.0 * of_point(1e-21),
                    "{found} {expected}"
                );
            }
        }
    }
}

/// Without the digits that all numbers of a column have in common, these would have thousands.
#[test]
fn many_equalities_keep_numbers_short() {
    let (problem, x, optimum) = known(77, [6, 30], None, (24, &[13, -6, 22, 3, 21, -17, 1]));
    let eliminated = Eliminated::new(&problem).unwrap();
    assert_eq!(eliminated.equalities(), [24, 0]);
    let numbers = eliminated.problem().numbers();
    let longest = (0..numbers.len() as u32).map(|k| numbers.text(k).len()).max();
    assert!(longest < Some(120), "{longest:?}");
    let found = solve::<Qd>(&problem, 1e-40);
    assert_solved(&problem, &found, Qd::from_f64(optimum as f64), 1e-38);
    for (found, &expected) in found.1.x.plain().iter().zip(&x) {
        assert!(
            (found.to_f64() - expected as f64).abs() <= 10.0 * of_point(1e-40),
            "{found} {expected}"
        );
    }
}

/// `x₁ = x₂`, `x₂ = x₃`, `x₃ = 0.3`: everything but `x₄` is determined.
const CHAIN: &str = "4\n2\n2 -6\n1 2 3 4\n0 1 1 2 -0.6\n1 1 1 1 1\n2 1 1 1 1\n4 1 2 2 1\n\
                     1 2 1 1 1\n2 2 1 1 -1\n1 2 2 2 -1\n2 2 2 2 1\n\
                     2 2 3 3 1\n3 2 3 3 -1\n2 2 4 4 -1\n3 2 4 4 1\n\
                     3 2 5 5 3\n0 2 5 5 0.9\n3 2 6 6 -3\n0 2 6 6 -0.9\n";

/// `0.6·x₄ ≥ 0.36`: the optimum is `0.3·6 + 4·0.6`.
#[test]
fn chains_of_equalities() {
    let problem = read(CHAIN);
    assert_eq!(Eliminated::new(&problem).unwrap().equalities(), [3, 0]);
    let found = solve::<Dd>(&problem, 1e-22);
    assert_solved(&problem, &found, number("4.2"), 1e-22);
    // To the last bit.
    assert_eq!(found.1.x.plain()[..3], [number::<Dd>("0.3"); 3]);
}

#[test]
fn equalities_that_depend_on_each_other() {
    let more = |right: &str| {
        CHAIN.replace("2 -6", "2 -9")
            + &format!("1 2 7 7 1\n3 2 7 7 -1\n0 2 7 7 {right}\n1 2 8 8 -1\n3 2 8 8 1\n0 2 8 8 -{right}\n")
            // One of the rows once more.
            + "2 2 9 9 1.0\n3 2 9 9 -1\n"
    };
    let problem = read(&more("0"));
    assert_eq!(Eliminated::new(&problem).unwrap().equalities(), [4, 0]);
    assert_solved(&problem, &solve::<Dd>(&problem, 1e-22), number("4.2"), 1e-22);
    let message = |text: &str| Eliminated::new(&read(text)).unwrap_err().to_string();
    let expected = "row 7 of block 2 and row 8 of block 2 are an equality constraint that no x meets together with other equality constraints: the primal problem is infeasible";
    assert_eq!(message(&more("1e-30")), expected);
    // An equality of which only the right-hand side is not zero.
    let text = "1\n2\n-1 -2\n1\n1 1 1 1 1\n0 1 1 1 1e-9\n1 2 2 2 1\n0 2 1 1 -1e-9\n";
    assert!(Eliminated::new(&read(text)).unwrap().is_whole());
    let text = "1\n2\n-1 -2\n1\n0 1 1 1 1e-9\n1 2 2 2 1\n0 2 1 1 -1e-9\n";
    let expected = "row 1 of block 1 and row 1 of block 2 are an equality constraint that no x meets: the primal problem is infeasible";
    assert_eq!(message(text), expected);
}

/// An equality where the matrix that is left has no variable.
#[test]
fn all_variables_may_be_determined() {
    let text = "1\n2\n2 -2\n5\n0 1 1 2 -1\n0 1 2 2 -1\n1 1 1 1 1\n1 2 1 1 1\n0 2 1 1 3\n1 2 2 2 -1\n0 2 2 2 -3\n";
    let problem = read(text);
    let found = solve::<Dd>(&problem, 1e-20);
    assert_solved(&problem, &found, Dd::from(15.0), 1e-20);
    assert_eq!(found.1.x.plain(), [Dd::from(3.0)]);
    // The optimum of what is left is zero, and 15 goes there.
    let certificate = certificate(Ok("-5.6e-31".into()), Ok("2e-30".into()));
    let certificate = Eliminated::new(&problem).unwrap().certificate(certificate);
    let digits = "9".repeat(30);
    assert_eq!(certificate.lower, Ok(format!("14.{digits}44")));
    assert_eq!(certificate.upper, Ok(format!("15.{}2", "0".repeat(29))));
    assert!(certificate.digits() > Some(30.0), "{certificate:?}");
}

/// Of equalities alone one stays.
#[test]
fn something_is_left() {
    let text = "2\n1\n-4\n1 1\n1 1 1 1 1\n2 1 1 1 1\n0 1 1 1 2\n1 1 2 2 -1\n2 1 2 2 -1\n0 1 2 2 -2\n\
                1 1 3 3 1\n1 1 4 4 -1\n";
    let problem = read(text);
    assert_eq!(Eliminated::new(&problem).unwrap().equalities(), [1, 1]);
}

/// Lovász's number of a circle of five, `√5`: the largest sum of entries of `Y` where `tr Y = z`,
/// `z = 1` and the entries of edges are zero. `z` is free.
#[test]
fn a_free_variable_of_the_dual_problem() {
    let mut text = String::from("7\n2\n5 -2\n0 1 0 0 0 0 0\n");
    for (i, j) in (1..=5).flat_map(|j| (1..=j).map(move |i| (i, j))) {
        writeln!(text, "0 1 {i} {j} 1").unwrap();
    }
    (1..=5).for_each(|i| writeln!(text, "1 1 {i} {i} 1").unwrap());
    text.push_str("1 2 1 1 -1\n1 2 2 2 1\n2 2 1 1 1\n2 2 2 2 -1\n");
    for (k, (i, j)) in [(1, 2), (2, 3), (3, 4), (4, 5), (1, 5)].into_iter().enumerate() {
        writeln!(text, "{} 1 {i} {j} 1", k + 3).unwrap();
    }
    let problem = read(&text);
    let found = solve::<Dd>(&problem, 1e-21);
    assert_solved(&problem, &found, Dd::from(5.0).sqrt(), 1e-21);
    let BlockValues::Diagonal(y) = &found.1.dual[1] else { panic!("a diagonal block") };
    // The constraint says so by itself: a rounding of each.
    assert!((y[0] - y[1] - Dd::ONE).to_f64().abs() <= 4.0 * Dd::UNIT_ROUNDOFF, "{y:?}");
}

#[test]
fn points_go_there_and_back() {
    for numbers_of in [&[1, -1, 0][..], &[3, 7, -9, 0]] {
        let (problem, _, optimum) = known(5, [8, 7], None, (2, numbers_of));
        let eliminated = Eliminated::new(&problem).unwrap();
        let (cold, solution) = solve::<Dd>(&problem, 1e-10);
        // Two roundings, of numbers that are sums of a few of their size.
        let unit = 16.0 * Dd::UNIT_ROUNDOFF;
        let close = |a: &Numbers<Dd>, b: &Numbers<Dd>| {
            let mut pairs = a.plain().iter().zip(b.plain());
            pairs.all(|(a, b)| (*a - *b).to_f64().abs() <= unit * a.to_f64().abs().max(1.0))
        };
        let back = eliminated.restore(eliminated.restrict(solution.clone()).unwrap()).unwrap();
        assert!(close(&back.x, &solution.x), "{back:?} {solution:?}");
        assert!(close(back.primal[0].entries(), solution.primal[0].entries()));
        assert_eq!(back.dual, solution.dual);
        // From there it is not far.
        let warm = solve_from(&eliminated, 1e-20, Some(solution));
        assert_solved(&problem, &warm, Dd::from(optimum as f64), 1e-20);
        assert!(warm.0.iterations < cold.iterations);
    }
}

#[test]
fn points_that_are_not_finite() {
    let (problem, ..) = known(5, [8, 7], None, (2, &[3, 7, -9, 0]));
    let eliminated = Eliminated::new(&problem).unwrap();
    let (_, solution) = solve::<f64>(&problem, 1e-6);
    for special in [f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE] {
        let mut spoilt = solution.clone();
        spoilt.x.plain_mut().fill(special);
        for block in spoilt.dual.iter_mut().chain(&mut spoilt.primal) {
            block.set(0, 0, special);
        }
        let restored = eliminated.restore(eliminated.restrict(spoilt.clone()).unwrap()).unwrap();
        assert_eq!(restored.x.len(), spoilt.x.len());
    }
}

/// What is proved of what is left.
fn certificate(lower: Result<String, Unproved>, upper: Result<String, Unproved>) -> Certificate {
    let (precision, width, seconds) = ("qd".into(), 1.0, 0.0);
    Certificate { lower, upper, width, infeasible: None, precision, seconds }
}

/// Objectives of what is left, `o`, are those of the problem: `σ` and a constant are taken off,
/// outwards.
#[test]
fn bounds_stay_bounds() {
    // Equal bounds differ only by the outward rounding of a sum and a quotient.
    const NARROW: f64 = 1e-3;
    // The distance of both bounds from the optimum of what is left.
    let off = 1e-20;
    let (problem, _, optimum) = known(9, [6, 5], None, (2, &[3, 7, -9]));
    let eliminated = Eliminated::new(&problem).unwrap();
    // What is left has the optimum `o` with `o/σ + constant = optimum`, which two bounds tell.
    let at = |text: &str| {
        let bounds = eliminated.certificate(certificate(Ok(text.into()), Ok(text.into())));
        let [lower, upper] =
            [bounds.lower.unwrap(), bounds.upper.unwrap()].map(|x| number::<Qd>(&x));
        assert!(lower <= upper && bounds.width < NARROW, "{lower} {upper}");
        (lower, upper)
    };
    let (zero, _) = at("0.00000000000000000000000000000000000000000000000000");
    let (_, one) = at("1.00000000000000000000000000000000000000000000000000");
    let left = (Qd::from_f64(optimum as f64) - zero) / (one - zero);
    let below = left - Qd::from_f64(off);
    let above = left + Qd::from_f64(off);
    let mut texts = [Vec::new(), Vec::new()];
    below.append_decimal(&mut texts[0]);
    above.append_decimal(&mut texts[1]);
    let [below, above] = texts.map(|text| String::from_utf8(text).unwrap());
    let found = eliminated.certificate(certificate(Ok(below), Ok(above)));
    let [lower, upper] = [&found.lower, &found.upper].map(|x| number::<Qd>(x.as_ref().unwrap()));
    let optimum = Qd::from_f64(optimum as f64);
    assert!(lower <= optimum && optimum <= upper, "{found:?}");
    // The distance of the bounds of what is left, in units of the problem, and a quarter more.
    let apart = 2.5 * off * (one - zero).to_f64();
    assert!((upper - lower).to_f64() <= apart && found.digits() > Some(18.0), "{found:?}");
    let bounds = Parameters { lower_bound: -5.0, upper_bound: 1e4, ..Parameters::default() };
    let told = eliminated.parameters(&bounds);
    let (report, _) = solve::<f64>(&problem, 1e-6);
    let objectives = [told.lower_bound, told.upper_bound];
    let row = eliminated.row(&Row { objectives, ..report.history[0].clone() });
    let [lower, upper] = row.objectives;
    // Each way a product or quotient and a sum in `f64`, beside the constant.
    let scale = (objectives[1] - objectives[0]) / (1e4 + 5.0);
    let most = objectives.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let bound = 8.0 * f64::EPSILON * (2.0 * most / scale + 1e4);
    assert!((lower + 5.0).abs() <= bound && (upper - 1e4).abs() <= bound, "{row:?}");
    // What no arithmetic that is right yields.
    let crossed = eliminated.certificate(certificate(Ok("1.5".into()), Ok("1.25".into())));
    assert_eq!((&crossed.lower, crossed.digits()), (&Err(Unproved::Crossed), None));
    assert_eq!(crossed.upper, Err(Unproved::Crossed));
    let found = eliminated.certificate(certificate(Err(Unproved::Dual), Ok("1".into())));
    assert_eq!(found.digits(), None);
    assert_eq!(found.lower, Err(Unproved::Dual));
}

/// Numbers that are too long, too large or too small for a problem that is rewritten.
#[test]
fn equalities_that_stay() {
    let long = format!("0.{}7", "3".repeat(2500));
    for special in [long.as_str(), "1e-999999", "1e-99999999999999999999", "1e-12000"] {
        let text = CHAIN.replace("4 1 2 2 1\n", &format!("4 1 2 2 {special}\n"));
        let problem = read(&text);
        let eliminated = Eliminated::new(&problem).unwrap();
        assert!(eliminated.is_whole(), "{special}");
        assert_eq!(eliminated.equalities(), [0, 3]);
    }
}

/// Whatever stands in the place of any byte.
#[test]
fn no_problem_panics() {
    for at in 0..CHAIN.len() {
        for byte in *b"0379-.e" {
            let mut bytes = CHAIN.as_bytes().to_vec();
            bytes[at] = byte;
            let Ok(problem) = read_sparse(&bytes[..]) else { continue };
            if let Ok(eliminated) = Eliminated::new(&problem) {
                assert_eq!(eliminated.problem().constraints(), problem.constraints());
                assert_eq!(eliminated.problem().blocks(), problem.blocks());
            }
        }
    }
}
