//! Optima, certificates and invariances.

mod common;

use std::fmt::Write;
use std::time::Instant;

use nonius_linalg::backend::Cpu;
use nonius_linalg::cpu::cone::LimbCone;
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Decimal, Qd, Td};
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::{End, Phase};
use nonius_sdp::{BlockValues, Parameters, Problem, Reduced, Report, Row, Side, Solution, Task};

use common::Sequence;

fn within(tolerance: f64) -> Parameters {
    Parameters { gap: tolerance, feasibility: tolerance, ..Parameters::default() }
}

fn run<T>(
    problem: &Problem,
    parameters: &Parameters,
    start: Option<&Solution<T>>,
    mut observe: impl FnMut(&Row) -> bool,
) -> (Report, Solution<T>)
where
    T: Scalar + Decimal + Entry<Format = ()>,
{
    let reduced = Reduced::new(problem);
    let numbers = problem.numbers().values::<Vec<T>>(()).unwrap();
    let cone = LimbCone::new(reduced.program(problem, &numbers).unwrap(), Cpu::default());
    let task = Task { problem, reduced: &reduced, parameters, began: Instant::now() };
    task.run(&cone, (), start, |row, _| observe(row)).unwrap()
}

fn solve<T>(problem: &Problem, tolerance: f64) -> (Report, Solution<T>)
where
    T: Scalar + Decimal + Entry<Format = ()>,
{
    run(problem, &within(tolerance), None, |_| true)
}

/// How far an objective is from what it should be, relative to that.
fn error<T: Scalar + Decimal>(objective: &str, expected: T) -> f64 {
    let objective = T::from_decimal(objective.as_bytes()).unwrap();
    ((objective - expected) / expected).abs().to_f64()
}

const EXAMPLE: &str = "\"Example 1\n3\n1\n2\n48 -8 20\n\
                       0 1 1 1 -11\n0 1 2 2 23\n1 1 1 1 10\n1 1 1 2 4\n2 1 2 2 -8\n3 1 1 2 -8\n3 1 2 2 -2\n";

fn reaches<T>(tolerance: f64)
where
    T: Scalar + Decimal + Entry<Format = ()>,
{
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (report, solution) = solve::<T>(&problem, tolerance);
    assert_eq!((report.phase, report.end), (Phase::Optimal, End::Solved), "{report:?}");
    let expected = T::from_f64(-419.0) / T::from_f64(10.0);
    for objective in &report.objectives {
        assert!(error(objective, expected) < 4.0 * tolerance, "{objective}");
    }
    assert_eq!(solution.x.len(), 3);
    let BlockValues::Dense { order: 2, entries } = &solution.dual[0] else { panic!("a block") };
    for (&found, expected) in entries.iter().zip([5.9, -1.375, -1.375, 1.0]) {
        assert!((found.to_f64() - expected).abs() < 1e-5);
    }
}

/// SDPA's example, whose optimum is −41.9.
#[test]
fn the_example_of_sdpa_at_every_precision() {
    reaches::<f64>(1e-9);
    reaches::<Dd>(1e-22);
    reaches::<Td>(1e-34);
    reaches::<Qd>(1e-45);
}

/// Which problem has little or no interior, if one has, and what it says of the least eigenvalues of `X` and `Y`.
fn interior(text: &str) -> (Option<Side>, [f64; 2]) {
    let (report, _) = solve::<Dd>(&read_sparse(text.as_bytes()).unwrap(), 1e-26);
    (report.interior.little().map(|(side, _)| side), report.interior.least)
}

#[test]
fn little_interior_is_seen() {
    let (little, least) = interior(EXAMPLE);
    assert_eq!(little, None);
    // Y is [5.9 −1.375; −1.375 1].
    assert!(least[1] > 0.6 && least[0] > 0.0, "{least:?}");
    // The sum of all entries of Y is zero, and its trace 2.
    let (little, least) = interior(
        "2\n1\n2\n0 2\n0 1 1 1 1\n0 1 2 2 2\n1 1 1 1 1\n1 1 1 2 1\n1 1 2 2 1\n2 1 1 1 1\n2 1 2 2 1\n",
    );
    assert_eq!(little, Some(Side::Dual));
    assert!(least[1] < 1e-5, "{least:?}");
    // x₁ + x₂ = 1 as two rows, in a block of its own.
    let (little, least) = interior(
        "2\n2\n-2 2\n1 2\n0 1 1 1 1\n0 1 2 2 -1\n1 1 1 1 1\n1 1 2 2 -1\n2 1 1 1 1\n2 1 2 2 -1\n1 2 1 1 1\n2 2 2 2 1\n",
    );
    assert_eq!(little, Some(Side::Primal));
    assert!(least[0] < 1e-5, "{least:?}");
}

#[test]
fn starts_on_the_boundary_and_beyond_do() {
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    for entries in [[1.0, 1.0, 1.0, 1.0], [0.0; 4], [1.0, 1.0 + 1e-9, 1.0 + 1e-9, 1.0]] {
        let block = BlockValues::Dense { order: 2, entries: entries.map(Dd::from).to_vec() };
        let x = vec![Dd::from(0.0); 3];
        let start = Solution { x, primal: vec![block.clone()], dual: vec![block] };
        let (report, _) = run(&problem, &within(1e-20), Some(&start), |_| true);
        assert_eq!(report.end, End::Solved, "{entries:?}");
        assert!(error(&report.objectives[0], Dd::from_decimal(b"-41.9").unwrap()) < 1e-19);
    }
}

/// `|v|²·I − 2·v·vᵀ`, whose columns are orthogonal, for a vector of integers.
fn reflection(v: &[i64]) -> Matrix<i64> {
    let square: i64 = v.iter().map(|x| x * x).sum();
    Matrix::from_fn(v.len(), v.len(), |i, j| i64::from(i == j) * square - 2 * v[i] * v[j])
}

/// A problem of integers with a known optimum: `X` and `Y` are complementary, `F₀ = Σ xᵢ·Fᵢ − X` and `cᵢ = Fᵢ•Y`. The last block is diagonal.
fn known(seed: u64, orders: &[usize], diagonal: usize, m: usize) -> (Problem, f64) {
    let mut numbers = Sequence(seed);
    let x: Vec<i64> = (0..m).map(|_| numbers.next(3)).collect();
    let mut text = format!("{m}\n{}\n", orders.len() + 1);
    orders.iter().for_each(|order| write!(text, "{order} ").unwrap());
    writeln!(text, "-{diagonal}").unwrap();
    let mut c = vec![0_i64; m];
    let mut entries = String::new();
    let mut optimum = 0;
    for (block, &order) in orders.iter().enumerate() {
        let v: Vec<i64> = (0..order).map(|_| numbers.next(1)).collect();
        let v = if v.iter().all(|&x| x == 0) { vec![1; order] } else { v };
        let h = reflection(&v);
        let weights: Vec<i64> = (0..order).map(|_| 1 + numbers.next(1).abs()).collect();
        let rank = order / 2;
        let sum = |i: usize, j: usize, range: core::ops::Range<usize>| -> i64 {
            range.map(|k| h[(i, k)] * weights[k] * h[(j, k)]).sum()
        };
        let mut f0 = Matrix::from_fn(order, order, |i, j| -sum(i, j, 0..rank));
        let y = Matrix::from_fn(order, order, |i, j| sum(i, j, rank..order));
        for k in 0..m {
            for j in 0..order {
                for i in 0..=j {
                    let f = numbers.next(4);
                    if f == 0 || numbers.next(2) > 0 {
                        continue;
                    }
                    writeln!(entries, "{} {} {} {} {f}", k + 1, block + 1, i + 1, j + 1).unwrap();
                    c[k] += f * y[(i, j)] * if i == j { 1 } else { 2 };
                    f0[(i, j)] += x[k] * f;
                }
            }
        }
        for j in 0..order {
            for i in 0..=j {
                optimum += f0[(i, j)] * y[(i, j)] * if i == j { 1 } else { 2 };
                writeln!(entries, "0 {} {} {} {}", block + 1, i + 1, j + 1, f0[(i, j)]).unwrap();
            }
        }
    }
    for a in 0..diagonal {
        let (x_a, y_a) = if a % 2 == 0 { (1 + a as i64, 0) } else { (0, 2) };
        let mut f0 = -x_a;
        for k in 0..m {
            let f = numbers.next(2);
            if f != 0 {
                let (block, at) = (orders.len() + 1, a + 1);
                writeln!(entries, "{} {block} {at} {at} {f}", k + 1).unwrap();
                c[k] += f * y_a;
                f0 += x[k] * f;
            }
        }
        optimum += f0 * y_a;
        writeln!(entries, "0 {} {} {} {f0}", orders.len() + 1, a + 1, a + 1).unwrap();
    }
    c.iter().for_each(|c| write!(text, "{c} ").unwrap());
    text.push('\n');
    text.push_str(&entries);
    (read_sparse(text.as_bytes()).unwrap(), optimum as f64)
}

#[test]
fn problems_with_known_optima() {
    for seed in 1..=6 {
        let orders: &[usize] = [&[3][..], &[7, 4], &[12], &[2, 5, 9]][seed as usize % 4];
        let order = orders.iter().sum::<usize>();
        let (problem, optimum) = known(seed, orders, 1 + seed as usize % 3, 2 + order / 2);
        let (report, _) = solve::<f64>(&problem, 1e-8);
        assert_eq!(report.phase, Phase::Optimal, "{seed}: {report:?}");
        assert!(error(&report.objectives[0], optimum) < 1e-7, "{seed}: {optimum}");
        let (report, _) = solve::<Dd>(&problem, 1e-20);
        assert_eq!(report.phase, Phase::Optimal, "{seed}: {report:?}");
        for objective in &report.objectives {
            assert!(error(objective, Dd::from(optimum)) < 1e-19, "{seed}: {optimum} {objective}");
        }
    }
}

/// Where both points are feasible, the primal objective is not below the dual one.
#[test]
fn weak_duality_on_the_way() {
    let (problem, _) = known(9, &[8, 3], 2, 6);
    let parameters = within(1e-20);
    let mut feasible = 0;
    run::<Dd>(&problem, &parameters, None, |row| {
        if row.infeasibilities.iter().all(|&x| x < 1e-20) {
            feasible += 1;
            assert!(row.objectives[0] >= row.objectives[1] * (1.0 - 1e-15), "{row:?}");
        }
        true
    });
    assert!(feasible > 5);
}

/// Twice `c`, or twice all matrices, is twice or the same optimum, with the same steps.
#[test]
fn powers_of_two_scale_the_optimum() {
    let parameters = Parameters { start: Some(64.0), ..within(1e-8) };
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let doubled = EXAMPLE.replace("48 -8 20", "96 -16 40");
    let doubled = read_sparse(doubled.as_bytes()).unwrap();
    let (first, _) = run::<f64>(&problem, &parameters, None, |_| true);
    let (second, _) = run::<f64>(&doubled, &parameters, None, |_| true);
    let value = |report: &Report| report.objectives[0].parse::<f64>().unwrap();
    assert!((value(&second) - 2.0 * value(&first)).abs() < 1e-5);
}

/// The order of constraints and of rows does not matter.
#[test]
fn permutations_leave_the_optimum() {
    let mirrored = "3\n1\n2\n20 48 -8\n\
                    0 1 2 2 -11\n0 1 1 1 23\n2 1 2 2 10\n2 1 1 2 4\n3 1 1 1 -8\n1 1 2 1 -8\n1 1 1 1 -2\n";
    let problem = read_sparse(mirrored.as_bytes()).unwrap();
    let (report, solution) = solve::<Dd>(&problem, 1e-20);
    assert!(error(&report.objectives[0], Dd::from(-419.0) / Dd::from(10.0)) < 1e-19);
    for (found, expected) in solution.x.iter().zip([-0.55, -1.1, -2.7375]) {
        assert!((found.to_f64() - expected).abs() < 1e-8, "{found}");
    }
}

/// `x ≥ 1` and `−x ≥ 1`, as a matrix that is not diagonal by itself.
#[test]
fn a_primal_problem_without_a_point() {
    let text = "1\n1\n2\n1\n0 1 1 1 1\n0 1 2 2 1\n1 1 1 1 1\n1 1 2 2 -1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    for report in [solve::<f64>(&problem, 1e-7).0, solve::<Dd>(&problem, 1e-20).0] {
        assert_eq!((report.phase, report.end), (Phase::PrimalInfeasible, End::Decided));
    }
}

/// `min −x` where `x ≥ 0`: its dual asks for `Y = −1`.
#[test]
fn a_dual_problem_without_a_point() {
    let text = "2\n1\n2\n-1 0\n1 1 1 1 1\n1 1 1 2 0.5\n1 1 2 2 1\n2 1 2 2 1\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let (report, _) = solve::<f64>(&problem, 1e-7);
    assert_eq!((report.phase, report.end), (Phase::DualInfeasible, End::Decided));
}

/// A dense block of which rows 1 and 3 are one, row 2 stands by itself, and row 4 has no entry.
#[test]
fn blocks_fall_into_parts() {
    let text =
        "2\n1\n4\n1 1\n0 1 1 3 0.5\n0 1 2 2 0.25\n1 1 1 1 1\n1 1 3 3 1\n2 1 2 2 1\n2 1 2 4 0.0\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    let reduced = Reduced::new(&problem);
    assert_eq!(reduced.squares(), [(0, vec![0, 2])]);
    assert_eq!(reduced.diagonal(), [(0, 1)]);
    assert_eq!(reduced.order(), 3);
    let (report, solution) = solve::<Dd>(&problem, 1e-20);
    // x₁ = 1/2 and x₂ = 1/4.
    assert!(error(&report.objectives[0], Dd::from(0.75)) < 1e-19);
    assert!((solution.x[1].to_f64() - 0.25).abs() < 1e-15);
    let entry = |blocks: &[BlockValues<Dd>], i, j| blocks[0].at(i, j).unwrap().to_f64();
    assert!((entry(&solution.dual, 0, 2) - 0.5).abs() < 1e-15);
    assert_eq!((entry(&solution.dual, 3, 3), entry(&solution.primal, 0, 1)), (0.0, 0.0));
}

/// From the solution in `f64` it does not take `dd` many iterations.
#[test]
fn a_start_in_lower_precision() {
    let (problem, optimum) = known(4, &[9, 4], 3, 7);
    let (first, rough) = solve::<f64>(&problem, 1e-4);
    let widened = |blocks: &[BlockValues<f64>]| -> Vec<BlockValues<Dd>> {
        let wide = |block: &BlockValues<f64>| match block {
            BlockValues::Dense { order, entries } => BlockValues::Dense {
                order: *order,
                entries: entries.iter().map(|&x| Dd::from(x)).collect(),
            },
            BlockValues::Diagonal(entries) => {
                BlockValues::Diagonal(entries.iter().map(|&x| Dd::from(x)).collect())
            }
        };
        blocks.iter().map(wide).collect()
    };
    let start = Solution {
        x: rough.x.iter().map(|&x| Dd::from(x)).collect(),
        primal: widened(&rough.primal),
        dual: widened(&rough.dual),
    };
    let (cold, _) = solve::<Dd>(&problem, 1e-20);
    let (warm, _) = run(&problem, &within(1e-20), Some(&start), |_| true);
    assert_eq!(warm.phase, Phase::Optimal);
    assert!(error(&warm.objectives[0], Dd::from(optimum)) < 1e-19);
    assert!(warm.iterations + first.iterations <= cold.iterations + 4);
    assert!(warm.iterations < cold.iterations);
}

#[test]
fn a_run_that_is_stopped_has_a_point() {
    let (problem, _) = known(2, &[6], 1, 4);
    let parameters = within(1e-20);
    let (report, solution) = run::<Dd>(&problem, &parameters, None, |row| row.number < 4);
    assert_eq!((report.end, report.iterations), (End::Interrupted, 4));
    assert_eq!(report.history.len(), 5);
    assert!(solution.x.iter().any(|x| x.to_f64() != 0.0));
}

#[test]
fn iterations_are_limited() {
    let (problem, _) = known(2, &[6], 1, 4);
    let parameters = Parameters { most_iterations: 3, ..within(1e-20) };
    let (report, _) = run::<Dd>(&problem, &parameters, None, |_| true);
    assert_eq!((report.end, report.iterations), (End::Iterations, 3));
}
