//! Optima, certificates and invariances.

use std::fmt::Write;
use std::time::Instant;

use nonius_linalg::backend::Cpu;
use nonius_linalg::{Matrix, Numbers, Scalar};
use nonius_num::{Dd, Decimal, Qd, Real, Td};
use nonius_sdp::cpu::{CpuCone, Kernels};
use nonius_sdp::input::read_sparse;
use nonius_sdp::solver::{End, Phase};
use nonius_sdp::{
    AnyPoint, Block, BlockValues, Entry, Fetch, Parameters, Place, Problem, Reduced, Report, Row,
    Side, Solution, Task,
};

use crate::common::example::EXAMPLE;
use crate::common::tolerance::{of_objective, of_point};
use crate::common::{Sequence, within};

fn run<T>(
    problem: &Problem,
    parameters: &Parameters,
    start: Option<&Solution<T>>,
    mut observe: impl FnMut(&Row) -> bool,
) -> (Report, Solution<T>)
where
    T: Scalar + Kernels,
{
    run_fetching(problem, parameters, start, |row, _| observe(row))
}

/// The same where the points on the way are looked at.
fn run_fetching<T>(
    problem: &Problem,
    parameters: &Parameters,
    start: Option<&Solution<T>>,
    observe: impl FnMut(&Row, Fetch<'_, T>) -> bool,
) -> (Report, Solution<T>)
where
    T: Scalar + Kernels,
{
    let reduced = Reduced::new(problem);
    let numbers = problem.numbers().values::<T>(()).unwrap();
    let cone = CpuCone::new(reduced.program(problem, &numbers).unwrap(), Cpu::default());
    let task = Task { problem, reduced: &reduced, parameters, began: Instant::now() };
    task.run(&cone, start, observe).unwrap()
}

fn solve<T>(problem: &Problem, tolerance: f64) -> (Report, Solution<T>)
where
    T: Scalar + Kernels,
{
    run(problem, &within(tolerance), None, |_| true)
}

/// How far an objective is from what it should be, relative to that.
fn error<T: Scalar>(objective: &str, expected: T) -> f64 {
    let objective = T::from_decimal(objective.as_bytes()).unwrap();
    ((objective - expected) / expected).abs().to_f64()
}

fn reaches<T>(tolerance: f64)
where
    T: Scalar + Kernels,
{
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    let (report, solution) = solve::<T>(&problem, tolerance);
    assert_eq!((report.phase, report.end), (Phase::Optimal, End::Solved), "{report:?}");
    let expected = T::from_f64(-419.0) / T::from_f64(10.0);
    for objective in &report.objectives {
        assert!(error(objective, expected) <= of_objective(tolerance), "{objective}");
    }
    assert_eq!(solution.x.len(), 3);
    let BlockValues::Dense { order: 2, entries } = &solution.dual[0] else { panic!("a block") };
    for (found, expected) in entries.as_slice().iter().zip([5.9, -1.375, -1.375, 1.0]) {
        assert!((found.to_f64() - expected).abs() <= of_point(tolerance), "{found:?}");
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

/// Which problem has little or no interior, if one has, and what it says of the least eigenvalues
/// of `X` and `Y`.
fn interior(text: &str) -> (Option<Side>, [f64; 2]) {
    let (report, _) = solve::<Dd>(&read_sparse(text.as_bytes()).unwrap(), 1e-26);
    (report.interior.little().map(|(side, _)| side), report.interior.least)
}

#[test]
fn little_interior_is_seen() {
    // Other eigenvalues are about one, and the solver calls so small ones little interior.
    const FLAT: f64 = 1e-5;
    let (little, least) = interior(EXAMPLE);
    assert_eq!(little, None);
    // Y is [5.9 −1.375; −1.375 1].
    assert!(least[1] > 0.6 && least[0] > 0.0, "{least:?}");
    // The sum of all entries of Y is zero, and its trace 2.
    let (little, least) = interior(
        "2\n1\n2\n0 2\n0 1 1 1 1\n0 1 2 2 2\n1 1 1 1 1\n1 1 1 2 1\n1 1 2 2 1\n2 1 1 1 1\n2 1 2 2 1\n",
    );
    assert_eq!(little, Some(Side::Dual));
    assert!(least[1] < FLAT, "{least:?}");
    // x₁ + x₂ = 1 as two rows, in a block of its own.
    let (little, least) = interior(
        "2\n2\n-2 2\n1 2\n0 1 1 1 1\n0 1 2 2 -1\n1 1 1 1 1\n1 1 2 2 -1\n2 1 1 1 1\n2 1 2 2 -1\n1 2 1 1 1\n2 2 2 2 1\n",
    );
    assert_eq!(little, Some(Side::Primal));
    assert!(least[0] < FLAT, "{least:?}");
}

#[test]
fn starts_on_the_boundary_and_beyond_do() {
    let problem = read_sparse(EXAMPLE.as_bytes()).unwrap();
    for entries in [[1.0, 1.0, 1.0, 1.0], [0.0; 4], [1.0, 1.0 + 1e-9, 1.0 + 1e-9, 1.0]] {
        let list = entries.map(Dd::from).to_vec().into();
        let block = BlockValues::Dense { order: 2, entries: list };
        let x = vec![Dd::from(0.0); 3].into();
        let start = Solution { x, primal: vec![block.clone()], dual: vec![block] };
        let (report, _) = run(&problem, &within(1e-20), Some(&start), |_| true);
        assert_eq!(report.end, End::Solved, "{entries:?}");
        assert!(
            error(&report.objectives[0], Dd::from_decimal(b"-41.9").unwrap())
                <= of_objective(1e-20)
        );
    }
}

/// `|v|²·I − 2·v·vᵀ`, whose columns are orthogonal, for a vector of integers.
fn reflection(v: &[i64]) -> Matrix<i64> {
    let square: i64 = v.iter().map(|x| x * x).sum();
    Matrix::from_fn(v.len(), v.len(), |i, j| i64::from(i == j) * square - 2 * v[i] * v[j])
}

/// A problem of integers with a known optimum: `X` and `Y` are complementary, `F₀ = Σ xᵢ·Fᵢ − X`
/// and `cᵢ = Fᵢ•Y`. The last block is diagonal.
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
        assert!(error(&report.objectives[0], optimum) <= of_objective(1e-8), "{seed}: {optimum}");
        let (report, _) = solve::<Dd>(&problem, 1e-20);
        assert_eq!(report.phase, Phase::Optimal, "{seed}: {report:?}");
        for objective in &report.objectives {
            assert!(
                error(objective, Dd::from(optimum)) <= of_objective(1e-20),
                "{seed}: {optimum} {objective}"
            );
        }
        let (report, _) = solve::<Qd>(&problem, 1e-40);
        assert_eq!(report.phase, Phase::Optimal, "{seed}: {report:?}");
        for objective in &report.objectives {
            let error = error(objective, Qd::from_f64(optimum));
            assert!(error <= of_objective(1e-40), "{seed}: {optimum} {objective}");
        }
    }
}

/// Sums over the entries of a problem in `qd`, where those of `dd` are exact but for what does not
/// count: `c·x − F₀•Y`, and how large its terms are.
fn gap(problem: &Problem, solution: &Solution<Dd>) -> (Qd, f64) {
    let wide = |x: Dd| Qd::from_f64(x.limbs()[0]) + Qd::from_f64(x.limbs()[1]);
    let numbers = problem.numbers().values::<Qd>(()).unwrap();
    let (mut gap, mut size) = (Qd::ZERO, 0.0);
    for (&c, &x) in problem.objective().iter().zip(solution.x.plain()) {
        let term = numbers.at(c as usize) * wide(x);
        gap += term;
        size += term.to_f64().abs();
    }
    for entry in problem.entries() {
        let place = entry.place;
        let [row, col] = [place.row, place.col].map(|i| i as usize);
        let y = wide(solution.dual[place.block as usize].at(row, col).unwrap());
        let weight = Qd::from_f64(if row == col { 1.0 } else { 2.0 });
        let product = numbers.at(entry.value as usize) * weight * y;
        // Rounding of `cᵢ − Fᵢ•Y` counts `|xᵢ|` times.
        let times = match place.matrix.checked_sub(1) {
            None => 1.0,
            Some(k) => solution.x[k as usize].to_f64().abs(),
        };
        size += product.to_f64().abs() * times;
        if place.matrix == 0 {
            gap -= product;
        }
    }
    (gap, size)
}

/// `c·x − F₀•Y = X•Y + Σ xᵢ·(cᵢ − Fᵢ•Y) + P•Y` with `P = Σ xᵢ·Fᵢ − F₀ − X`, and `X•Y` is not
/// negative: the gap is not below what the infeasibilities make of it, which were computed with
/// rounding errors of `n²` units of the terms.
#[test]
fn weak_duality_on_the_way() {
    // The inequality is sharp where its loss is below this part of the gap.
    const SHARP: f64 = 1e-3;
    // With interiors, so that both points become feasible.
    let (problem, ..) = crate::common::known::known(9, [10, 6], None, (0, &[]));
    let parameters = within(1e-20);
    let numbers = problem.numbers().values::<f64>(()).unwrap();
    let largest = |places: &mut dyn Iterator<Item = u32>| {
        places.map(|place| numbers.at(place as usize).abs()).fold(0.0, f64::max)
    };
    let constant = problem.matrix(0).iter().map(|entry| entry.value);
    let scales =
        [largest(&mut constant.into_iter()), largest(&mut problem.objective().iter().copied())];
    let rounding = (problem.order().pow(2) as f64 + 64.0) * Dd::UNIT_ROUNDOFF;
    let (mut rows, mut sharp) = (0, 0);
    run_fetching::<Dd>(&problem, &parameters, None, |row, fetch| {
        let solution = fetch().unwrap();
        let (gap, size) = gap(&problem, &solution);
        let [primal, dual] = [0, 1].map(|i| row.infeasibilities[i] * (1.0 + scales[i]));
        let sum =
            |numbers: &Numbers<Dd>| numbers.plain().iter().map(|x| x.to_f64().abs()).sum::<f64>();
        let x = sum(&solution.x);
        let y: f64 = solution.dual.iter().map(|block| sum(block.entries())).sum();
        // Infeasibilities are rounded to `f64` once more.
        let lost = (x * dual + y * primal) * (1.0 + 16.0 * f64::EPSILON) + rounding * size;
        assert!(gap.to_f64() >= -lost, "{row:?} {gap} {lost:e}");
        rows += 1;
        sharp += usize::from(lost < SHARP * gap.to_f64());
        true
    });
    assert!(sharp > 5, "{sharp} of {rows}");
}

/// A start of multiples of the identity.
fn identities<T: Scalar + Kernels>(problem: &Problem, primal: f64, dual: f64) -> Solution<T> {
    let blocks = |size: f64| -> Vec<BlockValues<T>> {
        let block = |&block: &Block| match block {
            Block::Dense(order) => BlockValues::Dense {
                order,
                entries: Matrix::from_fn(order, order, |i, j| {
                    T::from_f64(if i == j { size } else { 0.0 })
                })
                .into_numbers(),
            },
            Block::Diagonal(order) => BlockValues::Diagonal(vec![T::from_f64(size); order].into()),
            Block::SecondOrder(_) => panic!("SDPA has no such blocks"),
        };
        problem.blocks().iter().map(block).collect()
    };
    let x = vec![T::ZERO; problem.constraints()].into();
    Solution { x, primal: blocks(primal), dual: blocks(dual) }
}

/// With powers of four, whose roots are in the Cholesky factors of `X` and `Y`, nothing is rounded
/// otherwise: `4·c` is for `4·Y`, and `4·Fᵢ` for all `i` is for `4·X` and `Y/4`. So steps are the
/// same bits, and numbers the same but for their exponents. Infeasibilities are measured beside one
/// more than the largest number; they only decide.
fn scales_with<T>(tolerance: f64)
where
    T: Scalar + Kernels,
{
    let parameters = within(tolerance);
    let (problem, _) = known(3, &[5, 4], 2, 4);
    let read = |times: &dyn Fn(u32) -> bool| {
        // Each number is multiplied where it stands.
        read_sparse(written(&problem, times).as_bytes()).unwrap()
    };
    let plain = run::<T>(&problem, &parameters, Some(&identities(&problem, 64.0, 64.0)), |_| true);
    assert_eq!(plain.0.phase, Phase::Optimal);
    for (scaled, [primal, dual]) in
        [(read(&|k| k == u32::MAX), [1.0, 4.0]), (read(&|k| k != u32::MAX), [4.0, 0.25])]
    {
        let start = identities(&scaled, 64.0 * primal, 64.0 * dual);
        let (report, solution) = run::<T>(&scaled, &parameters, Some(&start), |_| true);
        assert_eq!((report.phase, report.iterations), (plain.0.phase, plain.0.iterations));
        for (row, expected) in report.history.iter().zip(&plain.0.history) {
            assert_eq!(row.steps, expected.steps, "{row:?} {expected:?}");
            assert_eq!(row.centring.to_bits(), expected.centring.to_bits(), "{row:?} {expected:?}");
            assert_eq!(row.mu, expected.mu * primal * dual, "{row:?} {expected:?}");
            let objectives = expected.objectives.map(|x| x * primal * dual);
            assert_eq!(row.objectives, objectives, "{row:?} {expected:?}");
        }
        let times = |numbers: &[BlockValues<T>], by: f64| -> Vec<Vec<T>> {
            let entries = |block: &BlockValues<T>| {
                block.entries().as_slice().iter().map(|x| x * T::from_f64(by)).collect()
            };
            numbers.iter().map(entries).collect()
        };
        assert_eq!(solution.x, plain.1.x);
        assert_eq!(times(&solution.primal, 1.0), times(&plain.1.primal, primal));
        assert_eq!(times(&solution.dual, 1.0), times(&plain.1.dual, dual));
    }
}

/// A problem of integers in the sparse format, the numbers of some matrices, and of `c` for
/// `u32::MAX`, times four.
fn written(problem: &Problem, is_scaled: &dyn Fn(u32) -> bool) -> String {
    let number = |literal: u32, matrix: u32| {
        let number: i64 = problem.numbers().text(literal).parse().unwrap();
        number * if is_scaled(matrix) { 4 } else { 1 }
    };
    let mut text = format!("{}\n{}\n", problem.constraints(), problem.blocks().len());
    for block in problem.blocks() {
        let order = block.order();
        match block {
            Block::Dense(_) => write!(text, "{order} ").unwrap(),
            Block::Diagonal(_) => write!(text, "-{order} ").unwrap(),
            Block::SecondOrder(_) => panic!("SDPA has no such blocks"),
        }
    }
    text.push('\n');
    for &c in problem.objective() {
        write!(text, "{} ", number(c, u32::MAX)).unwrap();
    }
    text.push('\n');
    for Entry { place: Place { matrix, block, col, row }, value } in problem.entries() {
        let value = number(*value, *matrix);
        writeln!(text, "{matrix} {} {} {} {value}", block + 1, row + 1, col + 1).unwrap();
    }
    text
}

#[test]
fn powers_of_four_scale_every_iterate() {
    scales_with::<f64>(1e-8);
    scales_with::<Dd>(1e-20);
    scales_with::<Qd>(1e-40);
}

/// The order of constraints and of rows does not matter.
#[test]
fn permutations_leave_the_optimum() {
    let mirrored = "3\n1\n2\n20 48 -8\n\
                    0 1 2 2 -11\n0 1 1 1 23\n2 1 2 2 10\n2 1 1 2 4\n3 1 1 1 -8\n1 1 2 1 -8\n1 1 1 1 -2\n";
    let problem = read_sparse(mirrored.as_bytes()).unwrap();
    let (report, solution) = solve::<Dd>(&problem, 1e-20);
    assert!(error(&report.objectives[0], Dd::from(-419.0) / Dd::from(10.0)) <= of_objective(1e-20));
    for (found, expected) in solution.x.plain().iter().zip([-0.55, -1.1, -2.7375]) {
        assert!((found.to_f64() - expected).abs() <= of_point(1e-20), "{found}");
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
    assert!(error(&report.objectives[0], Dd::from(0.75)) <= of_objective(1e-20));
    assert!((solution.x[1].to_f64() - 0.25).abs() <= of_point(1e-20));
    let entry = |blocks: &[BlockValues<Dd>], i, j| blocks[0].at(i, j).unwrap().to_f64();
    assert!((entry(&solution.dual, 0, 2) - 0.5).abs() <= of_point(1e-20));
    assert_eq!((entry(&solution.dual, 3, 3), entry(&solution.primal, 0, 1)), (0.0, 0.0));
}

/// From the solution in `f64` it does not take `dd` many iterations.
#[test]
fn a_start_in_lower_precision() {
    let (problem, optimum) = known(4, &[9, 4], 3, 7);
    let (first, rough) = solve::<f64>(&problem, 1e-4);
    let start = AnyPoint::of(rough).to::<Dd>(());
    let (cold, _) = solve::<Dd>(&problem, 1e-20);
    let (warm, _) = run(&problem, &within(1e-20), Some(&start), |_| true);
    assert_eq!(warm.phase, Phase::Optimal);
    assert!(error(&warm.objectives[0], Dd::from(optimum)) <= of_objective(1e-20));
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
    assert!(solution.x.plain().iter().any(|x| x.to_f64() != 0.0));
}

#[test]
fn iterations_are_limited() {
    let (problem, _) = known(2, &[6], 1, 4);
    let parameters = Parameters { most_iterations: 3, ..within(1e-20) };
    let (report, _) = run::<Dd>(&problem, &parameters, None, |_| true);
    assert_eq!((report.end, report.iterations), (End::Iterations, 3));
}
