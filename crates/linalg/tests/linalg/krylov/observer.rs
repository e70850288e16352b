//! An observer that stops iterations leaves what they came to.

use std::ops::ControlFlow;

use nonius_linalg::Numbers;
use nonius_linalg::krylov::{
    Algorithm, AnySolver, HostSpace, Identity, Inner, Options, Refinement, Report, Stopped,
};
use nonius_linalg::sparse::{Csr, Layout};
use nonius_num::Dd;

use crate::krylov::common::{laplacian, numbers, right_side};

const METHODS: [Algorithm; 4] =
    [Algorithm::Cg, Algorithm::Bicgstab, Algorithm::Minres, Algorithm::Gmres { restart: 4 }];

fn options() -> Options {
    Options { tolerance: 1e-12, history: true, ..Options::default() }
}

/// `‖b − A·x‖ / ‖b‖` in plain sums.
fn relative_residual(a: &Csr<f64>, b: &[f64], x: &[f64]) -> f64 {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let rest = |i: usize| a.row(i).map(|(at, col)| a.values().at(at) * x[col]).sum::<f64>();
    let rest: Vec<f64> = (0..b.len()).map(|i| b[i] - rest(i)).collect();
    norm(&rest) / norm(b)
}

/// Stops after `after` iterations.
fn stopped(algorithm: Algorithm, after: usize) -> (Vec<f64>, Report) {
    let a = laplacian(13, 0);
    let b = right_side(&a);
    let mut space = HostSpace::new(());
    let (right, mut x) = (Numbers::from(b.clone()), Numbers::zeros((), b.len()));
    let mut solver = AnySolver::new(&space, b.len(), algorithm).unwrap();
    let observe = |step: nonius_linalg::krylov::Step| {
        if step.iteration == after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solved =
        solver.solve(&mut space, &a, &Identity, &right, &mut x, &options(), observe).unwrap();
    let x = x.plain().to_vec();
    // Sums of 13² squares in another order, and products of five entries each.
    let rounding = 400.0 * f64::EPSILON;
    let found = relative_residual(&a, &b, &x);
    assert!((found - solved.relative_residual_true).abs() < rounding, "{algorithm} {found}");
    (x, solved)
}

#[test]
fn iterations_end_where_the_observer_says() {
    for algorithm in METHODS {
        let (_, whole) = stopped(algorithm, usize::MAX);
        assert!(whole.converged && whole.iterations > 9, "{algorithm}");
        for after in [1, 2, 4, 9] {
            let (x, report) = stopped(algorithm, after);
            assert_eq!((report.stopped, report.converged), (Stopped::Observer, false));
            assert_eq!((report.iterations, report.history.len()), (after, after + 1));
            assert_eq!(report.history, whole.history[..=after], "{algorithm}");
            assert!(x.iter().any(|&x| x != 0.0), "{algorithm}");
        }
        // What has converged is not stopped.
        let (_, report) = stopped(algorithm, whole.iterations);
        assert_eq!(report.stopped, Stopped::Converged, "{algorithm}");
    }
}

/// A refinement is stopped within a step, and keeps what the step has found.
#[test]
fn refinements_end_within_a_step() {
    let a = laplacian(13, 0);
    let n = a.shape().0;
    let b: Numbers<Dd> = numbers((), &right_side(&a));
    let refine = |after: usize| {
        let (mut space, mut inner) = (HostSpace::<Dd>::new(()), HostSpace::<f64>::new(()));
        let mut x = Numbers::zeros((), n);
        let mut refinement = Refinement::new(&space, &inner, n, Algorithm::Cg).unwrap();
        let of_inner =
            Inner { space: &mut inner, a: &a, m: &Identity, exponent: 0, tolerance: 1e-6 };
        let o = Options { tolerance: 1e-25, history: true, ..Options::default() };
        let (mut within, mut steps) = (0, 0);
        let refined = refinement
            .solve(&mut space, &a, of_inner, &b, &mut x, &o, |step| {
                match step.inner {
                    Some(inner) => {
                        within += 1;
                        assert_eq!((inner, step.iteration), (within, steps + 1));
                    }
                    None => {
                        steps += 1;
                        assert_eq!(step.iteration, steps);
                    }
                }
                if within == after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
        assert_eq!((refined.inner_iterations, refined.report.iterations), (within, steps));
        refined.report
    };
    let whole = refine(usize::MAX);
    assert!(whole.converged && whole.iterations > 2);
    let early = refine(24);
    assert_eq!((early.stopped, early.iterations), (Stopped::Observer, 1));
    assert!(early.relative_residual_true < 1.0 && !early.converged);
}
