//! What runs took, for people and programs.

use nonius::Precision;
use nonius::sparse::{self, Algorithm, Stopped};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::outcome::{Outcome, Run, is_interrupted, runs};
use crate::common::{device_text, precision_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::interruption;
use crate::objects::{Object, Objects};
use crate::report::{Figure, Report};
use crate::summary::{Summary, counted, time_text};

/// From this multiple of its limit on, a true residual is told where another one decides.
const FAR: f64 = 10.0;

/// The iterations of one precision.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The method: cg, minres, bicgstab or gmres.
    method: &'static str,
    /// Iterations of a cycle of gmres; only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    restart: Option<usize>,
    /// Iterations, or with --refine steps of refinement.
    iterations: usize,
    /// Iterations in f64 of all steps of refinement; only with --refine.
    #[serde(skip_serializing_if = "Option::is_none")]
    inner_iterations: Option<usize>,
    /// Whether the residual became as small as asked for.
    converged: bool,
    /// Whether a signal ended the iterations.
    interrupted: bool,
    /// Norm of the residual that the iteration updates, beside that of the first one.
    #[schemars(with = "Figure")]
    relative_residual_recursive: f64,
    /// Norm of b − A · x, beside that of the first residual.
    #[schemars(with = "Figure")]
    relative_residual_true: f64,
    /// Time of the iterations in seconds.
    seconds: f64,
    /// Time of one iteration, or with --refine of one step, in seconds.
    seconds_per_iteration: f64,
    /// Norm of the first residual.
    #[schemars(with = "Figure")]
    first_residual: f64,
    /// Iterations of cg that show that the matrix is not positive definite.
    non_positive_iterations: usize,
    /// The first of them, from 1; null where there is none.
    first_non_positive_iteration: Option<usize>,
    /// Time to bring matrix and preconditioner into their formats, in seconds.
    setup_seconds: f64,
    /// Rows of the matrix, which has as many columns.
    rows: usize,
    /// Entries of the matrix that are stored.
    entries: usize,
    /// The precision of the vectors: f64, dd, td, qd, or mp424 for 424 bits.
    precision: String,
    /// Sums in mp precisions: delayed or ieee.
    arithmetic: &'static str,
    /// How numbers lie in memory: positional or rns.
    storage: &'static str,
    /// The number of moduli; only with --storage rns.
    #[serde(skip_serializing_if = "Option::is_none")]
    moduli: Option<usize>,
    /// The preconditioner.
    preconditioner: String,
    /// How the matrix lies in memory: csr, ell, jad, dia or full.
    format: &'static str,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
}

/// Several precisions.
#[derive(Serialize, JsonSchema)]
struct Comparison {
    /// The iterations of each precision, in the order of --precision.
    runs: Vec<Compared>,
}

/// One of several precisions.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Compared {
    /// It came to an end.
    Run(Box<Figures>),
    /// It broke down.
    Failed {
        /// The precision of the vectors.
        precision: String,
        /// What failed.
        error: String,
    },
}

pub(super) fn objects() -> Objects {
    Objects::Of(vec![Object::of_any_end::<Figures>(), Object::of_any_end::<Comparison>()])
}

/// What the runs took, and a failure where one of those asked for did not come to its end.
pub(super) fn report(arguments: &Arguments, outcomes: Vec<Outcome>, asked: usize) -> Report {
    let failure = failure(arguments, &outcomes, asked);
    let mut summary = Summary::default();
    if let Some(first) = runs(&outcomes).next() {
        summary.line("A", &first.matrix);
        summary.line("b", arguments.rhs_file().map_or("ones".into(), |path| display_name(path)));
        summary.line("method", first.report.algorithm);
        summary.line("preconditioner", arguments.preconditioner);
        let seconds = runs(&outcomes).map(|run| run.report.time.as_secs_f64()).sum();
        summary.line("device", device_text(&first.report.place, seconds));
    }
    let mut compared = Vec::new();
    for Outcome { precision, run } in outcomes {
        match run {
            Ok(run) => {
                compared.push(Compared::Run(Box::new(figures(arguments, &run))));
                summarize(arguments, run, &mut summary);
            }
            Err(failure) => {
                let error = failure.parts().map_or("", |(message, _)| message).to_string();
                summary.line("precision", precision_text(precision));
                summary.line("not solved", &error);
                compared.push(Compared::Failed { precision: precision.to_string(), error });
            }
        }
    }
    let report = match <[Compared; 1]>::try_from(compared) {
        Ok([one]) if !arguments.compares() => Report::new(one),
        Ok([one]) => Report::new(Comparison { runs: vec![one] }),
        Err(runs) => Report::new(Comparison { runs }),
    };
    report.with_summary(summary).with_failure(failure)
}

/// Why the runs did not come to what was asked for: a signal, or the first that did not.
fn failure(arguments: &Arguments, outcomes: &[Outcome], asked: usize) -> Option<Failure> {
    let name = display_name(&arguments.a);
    let last = runs(outcomes).last().map(|run| &run.report);
    if let Some(report) = last.filter(|report| is_interrupted(report)) {
        let (precision, after) = (report.precision, counts(report));
        let residual = report.iteration.relative_residual_true;
        return Some(Failure::Interrupted(format!(
            "{name}: interrupted in {precision} after {after}: the true relative residual is {residual:.1e}"
        )));
    }
    if interruption::noted() && outcomes.len() < asked {
        let message = format!("{name}: interrupted before all precisions were tried");
        return Some(Failure::Interrupted(message));
    }
    let failed = |outcome: &Outcome| match &outcome.run {
        Ok(run) if run.report.iteration.converged => None,
        Ok(run) => Some(no_convergence(arguments, &name, &run.report)),
        Err(failure) => {
            let (message, _) = failure.parts()?;
            Some(format!("{message} (in {})", outcome.precision))
        }
    };
    outcomes.iter().find_map(failed).map(Failure::numerical)
}

/// Why a run did not converge.
fn no_convergence(arguments: &Arguments, name: &str, report: &sparse::Report) -> String {
    let (iteration, precision) = (&report.iteration, report.precision);
    let after = counts(report);
    let (real, recursive) =
        (iteration.relative_residual_true, iteration.relative_residual_recursive);
    let residual = match iteration.stopped {
        Stopped::Drift => format!(
            "the true relative residual is {real:.1e}, where the recursion says {recursive:.1e}"
        ),
        _ if arguments.decides_by_true_residual() => {
            format!("the true relative residual is {real:.1e}")
        }
        _ => format!("the relative residual is {recursive:.1e}"),
    };
    format!("{name}: no convergence in {precision} after {after}: {residual}")
}

/// How many iterations there were.
fn counts(report: &sparse::Report) -> String {
    let count = report.iteration.iterations;
    match report.inner_iterations {
        Some(inner) => {
            let (steps, inner) = (counted(count, "step"), counted(inner, "iteration"));
            format!("{steps} of refinement with {inner} in f64")
        }
        None => counted(count, "iteration"),
    }
}

fn figures(arguments: &Arguments, run: &Run) -> Figures {
    let sparse::Report {
        algorithm,
        iteration,
        inner_iterations,
        entries,
        precision,
        arithmetic,
        moduli,
        place,
        time,
        setup_time,
        ..
    } = &run.report;
    let seconds = time.as_secs_f64();
    Figures {
        method: algorithm.name(),
        restart: match algorithm {
            Algorithm::Gmres { restart } => Some(*restart),
            _ => None,
        },
        iterations: iteration.iterations,
        inner_iterations: *inner_iterations,
        converged: iteration.converged,
        interrupted: is_interrupted(&run.report),
        relative_residual_recursive: iteration.relative_residual_recursive,
        relative_residual_true: iteration.relative_residual_true,
        seconds,
        seconds_per_iteration: seconds / iteration.iterations.max(1) as f64,
        first_residual: iteration.first_residual,
        non_positive_iterations: iteration.non_positive.map_or(0, |found| found.count),
        first_non_positive_iteration: iteration.non_positive.map(|found| found.first),
        setup_seconds: setup_time.as_secs_f64(),
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

fn summarize(arguments: &Arguments, run: Run, summary: &mut Summary) {
    let sparse::Report { iteration, inner_iterations, time, precision, .. } = &run.report;
    let seconds = time.as_secs_f64();
    summary.line("precision", precision_text(*precision));
    if matches!(precision, Precision::Mp(_)) {
        summary.line("arithmetic", run.report.arithmetic);
        if let Some(moduli) = run.report.moduli {
            summary.line("storage", format!("residues modulo {moduli} numbers"));
        }
    }
    let ended = match iteration.converged {
        true => "converged",
        false if is_interrupted(&run.report) => "interrupted",
        false => "not converged",
    };
    let (name, count) = match inner_iterations {
        Some(inner) => {
            let inner = counted(*inner, "iteration");
            ("steps", format!("{} with {inner} in f64", iteration.iterations))
        }
        None => ("iterations", iteration.iterations.to_string()),
    };
    summary.line(name, format!("{count}, {ended}"));
    let what = if inner_iterations.is_some() { "a step" } else { "an iteration" };
    let each = time_text(seconds / iteration.iterations.max(1) as f64);
    summary.line("time", format!("{}, {each} {what}", time_text(seconds)));
    let (recursive, real) =
        (iteration.relative_residual_recursive, iteration.relative_residual_true);
    summary.line("relative residual", format!("{recursive:.1e} by recursion, {real:.1e} true"));
    if iteration.stopped == Stopped::Drift {
        let drift = "the true residual is larger than rounding explains: take more bits, --residual true or another method";
        summary.warning(drift);
    }
    let limit = match arguments.atol {
        Some(residual) => residual / iteration.first_residual,
        None => arguments.rtol,
    };
    if iteration.converged && real > FAR * limit {
        summary.warning(format!(
            "the true residual is above {limit:.0e}, by rounding: take more bits than {precision}, or --residual true"
        ));
    }
    if let Some(found) = iteration.non_positive {
        let (first, count) = (found.first, found.count);
        summary.warning(format!(
            "A is not positive definite: p · Ap < 0 in {}, first in {first}",
            counted(count, "iteration")
        ));
    }
    summary.append(run.solution);
}
