//! Iterative methods on vectors whose rows are shared out among ranks.
//!
//! A rank has contiguous [`Rows`] of every vector and of the matrix. [`RankSpace`] is a space of
//! such vectors and [`RankMatrix`] an operator of it, so that the methods of
//! [`nonius_linalg::krylov`] run on ranks as on one device, on every rank with the same arguments
//! and observers that stop at the same iteration.
//! [`Ranks`] are the backend for [whole systems](nonius_linalg::krylov::system).
//!
//! **Sums.** Rows are cut at multiples of [`SEGMENT`](nonius_linalg::backend::SEGMENT). Each rank
//! sums its segments, those of an aligned power of two together. All ranks get the sums of all, and
//! add them pairwise as one device adds blocks. On GPUs the sums stay in their memory: NCCL gathers
//! them in the order of the stream, and no host waits.
//!
//! **Products.** A rank sends what other ranks need of a vector, computes the rows that need
//! nothing from others, then receives and computes the rest. The terms of a row have the order that
//! they have on one device.
//!
//! So every number, and what a method decides by it, has the bits of one device.
//!
//! ```
//! use std::ops::ControlFlow::Continue;
//!
//! use nonius_comm::krylov::{RankMatrix, RankSpace, Rows};
//! use nonius_comm::threads;
//! use nonius_linalg::krylov::{Cg, HostSpace, Identity, Options};
//! use nonius_linalg::sparse::{Coo, Csr, Triplet};
//! use nonius_linalg::{Error, Numbers};
//!
//! let n = 10_000;
//! let solutions = threads::run(3, |ranks| {
//!     let t = |row, col, value| Triplet { row, col, value };
//!     let links = (1..n).flat_map(|i| [t(i, i - 1, -1.0), t(i - 1, i, -1.0)]);
//!     let triplets = (0..n).map(|i| t(i, i, 3.0)).chain(links).collect();
//!     let a = Csr::<f64>::from_coo(Coo::new(n, n, triplets).unwrap())?;
//!     let rows = Rows::of_matrix(ranks.size(), &a);
//!     let mut space = RankSpace::new(ranks, rows, HostSpace::new(()))?;
//!     let here = RankMatrix::from_whole(&space, &a)?;
//!     let b = space.share(&Numbers::from(vec![1.0; n]))?;
//!     let mut x = space.share(&Numbers::zeros((), n))?;
//!     let mut cg = Cg::new(&space, n)?;
//!     let options = Options::default();
//!     cg.solve(&mut space, &here, &Identity, &b, &mut x, &options, |_| Continue(()))?;
//!     space.whole(&x)
//! });
//! let solutions = solutions.map_err(|failure| failure.to_string())?;
//! assert!((solutions[2][5_000] - 1.0).abs() < 1e-7);
//! assert_eq!(solutions[0], solutions[2]);
//! # Ok::<(), String>(())
//! ```

#[cfg(feature = "cuda")]
mod cuda;
mod halo;
mod matrix;
mod rows;
mod scatter;
mod space;
mod sum;
mod system;
mod team;
mod travel;
mod whole;

pub use matrix::RankMatrix;
pub use rows::Rows;
pub use scatter::scatter;
pub use space::{RankSpace, RankVector};
pub use system::{OnRanks, Ranks};
pub use travel::{Travel, Wire};
pub use whole::Whole;
