//! Vectors for iterative methods in the host's memory.

#[cfg(test)]
mod allocations;
mod host;
pub mod kernels;
pub(super) mod limbs;
pub(super) mod mp;
pub(crate) mod rns;
mod round;
mod segment;

pub use host::{HostSpace, check_sums};
pub use rns::RnsSpace;

use crate::backend::Reading;
/// Entries whose products are summed before they are rounded.
pub use crate::cpu::mp::reduce::BLOCK as MP_BLOCK;

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
