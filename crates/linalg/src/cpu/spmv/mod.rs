//! Products of sparse matrices with vectors: lines of the format in the lanes of registers, threads for many.

mod limbs;
mod mp;
mod rns;
pub(crate) mod triangle;

pub(crate) use limbs::limbs;
pub(crate) use mp::mp;
pub(crate) use rns::rns;

/// Lines that one task computes.
const BAND: usize = 64;
