//! Dense matrices: storage, views and algorithms.

mod cholesky;
mod condition;
mod determinant;
mod elementwise;
mod gauss_jordan;
pub mod gemm;
mod lu;
mod matrix;
mod parts;
mod planes;
pub(crate) mod qr;
mod residual;
mod solve;
mod syrk;
mod trsm;
mod vector;
mod view;

pub use cholesky::Cholesky;
pub use condition::{norm_infinity, norm_one};
pub use determinant::Determinant;
pub use elementwise::{Operand, elementwise, powi, sin_cos};
pub use gauss_jordan::gauss_jordan;
pub use lu::Lu;
pub use matrix::Matrix;
pub use parts::{Diagonal, Side, Triangle};
pub use planes::Planes;
pub use qr::{LeastSquares, LeastSquaresReport, Qr, least_squares, least_squares_on};
pub use residual::{relative_residual, residual};
pub use solve::{Method, Report, Solution, UnknownMethod, solve, solve_on};
pub use syrk::syrk;
pub use trsm::{trsm, trsm_on};
pub use vector::{asum, axpy, copy, dot, gemv, iamax, nrm2, scal, sum, swap};
pub use view::{MatMut, MatRef, Transpose};
