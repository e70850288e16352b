//! What becomes of a block.

use nonius_gpu::Error;
use nonius_linalg::Number;
use nonius_linalg::dense::Triangle;

use crate::matrix::DeviceMatrix;

/// The inverses of the triangles on top of a block.
#[derive(Debug)]
pub struct Inverse<T: Number> {
    pub(super) lower: Negative<T>,
    pub(super) upper: Negative<T>,
}

impl<T: Number> Inverse<T> {
    pub(crate) fn of(&self, triangle: Triangle) -> &Negative<T> {
        match triangle {
            Triangle::Lower => &self.lower,
            Triangle::Upper => &self.upper,
        }
    }
}

/// An inverse: minus the sum of two matrices.
#[derive(Debug)]
pub(crate) struct Negative<T: Number> {
    pub(super) near: DeviceMatrix<T>,
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
