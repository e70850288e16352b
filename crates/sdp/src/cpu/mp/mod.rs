//! Cones of numbers of any bits.
//!
//! **Error.** With `u = 2^-bits`, sums of products within a block are rounded once ([`nonius_num::mp::Dot`]), within `(1 + 2^-61)·u` times the sum of their magnitudes;
//! inner products of long vectors and matrices once for each [`MP_BLOCK`](nonius_linalg::cpu::space::MP_BLOCK) entries. Sums of blocks are rounded one by one. Products of matrices, Cholesky factors and inverses have the
//! bounds of [`dense::gemm::gemm`](nonius_linalg::dense::gemm::gemm()) and of the algorithms that
//! are built on it.
//!
//! Nothing depends on the number of threads: these share out numbers that are sums, or columns of matrices.

mod blocks;
mod cone;
mod dense;
mod gathered;
mod maps;
mod operations;
mod schur;
mod sums;
mod supernode;

pub use blocks::MpBlocks;
pub use cone::MpCone;
