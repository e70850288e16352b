//! The GPU that a thread works on, for the texts of failures.

use core::cell::Cell;

thread_local! {
    static ORDINAL: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Says which GPU the next calls of this thread are about.
pub(crate) fn turn_to(ordinal: usize) {
    ORDINAL.set(Some(ordinal));
}

/// The GPU that the last calls of this thread were about.
pub(crate) fn ordinal() -> Option<usize> {
    ORDINAL.get()
}
