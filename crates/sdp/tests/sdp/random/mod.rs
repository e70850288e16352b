//! Random semidefinite programs of which everything is known, in all precisions: no phase is wrong,
//! no objective lies further from the optimum than the point's own infeasibilities allow, and
//! proved bounds contain the optimum.

mod exact;
mod problems;

use nonius_linalg::backend::Cpu;
use nonius_sdp::certify::Certificate;
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::Phase;
use nonius_sdp::{
    AnyPoint, Options, Parameters, Problem, Report, Solution, Start, prove, solve_on,
};
use nonius_testkit::{Random, random_cases};

use exact::Fraction;
use problems::{Entries, Integers, Known, Scales, Truth};

/// Rounding errors of a sum of `k` terms are below `k` units each of half a roundoff; sums here are
/// nested twice.
const NESTED: f64 = 4.0;

fn options(random: &mut Random) -> Options {
    let precision = match random.below(16) {
        0..=6 => "f64".into(),
        7..=12 => "dd".into(),
        13 => "td".into(),
        14 => "qd".into(),
        _ => format!("mp{}", 64 + random.below(200)),
    };
    Options {
        precision: precision.parse().expect("a precision"),
        at_once: random.below(4) == 0,
        then_proved: false,
        parameters: Parameters { most_iterations: 200, ..Parameters::default() },
        gap: None,
        feasibility: None,
    }
}

/// What is said of a problem: the phase, with the point where there is one.
enum Said {
    /// Before anything is computed.
    Seen(Phase),
    Found(Box<(Report, AnyPoint, Option<Certificate>)>),
    /// Nothing is left to be solved.
    Nothing,
}

fn solve(problem: &Problem, options: &Options, certifies: bool) -> Said {
    match solve_on(&Cpu::default(), problem, options, None, &mut |_, _| true) {
        Ok((report, point)) => {
            let certificate = certifies.then(|| {
                prove(&Cpu::default(), problem, (&point, report.phase)).expect("a proof or none")
            });
            Said::Found(Box::new((report, point, certificate)))
        }
        Err(error) => error.phase().map_or(Said::Nothing, Said::Seen),
    }
}

/// Refuses a phase that is not true. Feasibility within a tolerance is no claim of a solution's
/// existence where solutions of another problem are as near.
fn check_phase(phase: Phase, truth: Truth, is_strong: bool, text: &str) {
    let Truth { primal_feasible, dual_feasible } = truth;
    let is_true = match phase {
        Phase::Optimal => primal_feasible && dual_feasible,
        Phase::PrimalInfeasible => !primal_feasible,
        Phase::DualInfeasible => !dual_feasible,
        Phase::Infeasible => !primal_feasible || !dual_feasible,
        Phase::Feasible => !is_strong || (primal_feasible && dual_feasible),
        Phase::PrimalFeasible => !is_strong || primal_feasible,
        Phase::DualFeasible => !is_strong || dual_feasible,
        Phase::PrimalUnbounded | Phase::DualUnbounded => false,
        Phase::Unknown => true,
    };
    assert!(is_true, "{phase} of a problem with {truth:?}:\n{text}");
}

fn check_certificate(
    certificate: &Certificate,
    truth: Truth,
    optimum: Option<&Fraction>,
    text: &str,
) {
    let shown = format!("{certificate:?}\n{text}");
    match certificate.infeasible {
        Some(Phase::PrimalInfeasible) => assert!(!truth.primal_feasible, "{shown}"),
        Some(Phase::DualInfeasible) => assert!(!truth.dual_feasible, "{shown}"),
        _ => {}
    }
    // Bounds are those of feasible points, each of which shows that its problem has one.
    if let Ok(lower) = &certificate.lower {
        assert!(truth.dual_feasible, "{shown}");
        assert!(optimum.is_none_or(|optimum| Fraction::of_decimal(lower) <= *optimum), "{shown}");
    }
    if let Ok(upper) = &certificate.upper {
        assert!(truth.primal_feasible, "{shown}");
        assert!(optimum.is_none_or(|optimum| Fraction::of_decimal(upper) >= *optimum), "{shown}");
    }
}

/// Refuses objectives beyond what infeasibilities explain. With a feasible `x̂` and `Ŷ` of the same
/// objective, `c·x ≥ c·x̂ − Σ|P_ij|·|Ŷ_ij|` and `F₀•Y ≤ F₀•Ŷ + Σ|x̂ᵢ|·|cᵢ − Fᵢ•Y|`, and rounding.
fn check_objectives(
    (report, point): (&Report, &AnyPoint),
    known: &Known,
    scales: &Scales,
    optimum: &Fraction,
    text: &str,
) {
    let Known { problem, x, y, .. } = known;
    let power = |k: i32| 10_f64.powi(k);
    let magnitude = |entries: &Entries, k: i32| {
        let times = |[_, row, col]: [usize; 3]| if row == col { 1.0 } else { 2.0 };
        let sum: f64 = entries.iter().map(|&(place, v)| times(place) * v.abs() as f64).sum();
        sum * power(k)
    };
    let found: Solution<f64> = point.to(());
    let of_y = magnitude(y, scales.objective);
    let shifted = |i: usize| scales.constant - scales.constraints[i];
    let of_x: f64 = (0..x.len()).map(|i| x[i].abs() as f64 * power(shifted(i))).sum();
    let largest = |entries: &Entries, k: i32| {
        entries.iter().map(|e| e.1.abs() as f64).fold(0.0, f64::max) * power(k)
    };
    let (mut slack, mut objective, mut products) =
        (largest(&problem.matrices[0], scales.constant), 0.0, 0.0);
    let trace: f64 = Solution::diagonal(&found.dual).map(f64::abs).sum();
    for (i, x_i) in x.iter().enumerate() {
        let k = scales.constraints[i];
        slack += found.x[i].abs() * largest(&problem.matrices[i + 1], k);
        objective += (found.x[i] * problem.c[i] as f64 * power(k + scales.objective)).abs();
        let own = x_i.abs() as f64 * power(shifted(i));
        let c = problem.c[i].abs() as f64 * power(k + scales.objective);
        products += own * (magnitude(&problem.matrices[i + 1], k) * trace + c);
    }
    let terms = NESTED * (problem.order().pow(2) + x.len() + 2) as f64 * report.unit_roundoff;
    let dual_terms = magnitude(&problem.matrices[0], scales.constant) * trace + products;
    // Sums of a few numbers here, each rounded.
    let rounded = 1.0 + 64.0 * f64::EPSILON;
    let below = rounded * (report.infeasibilities[0] * of_y + terms * (slack * of_y + objective));
    let above = rounded * (report.infeasibilities[1] * of_x + terms * dual_terms);
    if !below.is_finite() || !above.is_finite() {
        return;
    }
    let [primal, dual] = report.objectives.each_ref().map(|text| Fraction::of_decimal(text));
    let shown = || format!("{:?} of {optimum:?}, {below:e}, {above:e}\n{text}", report.objectives);
    assert!(primal.plus(&Fraction::of(below)) >= *optimum, "{}", shown());
    assert!(dual <= optimum.plus(&Fraction::of(above)), "{}", shown());
}

#[test]
fn random_problems_with_known_optima() {
    random_cases("known optima", 400, |random| {
        let known = problems::known(random);
        let scales = problems::scales(random, known.x.len(), -100);
        let text = known.problem.text(&scales);
        let problem = read_sparse(text.as_bytes()).expect("a problem");
        let options = options(random);
        let optimum = Fraction::new(known.optimum.into(), 1);
        let optimum = optimum.scaled(scales.constant + scales.objective);
        let truth = Truth { primal_feasible: true, dual_feasible: true };
        match solve(&problem, &options, random.below(2) == 0) {
            Said::Nothing => {}
            Said::Seen(phase) => panic!("{phase} of a problem with an optimum:\n{text}"),
            Said::Found(found) => {
                let (report, point, certificate) = *found;
                check_phase(report.phase, truth, true, &text);
                let is_finite =
                    report.objectives.iter().all(|x| x.parse().is_ok_and(f64::is_finite));
                if is_finite && report.phase == Phase::Optimal {
                    check_objectives((&report, &point), &known, &scales, &optimum, &text);
                }
                if let Some(certificate) = certificate {
                    check_certificate(&certificate, truth, Some(&optimum), &text);
                }
            }
        }
    });
}

fn check_infeasible(random: &mut Random, problem: &Integers, truth: Truth) {
    let scales = problems::scales(random, problem.c.len(), -100);
    let text = problem.text(&scales);
    let read = read_sparse(text.as_bytes()).expect("a problem");
    match solve(&read, &options(random), true) {
        Said::Nothing => {}
        Said::Seen(phase) => check_phase(phase, truth, true, &text),
        Said::Found(found) => {
            let (report, _, certificate) = *found;
            check_phase(report.phase, truth, true, &text);
            let certificate = certificate.expect("it was asked for");
            check_certificate(&certificate, truth, None, &text);
        }
    }
}

#[test]
fn random_problems_without_a_feasible_point() {
    random_cases("infeasible", 200, |random| {
        let is_primal = random.below(2) == 0;
        let problem = if is_primal {
            problems::primal_infeasible(random)
        } else {
            problems::dual_infeasible(random)
        };
        let truth = Truth { primal_feasible: !is_primal, dual_feasible: is_primal };
        check_infeasible(random, &problem, truth);
    });
}

#[test]
fn random_linear_programs() {
    random_cases("linear programs", 400, |random| {
        let program = problems::linear(random);
        let (truth, optimum) = problems::eliminate(&program);
        let Some(optimum) = optimum else { return check_infeasible(random, &program, truth) };
        let scales = problems::scales(random, program.c.len(), -100);
        let text = program.text(&scales);
        let optimum = optimum.scaled(scales.constant + scales.objective);
        let problem = read_sparse(text.as_bytes()).expect("a problem");
        match solve(&problem, &options(random), true) {
            Said::Nothing => {}
            Said::Seen(phase) => panic!("{phase} of a program with an optimum:\n{text}"),
            Said::Found(found) => {
                let (report, _, certificate) = *found;
                check_phase(report.phase, truth, true, &text);
                let certificate = certificate.expect("it was asked for");
                check_certificate(&certificate, truth, Some(&optimum), &text);
            }
        }
    });
}

/// Squares of order 2 in closed form: `x ≥ a + b²/d` of `[x − a, −b; −b, d]`.
#[test]
fn random_squares_of_order_two() {
    random_cases("squares of order two", 300, |random| {
        let [a, b] = [(); 2].map(|()| problems::whole(random, 9));
        let d = random.below(6) as i64;
        let entries = |list: &[([usize; 3], i64)]| {
            list.iter().copied().filter(|e| e.1 != 0).collect::<Entries>()
        };
        let constant = entries(&[([0, 0, 0], a), ([0, 0, 1], b), ([0, 1, 1], -d)]);
        let constraint = entries(&[([0, 0, 0], 1)]);
        let problem =
            Integers { blocks: vec![2], c: vec![1], matrices: vec![constant, constraint] };
        let scales = problems::scales(random, 1, -100);
        let text = problem.text(&scales);
        let read = read_sparse(text.as_bytes()).expect("a problem");
        // Without `d` and with `b` no `x` does, but a large one nearly.
        let truth = Truth { primal_feasible: d > 0 || b == 0, dual_feasible: true };
        let (over, under) = if d > 0 { (a * d + b * b, d) } else { (a, 1) };
        let optimum = Fraction::new(over.into(), under.into());
        let optimum = optimum.scaled(scales.constant + scales.objective);
        let optimum = truth.primal_feasible.then_some(&optimum);
        match solve(&read, &options(random), true) {
            Said::Nothing => {}
            Said::Seen(phase) => check_phase(phase, truth, false, &text),
            Said::Found(found) => {
                let (report, _, certificate) = *found;
                check_phase(report.phase, truth, false, &text);
                let certificate = certificate.expect("it was asked for");
                check_certificate(&certificate, truth, optimum, &text);
            }
        }
    });
}

/// Whether rounding a point to `f64` may cost more feasibility than that allows: then the run
/// begins again without it.
fn is_lost(problem: &Integers, point: &AnyPoint) -> bool {
    let found: Solution<f64> = point.to(());
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, f64::max);
    let sum = |entries: &Entries| entries.iter().map(|e| e.1.abs() as f64).sum::<f64>();
    let [constant, constraints @ ..] = &problem.matrices[..] else { return false };
    let of_y = largest(&mut constraints.iter().map(sum))
        * largest(&mut Solution::diagonal(&found.dual).map(f64::abs));
    let c = largest(&mut problem.c.iter().map(|c| c.abs() as f64));
    let of_x: f64 = found.x.plain().iter().zip(constraints).map(|(x, f)| x.abs() * sum(f)).sum();
    let parts = [(of_x, sum(constant)), (of_y, c)];
    let feasibility = nonius_sdp::Parameters::default().feasibility;
    parts.iter().any(|(size, met)| f64::EPSILON * size > feasibility * met.max(1.0))
}

/// A run from the point at which another one ended has nothing to do, even where its own numbers
/// have fewer bits.
#[test]
fn random_solved_points_are_recognised() {
    random_cases("solved points", 150, |random| {
        let known = problems::known(random);
        let is_lower = random.below(2) == 0;
        let mut scales = problems::scales(random, known.x.len(), -100);
        let mut options = options(random);
        if is_lower {
            let constraints = vec![0; known.x.len()];
            scales = Scales { constant: 0, objective: 0, constraints };
            options.precision = "dd".parse().expect("a precision");
        }
        if known.problem.matrices[0].is_empty() && known.problem.c.iter().all(|&c| c == 0) {
            // Solutions of any size are as good.
            return;
        }
        let text = known.problem.text(&scales);
        let problem = read_sparse(text.as_bytes()).expect("a problem");
        let Ok((report, point)) =
            solve_on(&Cpu::default(), &problem, &options, None, &mut |_, _| true)
        else {
            return;
        };
        // Without an interior solutions may have no bound, of which fewer bits see less.
        let has_interior = report.interior.little().is_none() && report.equalities[1] == 0;
        if report.phase != Phase::Optimal || !has_interior {
            return;
        }
        if is_lower {
            options.precision = "f64".parse().expect("a precision");
        }
        let run = |start| {
            let found = solve_on(&Cpu::default(), &problem, &options, start, &mut |_, _| true);
            let (report, ..) = found.expect("a solution");
            (report.phase, report.iterations)
        };
        let is_lost = is_lower && is_lost(&known.problem, &point);
        let (phase, again) = run(Some(Start::Point(point)));
        // What rounding to fewer bits takes from a point on the boundary has to be found again, if
        // these bits allow it.
        let (cold, most) = if is_lower { run(None) } else { (Phase::Optimal, 2) };
        assert!(phase == Phase::Optimal || cold != Phase::Optimal, "{phase}:\n{text}");
        assert!(is_lost || again <= most.max(2), "{again} iterations, {options:?}:\n{text}");
    });
}
