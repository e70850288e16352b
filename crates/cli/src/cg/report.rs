//! What runs took, for people and programs.

use nonius::linalg::krylov::{Algorithm, Stopped};
use nonius::{KrylovReport, Precision};
use serde::Serialize;

use super::arguments::Arguments;
use super::outcome::Run;
use crate::common::{device_text, precision_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::output::{Output, Summary, print_json, time_text};

/// One precision's members of the JSON object.
#[derive(Serialize)]
struct Report {
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    restart: Option<usize>,
    iterations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    inner_iterations: Option<usize>,
    converged: bool,
    relative_residual_recursive: f64,
    relative_residual_true: f64,
    seconds: f64,
    seconds_per_iteration: f64,
    first_residual: f64,
    non_positive_iterations: usize,
    first_non_positive_iteration: Option<usize>,
    setup_seconds: f64,
    rows: usize,
    entries: usize,
    precision: String,
    arithmetic: &'static str,
    storage: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moduli: Option<usize>,
    preconditioner: String,
    format: &'static str,
    device: String,
    device_reason: Option<String>,
}

#[derive(Serialize)]
struct Reports {
    runs: Vec<Report>,
}

/// Prints what the runs took; fails where one did not converge.
pub(super) fn report(
    arguments: &Arguments,
    runs: &[Run],
    further: &[Output; 2],
) -> Result<(), Failure> {
    let reports: Vec<Report> = runs.iter().map(|run| json(arguments, run)).collect();
    let known = match <[Report; 1]>::try_from(reports) {
        Ok([report]) => serde_json::to_value(report),
        Err(runs) => serde_json::to_value(Reports { runs }),
    };
    let known = known.map_err(std::io::Error::from)?;
    let Arguments { common, output, .. } = arguments;
    let mut lacking = runs.iter().filter(|run| !run.report.iteration.converged);
    let failure = lacking.next().map(|run| {
        let (iteration, precision) = (&run.report.iteration, run.report.precision);
        let (name, after) = (display_name(&arguments.a), counts(&run.report));
        if iteration.stopped == Stopped::Drift {
            let (real, recursive) =
                (iteration.relative_residual_true, iteration.relative_residual_recursive);
            return format!(
                "{name}: no convergence in {precision} after {after}: the true relative residual is {real:.1e}, where the recursion says {recursive:.1e}"
            );
        }
        let residual = match run.report.inner_iterations {
            Some(_) => iteration.relative_residual_true,
            None => iteration.relative_residual_recursive,
        };
        format!(
            "{name}: no convergence in {precision} after {after}: the relative residual is {residual:.1e}"
        )
    });
    match failure {
        Some(message) if common.json => return Err(Failure::numerical(message).knowing(known)),
        None if common.json => return print_json(&known),
        _ => {}
    }
    if !common.quiet {
        let mut summary = Summary::default();
        summary.line("A", &runs[0].matrix);
        summary.line("b", arguments.rhs_file().map_or("ones".into(), |path| display_name(path)));
        summary.line("method", runs[0].report.algorithm);
        summary.line("preconditioner", arguments.preconditioner);
        summary.line("device", device_text(&runs[0].report.place));
        runs.iter().for_each(|run| summarize(run, &mut summary));
        Output::print_summary_beside([output, &further[0], &further[1]], &summary)?;
    }
    failure.map_or(Ok(()), |message| Err(Failure::Numerical(message)))
}

/// How many iterations there were.
fn counts(report: &KrylovReport) -> String {
    let count = report.iteration.iterations;
    match report.inner_iterations {
        Some(inner) => format!("{count} steps of refinement with {inner} iterations in f64"),
        None => format!("{count} iterations"),
    }
}

fn json(arguments: &Arguments, run: &Run) -> Report {
    let KrylovReport {
        algorithm,
        iteration,
        inner_iterations,
        seconds,
        setup_seconds,
        entries,
        precision,
        arithmetic,
        moduli,
        place,
    } = &run.report;
    Report {
        method: algorithm.name(),
        restart: match algorithm {
            Algorithm::Gmres { restart } => Some(*restart),
            _ => None,
        },
        iterations: iteration.iterations,
        inner_iterations: *inner_iterations,
        converged: iteration.converged,
        relative_residual_recursive: iteration.relative_residual_recursive,
        relative_residual_true: iteration.relative_residual_true,
        seconds: *seconds,
        seconds_per_iteration: seconds / iteration.iterations.max(1) as f64,
        first_residual: iteration.first_residual,
        non_positive_iterations: iteration.non_positive.map_or(0, |found| found.count),
        first_non_positive_iteration: iteration.non_positive.map(|found| found.first),
        setup_seconds: *setup_seconds,
        rows: run.rows,
        entries: *entries,
        precision: precision.to_string(),
        arithmetic: arithmetic.name(),
        storage: if moduli.is_some() { "rns" } else { "positional" },
        moduli: *moduli,
        preconditioner: arguments.preconditioner.to_string(),
        format: arguments.format.name(),
        device: place.device.to_string(),
        device_reason: reason_text(place),
    }
}

fn summarize(run: &Run, summary: &mut Summary) {
    let KrylovReport { iteration, inner_iterations, seconds, precision, .. } = &run.report;
    summary.line("precision", precision_text(*precision));
    if matches!(precision, Precision::Mp(_)) {
        summary.line("arithmetic", run.report.arithmetic);
        if let Some(moduli) = run.report.moduli {
            summary.line("storage", format!("residues modulo {moduli} numbers"));
        }
    }
    let ended = if iteration.converged { "converged" } else { "not converged" };
    let (name, count) = match inner_iterations {
        Some(inner) => {
            ("steps", format!("{} with {inner} iterations in f64", iteration.iterations))
        }
        None => ("iterations", iteration.iterations.to_string()),
    };
    summary.line(name, format!("{count}, {ended}"));
    let what = if inner_iterations.is_some() { "a step" } else { "an iteration" };
    let each = time_text(seconds / iteration.iterations.max(1) as f64);
    summary.line("time", format!("{}, {each} {what}", time_text(*seconds)));
    let (recursive, real) =
        (iteration.relative_residual_recursive, iteration.relative_residual_true);
    summary.line("relative residual", format!("{recursive:.1e} by recursion, {real:.1e} true"));
    if iteration.stopped == Stopped::Drift {
        let drift = "the true residual is larger than rounding explains: take more bits, --residual true or another method";
        summary.line("warning", drift);
    }
    if let Some(found) = iteration.non_positive {
        let (first, count) = (found.first, found.count);
        summary.line(
            "warning",
            format!(
                "A is not positive definite: p · Ap < 0 in {count} iterations, first in {first}"
            ),
        );
    }
}
