//! [Cones](crate::cone) in the host's memory.

mod blocks;
mod complement;
mod formula;
mod gathered;
mod limbs;
mod maps;
mod mp;
mod schur;
mod sparsity;
mod symmetric;
mod work;

pub use blocks::Blocks;
pub use complement::{Schur, SparseSchur};
pub use formula::SchurFormula;
pub use limbs::LimbCone;
pub use mp::{MpBlocks, MpCone};
pub use work::SchurWork;
