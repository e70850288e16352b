//! The flags that commands share.

use std::num::NonZeroUsize;

use clap::Args;
use nonius::{Device, Precision, available_threads, with_threads};

use crate::failure::Failure;
use crate::progress::Progress;

#[derive(Args)]
pub(crate) struct Common {
    /// Where to compute: auto or cpu
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
}

impl Common {
    /// Runs `work` with the number of threads asked for.
    pub(crate) fn run<R: Send>(
        &self,
        work: impl FnOnce() -> Result<R, Failure> + Send,
    ) -> Result<R, Failure> {
        with_threads(self.threads, work).map_err(Failure::input)?
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress::new(self.quiet || self.json)
    }
}

/// `cpu, 2 threads`
pub(crate) fn device_text(device: Device) -> String {
    match available_threads() {
        1 => format!("{device}, 1 thread"),
        n => format!("{device}, {n} threads"),
    }
}

/// `qd: 208 bits, 62 digits`
pub(crate) fn precision_text(precision: Precision) -> String {
    format!("{precision}: {} bits, {} digits", precision.bits(), precision.digits())
}
