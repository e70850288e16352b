//! Eigenvalues and singular values.

use nonius_testkit::orthogonal::{random_matrix, random_symmetric};
use nonius_testkit::spectra::{assert_eigen, assert_svd, eigen_suite, svd_suite};
use nonius_testkit::{Sample, affordable};

use crate::gpu;

fn of_families<T: Sample>(format: T::Format) {
    let gpu = gpu();
    eigen_suite::<T, _>(&gpu, format);
    svd_suite::<T, _>(&gpu, format);
}

/// Sizes about those of blocks of threads, and above those that the host finds vectors for in f64.
fn of_random_matrices<T: Sample>(format: T::Format) {
    let gpu = gpu();
    let has_time = |m: usize, n: usize| affordable::<T>(format, m * n * m.min(n));
    for n in [0, 1, 2, 3, 33, 63, 64, 65, 255, 256, 257, 300] {
        if !has_time(n, n) {
            continue;
        }
        assert_eigen(&gpu, &random_symmetric::<T>(format, n, n as u64), &format!("random {n}"));
    }
    for (m, n) in [(0, 3), (1, 1), (2, 2), (40, 33), (65, 65), (300, 200), (200, 257)] {
        if !has_time(m, n) {
            continue;
        }
        assert_svd(&gpu, &random_matrix::<T>(format, m, n, 5), &format!("random {m} × {n}"));
    }
}

at_every_precision!(of_families);
at_every_precision!(of_random_matrices);
