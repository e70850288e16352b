//! Evolutions have the bits of the host, and its failures.

use nonius_linalg::Scalar;
use nonius_testkit::evolve::same_bits;

use crate::gpu;

fn evolutions<T: Scalar>() {
    if let Some(gpu) = gpu() {
        same_bits::<T>(&gpu);
    }
}

at_every_precision!(evolutions);
