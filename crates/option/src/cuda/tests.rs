//! Evolutions as chains have the bits of the host, by scans they are close to these; failures are the host's.

use nonius_cuda::{Cuda, Device};
use nonius_linalg::Scalar;
use nonius_num::{Dd, Qd, Td};

use super::{CudaEvolver, Recurrences};
use crate::evolve::tests::suite::{close, same_bits};

fn gpu() -> Cuda {
    Cuda::new(&Device::new(0).expect("a GPU")).expect("a stream")
}

fn chains<T: Scalar>() {
    same_bits::<T>(&CudaEvolver { gpu: &gpu(), recurrences: Recurrences::Chains });
}

fn scans<T: Scalar>() {
    close::<T>(&CudaEvolver { gpu: &gpu(), recurrences: Recurrences::Scans });
    close::<T>(&gpu());
}

#[test]
#[ignore = "needs a GPU"]
fn as_chains() {
    chains::<f64>();
    chains::<Dd>();
    chains::<Td>();
    chains::<Qd>();
}

#[test]
#[ignore = "needs a GPU"]
fn by_scans() {
    scans::<f64>();
    scans::<Dd>();
    scans::<Td>();
    scans::<Qd>();
}

#[test]
fn every_module_compiles() {
    nonius_testkit::cuda::every_module_compiles(|_| super::sources());
}
