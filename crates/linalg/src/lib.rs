//! Linear algebra, generic over the precision.
//!
//! - [`dense`]: matrices, products, factorisations, systems, eigenvalues and singular values
//! - [`certified`]: solutions and determinants with a proved number of digits
//! - [`sparse`]: sparse formats, products with vectors, Cholesky factors and Matrix Market files
//! - [`krylov`]: iterative methods, preconditioners and refinement
//! - [`tridiag`]: batches of tridiagonal systems
//! - [`backend`]: what the algorithms ask of a machine; GPUs implement the same traits elsewhere
//! - [`mp`]: matrices of numbers whose bits are chosen at run time
//! - [`threads`]: work that the threads of a pool share
//! - [`interrupt`]: ends a computation before it is done
//!
//! The kernels under the algorithms exist twice. [`mod@reference`] has the textbook form on one
//! thread, with which tests compare all others. [`cpu`] has the fast form, with SIMD and threads.
//!
//! Begin with [`dense::solve`], or with [`Matrix`] and [`dense::Lu`].
//!
//! A system that `f64` cannot solve, in quad-double:
//!
//! ```
//! use nonius_linalg::Matrix;
//! use nonius_linalg::dense::{Method, solve};
//! use nonius_num::Qd;
//!
//! // The Hilbert matrix of order 15 has the condition number 10²¹.
//! let a = Matrix::from_fn(15, 15, |i, j| Qd::ONE / (i + j + 1) as f64);
//! let b = Matrix::from_fn(15, 1, |i, _| (0..15).map(|j| a[(i, j)]).sum::<Qd>());
//! let solution = solve(a.view(), b.view(), Method::Auto)?;
//! assert!((solution.x[(7, 0)] - 1.0).abs().to_f64() < 1e-35);
//! assert!(solution.report.correct_digits() > 35.0);
//! # Ok::<(), nonius_linalg::Error>(())
//! ```

pub mod accumulate;
#[cfg(not(test))]
mod algorithms;
pub mod backend;
pub mod certified;
mod checks;
pub mod cpu;
pub mod dense;
mod error;
mod expansion;
pub mod interrupt;
pub mod krylov;
pub mod mp;
mod number;
mod numbers;
mod operation;
pub mod out_of_core;
pub mod reference;
mod scalar;
mod size;
pub mod sparse;
pub mod threads;
mod token;
pub mod tridiag;

pub use cpu::limbs::{limbs_of, limbs_of_mut};
pub use dense::{MatMut, MatRef, Matrix};
pub use error::{DeviceFailure, Error};
pub use nonius_num::{Element, Plain};
pub use number::Number;
pub use numbers::{Numbers, Slice, SliceMut};
pub use operation::{BinaryOp, Operations, TernaryOp, UnaryOp};
pub use scalar::{Pack, Scalar, Single};
pub use size::Size;
pub use token::Token;
