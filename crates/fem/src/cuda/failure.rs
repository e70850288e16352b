//! Failures of devices as those of runs.

use nonius_gpu::Error;
use nonius_linalg::DeviceFailure;

use crate::solid::Failure;

/// A failure of the device.
pub(super) fn lost(error: Error) -> Failure {
    Failure::Device(nonius_linalg::Error::Device(DeviceFailure::new(error)))
}
