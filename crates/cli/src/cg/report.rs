//! What runs took, for people and programs.

use nonius::linalg::krylov::{Algorithm, Stopped};
use nonius::{KrylovReport, Precision};
use serde::Serialize;

use super::arguments::Arguments;
use super::outcome::Run;
use crate::common::{device_text, precision_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::report::Report;
use crate::summary::{Summary, time_text};

/// One precision's members of the JSON object.
#[derive(Serialize)]
struct Figures {
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

/// Several runs.
#[derive(Serialize)]
struct Comparison {
    runs: Vec<Figures>,
}

/// What the runs took, and a failure where one did not converge.
pub(super) fn report(arguments: &Arguments, runs: Vec<Run>) -> Report {
    let all: Vec<Figures> = runs.iter().map(|run| figures(arguments, run)).collect();
    let report = match <[Figures; 1]>::try_from(all) {
        Ok([figures]) => Report::new(figures),
        Err(runs) => Report::new(Comparison { runs }),
    };
    let is_lacking = |run: &&Run| !run.report.iteration.converged;
    let failure = runs.iter().find(is_lacking).map(|run| failure(arguments, &run.report));
    let mut summary = Summary::default();
    summary.line("A", &runs[0].matrix);
    summary.line("b", arguments.rhs_file().map_or("ones".into(), |path| display_name(path)));
    summary.line("method", runs[0].report.algorithm);
    summary.line("preconditioner", arguments.preconditioner);
    let seconds = runs.iter().map(|run| run.report.seconds).sum();
    summary.line("device", device_text(&runs[0].report.place, seconds));
    runs.into_iter().for_each(|run| summarize(run, &mut summary));
    report.with_summary(summary).with_failure(failure)
}

/// Why a run did not converge.
fn failure(arguments: &Arguments, report: &KrylovReport) -> Failure {
    let (iteration, precision) = (&report.iteration, report.precision);
    let (name, after) = (display_name(&arguments.a), counts(report));
    let (real, recursive) =
        (iteration.relative_residual_true, iteration.relative_residual_recursive);
    let residual = match report.inner_iterations {
        _ if iteration.stopped == Stopped::Drift => format!(
            "the true relative residual is {real:.1e}, where the recursion says {recursive:.1e}"
        ),
        Some(_) => format!("the relative residual is {real:.1e}"),
        None => format!("the relative residual is {recursive:.1e}"),
    };
    Failure::numerical(format!("{name}: no convergence in {precision} after {after}: {residual}"))
}

/// How many iterations there were.
fn counts(report: &KrylovReport) -> String {
    let count = report.iteration.iterations;
    match report.inner_iterations {
        Some(inner) => format!("{count} steps of refinement with {inner} iterations in f64"),
        None => format!("{count} iterations"),
    }
}

fn figures(arguments: &Arguments, run: &Run) -> Figures {
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
    Figures {
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

fn summarize(run: Run, summary: &mut Summary) {
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
        summary.warning(drift);
    }
    if let Some(found) = iteration.non_positive {
        let (first, count) = (found.first, found.count);
        summary.warning(format!(
            "A is not positive definite: p · Ap < 0 in {count} iterations, first in {first}"
        ));
    }
    summary.append(run.solution);
}
