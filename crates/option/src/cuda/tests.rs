//! Evolutions as chains have the bits of the host, by scans they are close to these; failures are
//! the host's.

use nonius_cuda::{Cuda, Device};
use nonius_linalg::Scalar;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};

use super::{CudaEvolver, Laid, Recurrences};
use crate::evolve::tests::suite::{Exact, close, of_several_formats, same_bits};

fn gpu() -> Cuda {
    Cuda::new(&Device::new(0).expect("a GPU")).expect("a stream")
}

fn chains<T: Laid + Exact>(format: T::Format) {
    same_bits::<T>(format, &CudaEvolver { gpu: &gpu(), recurrences: Recurrences::Chains });
}

fn scans<T: Laid + Scalar>() {
    close::<T>(&CudaEvolver { gpu: &gpu(), recurrences: Recurrences::Scans });
    close::<T>(&gpu());
}

#[test]
#[ignore = "needs a GPU"]
fn as_chains() {
    chains::<f64>(());
    chains::<Dd>(());
    chains::<Td>(());
    chains::<Qd>(());
}

#[test]
#[ignore = "needs a GPU"]
fn as_chains_of_any_bits() {
    for bits in [106, 424, 1000, 2048] {
        chains::<Mp>(Bits::new(bits).unwrap());
    }
    let evolver = CudaEvolver { gpu: &gpu(), recurrences: Recurrences::Chains };
    of_several_formats([106, 424].map(|bits| Bits::new(bits).unwrap()), &evolver);
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
