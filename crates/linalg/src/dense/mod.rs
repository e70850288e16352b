//! Dense matrices: storage, views and algorithms.

mod balance;
pub(crate) mod cholesky;
pub(crate) mod condition;
mod determinant;
pub(crate) mod eigen;
mod elementwise;
mod factors;
mod forward;
mod gauss_jordan;
pub mod gemm;
mod inverse;
mod lu;
mod matrix;
mod parts;
mod planes;
pub(crate) mod qr;
mod refinement;
mod residual;
mod rotation;
mod solve;
mod solved;
pub(crate) mod svd;
mod syrk;
pub(crate) mod triangle;
pub(crate) mod trsm;
mod vector;
mod view;

pub use cholesky::Cholesky;
#[doc(hidden)]
pub use cholesky::factor_in_place;
pub use condition::{norm_infinity, norm_one};
pub use determinant::{Determinant, FoundDeterminant, determinant_on};
pub use eigen::{Eigen, Vectors, diagonalize, eigen, eigen_on, eigenvalues};
pub use elementwise::{Operand, elementwise, powi, sin_cos};
pub use gauss_jordan::gauss_jordan;
pub(crate) use inverse::inverse_alone;
pub use inverse::{Inverse, inverse, inverse_on, inverse_triangular, solve_triangular};
pub use lu::Lu;
pub use matrix::Matrix;
pub use parts::{Diagonal, Side, Triangle};
pub use planes::Planes;
pub use qr::{LeastSquares, LeastSquaresReport, Qr, least_squares, least_squares_on};
pub use residual::{relative_residual, residual};
pub use rotation::Rotation;
pub use solve::{Method, Report, Solution, UnknownMethod, solve, solve_on};
pub use svd::{Svd, singular_values, svd, svd_on};
pub use syrk::syrk;
#[doc(hidden)]
pub use triangle::invert;
pub use trsm::{TriangularSystem, trsm, trsm_on};
pub use vector::{asum, axpy, copy, dot, gemv, iamax, nrm2, scal, sum, swap};
pub use view::{MatMut, MatRef, Transpose};
