//! Machines that programs are solved on.

use nonius_linalg::{Error, Scalar};
use nonius_num::Precision;

use super::{Cone, Program};

/// A machine that has cones of numbers of limbs.
pub trait Machine {
    /// Its cones.
    type Cone<T: Scalar>: Cone<Number = T> + 'static;

    /// Says in which precisions programs are to be solved, so that a device gets ready for them at
    /// once.
    fn prepare(&self, _precisions: &[Precision]) {}

    /// A program in its memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn cone<T: Scalar>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error>;
}
