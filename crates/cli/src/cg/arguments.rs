//! What `nonius cg` is asked.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use nonius::Precision;
use nonius::dense::Arithmetic;
use nonius::num::mp::Bits;
use nonius::num::rns::float::Format;
use nonius::sparse::{
    Algorithm, Format as SparseFormat, Iteration, Options, Preconditioning, Residual, Storage,
};

use crate::common::Common;
use crate::failure::Failure;
use crate::input::Rhs;

/// Solve a sparse system A · x = b by an iterative method
///
/// The methods are conjugate gradients, MINRES, BiCGSTAB and GMRES. More bits keep the directions
/// orthogonal for longer: fewer iterations are needed, and the solution is better. Several
/// precisions, separated by commas, are compared. With --refine, iterations in f64 correct a
/// solution in the higher precision. Conjugate gradients and MINRES need a symmetric matrix.
/// Conjugate gradients also solve systems that are not positive definite, and the program says so.
/// The exit status is 1 where the residual does not become small enough.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The matrix of the system; `-` is standard input
    #[arg(value_name = "A")]
    pub(super) a: PathBuf,

    /// The right-hand side: a file, or ones for a vector of ones (`nonius solve` takes A · ones)
    #[arg(long, value_name = "ones|FILE", default_value = "ones")]
    pub(super) rhs: Rhs,

    /// The vector from which the iteration starts [default: zero]
    #[arg(long, value_name = "FILE")]
    pub(super) x0: Option<PathBuf>,

    /// The method: cg (conjugate gradients; symmetric positive definite matrices), minres
    /// (symmetric ones), bicgstab or gmres (all)
    #[arg(long, value_name = "METHOD", default_value = "cg", value_parser = method)]
    pub(super) method: Algorithm,

    /// Iterations after which gmres begins anew; it keeps a vector of each [default: 50]
    #[arg(long, value_name = "N")]
    pub(super) restart: Option<NonZeroUsize>,

    /// Iterate in f64, to a residual of R, and correct the solution in the precision of the vectors
    /// [default: 1e-6]
    #[arg(long, value_name = "R", num_args = 0..=1, require_equals = true, default_missing_value = "1e-6", value_parser = fraction)]
    pub(super) refine: Option<f64>,

    /// Precision of the vectors: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424; several,
    /// separated by commas, are compared [default: dd, or what --moduli give]
    #[arg(long, value_name = "PRECISION,…", value_delimiter = ',')]
    precision: Vec<Precision>,

    /// How numbers of mp precisions lie in memory: positional, in words of 64 bits; or rns, as
    /// residues modulo numbers without common divisors, where every product and every sum is
    /// rounded, as with --arithmetic ieee
    #[arg(long, value_name = "positional|rns", default_value = "positional", value_parser = storage)]
    storage: StorageName,

    /// Your own moduli for --storage rns: odd numbers below 2^31 without common divisors; they give
    /// half the bits of their product, less one [default: a set for the precision]
    #[arg(long, value_name = "M,M,…", value_delimiter = ',')]
    moduli: Vec<u32>,

    /// Values of the matrix: short (each decimal rounded to f64), or full (rounded to the precision
    /// of the vectors)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = short_or_full)]
    pub(super) values: Width,

    /// What makes iterations converge faster: none, jacobi, block-jacobi:16 (blocks of 16 rows,
    /// say), or ic0 (incomplete Cholesky)
    #[arg(long, value_name = "NAME", default_value = "none")]
    pub(super) preconditioner: Preconditioning,

    /// Precision of jacobi and ic0: short (f64), or full (that of the vectors)
    #[arg(long, value_name = "short|full", default_value = "short", value_parser = short_or_full, conflicts_with = "refine")]
    pub(super) preconditioner_values: Width,

    /// How the matrix lies in memory: csr, ell, jad, dia or full
    #[arg(long, value_name = "FORMAT", default_value = "csr")]
    pub(super) format: SparseFormat,

    /// Sums in mp precisions: delayed rounds a sum of products once; ieee rounds every product and
    /// every addition, as programs in MPFR do
    #[arg(long, value_name = "ARITHMETIC", default_value = "delayed")]
    pub(super) arithmetic: Arithmetic,

    /// Stop where the residual, relative to the first one, is R
    #[arg(long, value_name = "R", default_value = "1e-8", allow_negative_numbers = true, value_parser = tolerance)]
    pub(super) rtol: f64,

    /// Stop where the residual is R [default: as --rtol says]
    #[arg(long, value_name = "R", conflicts_with = "rtol", allow_negative_numbers = true, value_parser = tolerance)]
    pub(super) atol: Option<f64>,

    /// Which residual counts: recursive, which the iteration updates, or true, b − A · x; with
    /// --refine always the true one
    #[arg(long, value_name = "recursive|true", default_value = "recursive", value_parser = residual, conflicts_with = "refine")]
    pub(super) residual: Residual,

    /// Stop after N iterations; with --refine, those in f64 of all corrections together
    #[arg(long, value_name = "N", default_value = "15000")]
    pub(super) max_iterations: usize,

    /// Fail where cg finds that the matrix is not positive definite
    #[arg(long)]
    pub(super) require_spd: bool,

    /// Write the residuals of all iterations to FILE, as CSV
    #[arg(long, value_name = "FILE")]
    pub(super) history: Option<PathBuf>,

    /// Draw the residuals of all iterations into FILE, .svg or .png; `-` is standard output, as SVG
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,

    /// Write the solution to FILE, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) common: Common,
}

/// How many bits a number has: those of an `f64`, or of the vectors.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Width {
    Short,
    Full,
}

/// How numbers lie in memory.
#[derive(Clone, Copy, PartialEq)]
enum StorageName {
    Positional,
    Residues,
}

fn storage(text: &str) -> Result<StorageName, String> {
    match text {
        "positional" => Ok(StorageName::Positional),
        "rns" => Ok(StorageName::Residues),
        _ => Err("expected positional or rns".into()),
    }
}

fn short_or_full(text: &str) -> Result<Width, String> {
    match text {
        "short" => Ok(Width::Short),
        "full" => Ok(Width::Full),
        _ => Err("expected short or full".into()),
    }
}

fn residual(text: &str) -> Result<Residual, String> {
    match text {
        "recursive" => Ok(Residual::Recursive),
        "true" => Ok(Residual::True),
        _ => Err("expected recursive or true".into()),
    }
}

fn method(text: &str) -> Result<Algorithm, String> {
    let named = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == text);
    named.ok_or_else(|| "expected cg, minres, bicgstab or gmres".into())
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|r: &f64| *r > 0.0 && *r < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1".into())
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|r: &f64| r.is_finite() && *r >= 0.0);
    number.ok_or_else(|| "expected a number that is not negative".into())
}

/// The precision that moduli give.
fn bits_of(format: &Format) -> Result<Bits, Failure> {
    Bits::new(format.bits()).map_err(|_| {
        let (found, least) = (format.bits(), Bits::LEAST);
        Failure::input(format!("--moduli: these give {found} bits, expected {least} or more"))
    })
}

impl Arguments {
    pub(super) fn rhs_file(&self) -> Option<&PathBuf> {
        match &self.rhs {
            Rhs::File(path) => Some(path),
            Rhs::Ones => None,
        }
    }

    /// The method, with its cycles.
    pub(super) fn algorithm(&self) -> Result<Algorithm, Failure> {
        match (self.method, self.restart) {
            (Algorithm::Gmres { .. }, Some(restart)) => {
                Ok(Algorithm::Gmres { restart: restart.get() })
            }
            (other, Some(_)) if !matches!(other, Algorithm::Gmres { .. }) => {
                Err(Failure::input(format!("--restart is for --method gmres, not for {other}")))
            }
            (method, _) => Ok(method),
        }
    }

    /// The precisions, in their order.
    pub(super) fn precisions(&self) -> Result<Vec<Precision>, Failure> {
        let own = self.own_format()?;
        let given = match (&own, self.precision.is_empty()) {
            (Some(format), _) => vec![Precision::Mp(bits_of(format)?)],
            (None, true) => vec![Precision::Dd],
            (None, false) => self.precision.clone(),
        };
        if let (Some(_), Some(other)) = (&own, self.precision.iter().find(|p| **p != given[0])) {
            let precision = given[0];
            return Err(Failure::input(format!("--moduli: these give {precision}, not {other}")));
        }
        let is_fixed = |precision: &&Precision| !matches!(precision, Precision::Mp(_));
        let (fixed, arithmetic) = (given.iter().find(is_fixed), self.arithmetic);
        let refused = match fixed {
            Some(_) if self.storage == StorageName::Residues => Some("--storage rns".into()),
            Some(_) if arithmetic != Arithmetic::Delayed => {
                Some(format!("--arithmetic {arithmetic}"))
            }
            _ => None,
        };
        match (refused, fixed) {
            (Some(option), Some(fixed)) => Err(Failure::input(format!(
                "{option} is for mp precisions, as mp424, not for {fixed}"
            ))),
            _ => Ok(given),
        }
    }

    /// Whether several precisions are compared.
    pub(super) fn compares(&self) -> bool {
        self.precision.len() > 1
    }

    /// Whether the true residual ends the iteration.
    pub(super) fn decides_by_true_residual(&self) -> bool {
        self.refine.is_some() || self.residual == Residual::True
    }

    /// The format of the moduli given.
    fn own_format(&self) -> Result<Option<Format>, Failure> {
        if self.moduli.is_empty() {
            return Ok(None);
        }
        if self.storage == StorageName::Positional {
            return Err(Failure::input("--moduli are for --storage rns"));
        }
        let format = Format::new(&self.moduli);
        format.map(Some).map_err(|error| Failure::input(format!("--moduli: {error}")))
    }

    pub(super) fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            storage: match self.storage {
                StorageName::Positional => Storage::Positional,
                StorageName::Residues => Storage::Residues(self.own_format()?),
            },
            algorithm: self.algorithm()?,
            refine: self.refine,
            iteration: Iteration {
                tolerance: self.atol.unwrap_or(self.rtol),
                relative: self.atol.is_none(),
                residual: self.residual,
                max_iterations: self.max_iterations,
                require_positive_definite: self.require_spd,
                history: self.history.is_some() || self.plot.is_some(),
            },
            preconditioning: self.preconditioner,
            full_preconditioner: self.preconditioner_values == Width::Full,
            format: self.format,
            arithmetic: self.arithmetic,
        })
    }
}
