//! Vectors for iterative methods in the host's memory.

#[cfg(test)]
mod allocations;
mod host;
pub mod kernels;
pub(super) mod limbs;
pub mod mp;
pub(crate) mod rns;
mod round;

pub use host::{HostSpace, check_sums};
pub use mp::MP_BLOCK;
pub use rns::RnsSpace;

use crate::backend::Reading;

/// Rows of numbers, read at once.
#[derive(Clone, Debug, Default)]
pub struct HostLog {
    rows: Vec<Reading>,
    /// How many of them were looked at.
    seen: usize,
}

impl HostLog {
    fn new(columns: usize) -> Self {
        Self { rows: Vec::with_capacity(columns), seen: 0 }
    }

    fn append(&mut self, row: impl Iterator<Item = Reading>) {
        if self.seen > 0 {
            self.rows.clear();
            self.seen = 0;
        }
        self.rows.extend(row);
    }

    fn look(&mut self) -> &[Reading] {
        self.seen = self.rows.len();
        &self.rows
    }
}
