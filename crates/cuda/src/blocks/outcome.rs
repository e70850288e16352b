//! What becomes of a block.

use nonius_gpu::Error;
use nonius_linalg::Number;

use crate::matrix::DeviceMatrix;

/// The inverse of the unit lower triangle on top of a block: minus the sum of two matrices.
#[derive(Debug)]
pub struct Inverse<T: Number> {
    pub(super) negative: DeviceMatrix<T>,
    pub(super) rest: Rest<T>,
}

/// What a matrix lacks, and the bits that products with it take.
#[derive(Debug)]
pub(super) struct Rest<T: Number> {
    pub(super) matrix: DeviceMatrix<T>,
    pub(super) bits: u32,
}

/// Why a block is not factored.
pub(super) enum Stop {
    /// Panels have to do it.
    Panels,
    /// The device failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
