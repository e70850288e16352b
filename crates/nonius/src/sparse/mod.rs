//! Sparse matrices, and systems solved by iteration: conjugate gradients, MINRES, BiCGSTAB, GMRES.
//!
//! [`Solve`] takes a matrix as a list of entries, [`Coo`], and a right-hand side. The precision of
//! the right-hand side is that of all vectors. [`SolveOperator`] takes functions of vectors in the
//! place of matrix and preconditioner.

mod limit;
mod operator;
mod room;
mod shared;
mod solve;

pub use nonius_linalg::Error;
pub use nonius_linalg::krylov::system::{
    KrylovOptions as Options, Preconditioning, SparseFormat as Format, SparseValues as Values,
    Storage, UnknownName,
};
pub use nonius_linalg::krylov::{
    Algorithm, NonPositive, Options as Iteration, Report as IterationReport, Residual, Step,
    Stopped,
};
pub use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Jad, Triplet, cholesky};

pub use limit::limit;
pub use operator::{Map, SolveOperator};
pub use room::check_room;
pub use solve::{Report, Solve};
