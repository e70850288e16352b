//! The flags that commands share.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use nonius::dense::Reading;
use nonius::dense::{Accuracy, Arithmetic, Engine, Products};
use nonius::device::{Place, Reason};
use nonius::{Device, Job, Number, Precision, threads};
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{ranks, say};

/// The flags of every command.
#[derive(Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Where to compute: cpu; cuda, the first GPU, cuda:1, the second, or cuda:all, all of them; or
    /// auto, the first GPU where there is one and the work is long, else the CPU
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: Device,

    /// Number of threads, under mpirun of each rank, from 1 to 1024 [default: one for each core,
    /// which the ranks of a machine share]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,

    /// Print exactly one JSON object on standard output, and everything else on standard error;
    /// `nonius schema` describes the object
    #[arg(long)]
    pub(crate) json: bool,

    /// Print neither progress nor a summary
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Say on standard error which device does what, and why
    #[arg(long, short)]
    verbose: bool,
}

/// In what form a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One JSON object.
    Json,
    /// A summary.
    Text,
    /// Nothing but a failure.
    Silence,
}

fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= threads::MOST);
    number.ok_or_else(|| format!("expected a number of threads from 1 to {}", threads::MOST))
}

/// How products of matrices are computed, those inside factorisations included.
#[derive(Args)]
#[command(next_help_heading = "Products of matrices")]
pub(crate) struct ProductFlags {
    /// How sums of products are rounded: delayed normalises a sum once, at its end, and ieee after
    /// every operation; for dd alone, the cheaper and less accurate ieee-sloppy (products), cray
    /// (additions) and sloppy (both)
    #[arg(long, value_name = "ARITHMETIC", default_value = "delayed")]
    arithmetic: Arithmetic,

    /// What computes products: direct, in the numbers' own arithmetic; crt, with integers modulo
    /// many numbers; or auto, the faster one
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine)]
    engine: EngineFlag,

    /// The error bound of crt: entrywise, that of direct for every entry; or normwise, small beside
    /// the largest entries of the row and of the column
    #[arg(long, value_name = "ACCURACY", default_value = "entrywise", value_parser = accuracy)]
    accuracy: Accuracy,

    /// Memory for intermediate results of crt, in MiB [default: 512, on GPUs more]
    #[arg(long, value_name = "MIB")]
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
            workspace: self.workspace.map(|mebibytes| (mebibytes as usize) << 20),
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
        self.on_threads(work)
    }

    /// Runs a job with numbers of a precision.
    pub(crate) fn run_at<R: Send>(
        &self,
        precision: Precision,
        job: impl Job<Output = Result<R, Failure>> + Send,
    ) -> Result<R, Failure> {
        self.run(|| job.at(precision))
    }

    /// Runs `work` with the number of threads asked for.
    pub(crate) fn on_threads<R: Send>(
        &self,
        work: impl FnOnce() -> Result<R, Failure> + Send,
    ) -> Result<R, Failure> {
        threads::with(self.threads, work).map_err(Failure::input)?
    }

    /// Refuses a GPU for work that has nothing for one to do.
    pub(crate) fn refuse_gpu(&self, work: &str) -> Result<(), Failure> {
        match self.device {
            Device::Auto | Device::Cpu => Ok(()),
            gpu => Err(Failure::input(format!(
                "--device {gpu}: {work} has no work for a GPU: expected auto or cpu"
            ))),
        }
    }

    /// With --verbose, says where a job was done and why there.
    pub(crate) fn explain(&self, job: &str, place: &Place) {
        let (place, reason) = (place_text(place), &place.reason);
        let instead = if matches!(reason, Reason::Failure(_)) { " instead of a GPU" } else { "" };
        self.note(&format!("{job} ran on {place}{instead}: {reason}"));
    }

    /// With --verbose, says a line on standard error.
    pub(crate) fn note(&self, line: &str) {
        if self.verbose {
            say::note(line);
        }
    }

    pub(crate) fn form(&self) -> Form {
        match (self.json, self.quiet) {
            _ if !ranks::is_first() => Form::Silence,
            (true, _) => Form::Json,
            (false, true) => Form::Silence,
            (false, false) => Form::Text,
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress::new(self.form() != Form::Text)
    }
}

/// With what and where a job was done: members of its JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Setting {
    /// The precision of the numbers: f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// How sums of products are normalised: delayed, ieee, ieee-sloppy, cray or sloppy.
    arithmetic: &'static str,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// Whether matrices were larger than the memory of a GPU, and were in the host's.
    out_of_core: bool,
}

impl Setting {
    pub(crate) fn new(precision: Precision, arithmetic: Arithmetic, place: &Place) -> Self {
        Self {
            precision: precision.to_string(),
            arithmetic: arithmetic.name(),
            device: place.device.to_string(),
            device_reason: reason_text(place),
            out_of_core: place.out_of_core,
        }
    }
}

/// Billions of operations a second.
pub(crate) fn gflops(operations: f64, time: Duration) -> f64 {
    operations / time.as_secs_f64() / 1e9
}

/// From how many seconds on a user wants to know of a GPU that could have helped.
const LONG: f64 = 1.0;

/// `cpu, 2 threads`, and why no GPU computed what took a long time:
/// `cpu, 2 threads (no CUDA driver on this machine: …)`
pub(crate) fn device_text(place: &Place, seconds: f64) -> String {
    let missed = match &place.reason {
        Reason::Failure(failure) if seconds > LONG => format!(" ({failure})"),
        _ => String::new(),
    };
    format!("{}{missed}", place_text(place))
}

/// `cpu, 2 threads`; `cuda:0, matrices in the host's memory`
fn place_text(place: &Place) -> String {
    let memory = if place.out_of_core { ", matrices in the host's memory" } else { "" };
    format!("{}{}{memory}", place.device, threads_text(place.device))
}

/// Why [`Device::Auto`] took the device that it took.
pub(crate) fn reason_text(place: &Place) -> Option<String> {
    (place.reason != Reason::Asked).then(|| place.reason.to_string())
}

/// `, 2 threads`, or on ranks `, 4 ranks of 2 threads`
fn threads_text(device: Device) -> String {
    let threads = match (device, threads::available()) {
        (Device::Cpu, 1) => "1 thread".to_string(),
        (Device::Cpu, n) => format!("{n} threads"),
        _ => String::new(),
    };
    match (ranks::count(), threads.as_str()) {
        (1, "") => String::new(),
        (1, threads) => format!(", {threads}"),
        (count, "") => format!(", {count} ranks"),
        (count, threads) => format!(", {count} ranks of {threads}"),
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
        _ => "infinite".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use nonius::device::DeviceFailure;
    use nonius::device::Estimate;

    use super::*;

    fn text(reason: Reason, seconds: f64) -> String {
        let out_of_core = false;
        device_text(&Place { device: Device::Cpu, reason, out_of_core }, seconds)
    }

    /// That there is no GPU is told where it costs time, and nowhere else.
    #[test]
    fn a_missing_gpu_is_told_where_it_costs_time() {
        let failure = || Reason::Failure(DeviceFailure::new(std::io::Error::other("no GPU")));
        let estimate = Reason::Estimate(Estimate { cpu_seconds: 0.1, gpu_seconds: 1.0 });
        let threads = threads_text(Device::Cpu);
        for (reason, seconds) in
            [(failure(), 0.5), (failure(), LONG), (estimate, 9.0), (Reason::Asked, 9.0)]
        {
            assert_eq!(text(reason, seconds), format!("cpu{threads}"));
        }
        assert_eq!(text(failure(), 1.5), format!("cpu{threads} (no GPU)"));
        let gpu =
            |out_of_core| Place { device: Device::Cuda(1), reason: Reason::Asked, out_of_core };
        assert_eq!(device_text(&gpu(false), 9.0), "cuda:1");
        assert_eq!(device_text(&gpu(true), 9.0), "cuda:1, matrices in the host's memory");
    }

    #[test]
    fn conditions() {
        let condition = |reading, precision: &str| {
            condition_text(reading, precision.parse::<Precision>().unwrap())
        };
        let large = Reading { significand: 0.5, exponent: 5000 };
        assert_eq!(condition(Reading { significand: 0.5, exponent: 1 }, "f64"), "1.0e0");
        assert!(condition(large, "f64").starts_with("at least 7.1e1504"));
        assert_eq!(condition(Reading::INFINITY, "mp424"), "infinite");
    }
}
