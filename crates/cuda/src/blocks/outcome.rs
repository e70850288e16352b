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
#[derive(Debug)]
pub(super) enum Stop {
    /// Panels have to do it, also for want of memory.
    Panels,
    /// The device failed.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::OutOfMemory { .. } => Self::Panels,
            error => Self::Failed(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_memory_lacks_panels_do_it() {
        let lacks = Error::OutOfMemory { asked: 2, free: 1 };
        assert!(matches!(Stop::from(lacks), Stop::Panels));
        assert!(matches!(Stop::from(Error::NoDevice), Stop::Failed(Error::NoDevice)));
    }
}
