//! What is asked of the solution of a sparse system.

use crate::dense::gemm::Arithmetic;
use crate::krylov::{self, Algorithm};
use crate::sparse::Coo;
use crate::{Error, Number};
use nonius_num::rns::float::Format;

/// The entries of a sparse matrix, in the precision of the vectors or less.
#[derive(Clone, Debug)]
pub enum SparseValues<T: Number> {
    /// As `f64`s: products with vectors then take less work and memory.
    Short(Coo<f64>),
    /// In the precision of the vectors.
    Full(Coo<T>),
}

impl<T: Number> SparseValues<T> {
    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Short(a) => a.shape(),
            Self::Full(a) => a.shape(),
        }
    }

    /// Row and column of each value; several may name the same place.
    pub fn places(&self) -> &[(usize, usize)] {
        match self {
            Self::Short(a) => a.places(),
            Self::Full(a) => a.places(),
        }
    }

    /// The order of a square matrix.
    ///
    /// # Errors
    /// [`Error::NotSquare`].
    pub(super) fn order(&self) -> Result<usize, Error> {
        Error::check_square(self.shape()).map(|()| self.shape().0)
    }
}

/// How a sparse matrix lies in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SparseFormat {
    /// Compressed rows.
    #[default]
    Csr,
    /// ELLPACK.
    Ell,
    /// Jagged diagonals.
    Jad,
    /// Diagonals.
    Dia,
    /// All entries.
    Full,
}

/// What makes the iteration converge faster.
///
/// ```
/// use nonius_linalg::krylov::system::Preconditioning;
///
/// assert_eq!("block-jacobi:16".parse(), Ok(Preconditioning::BlockJacobi(16)));
/// assert_eq!(Preconditioning::IncompleteCholesky.to_string(), "ic0");
/// assert!("ilu".parse::<Preconditioning>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preconditioning {
    /// Nothing.
    #[default]
    None,
    /// The inverse of the diagonal.
    Jacobi,
    /// The inverses of diagonal blocks with this number of rows, in `f64`.
    BlockJacobi(usize),
    /// Incomplete Cholesky factors without fill-in.
    IncompleteCholesky,
}

/// How numbers of `mp` precisions lie in memory.
///
/// Either way a number has the same bits, significand and exponent, so that iterations in the
/// arithmetic `ieee` have the same results. Positional numbers are the faster ones at all
/// precisions on all devices (`docs/residues.md`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Words of 64 bits.
    #[default]
    Positional,
    /// Residues: modulo the numbers of this format, or of the predefined one of that precision.
    /// Matrix and preconditioner have values in `f64`; the arithmetic is `ieee`.
    Residues(Option<Format>),
}

/// How a system is solved by an iterative method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KrylovOptions {
    /// The method.
    pub algorithm: Algorithm,
    /// When the iteration ends.
    pub iteration: krylov::Options,
    /// The residual to which corrections are computed in `f64`, where the method is to yield these
    /// and the solution is [refined](krylov::Refinement); else all is computed in the precision of
    /// the vectors.
    pub refine: Option<f64>,
    /// The preconditioner.
    pub preconditioning: Preconditioning,
    /// Whether the preconditioner has the vectors' precision, in place of `f64`. Blocks have `f64`
    /// all the same, and so have preconditioners of corrections.
    pub full_preconditioner: bool,
    /// The format.
    pub format: SparseFormat,
    /// The arithmetic of sums: delayed, or at `mp` precisions `ieee`.
    pub arithmetic: Arithmetic,
    /// How numbers of `mp` precisions lie in memory.
    pub storage: Storage,
}

impl KrylovOptions {
    /// Whether the matrix has to be symmetric, for the method or for the preconditioner.
    pub(super) fn needs_symmetry(&self) -> bool {
        let factored = self.preconditioning == Preconditioning::IncompleteCholesky;
        self.algorithm.needs_symmetry() || factored
    }
}
