//! Products of sparse matrices with vectors: lines of the format in the lanes of registers, threads
//! for many. Systems with triangles row by row.

mod limbs;
mod mp;
mod multiplies;
mod rns;
mod triangle;

pub use multiplies::Multiplies;
pub(crate) use rns::rns;
pub use triangle::Triangle;

/// Lines that one task computes.
const BAND: usize = 64;
