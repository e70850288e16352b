//! The rank that a thread works for.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use nonius_comm::Communicator;

/// This rank, and its part of its host.
#[derive(Clone, Debug)]
pub(crate) struct Here {
    pub(crate) ranks: Communicator,
    /// Where it is among the ranks of its host.
    pub(crate) place: usize,
    /// How many threads it takes, unless others are asked for.
    pub(crate) threads: NonZeroUsize,
}

thread_local! {
    /// The rank that this thread works for, where there are several.
    static HERE: RefCell<Option<Here>> = const { RefCell::new(None) };
}

/// The rank that this thread works for, where there are several.
pub(crate) fn here() -> Option<Here> {
    HERE.with_borrow(Clone::clone)
}

/// Does work of a rank on this thread.
pub(crate) fn at<R>(here: Option<Here>, work: impl FnOnce() -> R) -> R {
    /// Ends it, however the work ends.
    struct Before(Option<Here>);
    impl Drop for Before {
        fn drop(&mut self) {
            HERE.set(self.0.take());
        }
    }
    let _before = Before(HERE.replace(here));
    work()
}
