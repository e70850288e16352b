//! The ranks that a launcher has started, of which the first alone speaks and writes.

use std::sync::OnceLock;

use nonius::ranks;

/// How ranks do a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Each does it, and they share the work.
    Shared,
    /// The first alone does it.
    First,
    /// Several refuse it.
    Refused,
}

/// This process among the ranks, and how many there are.
static RANK: OnceLock<(usize, usize)> = OnceLock::new();

/// Says which rank this process is, and of how many.
pub(crate) fn set(rank: (usize, usize)) {
    RANK.get_or_init(|| rank);
}

/// How many processes share the work of this run.
pub(crate) fn count() -> usize {
    RANK.get().map_or(1, |&(_, count)| count)
}

/// Whether this process or thread is the one that speaks and writes.
pub(crate) fn is_first() -> bool {
    RANK.get().is_none_or(|&(rank, _)| rank == 0) && ranks::current().rank() == 0
}

/// What the first rank says to all.
pub(crate) fn agreed(said: bool) -> bool {
    let mut word = [u8::from(said)];
    // Whoever computes next learns of a rank that is lost.
    let _ = ranks::current().broadcast(0, &mut word);
    word[0] > 0
}
