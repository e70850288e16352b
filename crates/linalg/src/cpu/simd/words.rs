//! Arithmetic of integers with what processors have since AVX2: products and shifts that leave the
//! carry alone, and a count of leading zeros.

// Calling a function compiled for other processors is unsafe; its caller has looked.
#![allow(unsafe_code)]

use super::kernel::Kernel;

/// Runs a kernel that computes with integers, compiled with these instructions.
///
/// # Safety
/// The processor must have them.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<f64>()
}
