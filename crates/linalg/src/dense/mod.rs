//! Dense matrices: storage, views and algorithms.
//!
//! A [`Matrix`] owns its entries, a [`MatRef`] or [`MatMut`] borrows a rectangle of them:
//!
//! ```
//! use nonius_linalg::Matrix;
//! use nonius_linalg::dense::{Lu, norm_one};
//! use nonius_num::Dd;
//!
//! let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[2.0, 1.0], [4.0, 4.0]][i][j]));
//! let lu = Lu::factor(a.view())?;
//! assert_eq!(lu.determinant()?.value(), 4.0);
//! assert!(lu.condition_estimate(norm_one(a.view())) <= 12.0);
//! # Ok::<(), nonius_linalg::Error>(())
//! ```

mod algorithms;
mod balance;
pub(crate) mod cholesky;
pub(crate) mod condition;
mod decomposition;
mod determinant;
mod display;
mod eigen;
mod elementwise;
mod entries;
mod factors;
mod forward;
mod gauss_jordan;
pub mod gemm;
mod halve;
mod host;
mod inverse;
mod lu;
mod matrix;
mod method;
mod operand;
mod operators;
mod packed;
mod parts;
mod planes;
pub(crate) mod qr;
mod refinement;
mod report;
pub mod resident;
mod residual;
mod rotation;
mod solve;
mod solved;
mod svd;
mod syrk;
mod transpose;
pub(crate) mod triangle;
pub(crate) mod trsm;
mod vector;
mod view;

pub use algorithms::{Algorithms, Systems};
pub use cholesky::Cholesky;
#[doc(hidden)]
pub use cholesky::factor_columns as cholesky_columns;
pub use cholesky::factor_in_place as cholesky_in_place;
pub use condition::{norm_infinity, norm_one};
pub use decomposition::{Decomposition, Orthogonality, judged_eigen_on, judged_svd_on};
pub use determinant::{Determinant, FoundDeterminant, determinant_on};
pub use eigen::{Eigen, Vectors, diagonalize, eigen, eigen_on, eigenvalues};
pub use elementwise::{elementwise, powi, sin_cos};
pub use entries::Entries;
pub use gauss_jordan::gauss_jordan;
pub(crate) use inverse::inverse_alone;
pub use inverse::{Inverse, inverse, inverse_on, inverse_triangular, solve_triangular};
pub use lu::Lu;
#[doc(hidden)]
pub use lu::factor_in_place as lu_in_place;
pub use matrix::Matrix;
pub use method::{Method, UnknownMethod};
pub use operand::Operand;
pub use parts::{Diagonal, Side, Triangle};
pub use planes::Planes;
pub use qr::{LeastSquares, LeastSquaresReport, Qr, least_squares, least_squares_on};
pub use report::Report;
pub use residual::{relative_residual, residual};
pub use rotation::Rotation;
pub use solve::{Solution, solve, solve_on};
pub use svd::{Svd, singular_values, svd, svd_on};
pub use syrk::syrk;
pub use transpose::Transpose;
#[doc(hidden)]
pub use triangle::{invert, invert_columns};
pub use trsm::{TriangularSystem, trsm, trsm_on};
pub use vector::{asum, axpy, copy, dot, gemv, iamax, nrm2, scal, sum, swap};
pub use view::{MatMut, MatRef};
