//! [Cones](crate::cone) in the host's memory.
//!
//! One cone for every kind of numbers. What a kind does in its own way are [`Kernels`].
//!
//! No result depends on the number of threads: these share out numbers that are sums, or columns of
//! matrices.

mod blocks;
mod blockwise;
mod complement;
mod cone;
mod fill;
mod formula;
mod gathered;
mod kernels;
mod limbs;
mod maps;
mod mp;
mod operations;
mod ranks;
mod schur;
mod second_order;
mod sparsity;
mod symmetric;
mod work;

pub use blocks::Blocks;
pub use complement::{Schur, SparseSchur};
pub use cone::CpuCone;
pub use formula::SchurFormula;
pub use kernels::Kernels;
pub use ranks::RanksSchur;
pub use work::{SchurWork, column_costs};
