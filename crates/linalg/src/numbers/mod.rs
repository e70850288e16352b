//! Storage of many numbers: one cell for each, and the words of all, one number after the other.
//!
//! Numbers of fixed precision are their own cells, and there are no words: [`Numbers`] of them are
//! a vector, and a [`Slice`] of them is a slice. Those of any precision lie there without the room
//! that a number by itself has, and without an allocation for each.

mod mp;
mod slice;
mod storage;

pub use slice::{Slice, SliceMut};
pub use storage::Numbers;
