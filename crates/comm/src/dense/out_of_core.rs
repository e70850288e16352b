//! Ranks whose parts of matrices are larger than the memories of their devices.

use nonius_linalg::Error;
use nonius_linalg::out_of_core::{OutOfCore, bytes_of};

use super::cargo::Cargo;
use super::carry::Link;
use super::grid::Grid;
use crate::Communicator;

impl Grid {
    /// Bytes of each rank's device where all of them solve a system of some order with so many
    /// right-hand sides: for its part of the matrix, of right-hand sides and solution, for the rows
    /// and columns that its part of a product takes, of half as many terms as the matrix has
    /// columns, and as much again for what products make of these. Where one of the devices has
    /// less, they are for [`OutOfCore`].
    pub fn system_bytes_in_core<T: Cargo>(
        &self,
        format: T::Format,
        order: usize,
        columns: usize,
    ) -> usize {
        let (p, q) = self.shape();
        let (rows, cols) = (self.share(order, p), self.share(order, q));
        let rights = self.share(columns, q);
        let matrix = rows.saturating_mul(cols);
        let solution = rows.saturating_mul(rights).saturating_mul(2);
        let lines = (rows.saturating_add(cols)).saturating_mul(order / 2);
        let numbers = matrix.saturating_add(solution).saturating_add(lines);
        numbers.saturating_mul(2).saturating_mul(bytes_of::<T>(format))
    }

    /// Bytes of each rank's device where all of them multiply `m × k` and `k × n` matrices, of
    /// sizes `[m, n, k]`: for its part of operands and product, for the rows and columns that it
    /// takes, and as much again for what it makes of these.
    pub fn product_bytes_in_core<T: Cargo>(
        &self,
        format: T::Format,
        [m, n, k]: [usize; 3],
    ) -> usize {
        let (p, q) = self.shape();
        let (rows, cols) = (self.share(m, p), self.share(n, q));
        let shapes = [(rows, self.share(k, q)), (self.share(k, p), cols), (rows, cols)];
        let taken = [(rows, k), (k, cols)];
        let numbers = shapes.into_iter().chain(taken).fold(0_usize, |numbers, (rows, cols)| {
            numbers.saturating_add(rows.saturating_mul(cols))
        });
        numbers.saturating_mul(2).saturating_mul(bytes_of::<T>(format))
    }

    /// Lines of a rank at most, of so many that so many parts share.
    fn share(&self, count: usize, parts: usize) -> usize {
        count.div_ceil(parts).saturating_add(self.tile()).min(count)
    }
}

impl<B: Clone> Link for OutOfCore<B> {
    type Wire = Communicator;

    const CHOLESKY_COLUMNS: usize = 128;
    const LU_COLUMNS: usize = 0;
    const IN_PARTS: bool = true;

    fn connect(&self, ranks: &Communicator) -> Result<Communicator, Error> {
        Ok(ranks.clone())
    }
}
