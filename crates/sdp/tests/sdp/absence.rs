//! Problems without a feasible point, and those that only look so.

use std::time::Instant;

use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_num::Dd;
use nonius_sdp::cpu::{CpuCone, Kernels};
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::{End, Phase};
use nonius_sdp::{Parameters, Reduced, Report, Task};

fn run<T>(text: &str, parameters: &Parameters) -> Report
where
    T: Scalar + Kernels,
{
    let problem = read_sparse(text.as_bytes()).unwrap();
    let reduced = Reduced::new(&problem);
    let numbers = problem.numbers().values::<T>(()).unwrap();
    let cone = CpuCone::new(reduced.program(&problem, &numbers).unwrap(), Cpu::default());
    let (problem, reduced) = (&problem, &reduced);
    let task = Task { problem, reduced, parameters, began: Instant::now() };
    task.run(&cone, None, |_, _| true).unwrap().0
}

fn solve<T>(text: &str, gap: f64) -> Report
where
    T: Scalar + Kernels,
{
    run::<T>(text, &Parameters { gap, feasibility: 10.0 * gap, ..Parameters::default() })
}

fn outcome<T>(text: &str, gap: f64) -> (Phase, End)
where
    T: Scalar + Kernels,
{
    let report = solve::<T>(text, gap);
    (report.phase, report.end)
}

/// `x ≥ 1` and `−x ≥ 1` in these units of the constraint, of `F₀` and of `c`.
fn impossible(constraint: &str, constant: &str, objective: &str) -> String {
    format!(
        "1\n1\n2\n{objective}\n0 1 1 1 1{constant}\n0 1 2 2 1{constant}\n1 1 1 1 1{constraint}\n1 1 2 2 -1{constraint}\n"
    )
}

/// What is infeasible is so in all units.
#[test]
fn units_do_not_matter() {
    for constraint in ["", "e-9", "e9"] {
        for constant in ["", "e-9", "e9"] {
            for objective in ["1", "1e-9", "1e9"] {
                let text = impossible(constraint, constant, objective);
                let expected = (Phase::PrimalInfeasible, End::Decided);
                assert_eq!(outcome::<f64>(&text, 1e-7), expected, "{text}");
                assert_eq!(outcome::<Dd>(&text, 1e-20), expected, "{text}");
            }
        }
    }
}

/// `min x` where `x ≥ 10¹³`, in two units, and SDPA's example with a large entry: large numbers do
/// not make a problem infeasible.
#[test]
fn large_solutions_are_solutions() {
    let solved = (Phase::Optimal, End::Solved);
    let far = "1\n1\n1\n1\n0 1 1 1 1e13\n1 1 1 1 1\n";
    assert_eq!(outcome::<f64>(far, 1e-7), solved);
    assert_eq!(outcome::<Dd>(far, 1e-20), solved);
    let small = "1\n1\n1\n1\n0 1 1 1 1\n1 1 1 1 1e-13\n";
    assert_eq!(outcome::<Dd>(small, 1e-20), solved);
    let wide = "1\n1\n2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 1e-13\n";
    assert_eq!(outcome::<f64>(wide, 1e-7), solved);
    assert_eq!(outcome::<Dd>(wide, 1e-20), solved);
    let example = "3\n1\n2\n48 -8 20\n0 1 1 1 -11\n0 1 2 2 1e15\n\
                   1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";
    assert_eq!(outcome::<f64>(example, 1e-7), solved);
    assert_eq!(outcome::<Dd>(example, 1e-20), solved);
}

/// Rounding errors of `c·x` below zero are no ray where `F₀` is zero.
#[test]
fn rounding_errors_are_no_certificate() {
    let text = "3\n1\n3\n-0.3192 -0.2976 0.0232\n\
                1 1 1 1 -0.4733232\n1 1 1 2 0.0102784\n1 1 1 3 -0.0544512\n1 1 2 2 -0.3881408\n1 1 2 3 -0.0401856\n1 1 3 3 -0.6036992\n\
                2 1 1 1 -0.9752352\n2 1 1 2 0.1172224\n2 1 1 3 0.1901568\n2 1 2 2 -1.1794688\n2 1 2 3 -0.0114816\n2 1 3 3 -0.6467712\n\
                3 1 1 1 0.8504704\n3 1 1 2 -0.2344448\n3 1 1 3 -0.3803136\n3 1 2 2 1.2589376\n3 1 2 3 0.0229632\n3 1 3 3 0.1935424\n";
    for gap in [1e-7, 1e-12, 1e-14] {
        let report = solve::<f64>(text, gap);
        assert!(matches!(report.phase, Phase::Optimal | Phase::Feasible), "{report:?}");
    }
    assert_eq!(outcome::<Dd>(text, 1e-26), (Phase::Optimal, End::Solved));
}

/// `0·x ≥ 1`, and `Y₂₂ = −1`.
#[test]
fn both_problems_may_be_without_a_point() {
    let text = "1\n1\n-2\n-1\n0 1 1 1 1\n1 1 2 2 1\n";
    for report in [solve::<f64>(text, 1e-7), solve::<Dd>(text, 1e-20)] {
        assert_eq!((report.phase, report.end), (Phase::Infeasible, End::Decided));
    }
}

/// An objective below its bound.
#[test]
fn bounds_of_objectives_end_a_run() {
    let text =
        "2\n1\n2\n-1 0\n0 1 1 1 -1\n0 1 2 2 -1\n1 1 1 1 1\n1 1 1 2 0.5\n1 1 2 2 1\n2 1 2 2 1\n";
    let parameters = Parameters { lower_bound: -10.0, ..Parameters::default() };
    let report = run::<f64>(text, &parameters);
    assert_eq!((report.phase, report.end), (Phase::PrimalUnbounded, End::Decided));
}
