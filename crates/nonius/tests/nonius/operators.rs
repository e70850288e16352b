//! Systems whose matrix, preconditioner or observer is a function.

use std::ops::ControlFlow::{Break, Continue};

use nonius::sparse::{
    Algorithm, Coo, Error, Preconditioning, Solve, SolveOperator, Step, Triplet, Values,
};
use nonius::{Device, Job, Matrix, Number, Precision};

/// Second differences, with more on the diagonal.
fn matrix(n: usize) -> Coo<f64> {
    let near = |row: usize| [row.checked_sub(1), Some(row), Some(row + 1)];
    let entry = |row, col| Triplet { row, col, value: if row == col { 2.5 } else { -1.0 } };
    let of_row =
        |row| near(row).into_iter().flatten().filter(|&c| c < n).map(move |c| entry(row, c));
    Coo::new(n, n, (0..n).flat_map(of_row).collect()).unwrap()
}

/// Iterations with an observer have the bits of those without, and so have those whose matrix
/// or preconditioner is a function.
struct SameBits;

impl Job for SameBits {
    type Output = ();

    fn run<T: Number>(self, format: T::Format) {
        let n = 40;
        let mut b = Matrix::<T>::zeros_in(format, n, 1);
        (0..n).for_each(|i| b.set(i, 0, T::from_f64((i + 1) as f64)));
        for algorithm in
            [Algorithm::Cg, Algorithm::Minres, Algorithm::Bicgstab, Algorithm::Gmres { restart: 5 }]
        {
            for preconditioning in [
                Preconditioning::None,
                Preconditioning::Jacobi,
                Preconditioning::BlockJacobi(3),
                Preconditioning::IncompleteCholesky,
            ] {
                let values = || Values::Short(matrix(n));
                let solve = Solve::of(values(), &b).algorithm(algorithm);
                let (x, report) =
                    solve.preconditioning(preconditioning).device(Device::Cpu).run().unwrap();
                let (mut last, mut heard) = (None, 0);
                let mut observe = |step: Step, x: &Matrix<T>| {
                    (last, heard) = (Some((step, x.clone())), heard + 1);
                    Continue(())
                };
                let solve = SolveOperator::entries(values(), preconditioning, &b);
                let (y, other) = solve.algorithm(algorithm).observe(&mut observe).run().unwrap();
                assert!(x == y && report.entries == other.entries, "{algorithm}");
                let iterations = report.iteration.iterations;
                assert_eq!(iterations, other.iteration.iterations);
                let (step, seen) = last.unwrap();
                assert!(step.iteration == iterations && seen == x);
                let cycle = if let Algorithm::Gmres { restart } = algorithm { restart } else { 1 };
                assert_eq!(heard, iterations.div_ceil(cycle));
            }
        }
    }
}

#[test]
fn observers_change_no_bit() {
    for precision in ["f64", "dd", "td", "qd", "mp64", "mp424"] {
        SameBits.at(precision.parse::<Precision>().unwrap());
    }
}

#[test]
fn a_function_that_breaks_off_ends_the_iteration() {
    let b = Matrix::from_fn(9, 1, |i, _| 1.0 + i as f64);
    for algorithm in Algorithm::ALL {
        for most in [0, 1, 2, 4] {
            let mut calls = 0;
            let mut a = |x: &Matrix<f64>, y: &mut Matrix<f64>| {
                calls += 1;
                (0..9).for_each(|i| y[(i, 0)] = (1.0 + i as f64) * x[(i, 0)]);
                if calls > most { Break(()) } else { Continue(()) }
            };
            let found = SolveOperator::new(&mut a, &b).algorithm(algorithm).run();
            assert!(matches!(found, Err(Error::Breakdown { quantity: "A·x", .. })));
            assert_eq!(calls, most + 1, "{algorithm}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let b = Matrix::from_fn(3, 1, |_, _| 1.0);
    let entries = |n| Values::Short(matrix(n));
    let solve = SolveOperator::entries(entries(4), Preconditioning::None, &b);
    assert!(matches!(solve.run(), Err(Error::Shape { .. })));
    let solve = SolveOperator::entries(entries(3), Preconditioning::None, &b);
    assert!(matches!(solve.inverse_entries(entries(2)).run(), Err(Error::Shape { .. })));
    let short = Matrix::from_fn(2, 1, |_, _| 1.0);
    let solve = SolveOperator::entries(entries(3), Preconditioning::None, &b);
    assert!(matches!(solve.start(&short).run(), Err(Error::Shape { .. })));
    let wide = Matrix::from_fn(3, 2, |_, _| 1.0);
    let solve = SolveOperator::entries(entries(3), Preconditioning::None, &wide);
    assert!(matches!(solve.run(), Err(Error::Shape { .. })));
}
