//! Many tridiagonal systems at once.
//!
//! A [`Batch`] is `systems` matrices of order `size`, by their lower, main and upper diagonals,
//! each with a right-hand side. Row `i` of a system says
//!
//! `lower[i]·x[i−1] + diagonal[i]·x[i] + upper[i]·x[i+1] = right[i]`;
//!
//! the first entry of `lower` and the last of `upper` lie outside the matrix and are not read,
//! unless the systems are [periodic](Options::periodic): then they are the entries in the corners.
//! Numbers are [`f32`](Number), `f64`, `dd`, `td` or `qd`, or have any number of bits
//! ([`Mp`](nonius_num::Mp)).
//!
//! - [`Method::Thomas`]: 5 and a reciprocal; many systems side by side on a CPU
//! - [`Method::Pcr`]: `log₂ n` times 8 and two quotients; the paper of 2012: one system a block,
//!   one unknown a thread
//! - [`Method::Hybrid`]: 12 and a reciprocal, and some for each chunk of rows; GPUs: chunks of rows
//!   in registers, cyclic reduction between them
//!
//! **Errors.** None of these pivots: they are Gaussian elimination in different orders. Where every
//! matrix is diagonally dominant by rows (see [`dominance`]), or symmetric positive definite,
//! growth is bounded and the computed `x` solves a system whose entries differ relatively by a few
//! `u` (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., theorems 9.13 and 9.14,
//! for Thomas's order; for cyclic reduction Amodio and Mazzia, *Backward error analysis of cyclic
//! reduction for the solution of tridiagonal systems*, 1994: a multiple of `u·log₂ n`). For other
//! matrices [`Options::pivoting`] exchanges rows. [`residual`] says afterwards what was reached.
//!
//! A system that cannot be solved does not stop the others: the [`Report`] names it, its row and
//! why, and its part of `x` is of no use.
//!
//! ```
//! use nonius_linalg::tridiag::{Batch, Options, Order, residual, solve};
//!
//! // Two systems of three equations: the second differences of squares and of cubes.
//! let (lower, diagonal, upper) = ([1.0; 6], [-2.0; 6], [1.0; 6]);
//! let right = [2.0, 2.0, -14.0, 6.0, 12.0, -46.0];
//! let batch = Batch::new(2, 3, Order::Contiguous, [&lower, &diagonal, &upper], &right)?;
//! let mut x = [0.0_f64; 6];
//! let report = solve(&batch, &Options::default(), &mut x)?;
//! assert!(report.failures.is_empty());
//! assert!(x.iter().zip([1.0, 4.0, 9.0, 1.0, 8.0, 27.0]).all(|(x, y)| (x - y).abs() < 1e-13));
//! assert!(residual(&batch, false, &x)?.backward_error < 1e-15);
//! # Ok::<(), nonius_linalg::Error>(())
//! ```

mod batch;
mod check;
mod extended;
mod limbs;
mod method;
mod mp;
mod number;
mod options;
mod order;
mod periodic;
mod report;
mod settle;
mod single;
mod solve;

pub use batch::Batch;
pub use check::{Dominance, Residual, dominance, residual};
pub use method::{Method, Partition};
pub use number::{Group, Number, Parts};
pub use options::Options;
pub use order::Order;
pub use periodic::{Ring, ring};
pub use report::{Cause, Failure, Report};
pub use solve::{Solvable, settle, solve};
