//! What `nonius sdp` is asked.

use std::path::PathBuf;

use clap::Args;
use nonius::sdp::{LEAST_GAP, LastPrecision};

use crate::common::Common;

/// Solve a semidefinite program in SDPA's format
///
/// The method is a primal-dual interior-point method. (P) minimizes c · x where X = x1 F1 + … + xm
/// Fm − F0 is positive semidefinite; (D) maximizes F0 • Y where Fi • Y = ci and Y is positive
/// semidefinite. PROBLEM is a file in SDPA's sparse format (.dat-s) or dense format (.dat), which
/// may be compressed by gzip or xz. The exit status is 1 where the run finds neither an optimum to
/// the gap asked for nor that there is none; --certify proves either. The best point is written all
/// the same. Ctrl-C ends the run at the next iteration.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The problem; `-` is standard input, in the sparse format
    #[arg(value_name = "PROBLEM")]
    pub(super) problem: PathBuf,

    /// Precision to end in: f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424; or auto, the
    /// lowest of f64, dd, qd, mp424 and mp848 that meets --gap. Lower precisions go first
    #[arg(long, value_name = "PRECISION", default_value = "dd")]
    pub(super) precision: LastPrecision,

    /// Begin in the precision of --precision: skip the lower ones
    #[arg(long)]
    pub(super) at_once: bool,

    /// The relative gap at which the optimum counts as found, from 1e-300 to 1; it overrides
    /// epsilonStar of --param [default: 1e-7 in f64, 1e-20 in dd and auto, 1e-30 in td, 1e-40 in
    /// qd, 1e-81 in mp424]
    #[arg(long, value_name = "R", value_parser = gap)]
    pub(super) gap: Option<f64>,

    /// The infeasibility that counts as none, relative to the largest numbers of F0 and c, not
    /// below 1e-300 [default: epsilonDash of --param, or ten times the gap]
    #[arg(long, value_name = "R", value_parser = feasibility)]
    pub(super) feasibility: Option<f64>,

    /// Parameters, as SDPA's param.sdpa has them; --gap, --feasibility, --start and
    /// --max-iterations override the file
    #[arg(long, value_name = "FILE")]
    pub(super) param: Option<PathBuf>,

    /// Start from LAMBDA times the identity for X and Y [default: as the norms of the matrices
    /// suggest]
    #[arg(long, value_name = "LAMBDA", value_parser = positive, conflicts_with = "initial")]
    pub(super) start: Option<f64>,

    /// Start from the point in FILE: SDPA's sparse (.ini-s) or dense (.ini) format, a checkpoint,
    /// or a result of SDPA or nonius. Where that leads to no optimum, the run begins again without
    /// it
    #[arg(long, value_name = "FILE")]
    pub(super) initial: Option<PathBuf>,

    /// Stop after N iterations, those before a checkpoint included [default: 200, and one for
    /// each digit of the gap]
    #[arg(long, value_name = "N")]
    pub(super) max_iterations: Option<u64>,

    /// Prove bounds of the optimum in twice the bits of the solution, and say how many digits they
    /// share; or prove that a problem is infeasible. Without a proof the program says why, and the
    /// exit status stays the same
    #[arg(long)]
    pub(super) certify: bool,

    /// Write the result to FILE, in SDPA's layout and at full precision; --initial reads it
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write the vector x to FILE, in the form that its ending says
    #[arg(long, value_name = "FILE")]
    pub(super) x: Option<PathBuf>,

    /// Write the matrix X to FILE, in the form that its ending says
    #[arg(long, value_name = "FILE")]
    pub(super) primal: Option<PathBuf>,

    /// Write the matrix Y to FILE, in the form that its ending says
    #[arg(long, value_name = "FILE")]
    pub(super) dual: Option<PathBuf>,

    /// Draw gap and infeasibilities of all iterations into FILE, .svg or .png; `-` is standard
    /// output, as SVG
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,

    /// Keep the current point in FILE, which is replaced as --every says and at the end of the run,
    /// however it ends. Where FILE cannot be written the run goes on, and the exit status is 2
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Seconds from one checkpoint to the next
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = positive, requires = "checkpoint")]
    pub(super) every: f64,

    /// Go on from the checkpoint, if there is one, in its precision and with its count of
    /// iterations; gap, parameters and last precision are those of this call. The checkpoint of
    /// another problem is refused
    #[arg(long, requires = "checkpoint", conflicts_with_all = ["initial", "start"])]
    pub(super) resume: bool,

    #[command(flatten)]
    pub(super) common: Common,
}

fn gap(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x| (LEAST_GAP..=1.0).contains(x));
    number.ok_or_else(|| "expected a gap from 1e-300 to 1".into())
}

fn feasibility(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x >= LEAST_GAP);
    number.ok_or_else(|| "expected a number not below 1e-300".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "expected a positive number".into())
}
