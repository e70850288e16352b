//! The arguments of `nonius solve`.

use std::path::PathBuf;

use clap::Args;
use nonius::Precision;
use nonius::certified::DigitsIn;
use nonius::linalg::dense::Method;

use crate::common::{Common, ProductFlags};
use crate::input::Rhs;
use crate::output::Output;

/// Solve A · X = B, and say how good the solution is
///
/// Where A has more rows than columns, X minimises the 2-norm of B − A · X; where it has fewer, X
/// is the shortest solution. The residual is computed in higher precision. The number of correct
/// digits is estimated from it and from an estimate of the condition number. With --digits it is
/// proved instead, decimals are taken as written, and the precision is what that takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix of the system; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// The right-hand sides [default: as --rhs says]
    #[arg(value_name = "B", conflicts_with = "rhs")]
    b: Option<PathBuf>,

    /// The right-hand sides: a file, or `ones` for B = A · ones, whose solution is known to be all
    /// ones
    #[arg(long, value_name = "ones|FILE", default_value = "ones")]
    rhs: Rhs,

    /// How to solve: auto, gauss-jordan, lu or cholesky; auto is Cholesky where it works, else LU
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(super) method: Method,

    /// Precision of the arithmetic and of every number: f64, dd, td, qd or mp424 for 424 bits
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    pub(super) precision: Precision,

    /// Prove that every entry of X has so many correct decimal digits, with whatever precision that
    /// takes
    #[arg(long, value_name = "D", conflicts_with_all = ["precision", "method", "arithmetic", "engine", "accuracy", "workspace"])]
    pub(crate) digits: Option<u32>,

    /// Count digits in each entry, or beside the largest entry of its column: entry or norm
    #[arg(long, value_name = "entry|norm", default_value = "entry", requires = "digits", value_parser = digits_in)]
    pub(crate) digits_in: DigitsIn,

    /// With --digits, the highest precision on the way
    #[arg(long, value_name = "PRECISION", default_value = "mp4096", requires = "digits")]
    pub(crate) max_precision: Precision,

    #[command(flatten)]
    pub(super) products: ProductFlags,

    #[command(flatten)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// Relative to what digits are counted.
fn digits_in(text: &str) -> Result<DigitsIn, String> {
    match text {
        "entry" => Ok(DigitsIn::Entry),
        "norm" => Ok(DigitsIn::Norm),
        _ => Err("expected entry or norm".into()),
    }
}

impl Arguments {
    pub(crate) fn rhs_file(&self) -> Option<&PathBuf> {
        match (&self.b, &self.rhs) {
            (Some(path), _) | (None, Rhs::File(path)) => Some(path),
            (None, Rhs::Ones) => None,
        }
    }
}
