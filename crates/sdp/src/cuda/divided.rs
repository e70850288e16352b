//! Which squares ranks divide.

use nonius_comm::dense::Ranks;
use nonius_cuda::Cuda;

/// The ranks, and which of the large squares they divide.
#[derive(Debug)]
pub(super) struct Divided {
    pub(super) ranks: Ranks<Cuda>,
    pub(super) squares: Vec<bool>,
    /// Rows from which on they factor one together.
    pub(super) least_in_tiles: usize,
}
