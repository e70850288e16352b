//! Which squares ranks divide.

use nonius_comm::dense::Ranks;
use nonius_cuda::Cuda;

use crate::ranks::dealt;

/// The ranks, and which of the large squares they divide.
#[derive(Debug)]
pub(super) struct Divided {
    pub(super) ranks: Ranks<Cuda>,
    /// The number of each large square among those that are divided, where it is.
    pub(super) places: Vec<Option<usize>>,
}

impl Divided {
    /// The rank that computes with a large square of one of two matrices, where not all do.
    pub(super) fn owner(&self, which: usize, square: usize) -> Option<usize> {
        let size = self.ranks.grid().ranks().size();
        self.places[square].map(|place| dealt(which, place, size))
    }

    /// Whether this rank computes with that.
    pub(super) fn has(&self, which: usize, square: usize) -> bool {
        let me = self.ranks.grid().ranks().rank();
        self.owner(which, square).is_none_or(|rank| rank == me)
    }
}
