//! What a run took, for people and programs.

use nonius::Device;
use nonius::dense::Numbers;
use nonius::tridiag::{self, Cause, Method, Order, Systems, cause_name};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use crate::common::{device_text, reason_text};
use crate::failure::{Failure, WIDER};
use crate::report::Figure;
use crate::summary::{NOT_WRITTEN, Summary, time_text};

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Contiguous => "contiguous",
        Order::Interleaved => "interleaved",
    }
}

/// A system that was not solved.
#[derive(Serialize, JsonSchema)]
struct Unsolved {
    /// Its number, from 1.
    system: usize,
    /// The row in which it failed, from 1.
    row: usize,
    /// Why it was not solved: `not finite`, no `pivot`, or `overflow` of an unknown.
    cause: &'static str,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Checks {
    /// The least |diagonal| / (|lower| + |upper|) of all rows; with --check.
    #[schemars(with = "Figure")]
    pub(super) least_dominance: Option<f64>,
    /// The system of that row, from 1; with --check.
    pub(super) least_dominant_system: Option<usize>,
    /// The row, from 1; with --check.
    pub(super) least_dominant_row: Option<usize>,
    /// The largest residual of a system beside its right-hand side; with --check. Null where no
    /// system was solved.
    pub(super) relative_residual: Option<Figure>,
    /// The least relative change of entries that makes the unknowns exact; with --check. Null where
    /// no system was solved.
    pub(super) backward_error: Option<Figure>,
}

/// Systems were solved.
#[derive(Serialize, JsonSchema)]
pub(super) struct Figures {
    /// Time of the computation in seconds, without reading and writing files.
    seconds: f64,
    /// Systems solved a second.
    #[schemars(with = "Figure")]
    systems_per_second: f64,
    /// The number of systems.
    systems: usize,
    /// Equations of each system.
    size: usize,
    /// How systems lie in memory: contiguous or interleaved.
    order: &'static str,
    /// The precision of the numbers: f32, f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// The method that the program used, never auto.
    method: &'static str,
    /// Whether the systems are periodic.
    periodic: bool,
    /// Whether rows could be exchanged.
    pivoting: bool,
    /// How systems came to the GPU and back; null on the CPU.
    transfer: Option<&'static str>,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// The systems without solution.
    unsolved: Vec<Unsolved>,
    #[serde(flatten)]
    checks: Option<Checks>,
}

/// What a run took, for programs.
pub(super) fn figures<T: tridiag::Number>(
    arguments: &Arguments,
    systems: &Systems<T>,
    report: &tridiag::Report,
    checks: Option<Checks>,
) -> Figures {
    let tridiag::Report { outcome: solved, time, place, .. } = report;
    let seconds = time.as_secs_f64();
    let unsolved = solved.failures.iter().map(|failure| Unsolved {
        system: failure.system + 1,
        row: failure.row + 1,
        cause: cause_name(failure.cause),
    });
    Figures {
        seconds,
        systems_per_second: systems.systems as f64 / seconds,
        systems: systems.systems,
        size: systems.size,
        order: order_name(systems.order),
        precision: T::name(systems.right.format()).to_string(),
        method: solved.method.name(),
        periodic: arguments.periodic,
        pivoting: arguments.pivoting,
        transfer: (place.device != Device::Cpu).then(|| arguments.transfer.name()),
        device: place.device.to_string(),
        device_reason: reason_text(place),
        unsolved: unsolved.collect(),
        checks,
    }
}

/// The same for people.
pub(super) fn summarize<T: tridiag::Number>(
    arguments: &Arguments,
    systems: &Systems<T>,
    report: &tridiag::Report,
    checks: Option<&Checks>,
) -> Summary {
    let tridiag::Report { outcome: solved, time, place, .. } = report;
    let seconds = time.as_secs_f64();
    let mut summary = Summary::default();
    let (m, n, order) = (systems.systems, systems.size, order_name(systems.order));
    summary.line("systems", format!("{m} of {n} equations, {order}"));
    summary.line("precision", &*T::name(systems.right.format()));
    let chosen = match arguments.method {
        Method::Auto => format!("{}, chosen for this device", solved.method),
        _ => solved.method.to_string(),
    };
    summary.line("method", chosen);
    summary.line("device", device_text(place, seconds));
    if place.device != Device::Cpu {
        summary.line("transfer", arguments.transfer.name());
    }
    let rate = m as f64 / seconds;
    summary.line("time", format!("{}, {rate:.3e} systems a second", time_text(seconds)));
    let Some(checks) = checks else { return summary };
    if let (Some(least), Some(system), Some(row)) =
        (checks.least_dominance, checks.least_dominant_system, checks.least_dominant_row)
    {
        summary.line("least dominance", format!("{least:.3} in row {row} of system {system}"));
    }
    for (label, figure) in [
        ("relative residual", &checks.relative_residual),
        ("backward error", &checks.backward_error),
    ] {
        match figure {
            Some(figure) => summary.line(label, format!("{:.1e}", figure.0)),
            None => summary.line(label, "none: no system was solved"),
        }
    }
    summary
}

/// Shows the unknowns of a few small systems, a column for each.
pub(super) fn unknowns<T: tridiag::Number>(
    summary: &mut Summary,
    (systems, size): (usize, usize),
    order: Order,
    x: &Numbers<T>,
) {
    let place = |row: usize, system: usize| match order {
        Order::Contiguous => system * size + row,
        Order::Interleaved => row * systems + system,
    };
    let entry = |row, system, out: &mut Vec<u8>| x.at(place(row, system)).write_decimal(out);
    if !summary.entries("solutions", (size, systems), entry) {
        summary.line("solutions", NOT_WRITTEN);
    }
}

/// Which systems have no solution, as a sentence.
pub(super) fn failure(all: usize, report: &tridiag::Report) -> Option<Failure> {
    let failures = &report.outcome.failures;
    let first = failures.first()?;
    let (cause, advice) = match first.cause {
        Cause::NotFinite => ("a number that is not finite", String::new()),
        Cause::Pivot => ("no pivot", String::new()),
        Cause::Overflow => ("an unknown beyond the largest number", format!(": {WIDER}")),
    };
    let (count, system, row) = (failures.len(), first.system + 1, first.row + 1);
    Some(Failure::numerical(format!(
        "{count} of {all} systems have no solution, the first is system {system}: {cause} in row {row}{advice}"
    )))
}
