//! [Cones](crate::cone) in the host's memory.

mod formula;
mod gathered;
mod limbs;
mod maps;
mod mp;
mod schur;
mod symmetric;

pub use limbs::{Blocks, LimbCone};
pub use mp::{MpBlocks, MpCone};
