//! Factorisations by reflections.

use nonius_linalg::Scalar;
use nonius_linalg::dense::{Qr, least_squares, least_squares_on};
use nonius_testkit::orthogonal::{
    assert_factors, difference, gamma, norm, qr_of_random_matrices, qr_of_special_matrices,
    random_matrix,
};

use crate::gpu;

fn by_reflections<T: Scalar>() {
    let gpu = gpu();
    qr_of_random_matrices::<T, _>(&gpu);
    qr_of_special_matrices(|a| Qr::<T, _>::factor_on(gpu.clone(), a));
    // Several blocks of threads, and of columns.
    for (m, n) in [(1000, 40), (700, 600)] {
        let a = random_matrix::<T>(m, n, 7);
        let qr = Qr::factor_on(gpu.clone(), a.view()).expect("finite entries");
        assert_factors(&qr, &a, &format!("{m} × {n}"));
    }
}

/// Solutions are those of the host but for what the bound of each allows.
fn best_solutions<T: Scalar>() {
    let gpu = gpu();
    for (m, n) in [(200, 70), (70, 70), (70, 200)] {
        let (a, b) = (random_matrix::<T>(m, n, 8), random_matrix::<T>(m, 3, 9));
        let found = least_squares_on(gpu.clone(), a.view(), b.view()).expect("a full rank");
        let host = least_squares(a.view(), b.view()).expect("a full rank");
        let condition = host.report.condition_estimate.to_f64();
        let spread = 1.0 + condition * host.report.relative_residual.to_f64();
        let relative = 4.0 * gamma::<T>(m.max(n), m.min(n)) * condition * spread;
        let error = norm(&difference(&found.x, &host.x));
        let bound = relative * norm(&host.x);
        assert!(error <= bound, "{} {m} × {n}: {error:e} > {bound:e}", T::NAME);
    }
}

at_every_precision!(by_reflections);
at_every_precision!(best_solutions);
