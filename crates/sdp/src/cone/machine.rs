//! Machines that programs are solved on.

use nonius_linalg::{Error, Scalar};
use nonius_num::Decimal;

use super::{Cone, Program};

/// A machine that has cones of numbers of limbs.
pub trait Machine {
    /// Its cones.
    type Cone<T: Scalar + Decimal>: Cone<Number = T> + 'static;

    /// A program in its memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn cone<T: Scalar + Decimal>(&self, program: Program<Vec<T>>) -> Result<Self::Cone<T>, Error>;
}
