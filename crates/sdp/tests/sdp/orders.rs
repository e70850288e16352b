//! Blocks of any declared order: what counts is what has entries, and what does not fit is refused.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_sdp::cpu::CpuCone;
use nonius_sdp::equalities::Eliminated;
use nonius_sdp::input::{MatrixName, read_sparse, read_sparse_point};
use nonius_sdp::{
    Block, BlockValues, Misfit, Parameters, Problem, Reduced, Report, Solution, Task,
};

/// `min x` where `x ≥ 2`, in the last row of a block.
fn problem(order: i64) -> Problem {
    let last = order.abs();
    let text = format!("1\n1\n{order}\n1\n0 1 {last} {last} 2\n1 1 {last} {last} 1\n");
    read_sparse(text.as_bytes()).unwrap()
}

fn solve(problem: &Problem) -> Result<(Report, Solution<f64>), Error> {
    let (reduced, parameters) = (Reduced::new(problem), &Parameters::default());
    let numbers = problem.numbers().values::<f64>(())?;
    let cone = CpuCone::new(reduced.program(problem, &numbers)?, Cpu::default());
    let task = Task { problem, reduced: &reduced, parameters, began: Instant::now() };
    task.run(&cone, None, |_, _| true)
}

#[test]
fn rows_without_entries_cost_nothing() {
    for order in [1, 2000, 4_000_000_000, -1, -2000, -4_000_000_000] {
        let problem = problem(order);
        let reduced = Reduced::new(&problem);
        assert_eq!((reduced.order(), reduced.squares().len()), (1, 0));
        assert_eq!(reduced.diagonal(), [(0, order.unsigned_abs() as usize - 1)]);
        let eliminated = Eliminated::new(&problem).unwrap();
        assert!(eliminated.is_whole());
    }
}

#[test]
fn points_of_large_blocks() {
    // Twice the relative gap that the parameters ask for, times the optimum, 2.
    let most = 2.0 * 2.0 * Parameters::default().gap;
    for order in [2000, -2_000_000] {
        let (report, solution) = solve(&problem(order)).unwrap();
        assert!((report.objectives[0].parse::<f64>().unwrap() - 2.0).abs() < most);
        let last = order.unsigned_abs() as usize - 1;
        let block = &solution.dual[0];
        assert_eq!(block.order(), last + 1);
        assert!((block.at(last, last).unwrap() - 1.0).abs() < most);
        assert_eq!(block.at(0, 0), Some(0.0));
    }
}

/// No address space has the entries.
#[test]
fn points_that_do_not_fit_are_refused_at_once() {
    for order in [3_000_000_000, 4_000_000_000] {
        let problem = problem(order);
        let rows = order as usize;
        let too_large = Error::TooLarge { rows, cols: rows };
        assert_eq!(solve(&problem).unwrap_err(), too_large);
        assert_eq!(BlockValues::<f64>::zeros(Block::Dense(rows), ()), Err(too_large));
        let error = read_sparse_point::<f64>(&b"1\n"[..], (), &problem).unwrap_err();
        let expected =
            format!("expected blocks that fit in memory, found block 1 of order {order}");
        assert_eq!(error.to_string(), expected);
    }
}

fn point(x: usize, dense: (usize, usize), diagonal: usize) -> Solution<f64> {
    let ones = |count: usize| vec![1.0; count].into();
    let (order, entries) = (dense.0, ones(dense.1));
    let blocks = vec![BlockValues::Dense { order, entries }, BlockValues::Diagonal(ones(diagonal))];
    Solution { x: ones(x), primal: blocks.clone(), dual: blocks }
}

/// `x₁ + x₂ = 1` is an equality, so that a point goes through its elimination.
#[test]
fn points_of_other_problems_are_refused() {
    let text = "2\n2\n2 -2\n1 1\n1 1 1 1 1\n2 1 2 2 1\n0 2 1 1 1\n1 2 1 1 1\n2 2 1 1 1\n\
                0 2 2 2 -1\n1 2 2 2 -1\n2 2 2 2 -1\n";
    let problem = &read_sparse(text.as_bytes()).unwrap();
    let eliminated = Eliminated::new(problem).unwrap();
    assert!(!eliminated.is_whole());
    let (reduced, parameters) = (&Reduced::new(problem), &Parameters::default());
    let numbers = problem.numbers().values::<f64>(()).unwrap();
    let cone = CpuCone::new(reduced.program(problem, &numbers).unwrap(), Cpu::default());
    let task = Task { problem, reduced, parameters, began: Instant::now() };
    let good = point(2, (2, 4), 2);
    assert_eq!(good.check(problem), Ok(()));
    assert!(task.run(&cone, Some(&good), |_, _| true).is_ok());

    let of_x =
        |block, expected, found| Misfit::Block { matrix: MatrixName::X, block, expected, found };
    let mut cases = vec![
        (point(1, (2, 4), 2), Misfit::Variables { expected: 2, found: 1 }),
        (point(3, (2, 4), 2), Misfit::Variables { expected: 2, found: 3 }),
        (point(2, (2, 3), 2), of_x(1, Block::Dense(2), 3)),
        (point(2, (3, 4), 2), of_x(1, Block::Dense(2), 4)),
        (point(2, (3, 9), 2), of_x(1, Block::Dense(2), 9)),
        (point(2, (2, 4), 0), of_x(2, Block::Diagonal(2), 0)),
    ];
    let mut few = good.clone();
    few.dual.pop();
    cases.push((few, Misfit::Blocks { matrix: MatrixName::Y, expected: 2, found: 1 }));
    let mut other = good.clone();
    other.dual[1] = BlockValues::Dense { order: 1, entries: vec![1.0; 2].into() };
    let (matrix, expected) = (MatrixName::Y, Block::Diagonal(2));
    cases.push((other, Misfit::Block { matrix, block: 2, expected, found: 2 }));
    for (point, misfit) in cases {
        assert_eq!(point.check(problem), Err(misfit));
        assert_eq!(reduced.restrict(&point, ()), Err(misfit.into()));
        assert_eq!(eliminated.restrict(point.clone()), Err(misfit));
        assert_eq!(eliminated.restore(point.clone()), Err(misfit));
        let error = task.run(&cone, Some(&point), |_, _| true).unwrap_err();
        assert!(matches!(error, Error::Shape { .. }), "{error}");
    }
}
