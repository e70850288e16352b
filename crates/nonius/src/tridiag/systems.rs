//! Tridiagonal systems in the host's memory.

use nonius_cuda::DeviceNumber;
use nonius_linalg::tridiag::{Batch, Order};
use nonius_linalg::{Element, Error, Numbers};

/// The coefficients and right sides of tridiagonal systems, owned.
#[derive(Clone, Debug, PartialEq)]
pub struct Systems<T: Element> {
    /// How many systems there are.
    pub systems: usize,
    /// Equations of each.
    pub size: usize,
    /// Where the numbers lie.
    pub order: Order,
    /// Lower, main and upper diagonals.
    pub matrix: [Numbers<T>; 3],
    /// Right sides.
    pub right: Numbers<T>,
}

impl<T: DeviceNumber> Systems<T> {
    /// The batch.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`].
    pub fn batch(&self) -> Result<Batch<'_, T>, Error> {
        let [lower, diagonal, upper] = &self.matrix;
        Batch::new(self.systems, self.size, self.order, [lower, diagonal, upper], &self.right)
    }
}

pub(crate) fn zeros<T: DeviceNumber>(
    format: T::Format,
    (rows, cols): (usize, usize),
    count: usize,
) -> Result<Numbers<T>, Error> {
    Numbers::try_zeros(format, count).ok_or(Error::TooLarge { rows, cols })
}
