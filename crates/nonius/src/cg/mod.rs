//! The job of a sparse system by conjugate gradients: prepares matrix and preconditioner, solves, times it, and says how far it came.

mod limbs;
mod mp;

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{self, Step};
use nonius_linalg::sparse::Coo;

use crate::{AnyNumber, Device, Place, Precision};

pub(crate) use limbs::limbs;
pub(crate) use mp::mp;

/// The entries of a sparse matrix, in the precision of the vectors or less.
#[derive(Clone, Debug)]
pub enum SparseValues<T> {
    /// As `f64`s: products with vectors then take less work and memory.
    Short(Coo<f64>),
    /// In the precision of the vectors.
    Full(Coo<T>),
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
}

/// What makes the iteration converge faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preconditioning {
    /// Nothing.
    #[default]
    None,
    /// The inverse of the diagonal.
    Jacobi,
    /// The inverses of diagonal blocks of so many rows, in `f64`.
    BlockJacobi(usize),
    /// Incomplete Cholesky factors without fill-in.
    IncompleteCholesky,
}

/// How a system is solved by conjugate gradients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CgOptions {
    /// When the iteration ends.
    pub iteration: krylov::Options,
    /// The preconditioner.
    pub preconditioning: Preconditioning,
    /// Whether the preconditioner has the vectors' precision, in place of `f64`. Blocks have `f64` all the same.
    pub full_preconditioner: bool,
    /// The format.
    pub format: SparseFormat,
    /// The arithmetic of sums at `mp` precisions: delayed or `ieee`. All others have delayed sums.
    pub arithmetic: Arithmetic,
}

/// What a solution by conjugate gradients took, and how far it came.
#[derive(Clone, Debug, PartialEq)]
pub struct CgReport {
    /// Iterations and residuals.
    pub iteration: krylov::Report,
    /// Time for the iterations.
    pub seconds: f64,
    /// Time to bring matrix and preconditioner into their formats.
    pub setup_seconds: f64,
    /// Entries of the matrix.
    pub entries: usize,
    /// The precision of the vectors.
    pub precision: Precision,
    /// The arithmetic that sums had.
    pub arithmetic: Arithmetic,
    /// Where it was computed.
    pub place: Place,
}

/// What the number types' solvers return.
#[doc(hidden)]
pub struct Solved<M> {
    x: M,
    iteration: krylov::Report,
    seconds: f64,
    entries: usize,
}

/// Solves `A·x = b` for a symmetric `A` from `x0`, both matrices of one column. `observe` hears of every iteration.
///
/// An iteration that did not converge is no error: the report says so. Nor is an indefinite matrix, unless the options ask for that: the report says where
/// `p·Ap` was negative.
///
/// ```
/// use nonius::linalg::sparse::{Coo, Triplet};
/// use nonius::{CgOptions, Device, Matrix, Qd, SparseValues, cg};
///
/// let t = |row, col, value| Triplet { row, col, value };
/// let a = Coo::new(2, 2, vec![t(0, 0, 2.0), t(0, 1, 1.0), t(1, 0, 1.0), t(1, 1, 2.0)]).unwrap();
/// let b = Matrix::from_fn(2, 1, |_, _| Qd::from(1));
/// let (x, report) =
///     cg::<Qd>((), SparseValues::Short(a), &b, Matrix::zeros(2, 1), &CgOptions::default(), Device::Cpu, |_| {})?;
/// assert!(report.iteration.converged && report.iteration.iterations == 1);
/// assert!((x[(1, 0)] - Qd::from(1) / Qd::from(3)).abs().to_f64() < 1e-60);
/// # Ok::<(), nonius::linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSquare`], [`Error::NotSymmetric`], [`Error::NotFinite`], [`Error::Shape`], [`Error::TooLarge`]; [`Error::NoArithmetic`]; as the preconditioners
/// [`jacobi`](krylov::jacobi), [`block_jacobi`](krylov::block_jacobi) and [`IncompleteCholesky`](krylov::IncompleteCholesky); as
/// [`Cg::solve`](krylov::Cg::solve); [`Error::Device`] where a GPU is asked for.
pub fn cg<T: AnyNumber>(
    format: T::Format,
    a: SparseValues<T>,
    b: &T::Matrix,
    x0: T::Matrix,
    options: &CgOptions,
    device: Device,
    mut observe: impl FnMut(Step),
) -> Result<(T::Matrix, CgReport), Error> {
    let precision = T::precision(format);
    let start = Instant::now();
    let (solved, place) =
        device.run_on_host(|| T::conjugate_gradients(format, a, b, x0, options, &mut observe))?;
    let Solved { x, iteration, seconds, entries } = solved;
    let report = CgReport {
        iteration,
        seconds,
        setup_seconds: start.elapsed().as_secs_f64() - seconds,
        entries,
        precision,
        arithmetic: match precision {
            Precision::Mp(_) => options.arithmetic,
            _ => Arithmetic::Delayed,
        },
        place,
    };
    Ok((x, report))
}

/// A matrix in the format asked for, as an operator of a space.
macro_rules! in_format {
    ($format:expr, $csr:expr) => {{
        let csr = $csr;
        let operator: Box<dyn LinearOperator<_> + Send> = match $format {
            SparseFormat::Csr => Box::new(csr),
            SparseFormat::Ell => Box::new(Ell::from_csr(&csr)?),
            SparseFormat::Jad => Box::new(Jad::from_csr(&csr)?),
            SparseFormat::Dia => Box::new(Dia::from_csr(&csr)?),
        };
        operator
    }};
}
use in_format;

/// A text that names no format or preconditioner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    text: String,
    expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown name `{}`: expected {}", self.text, self.expected)
    }
}

impl std::error::Error for UnknownName {}

impl SparseFormat {
    /// The spelling: `csr`, `ell`, `jad`, `dia`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csr => "csr",
            Self::Ell => "ell",
            Self::Jad => "jad",
            Self::Dia => "dia",
        }
    }
}

impl FromStr for SparseFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let all = [Self::Csr, Self::Ell, Self::Jad, Self::Dia];
        let expected = "csr, ell, jad or dia";
        let named = all.into_iter().find(|format| format.name() == text);
        named.ok_or_else(|| UnknownName { text: text.into(), expected })
    }
}

/// `none`, `jacobi`, `block-jacobi:16`, `ic0`
impl fmt::Display for Preconditioning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Jacobi => f.pad("jacobi"),
            Self::BlockJacobi(size) => f.pad(&format!("block-jacobi:{size}")),
            Self::IncompleteCholesky => f.pad("ic0"),
        }
    }
}

impl FromStr for Preconditioning {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let blocks = text.strip_prefix("block-jacobi:").and_then(|size| size.parse().ok());
        match (text, blocks) {
            ("none", _) => Ok(Self::None),
            ("jacobi", _) => Ok(Self::Jacobi),
            ("ic0", _) => Ok(Self::IncompleteCholesky),
            (_, Some(size)) if size > 0 => Ok(Self::BlockJacobi(size)),
            _ => Err(UnknownName {
                text: text.into(),
                expected: "none, jacobi, block-jacobi: followed by the rows of a block, or ic0",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for text in ["csr", "ell", "jad", "dia"] {
            assert_eq!(text.parse::<SparseFormat>().unwrap().name(), text);
        }
        for text in ["none", "jacobi", "block-jacobi:16", "ic0"] {
            assert_eq!(text.parse::<Preconditioning>().unwrap().to_string(), text);
        }
        for text in ["", "CSR", "coo"] {
            assert!(text.parse::<SparseFormat>().is_err());
        }
        for text in ["", "block-jacobi", "block-jacobi:0", "block-jacobi:x", "ilu"] {
            let error = text.parse::<Preconditioning>().unwrap_err();
            assert!(error.to_string().contains("block-jacobi: followed by"), "{error}");
        }
    }
}
