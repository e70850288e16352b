//! Systems that are solved already, or are none, and iterations that are few.

use nonius_linalg::krylov::{Options, Stopped};

use super::suite::{Suite, System, algorithms};
use super::systems::{diagonal, laplacian, right_side};

pub(super) fn check<S: Suite>(space: &mut S) {
    let tolerance = space.unit_roundoff() * 2.0_f64.powi(16);
    let options = Options { tolerance, history: true, ..Options::default() };
    let a = laplacian(6, 0);
    let b = right_side::<f64>(&a);
    let n = b.len();
    for algorithm in algorithms() {
        let what = algorithm.to_string();
        // The solution, and nothing else.
        let system = System::new(space, &a, &b);
        let exact: Vec<f64> = (1..=n).map(|i| i as f64).collect();
        let mut x = space.to_space(&exact);
        let report = system.solve(space, algorithm, &mut x, &options).unwrap();
        assert!(report.converged && report.iterations == 0, "{what}");
        assert_eq!((report.first_residual, report.relative_residual_true), (0.0, 0.0), "{what}");
        assert_eq!(space.to_host(&x), exact, "{what}");

        // A few iterations, and the others.
        let few = Options { max_iterations: 3, ..options.clone() };
        let mut x = space.to_space(&vec![0.0; n]);
        let report = system.solve(space, algorithm, &mut x, &few).unwrap();
        assert!(!report.converged && report.stopped == Stopped::Iterations, "{what}");
        assert_eq!(report.iterations, 3, "{what}");
        let (recursive, real) = (report.relative_residual_recursive, report.relative_residual_true);
        // Three iterations lose less than the tolerance, and norms are rounded to `f64`.
        let near = tolerance + 8.0 * f64::EPSILON;
        assert!((recursive - real).abs() <= near * real, "{what}: {report:?}");
        let first = report.first_residual;
        let rest = Options { tolerance: tolerance * first, relative: false, ..options.clone() };
        let report = system.solve(space, algorithm, &mut x, &rest).unwrap();
        assert!(report.converged && report.iterations > 0, "{what}");
        assert!((report.first_residual / first / real - 1.0).abs() < near, "{what}");
        let none = Options { max_iterations: 0, ..options.clone() };
        let (x, report) = system.solve_from_zero(space, algorithm, &none).unwrap();
        assert!(!report.converged && report.iterations == 0, "{what}");
        assert_eq!((report.relative_residual_true, x), (1.0, vec![0.0; n]), "{what}");

        // b = 0, at any tolerance.
        let strict = Options { tolerance: 0.0, ..options.clone() };
        let zero = System::new(space, &a, &vec![0.0; n]);
        let (x, report) = zero.solve_from_zero(space, algorithm, &strict).unwrap();
        assert!(report.converged && report.iterations == 0, "{what}");
        assert_eq!((report.relative_residual_true, x), (0.0, vec![0.0; n]), "{what}");

        // Orders 0 and 1.
        let empty = System::new(space, &diagonal(&[]), &[]);
        let (x, report) = empty.solve_from_zero(space, algorithm, &strict).unwrap();
        assert!(report.converged && report.iterations == 0 && x.is_empty(), "{what}");
        let single = System::new(space, &diagonal(&[-4.0]), &[2.0]);
        let (x, report) = single.solve_from_zero(space, algorithm, &strict).unwrap();
        assert!(report.converged && report.iterations == 1, "{what}: {report:?}");
        assert_eq!(x, [-0.5], "{what}");
    }
}
