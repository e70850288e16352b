//! Eigenvalues and singular values.

use nonius_linalg::Scalar;
use nonius_testkit::orthogonal::{random_matrix, random_symmetric};
use nonius_testkit::spectra::{assert_eigen, assert_svd, eigen_suite, svd_suite};

use crate::gpu;

fn of_families<T: Scalar>() {
    let gpu = gpu();
    eigen_suite::<T, _>(&gpu);
    svd_suite::<T, _>(&gpu);
}

/// Sizes about those of blocks of threads, and above those that the host finds vectors for in f64.
fn of_random_matrices<T: Scalar>() {
    let gpu = gpu();
    for n in [0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 300] {
        assert_eigen(&gpu, &random_symmetric::<T>(n, n as u64), &format!("random {n}"));
    }
    for (m, n) in [(0, 3), (1, 1), (2, 2), (65, 65), (300, 200), (200, 257)] {
        assert_svd(&gpu, &random_matrix::<T>(m, n, 5), &format!("random {m} × {n}"));
    }
}

at_every_precision!(of_families);
at_every_precision!(of_random_matrices);
