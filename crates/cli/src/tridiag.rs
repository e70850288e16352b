//! `nonius tridiag`

use std::path::PathBuf;

use clap::Args;
use nonius::linalg::Numbers;
use nonius::linalg::tridiag::{Cause, Method, Options, Order, dominance, residual};
use nonius::{
    Device, DeviceNumber, Form, TridiagonalJob, TridiagonalPrecision, TridiagonalReport,
    TridiagonalSystems, TridiagonalTransfer, cause_name, read_arrays, tridiagonal,
    tridiagonal_formed, tridiagonal_room, write_unknowns,
};
use serde::Serialize;

use crate::common::{Common, device_text, reason_text};
use crate::failure::Failure;
use crate::names::{Contents, Names};
use crate::output::{Figure, Output, Summary, print_json, time_text};

/// Solve many tridiagonal systems at once
///
/// Coefficients come from arrays of NumPy, of one row for each system (.npy; for dd, td and qd a
/// third dimension may hold the limbs; at any precision numbers may be decimal texts,
/// as those of mp precisions are written; arrays in Fortran's order are systems side by side), or
/// from a rule. A system without solution is named, and NaN in the output; the others are solved.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many systems there are, where a rule forms them
    #[arg(long, value_name = "M", requires = "size", conflicts_with = "lower")]
    systems: Option<usize>,

    /// Equations of each system
    #[arg(long, value_name = "N", requires = "systems")]
    size: Option<usize>,

    /// The rule: poisson, random, or statements of C++ that assign lower, diagonal, upper and right
    /// from system, row, systems and size (with --transfer device)
    #[arg(long, value_name = "RULE", default_value = "random", conflicts_with = "lower")]
    form: Form,

    /// Whether a rule's systems lie one after the other, or side by side row by row: contiguous or
    /// interleaved
    #[arg(long, value_name = "ORDER", default_value = "contiguous", conflicts_with = "lower", value_parser = order)]
    order: Order,

    /// Diagonals below the main one, whose first entry of a system counts only with --periodic
    #[arg(long, value_name = "FILE", requires_all = ["diagonal", "upper", "right"])]
    lower: Option<PathBuf>,

    /// Main diagonals
    #[arg(long, value_name = "FILE", requires = "lower")]
    diagonal: Option<PathBuf>,

    /// Diagonals above the main one, whose last entry of a system counts only with --periodic
    #[arg(long, value_name = "FILE", requires = "lower")]
    upper: Option<PathBuf>,

    /// Right sides
    #[arg(long, value_name = "FILE", requires = "lower")]
    right: Option<PathBuf>,

    /// Precision: f32, f64, dd, td, qd, or mp followed by 64 to 4096 bits, such as mp424
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: TridiagonalPrecision,

    /// pcr (cyclic reduction, on a GPU up to 1024 equations), thomas, hybrid (chunks of rows, with
    /// cyclic reduction between them), or auto: thomas on the CPU, hybrid on a GPU, whose last
    /// digits differ; the output names the method
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    method: Method,

    /// The first row of each system has the last unknown for its neighbour, and the last row the
    /// first one
    #[arg(long)]
    periodic: bool,

    /// Exchange rows, for systems without dominant diagonals; by thomas alone
    #[arg(long)]
    pivoting: bool,

    /// How systems come to a GPU and back: sync, async (in pieces), mapped (kernels reach the
    /// host's memory), or device (formed there, and measured without a way)
    #[arg(long, value_name = "WAY", default_value = "async", value_parser = transfer)]
    transfer: TridiagonalTransfer,

    /// Say how dominant the diagonals are, and how large the residuals
    #[arg(long)]
    check: bool,

    /// Write the unknowns to FILE, an array of NumPy that appears complete or not at all; `-` is
    /// standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: Common,
}

fn order(text: &str) -> Result<Order, String> {
    match text {
        "contiguous" => Ok(Order::Contiguous),
        "interleaved" => Ok(Order::Interleaved),
        _ => Err("expected contiguous or interleaved".into()),
    }
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Contiguous => "contiguous",
        Order::Interleaved => "interleaved",
    }
}

fn transfer(text: &str) -> Result<TridiagonalTransfer, String> {
    let named = TridiagonalTransfer::ALL.into_iter().find(|way| way.name() == text);
    named.ok_or_else(|| "expected sync, async, mapped or device".into())
}

/// A system that was not solved; counted from 1.
#[derive(Serialize)]
struct Unsolved {
    system: usize,
    row: usize,
    cause: &'static str,
}

#[derive(Clone, Serialize)]
struct Checks {
    least_dominance: Option<f64>,
    least_dominant_system: Option<usize>,
    least_dominant_row: Option<usize>,
    relative_residual: Figure,
    backward_error: Figure,
}

#[derive(Serialize)]
struct Json {
    seconds: f64,
    systems_per_second: f64,
    systems: usize,
    size: usize,
    order: &'static str,
    precision: String,
    method: &'static str,
    periodic: bool,
    pivoting: bool,
    transfer: Option<&'static str>,
    device: String,
    device_reason: Option<String>,
    unsolved: Vec<Unsolved>,
    #[serde(flatten)]
    checks: Option<Checks>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.lower.is_none() && arguments.systems.is_none() {
        let wanted = "expected --systems and --size, or --lower, --diagonal, --upper and --right";
        return Err(Failure::input(wanted));
    }
    let Arguments { lower, diagonal, upper, right, output, .. } = arguments;
    Names::default()
        .read("--lower", lower.as_ref())
        .read("--diagonal", diagonal.as_ref())
        .read("--upper", upper.as_ref())
        .read("--right", right.as_ref())
        .written("--output", Contents::Array, output.as_ref())
        .check(arguments.common.json)?;
    arguments.common.run(|| arguments.precision.run(Solve(arguments)))
}

struct Solve<'a>(&'a Arguments);

impl TridiagonalJob for Solve<'_> {
    type Output = Result<(), Failure>;

    fn run<T: DeviceNumber>(self, format: T::Format) -> Result<(), Failure> {
        let arguments = self.0;
        let Arguments { common, method, periodic, pivoting, transfer, .. } = arguments;
        let options = Options { method: *method, periodic: *periodic, pivoting: *pivoting };
        let progress = common.progress();
        if arguments.lower.is_none() {
            let (m, n, _) = rule(arguments);
            tridiagonal_room::<T>(format, (m, n)).map_err(Failure::input)?;
        }
        let failed = |error| Failure::computing("tridiagonal systems", &error);
        let formed_there = matches!(arguments.form, Form::Statements(_))
            || *transfer == TridiagonalTransfer::Device && arguments.lower.is_none();
        let (systems, x, report) = if formed_there && common.device != Device::Cpu {
            let (m, n, order) = rule(arguments);
            let bar = progress.work(format!("solving {m} systems of {n} equations"));
            let found = tridiagonal_formed::<T>(
                format,
                (m, n),
                order,
                &arguments.form,
                &options,
                common.device,
            );
            bar.finish_and_clear();
            let (x, report) = found.map_err(failed)?;
            let none = || Numbers::new(format);
            let matrix = [none(), none(), none()];
            let shape = TridiagonalSystems { systems: m, size: n, order, matrix, right: none() };
            (shape, x, report)
        } else {
            let systems = coefficients::<T>(format, arguments)?;
            let (m, n) = (systems.systems, systems.size);
            let bar = progress.work(format!("solving {m} systems of {n} equations"));
            let found = tridiagonal(&systems, &options, *transfer, common.device);
            bar.finish_and_clear();
            let (x, report) = found.map_err(failed)?;
            (systems, x, report)
        };
        common.explain("the systems", &report.place);
        let checks = if arguments.check { Some(check(arguments, &systems, &x)?) } else { None };
        let shape = (systems.systems, systems.size);
        output(arguments)
            .write(|out| Ok(write_unknowns(out, shape, systems.order, x.as_slice())?))?;
        tell(arguments, &systems, &report, checks)
    }
}

fn output(arguments: &Arguments) -> Output {
    Output::beside(arguments.output.as_ref())
}

fn rule(arguments: &Arguments) -> (usize, usize, Order) {
    (arguments.systems.unwrap_or(0), arguments.size.unwrap_or(0), arguments.order)
}

fn coefficients<T: DeviceNumber>(
    format: T::Format,
    arguments: &Arguments,
) -> Result<TridiagonalSystems<T>, Failure> {
    let Arguments { lower, diagonal, upper, right, .. } = arguments;
    if let (Some(lower), Some(diagonal), Some(upper), Some(right)) = (lower, diagonal, upper, right)
    {
        return read_arrays(format, [lower, diagonal, upper, right]).map_err(Failure::input);
    }
    let (m, n, order) = rule(arguments);
    arguments.form.coefficients(format, (m, n), order).map_err(Failure::input)
}

fn check<T: DeviceNumber>(
    arguments: &Arguments,
    systems: &TridiagonalSystems<T>,
    x: &Numbers<T>,
) -> Result<Checks, Failure> {
    let formed;
    let systems = if systems.right.is_empty() && !x.is_empty() {
        formed = coefficients::<T>(x.format(), arguments)?;
        &formed
    } else {
        systems
    };
    let batch = systems.batch().map_err(Failure::input)?;
    let least = dominance(&batch, arguments.periodic);
    let left = residual(&batch, arguments.periodic, x).map_err(Failure::input)?;
    Ok(Checks {
        least_dominance: least.map(|least| least.least),
        least_dominant_system: least.map(|least| least.system + 1),
        least_dominant_row: least.map(|least| least.row + 1),
        relative_residual: Figure(left.relative),
        backward_error: Figure(left.backward_error),
    })
}

fn tell<T: DeviceNumber>(
    arguments: &Arguments,
    systems: &TridiagonalSystems<T>,
    report: &TridiagonalReport,
    checks: Option<Checks>,
) -> Result<(), Failure> {
    let (common, place) = (&arguments.common, &report.place);
    let name = T::name(systems.right.format());
    let failures = &report.report.failures;
    let on_gpu = place.device != Device::Cpu;
    let unsolved = failures.iter().map(|failure| Unsolved {
        system: failure.system + 1,
        row: failure.row + 1,
        cause: cause_name(failure.cause),
    });
    let json = common.json.then(|| Json {
        seconds: report.seconds,
        systems_per_second: systems.systems as f64 / report.seconds,
        systems: systems.systems,
        size: systems.size,
        order: order_name(systems.order),
        precision: name.to_string(),
        method: report.report.method.name(),
        periodic: arguments.periodic,
        pivoting: arguments.pivoting,
        transfer: on_gpu.then(|| arguments.transfer.name()),
        device: place.device.to_string(),
        device_reason: reason_text(place),
        unsolved: unsolved.collect(),
        checks: checks.clone(),
    });
    if json.is_none() && !common.quiet {
        let mut summary = Summary::default();
        let (m, n, order) = (systems.systems, systems.size, order_name(systems.order));
        summary.line("systems", format!("{m} of {n} equations, {order}"));
        summary.line("precision", &*name);
        let chosen = match arguments.method {
            Method::Auto => format!("{}, chosen for this device", report.report.method),
            _ => report.report.method.to_string(),
        };
        summary.line("method", chosen);
        summary.line("device", device_text(place));
        if on_gpu {
            summary.line("transfer", arguments.transfer.name());
        }
        let rate = m as f64 / report.seconds;
        summary.line("time", format!("{}, {rate:.3e} systems a second", time_text(report.seconds)));
        if let Some(checks) = checks {
            if let (Some(least), Some(system), Some(row)) =
                (checks.least_dominance, checks.least_dominant_system, checks.least_dominant_row)
            {
                summary
                    .line("least dominance", format!("{least:.3} in row {row} of system {system}"));
            }
            summary.line("relative residual", format!("{:.1e}", checks.relative_residual.0));
            summary.line("backward error", format!("{:.1e}", checks.backward_error.0));
        }
        output(arguments).print_summary(&summary)?;
    }
    let Some(first) = failures.first() else {
        return json.map_or(Ok(()), |json| print_json(&json));
    };
    let cause = match first.cause {
        Cause::NotFinite => "a number that is not finite",
        Cause::Pivot => "no pivot",
        Cause::Overflow => "an unknown beyond the largest number",
    };
    let (count, all, system, row) =
        (failures.len(), systems.systems, first.system + 1, first.row + 1);
    let message = format!(
        "{count} of {all} systems have no solution, the first is system {system}: {cause} in row {row}"
    );
    Err(match json.and_then(|json| serde_json::to_value(json).ok()) {
        Some(known) => Failure::numerical(message).knowing(known),
        None => Failure::numerical(message),
    })
}
