//! Products, triangular systems and factorisations: the suites of every backend, and the bits of
//! the host.

mod host;
mod judge;
mod panels;
mod products;
mod reflections;
mod resident;
mod solvers;
mod spectra;
mod triangles;

use nonius_linalg::backend::Memory;
use nonius_linalg::dense::Transpose;
use nonius_linalg::{Matrix, Number};

pub(crate) const TRANSPOSES: [Transpose; 2] = [Transpose::No, Transpose::Yes];

/// What a backend makes of a matrix.
pub(crate) fn result<T: Number, B: Memory<T>>(
    backend: &B,
    start: &Matrix<T>,
    work: impl FnOnce(B::Mut<'_>),
) -> Matrix<T> {
    let mut uploaded = backend.upload(start.view());
    work(backend.view_mut(&mut uploaded));
    backend.download(backend.view(&uploaded)).expect("a download")
}
