//! Solutions, and their residuals.

use nonius_linalg::krylov::{Algorithm, Options, Residual, Stopped};
use nonius_linalg::sparse::{Csr, Layout};

use super::suite::{Suite, System, algorithms};
use super::systems::{convection, diagonal, laplacian, right_side, shifted};

pub(super) fn check<S: Suite>(space: &mut S) {
    for algorithm in algorithms() {
        let [by_one, symmetric] = [Algorithm::Gmres { restart: 1 }, Algorithm::Minres];
        solves(space, algorithm, &laplacian(12, 0), None);
        // Cycles of one iteration need a positive definite symmetric part, and are slow.
        if algorithm == by_one {
            continue;
        }
        let rough = laplacian(9, 2);
        let inverse = rough_inverse(&rough);
        solves(space, algorithm, &rough, Some(&inverse));
        if algorithm != Algorithm::Cg && algorithm != (Algorithm::Gmres { restart: 20 }) {
            solves(space, algorithm, &shifted(9, 1.75), None);
        }
        if algorithm != Algorithm::Cg && algorithm != symmetric {
            let a = convection(11, 0.5);
            solves(space, algorithm, &a, None);
            let inverse = rough_inverse(&a);
            solves(space, algorithm, &a, Some(&inverse));
        }
    }
    finite(space);
    true_residuals(space);
}

/// The inverse of the diagonal, rounded to a few bits: what it is does not matter but that it is
/// near.
fn rough_inverse(a: &Csr<f64>) -> Vec<f64> {
    let diagonal = (0..a.shape().0).filter_map(|i| a.diagonal(i)).map(|at| a.values()[at]);
    diagonal.map(|x| f64::from((1.0 / x) as f32)).collect()
}

fn solves<S: Suite>(space: &mut S, algorithm: Algorithm, a: &Csr<f64>, m: Option<&[f64]>) {
    let b = right_side::<f64>(a);
    let n = b.len();
    let mut system = System::new(space, a, &b);
    system.m = m.map(|inverse| space.diagonal(inverse));
    let tolerance = space.unit_roundoff() * 2.0_f64.powi(20);
    let options = Options { tolerance, history: true, ..Options::default() };
    let (x, report) = system.solve_from_zero(space, algorithm, &options).unwrap();
    let what = format!("{algorithm}, n = {n}, m: {}, {report:?}", m.is_some());
    assert!(report.converged && report.stopped == Stopped::Converged, "{what}");
    assert!(report.relative_residual_recursive <= tolerance, "{what}");
    assert!(report.relative_residual_true <= 1.25 * tolerance, "{what}");
    assert_eq!(report.history[0], 1.0);
    let (last, before) = report.history.split_last().unwrap();
    assert!(before.iter().all(|&r| r > tolerance) && *last <= tolerance, "{what}");
    if matches!(algorithm, Algorithm::Gmres { .. }) || algorithm == Algorithm::Minres && m.is_none()
    {
        // Restarts compute the residual anew with an error of u, beside a residual above the
        // tolerance.
        let rounding = space.unit_roundoff() / tolerance;
        assert!(report.history.windows(2).all(|r| r[1] <= r[0] * (1.0 + rounding)), "{what}");
    }
    // The error is at most the condition times the residual. All systems here have a condition
    // below 10^3, and numbers of the host have an error of 2^-50.
    let size = (n as f64).powf(1.5);
    let bound = 1e3 * (tolerance + 2.0_f64.powi(-50)) * size;
    for (i, x) in x.iter().enumerate() {
        assert!((x - (i + 1) as f64).abs() <= bound, "{what}: x[{i}] = {x}");
    }
}

/// In exact arithmetic as many iterations do as there are different eigenvalues; for BiCGSTAB as
/// well.
fn finite<S: Suite>(space: &mut S) {
    let entries: Vec<f64> = (0..40).map(|i| f64::from(1 + i % 4)).collect();
    let (a, b) = (diagonal(&entries), vec![1.0; 40]);
    let system = System::new(space, &a, &b);
    let tolerance = space.unit_roundoff() * 2.0_f64.powi(12);
    let options = Options { tolerance, ..Options::default() };
    for algorithm in algorithms().filter(|&a| a != (Algorithm::Gmres { restart: 1 })) {
        let (_, report) = system.solve_from_zero(space, algorithm, &options).unwrap();
        assert!(report.converged && report.iterations <= 4, "{algorithm}: {report:?}");
    }
    // A is a multiple of the identity: half an iteration of BiCGSTAB, after which nothing is left.
    let a = diagonal(&[2.0; 5]);
    let system = System::new(space, &a, &[1.0, 2.0, 3.0, 4.0, 5.0]);
    // An iteration is a few sums of five squares, quotients and products, in `f64` or wider
    // numbers.
    let roundings = 64.0 * f64::EPSILON / 2.0;
    for algorithm in algorithms() {
        let (x, report) = system.solve_from_zero(space, algorithm, &options).unwrap();
        assert_eq!(report.iterations, 1, "{algorithm}");
        for (x, twice) in x.iter().zip(1..) {
            assert!((x - f64::from(twice) / 2.0).abs() < roundings, "{algorithm}: {x}");
        }
    }
}

/// The recursion's residual becomes as small as one likes, the true one as the condition permits;
/// GMRES refines.
fn true_residuals<S: Suite>(space: &mut S) {
    let u = space.unit_roundoff();
    let entries: Vec<f64> = (0..12).map(|i| 4.0_f64.powi(i)).collect();
    let a = diagonal(&entries);
    let b: Vec<f64> = entries.iter().map(|x| x / 3.0).collect();
    let system = System::new(space, &a, &b);
    for algorithm in algorithms().filter(|&a| a != (Algorithm::Gmres { restart: 1 })) {
        let far = Options { tolerance: u * u, max_iterations: 500, ..Options::default() };
        // A recursion may also break down before, at nothing.
        if let Ok((_, report)) = system.solve_from_zero(space, algorithm, &far) {
            // Rounding leaves far larger residuals of solutions that are not exact.
            let exact = report.relative_residual_true < u / 1024.0;
            assert!(!report.converged || report.relative_residual_recursive <= u * u);
            assert!(!exact || report.converged, "{algorithm}: {report:?}");
        }
        let never = Options { residual: Residual::True, ..far };
        if let Ok((_, report)) = system.solve_from_zero(space, algorithm, &never) {
            let small = report.relative_residual_true <= u * u;
            assert_eq!(report.converged, small, "{algorithm}: {report:?}");
        }
        let tolerance = u * 2.0_f64.powi(16);
        let modest = Options { tolerance, ..never };
        let (_, report) = system.solve_from_zero(space, algorithm, &modest).unwrap();
        assert!(report.converged, "{algorithm}: {report:?}");
        assert!(report.relative_residual_true <= tolerance, "{algorithm}: {report:?}");
    }
}
