//! Which rank computes with what all ranks have.

/// The rank that computes with a block of the first or the second of two matrices, where ranks
/// divide the work on that block: of those blocks it is number `place`.
pub(crate) fn dealt(which: usize, place: usize, size: usize) -> usize {
    (2 * place + which) % size
}
