//! Tridiagonal systems in the host's memory.

use nonius_cuda::DeviceNumber;
use nonius_linalg::Error;
use nonius_linalg::tridiag::{Batch, Order};

/// The coefficients and right sides of tridiagonal systems, owned.
#[derive(Clone, Debug, PartialEq)]
pub struct TridiagonalSystems<T> {
    /// FixedNumber of systems.
    pub systems: usize,
    /// Equations of each.
    pub size: usize,
    /// Where the numbers lie.
    pub order: Order,
    /// Lower, main and upper diagonals.
    pub matrix: [Vec<T>; 3],
    /// Right sides.
    pub right: Vec<T>,
}

impl<T: DeviceNumber> TridiagonalSystems<T> {
    /// The batch.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::TooLarge`].
    pub fn batch(&self) -> Result<Batch<'_, T>, Error> {
        let [lower, diagonal, upper] = &self.matrix;
        let matrix = [&lower[..], &diagonal[..], &upper[..]];
        Batch::new(self.systems, self.size, self.order, matrix, &self.right)
    }
}

pub(crate) fn zeros<T: DeviceNumber>(
    rows: usize,
    cols: usize,
    count: usize,
) -> Result<Vec<T>, Error> {
    let mut x = Vec::new();
    x.try_reserve_exact(count).map_err(|_| Error::TooLarge { rows, cols })?;
    x.resize(count, T::ZERO);
    Ok(x)
}
