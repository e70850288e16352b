//! The arguments of `nonius solve`.

use std::path::PathBuf;

use clap::Args;
use nonius::Precision;
use nonius::certified::DigitsIn;
use nonius::dense::Method;

use crate::common::{Common, ProductFlags};
use crate::input::Rhs;

/// Solve A · X = B, and say how good the solution is
///
/// With more rows than columns, X minimises the 2-norm of B − A · X. With fewer rows, X is the
/// shortest solution. The program computes the residual in higher precision, and estimates the
/// correct digits from it and from the condition number. With --digits it proves them: it takes
/// decimals as written, and chooses the precision.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix of the system; `-` is standard input
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,

    /// The right-hand sides, one in each column; in a CSV file, one may be a row; `-` is standard
    /// input [default: as --rhs says]
    #[arg(value_name = "B", conflicts_with = "rhs")]
    b: Option<PathBuf>,

    /// The right-hand sides: a file, or ones for B = A · ones, whose solution is known: all ones
    #[arg(long, value_name = "ones|FILE", default_value = "ones")]
    rhs: Rhs,

    /// How to solve a square system: gauss-jordan, lu, cholesky, or auto, which is cholesky where
    /// that works and else lu
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(super) method: Method,

    /// Precision of every number: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    pub(super) precision: Precision,

    /// Prove D correct decimal digits of every entry of X, in whatever precision that takes
    #[arg(long, value_name = "D", conflicts_with_all = ["precision", "method", "arithmetic", "engine", "accuracy", "workspace"])]
    pub(crate) digits: Option<u32>,

    /// Where digits count: in each entry, or beside the largest entry of its column (norm)
    #[arg(long, value_name = "entry|norm", default_value = "entry", requires = "digits", value_parser = digits_in)]
    pub(crate) digits_in: DigitsIn,

    /// With --digits, the highest precision on the way
    #[arg(long, value_name = "PRECISION", default_value = "mp4096", requires = "digits")]
    pub(crate) max_precision: Precision,

    /// Write the solution to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) products: ProductFlags,

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
