//! Factors of matrices, as matrices in the host's memory.

mod cholesky;
mod compiled;
mod found;
mod lu;
mod qr;
mod report;

pub use cholesky::CholeskyFactor;
pub(crate) use compiled::{Factors, Substitution};
pub use found::{Orthogonal, QColumns, Triangles};
pub use lu::LuFactors;
pub use qr::QrFactors;
pub use report::FactorReport;
