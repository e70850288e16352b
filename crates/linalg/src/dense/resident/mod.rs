//! Products, systems and factors of matrices that come from a backend's memory and stay there.
//!
//! [`solve_on`](super::solve_on) and its kin take and return matrices of the host. Between host and
//! backend these functions copy vectors alone: sums of magnitudes, diagonals, and what an estimate
//! of the condition asks for. There are two exceptions: where an error names an entry, the entry is
//! looked for on the host, and a system of extraordinary sizes is balanced there.
//!
//! **Error.** Systems and factors have the backward errors of [`Lu`](super::Lu),
//! [`Cholesky`](super::Cholesky) and [`Qr`](super::Qr). A solution's forward error is estimated by
//! `(n + 3)·u·κ₁(A)` for the condition `κ₁` and the unit roundoff `u`: a cruder estimate than that
//! by the residual, which [`solve_on`](super::solve_on) computes.

mod factor;
mod least_squares;
mod multiply;
mod scale;
mod solve;

pub use factor::{CholeskyFactor, LuFactors, QrFactors, cholesky, lu, qr};
pub use least_squares::{Minimiser, least_squares};
pub use multiply::multiply;
pub use solve::{Solution, inverse, solve, solve_triangular};
