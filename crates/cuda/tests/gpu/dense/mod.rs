//! Products, triangular systems and factorisations: the suites of every backend, and the bits of the host.

mod host;
mod judge;
mod panels;
mod products;
mod reflections;
mod solvers;
mod spectra;
mod triangles;

use nonius_linalg::backend::Memory;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::{Matrix, Scalar};
use nonius_testkit::Random;

/// The bound of sums where no other arithmetic is asked for.
fn error<T: Scalar>(k: usize) -> f64 {
    Arithmetic::Delayed.error::<T>(k)
}

pub(crate) const TRANSPOSES: [Transpose; 2] = [Transpose::No, Transpose::Yes];

pub(crate) fn random<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs: [f64; 4] = random.limbs();
        T::from_limbs(|l| limbs[l])
    })
}

/// What a backend makes of a matrix.
pub(crate) fn result<T: Scalar, B: Memory<T>>(
    backend: &B,
    start: &Matrix<T>,
    work: impl FnOnce(B::Mut<'_>),
) -> Matrix<T> {
    let mut uploaded = backend.upload(start.view());
    work(backend.view_mut(&mut uploaded));
    backend.download(backend.view(&uploaded)).expect("a download")
}
