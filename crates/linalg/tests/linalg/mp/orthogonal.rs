//! What is judged of eigenvalues and singular values.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::{Vectors, judged_eigen_on, judged_svd_on};
use nonius_linalg::mp::Mp;
use nonius_testkit::PRECISIONS;
use nonius_testkit::orthogonal::{random_symmetric, scaled};
use nonius_testkit::spectra::{eigen_factor, svd_factor};

use super::bits;

/// What is judged with more bits is within the bounds, at every precision and exponent.
#[test]
fn spectra_are_judged() {
    for p in PRECISIONS {
        for (n, exponent) in [(1, 0), (5, 40_000), (17, -40_000), (20, 0)] {
            let a = scaled(&random_symmetric::<Mp>(bits(p), n, n as u64), |_, _| exponent);
            let cpu = &Cpu::default();
            let eigen = judged_eigen_on(cpu, a.view(), Vectors::Yes).unwrap().quality.unwrap();
            assert!(eigen.residual <= eigen_factor::<Mp>(bits(p), n), "{n}, mp{p}");
            let svd = judged_svd_on(cpu, a.view(), Vectors::Yes).unwrap().quality.unwrap();
            assert!(svd.residual <= svd_factor::<Mp>(bits(p), (n, n)), "{n}, mp{p}");
        }
    }
}
