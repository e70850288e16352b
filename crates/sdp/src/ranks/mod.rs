//! Cones whose work ranks share.
//!
//! Every rank runs the solver, on a [`RanksCone`] with the same program, and takes the same
//! decisions.
//!
//! - Blocks of `X`, `Y` and all other matrices are shared out by the cubes of their orders. A rank
//!   has a local cone of its own blocks, with the whole program's numbering, and computes with
//!   them alone.
//! - Vectors of one number for each constraint are small: every rank has all of them.
//! - Numbers are sums of what blocks contribute. Contributions are exchanged and every rank adds
//!   them up in the order of one device.
//! - The Schur complement is formed by columns, shared out by their cost; `U` and `V` are exchanged
//!   before. A dense one is factored in [tiles](nonius_comm::dense). How ranks have it and its
//!   factor depends on their devices: [`Shared`]. A sparse one, which costs little beside its
//!   formation, every host has and factors.
//!
//! So all results have the bits of one device, for any number of ranks, as far as products of
//! matrices on ranks [have them](nonius_comm::dense).
//!
//! Source of the division: M. Yamashita, K. Fujisawa and M. Kojima, *SDPARA: SemiDefinite
//! Programming Algorithm paRAllel version*, Parallel Computing 29, 2003; there `X` and `Y` are on
//! every rank.

mod cone;
mod deal;
mod lead;
mod lists;
mod operations;
mod shared;

pub use cone::{Plan, RanksCone};
#[cfg(feature = "cuda")]
pub(crate) use deal::dealt;
pub use lead::Decide;
pub(crate) use lead::lead;
pub(crate) use lists::Lists;
pub use shared::Shared;
