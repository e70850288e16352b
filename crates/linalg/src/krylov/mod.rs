//! Iterative methods for linear systems with a matrix that is only multiplied with vectors.
//!
//! A method is written once over a [`Space`](crate::backend::Space), which has vectors and numbers
//! in the memory of the backend, a [`LinearOperator`] and a [`Preconditioner`]. Sparse matrices of
//! every format are operators of [`HostSpace`] where their values
//! [multiply](crate::sparse::Multiplies) its vectors. Iterations allocate nothing.
//!
//! | method | matrices | vectors beside `x` and `b` | products with the matrix an iteration |
//! |---|---|---|---|
//! | [`Cg`] | symmetric positive definite | 4 | 1 |
//! | [`Minres`] | symmetric | 7 | 1 |
//! | [`Bicgstab`] | all | 6 | 2 |
//! | [`Gmres`] | all | 3 and as many as a cycle has iterations | 1 |
//!
//! [`Refinement`] computes residuals in one space and corrections, by any of the methods, in
//! another with fewer bits. A [`Method`] is what the methods have of their own; [`Solver`] has what
//! they share: the loop, both residuals, when to end.
//!
//! ```
//! use std::ops::ControlFlow::Continue;
//!
//! use nonius_linalg::Numbers;
//! use nonius_linalg::krylov::{Cg, HostSpace, Identity, Options};
//! use nonius_linalg::sparse::{Coo, Csr, Triplet};
//! use nonius_num::Dd;
//!
//! let t = |row, col, value| Triplet { row, col, value };
//! let triplets = vec![t(0, 0, 4.0), t(0, 1, 1.0), t(1, 0, 1.0), t(1, 1, 3.0)];
//! let a = Csr::<f64>::from_coo(Coo::new(2, 2, triplets).unwrap())?;
//! let (b, mut x) = (Numbers::from(vec![Dd::from(5), Dd::from(4)]), Numbers::zeros((), 2));
//! let mut space = HostSpace::new(());
//! let options = Options::default();
//! let mut cg = Cg::new(&space, 2)?;
//! let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
//! assert!(report.converged && report.iterations == 2);
//! assert!((x[0] - Dd::from(1)).abs().to_f64() < 1e-30);
//! # Ok::<(), nonius_linalg::Error>(())
//! ```

mod bicgstab;
mod cg;
mod choice;
mod gmres;
mod method;
mod minres;
mod operator;
mod options;
mod precondition;
mod refine;
mod report;
mod solver;
pub mod system;
mod watch;

pub use crate::cpu::space::{HostSpace, MP_BLOCK, RnsSpace, check_sums};
pub use bicgstab::{Bicgstab, StabilisedBiconjugateGradients};
pub use cg::{Cg, ConjugateGradients};
pub use choice::{Algorithm, AnySolver};
pub use gmres::{GeneralisedMinimalResiduals, Gmres};
pub use method::{Method, System, Work};
pub use minres::{MinimalResiduals, Minres};
pub use operator::{LinearOperator, residual};
pub use options::{Options, Residual};
pub use precondition::{
    Identity, IncompleteCholesky, Inverse, Preconditioner, block_jacobi, jacobi,
};
pub use refine::{Inner, Refined, Refinement};
pub use report::{NonPositive, Report, Step, Stopped};
pub use solver::Solver;
pub use watch::Watch;
