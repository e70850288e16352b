//! The flags that commands share.

use std::num::NonZeroUsize;

use clap::Args;
use nonius::linalg::backend::Reading;
use nonius::linalg::dense::gemm::{Accuracy, Arithmetic, Engine, Products};
use nonius::{Device, Job, Number, Place, Precision, Reason, available_threads, with_threads};
use serde::Serialize;

use crate::failure::{Failure, warn};
use crate::progress::Progress;

#[derive(Args)]
pub(crate) struct Common {
    /// Where to compute: auto, cpu, cuda or cuda:0, cuda:1, …; auto is the first GPU, or the CPU
    /// for short work and without a GPU
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: Device,

    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print exactly one JSON object on standard output, and everything else on standard error
    #[arg(long)]
    pub(crate) json: bool,

    /// Print neither progress nor a summary
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Say on standard error which device does what, and why
    #[arg(long, short)]
    verbose: bool,
}

/// How products of matrices are computed, those inside factorisations included.
#[derive(Args)]
pub(crate) struct ProductFlags {
    /// Arithmetic of matrix products: delayed normalises a sum at its end, ieee every product and
    /// every addition; at dd, by cheaper, less accurate operations, ieee-sloppy does the products,
    /// cray the additions, sloppy both
    #[arg(long, value_name = "ARITHMETIC", default_value = "delayed")]
    arithmetic: Arithmetic,

    /// What computes matrix products: direct works in the numbers' own arithmetic, crt with
    /// integers modulo many numbers, auto takes the faster one
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine)]
    engine: EngineFlag,

    /// What the crt engine promises: entrywise the error bound of direct for every entry, normwise
    /// only beside the largest entries of its row and column
    #[arg(long, value_name = "ACCURACY", default_value = "entrywise", value_parser = accuracy)]
    accuracy: Accuracy,

    /// Megabytes that the crt engine takes for intermediate results [default: 512, on GPUs more]
    #[arg(long, value_name = "MB")]
    workspace: Option<u32>,
}

/// An engine, or `None` for the choice by size.
#[derive(Clone, Copy)]
struct EngineFlag(Option<Engine>);

fn engine(text: &str) -> Result<EngineFlag, String> {
    if text == "auto" {
        return Ok(EngineFlag(None));
    }
    let named = Engine::ALL.into_iter().find(|engine| engine.name() == text);
    named.map(|engine| EngineFlag(Some(engine))).ok_or("expected auto, direct or crt".into())
}

fn accuracy(text: &str) -> Result<Accuracy, String> {
    let named = Accuracy::ALL.into_iter().find(|accuracy| accuracy.name() == text);
    named.ok_or("expected entrywise or normwise".into())
}

impl ProductFlags {
    /// What was asked for, where numbers of this type have it.
    pub(crate) fn of<T: Number>(&self) -> Result<Products, Failure> {
        let products = Products {
            engine: self.engine.0,
            arithmetic: self.arithmetic,
            accuracy: self.accuracy,
            workspace: self.workspace.map(|megabytes| (megabytes as usize) << 20),
        };
        match products.check::<T>() {
            Ok(()) => Ok(products),
            Err(error) => Err(Failure::input(format!("--arithmetic: {error}"))),
        }
    }
}

impl Common {
    /// Runs `work` with the number of threads asked for, when the device asked for is there.
    pub(crate) fn run<R: Send>(
        &self,
        work: impl FnOnce() -> Result<R, Failure> + Send,
    ) -> Result<R, Failure> {
        self.device.check().map_err(Failure::input)?;
        with_threads(self.threads, work).map_err(Failure::input)?
    }

    /// With --verbose, says where a job was done and why there.
    pub(crate) fn explain(&self, job: &str, place: &Place) {
        let (device, reason) = (place.device, &place.reason);
        let instead = if matches!(reason, Reason::Failure(_)) { " instead of a GPU" } else { "" };
        self.note(&format!("{job} ran on {device}{}{instead}: {reason}", threads_text(device)));
    }

    /// With --verbose, says a line on standard error.
    pub(crate) fn note(&self, line: &str) {
        if self.verbose {
            warn(line);
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress::new(self.quiet || self.json)
    }
}

/// With what and where a job was done: members of its JSON object.
#[derive(Serialize)]
pub(crate) struct Setting {
    precision: String,
    arithmetic: &'static str,
    device: String,
    device_reason: Option<String>,
}

impl Setting {
    pub(crate) fn new(precision: Precision, arithmetic: Arithmetic, place: &Place) -> Self {
        Self {
            precision: precision.to_string(),
            arithmetic: arithmetic.name(),
            device: place.device.to_string(),
            device_reason: reason_text(place),
        }
    }
}

/// `cpu, 2 threads (no CUDA driver on this machine: …)`
pub(crate) fn device_text(place: &Place) -> String {
    let reason = reason_text(place).map(|reason| format!(" ({reason})"));
    format!("{}{}{}", place.device, threads_text(place.device), reason.unwrap_or_default())
}

/// Why [`Device::Auto`] took the device that it took.
pub(crate) fn reason_text(place: &Place) -> Option<String> {
    (place.reason != Reason::Asked).then(|| place.reason.to_string())
}

fn threads_text(device: Device) -> String {
    match (device, available_threads()) {
        (Device::Cpu, 1) => ", 1 thread".to_string(),
        (Device::Cpu, n) => format!(", {n} threads"),
        _ => String::new(),
    }
}

impl Common {
    /// Runs a job with numbers of a precision.
    pub(crate) fn run_at(
        &self,
        precision: Precision,
        job: impl Job<Output = Result<(), Failure>> + Send,
    ) -> Result<(), Failure> {
        self.run(|| job.at(precision))
    }
}

/// `qd: 208 bits, 62 digits`
pub(crate) fn precision_text(precision: Precision) -> String {
    format!("{precision}: {} bits, {} digits", precision.bits(), precision.digits())
}

/// A condition estimate; factors of this precision cannot tell a worse condition than `1/u`.
pub(crate) fn condition_text(condition: Reading, precision: Precision) -> String {
    match condition {
        condition if condition.scaled(-i64::from(precision.bits())) < 1.0 => {
            format!("{condition:.1e}")
        }
        condition if condition.is_finite() => format!("at least {condition:.1e}"),
        _ => "beyond the range of f64".to_string(),
    }
}
