//! Dense matrices whose tiles are shared out among ranks.
//!
//! The ranks form a [`Grid`] of rows and columns. A matrix is cut into square tiles, and tile
//! `(i, j)` belongs to the rank in row `i mod P` and column `j mod Q` of `P × Q` ranks. So every
//! rank has a part of whatever block an algorithm works at.
//!
//! [`Ranks`] is a backend: the algorithms of [`nonius_linalg::dense`] run on it as on one device,
//! on every rank with the same arguments. An operation computes, on each rank, the entries that the
//! rank has, from the rows and columns that they take, which are fetched first. An entry is the sum
//! of the same terms in the same order as on one device, and results have its bits.
//!
//! Panels of few columns are fetched by all ranks and factored by each.
//!
//! Source of the layout: L. S. Blackford et al., *ScaLAPACK Users' Guide*, SIAM, 1997, chapter 4.

mod axis;
mod cargo;
mod carry;
#[cfg(feature = "cuda")]
mod cuda;
mod digits;
mod everywhere;
mod exchange;
mod factors;
mod grid;
mod judge;
mod lower;
mod matrix;
mod memory;
mod on_hosts;
mod out_of_core;
mod panels;
mod piece;
mod products;
mod ranks;
#[cfg(feature = "cuda")]
mod watch;
mod whole;
mod words;

pub use cargo::Cargo;
pub use carry::{Carry, Link, Queue, Wire};
#[cfg(feature = "cuda")]
pub use cuda::CudaWire;
#[cfg(feature = "cuda")]
pub(crate) use cuda::Way;
pub use digits::Proves;
pub use grid::Grid;
pub use matrix::{Tiled, TiledMut, TiledRef};
pub use panels::Panels;
pub use ranks::Ranks;
