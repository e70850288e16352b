//! Dense matrices: products, systems, least squares, inverses, determinants, eigenvalues and
//! singular values.
//!
//! Each task is a builder: name the matrices, change what the defaults do not suit, and run it. It
//! returns the result and a report, which says how good the result is.
//!
//! | task | builder |
//! |---|---|
//! | `alpha·op(A)·op(B) + beta·C` | [`Multiply`] |
//! | `A·X = B` | [`Solve`], and with proved digits [`Solve::digits`] |
//! | least `‖B − A·X‖₂` | [`LeastSquares`] |
//! | `A⁻¹` | [`Inverse`] |
//! | `P·A = L·U`, `A = L·Lᵀ`, `A = Q·R` | [`LuFactors`], [`CholeskyFactor`], [`QrFactors`] |
//! | `op(T)·X = B` with a triangle `T` | [`SolveTriangular`] |
//! | `det A` | [`Determinant`], and with proved digits [`Determinant::digits`] |
//! | eigenvalues of a symmetric matrix | [`Eigenvalues`] |
//! | singular values | [`SingularValues`] |
//!
//! [`Cholesky`], [`Lu`] and [`Qr`] keep factors for later right-hand sides.

mod decompose;
mod determinant;
mod factor;
mod inverse;
mod least_squares;
mod multiply;
mod operands;
mod solve;
mod solve_triangular;
#[cfg(test)]
mod tests;

pub use nonius_linalg::backend::Reading;
pub use nonius_linalg::dense::gemm::{
    Accuracy, Arithmetic, Engine, Products, Report as ProductRoute, UnknownArithmetic,
};
pub use nonius_linalg::dense::{
    Cholesky, Determinant as DeterminantValue, Diagonal, Eigen, Lu, Method, Operand, Qr, Side, Svd,
    Transpose, Triangle, UnknownMethod, Vectors, dot, elementwise, sum,
};
pub use nonius_linalg::{
    BinaryOp, Error, MatMut, MatRef, Matrix, Numbers, Operations, Slice, SliceMut, TernaryOp,
    UnaryOp,
};

pub use decompose::{DecompositionReport, Eigenvalues, SingularValues};
pub use determinant::{Determinant, DeterminantReport, decimal_determinant};
pub use factor::{
    CholeskyFactor, FactorReport, LuFactors, Orthogonal, QColumns, QrFactors, Triangles,
};
pub(crate) use factor::{Factors, Substitution};
pub use inverse::{Inverse, InverseReport};
pub use least_squares::{LeastSquares, LeastSquaresReport};
pub use multiply::{Multiply, MultiplyReport};
pub(crate) use operands::Operands;
pub use solve::{Solve, SolveReport};
pub use solve_triangular::SolveTriangular;
