//! Ranks that compute together.
//!
//! A computation on several ranks is one function that each of them runs, as in MPI. What a rank
//! knows of the others it learns through its [`Communicator`]: messages from one rank to another,
//! and operations in which all take part, in the same order on every rank.
//!
//! Ranks are [threads](threads::run) of a process or, with the feature `mpi`, processes of a
//! cluster. Results do not depend on which: reductions are computed in the order of the ranks,
//! on each of them, whatever carries the numbers.
//!
//! Where a rank fails, all others that wait for it learn which one and why: [`Error::Lost`].

mod algorithms;
mod communicator;
pub mod dense;
mod engine;
mod error;
mod item;
pub mod krylov;
pub mod launch;
#[cfg(feature = "mpi")]
pub mod mpi;
mod packed;
mod reduction;
mod shares;
pub mod threads;
pub mod tridiag;

pub use communicator::Communicator;
pub use error::Error;
pub use item::{Item, Ordered};
pub use packed::Packed;
pub use reduction::Reduction;
pub use shares::{owners, shares};
