//! What `nonius tridiag` is asked.

use std::path::PathBuf;

use clap::Args;
use nonius::tridiag::{Form, Method, Order, Precision, Transfer};

use crate::common::Common;

/// Solve many tridiagonal systems at once
///
/// Coefficients come from a rule or from arrays of NumPy (.npy, .npz) or CSV with one row for each
/// system. In arrays in Fortran's order, systems lie side by side. A third dimension may hold the
/// limbs of numbers, of `f64`, whose sum is the number: for all precisions but f32 and f64. Numbers
/// may be decimal texts at any precision; those of mp precisions are written as texts. A system
/// without solution is named, and NaN in the output; the others are solved.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Number of systems that a rule forms
    #[arg(long, value_name = "M", requires = "size", conflicts_with = "lower")]
    pub(super) systems: Option<usize>,

    /// Equations of each system that a rule forms
    #[arg(long, value_name = "N", requires = "systems")]
    pub(super) size: Option<usize>,

    /// The rule: poisson; random; or statements of C++ that assign lower, diagonal, upper and right
    /// from system, row, systems and size, with --transfer device
    #[arg(long, value_name = "RULE", default_value = "random", conflicts_with = "lower")]
    pub(super) form: Form,

    /// How a rule's systems lie in memory: contiguous, one after the other, or interleaved, row by
    /// row
    #[arg(long, value_name = "ORDER", default_value = "contiguous", conflicts_with = "lower", value_parser = order)]
    pub(super) order: Order,

    /// Diagonals below the main one; the first entry of a system counts only with --periodic; one
    /// of the four files may be `-`, standard input
    #[arg(long, value_name = "FILE", requires_all = ["diagonal", "upper", "right"])]
    pub(super) lower: Option<PathBuf>,

    /// Main diagonals, an array of NumPy
    #[arg(long, value_name = "FILE", requires = "lower")]
    pub(super) diagonal: Option<PathBuf>,

    /// Diagonals above the main one, an array of NumPy; the last entry of a system counts only with
    /// --periodic
    #[arg(long, value_name = "FILE", requires = "lower")]
    pub(super) upper: Option<PathBuf>,

    /// Right-hand sides, an array of NumPy
    #[arg(long, value_name = "FILE", requires = "lower")]
    pub(super) right: Option<PathBuf>,

    /// Precision of every number: f32, f64, dd, td, qd, or mp with 64 to 4096 bits, as mp424
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    pub(super) precision: Precision,

    /// The method: thomas, elimination; pcr, cyclic reduction, on a GPU up to 1024 equations;
    /// hybrid, chunks of rows with cyclic reduction between them; or auto, thomas on the CPU and
    /// hybrid on a GPU, whose last digits differ
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(super) method: Method,

    /// Systems are periodic: the last unknown is the neighbour of the first row, and the first
    /// unknown that of the last row
    #[arg(long)]
    pub(super) periodic: bool,

    /// Exchange rows, for systems without dominant diagonals; only thomas can
    #[arg(long)]
    pub(super) pivoting: bool,

    /// How systems come to a GPU and back: sync, all at once; async, in pieces; mapped, where
    /// kernels reach the memory of the host; or device, where a rule forms them on the GPU, and the
    /// time is that of the solution alone
    #[arg(long, value_name = "WAY", default_value = "async", value_parser = transfer)]
    pub(super) transfer: Transfer,

    /// Say how dominant the diagonals are, and how large the residual is
    #[arg(long)]
    pub(super) check: bool,

    /// Write the unknowns to FILE, an array of NumPy (or .npz, .csv) that appears complete or not
    /// at all; `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) common: Common,
}

fn order(text: &str) -> Result<Order, String> {
    match text {
        "contiguous" => Ok(Order::Contiguous),
        "interleaved" => Ok(Order::Interleaved),
        _ => Err("expected contiguous or interleaved".into()),
    }
}

fn transfer(text: &str) -> Result<Transfer, String> {
    let named = Transfer::ALL.into_iter().find(|way| way.name() == text);
    named.ok_or_else(|| "expected sync, async, mapped or device".into())
}
