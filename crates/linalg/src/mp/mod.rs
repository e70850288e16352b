//! Numbers of any precision ([`nonius_num::mp`]) in vectors and dense matrices, where they lie.

mod convert;
mod matrix;

pub use nonius_num::mp::{Bits, Mp, MpRef};

/// Dense matrices.
pub type Matrix = crate::Matrix<Mp>;
/// Many numbers.
pub type Numbers = crate::Numbers<Mp>;
/// Some numbers, to be read.
pub type Slice<'a> = crate::Slice<'a, Mp>;
/// Some numbers, to be changed.
pub type SliceMut<'a> = crate::SliceMut<'a, Mp>;
