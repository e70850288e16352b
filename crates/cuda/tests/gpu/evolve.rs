//! Evolutions as chains have the bits of the host, by scans they are close to these; failures are the host's.

use nonius_cuda::Recurrences;
use nonius_linalg::Scalar;
use nonius_testkit::evolve::{close, same_bits};

use crate::gpu;

fn chains<T: Scalar>() {
    if let Some(gpu) = gpu() {
        same_bits::<T>(&gpu.with_recurrences(Recurrences::Chains));
    }
}

fn scans<T: Scalar>() {
    if let Some(gpu) = gpu() {
        close::<T>(&gpu.clone().with_recurrences(Recurrences::Scans));
        close::<T>(&gpu);
    }
}

at_every_precision!(chains);
at_every_precision!(scans);
