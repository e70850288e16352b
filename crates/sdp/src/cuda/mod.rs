//! What interior-point methods for semidefinite programs ask of a machine
//! ([`Cone`](crate::cone::Cone)), on a GPU.
//!
//! Dense work is that of the [backend](nonius_cuda::Cuda), but for squares of few rows, which
//! kernels of `small` work on together. What has to do with the program's entries are kernels of
//! their own: `Σ xᵢ·Fᵢ + α·F₀`, of limbs with the bits of the host, a thread for each entry of the
//! sum; `Fᵢ•A`, threads that share a sum or, for many entries, a block; and the Schur complement
//! (`schur`). Second-order cones have a block of threads each (`second_order`).
//!
//! One cone for every kind of numbers: kernels are compiled for a number of limbs or of bits, and
//! the headers `limb_sums` and `mp_sums` have what is different between them.
//!
//! Everything is in a fixed order: results are the same whenever.

// The launch of kernels.
#![allow(unsafe_code)]

mod arguments;
mod blocks;
mod blockwise;
mod columns;
mod cone;
mod congruence;
mod divided;
mod draft;
mod factors;
mod filled;
mod formula;
mod full;
#[cfg(test)]
mod host;
mod launch;
mod lists;
mod maps;
mod operations;
mod part;
mod ranks;
mod schur;
mod second_order;
mod second_order_kernels;
mod small;
mod small_kernels;
mod sources;
mod squares;
mod systems;
#[cfg(test)]
mod tests;

pub use blocks::CudaBlocks;
pub use cone::CudaCone;
pub use formula::CudaSchurFormula;
pub(crate) use ranks::plan;
pub(crate) use sources::prepare;
pub use sources::sources;
