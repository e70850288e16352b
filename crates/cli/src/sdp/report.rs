//! What a run found, for people and programs.

use nonius::sdp::certify::Certificate;
use nonius::sdp::solver::{End, Phase};
use nonius::sdp::{Block, Error, Problem, Report, Side};
use serde::Serialize;

use super::arguments::Arguments;
use super::found::Found;
use crate::common::{device_text, reason_text};
use crate::failure::Failure;
use crate::report;
use crate::summary::{Summary, time_text};

#[derive(Serialize)]
struct Figures {
    phase: &'static str,
    end: &'static str,
    primal_objective: String,
    dual_objective: String,
    relative_gap: f64,
    feasibility_primal: f64,
    feasibility_dual: f64,
    dimacs_errors: [f64; 6],
    /// What least eigenvalues of feasible `X` and `Y` near the optimum do not exceed, where that is
    /// known, and the mean ones of the point.
    least_eigenvalues: [f64; 2],
    mean_eigenvalues: [f64; 2],
    /// The problem of little or no interior, where that is why no optimum was found.
    little_interior: Option<&'static str>,
    iterations: u64,
    seconds: f64,
    constraints: usize,
    order: usize,
    /// Equality constraints that were eliminated, and that were left as two rows each.
    equalities_eliminated: usize,
    equalities_left: usize,
    precision: String,
    device: String,
    device_reason: Option<String>,
    certificate: Option<JsonCertificate>,
}

/// What is known of a problem of which it was seen before anything was computed that it is
/// infeasible.
#[derive(Serialize)]
struct SeenFigures {
    phase: &'static str,
    end: &'static str,
    /// The sentence that says what is infeasible.
    reason: String,
    iterations: u64,
    constraints: usize,
    order: usize,
    certificate: Option<JsonCertificate>,
}

/// What is proved.
#[derive(Serialize)]
struct JsonCertificate {
    lower_bound: Option<String>,
    upper_bound: Option<String>,
    /// Of the optimum, where no bound is missing.
    digits: Option<f64>,
    /// Why a bound is missing.
    lower_reason: Option<String>,
    upper_reason: Option<String>,
    infeasible: Option<&'static str>,
    precision: String,
    seconds: f64,
}

impl JsonCertificate {
    fn new(certificate: &Certificate) -> Self {
        let Certificate { lower, upper, infeasible, precision, seconds, .. } = certificate;
        let reason = |bound: &Result<_, _>| bound.as_ref().err().map(ToString::to_string);
        Self {
            lower_bound: lower.clone().ok(),
            upper_bound: upper.clone().ok(),
            digits: certificate.digits(),
            lower_reason: reason(lower),
            upper_reason: reason(upper),
            infeasible: infeasible.map(infeasible_side),
            precision: precision.clone(),
            seconds: *seconds,
        }
    }

    /// That of a problem that is infeasible in its decimals.
    fn exact(phase: Phase) -> Self {
        Self {
            lower_bound: None,
            upper_bound: None,
            digits: None,
            lower_reason: None,
            upper_reason: None,
            infeasible: Some(infeasible_side(phase)),
            precision: "exact".into(),
            seconds: 0.0,
        }
    }
}

fn infeasible_side(phase: Phase) -> &'static str {
    match phase {
        Phase::PrimalInfeasible => "primal",
        _ => "dual",
    }
}

/// What a phase says of the problem.
fn meaning(phase: Phase) -> &'static str {
    match phase {
        Phase::Optimal => "both problems are solved",
        Phase::PrimalFeasible => "the primal point is feasible",
        Phase::DualFeasible => "the dual point is feasible",
        Phase::Feasible => "both points are feasible",
        Phase::PrimalInfeasible => "the primal problem is infeasible",
        Phase::DualInfeasible => "the dual problem is infeasible",
        Phase::Infeasible => "one of the problems is infeasible",
        Phase::PrimalUnbounded => "the primal objective falls below its bound",
        Phase::DualUnbounded => "the dual objective rises above its bound",
        Phase::Unknown => "neither point is feasible",
    }
}

/// The problem of little or no interior, where that is why a run found no optimum, and the least
/// eigenvalues of its points, over the mean one.
fn little_interior(report: &Report) -> Option<(Side, f64)> {
    report.interior.little().filter(|_| report.end == End::Exhausted)
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Primal => "primal",
        Side::Dual => "dual",
    }
}

/// Why a run that found no optimum ended, as a sentence.
pub(super) fn failure(found: &Found, problem: &str) -> Option<Failure> {
    let report = &found.report;
    let reason = match report.end {
        End::Solved | End::Decided => return None,
        End::Exhausted => format!("{} allows no further progress", report.precision),
        End::Iterations => format!("{} iterations did not do", report.iterations),
        End::Interrupted => "interrupted".into(),
    };
    let [primal, dual] = report.infeasibilities;
    let message = format!(
        "{problem}: {reason}{}: relative gap {:.1e}, infeasibilities {primal:.1e} and {dual:.1e}",
        little_interior(report).map_or(String::new(), |(side, _)| format!(
            ", as the {} problem has little or no interior",
            side_name(side)
        )),
        report.relative_gap
    );
    Some(if report.end == End::Interrupted {
        Failure::Interrupted(message)
    } else {
        Failure::numerical(message)
    })
}

/// What was seen of a problem before anything was computed.
pub(super) fn seen(
    arguments: &Arguments,
    problem: &Problem,
    phase: Phase,
    reason: &Error,
) -> report::Report {
    let figures = SeenFigures {
        phase: phase.name(),
        end: End::Decided.name(),
        reason: reason.to_string(),
        iterations: 0,
        constraints: problem.constraints(),
        order: problem.order(),
        certificate: arguments.certify.then(|| JsonCertificate::exact(phase)),
    };
    let mut summary = Summary::default();
    summary.line("problem", problem_text(problem));
    summary.line("phase", format!("{phase}: {}", meaning(phase)));
    summary.line("reason", reason);
    if arguments.certify {
        summary.line("proved", format!("{} (exactly)", meaning(phase)));
    }
    report::Report::new(figures).with_summary(summary)
}

/// What was found.
pub(super) fn report(problem: &Problem, found: Found) -> report::Report {
    let figures = figures(problem, &found);
    let mut summary = summary(problem, &found);
    summary.append(found.shown);
    report::Report::new(figures).with_summary(summary)
}

fn figures(problem: &Problem, found: &Found) -> Figures {
    let Found { report, place, certificate, .. } = found;
    let [primal_objective, dual_objective] = report.objectives.clone();
    Figures {
        phase: report.phase.name(),
        end: report.end.name(),
        primal_objective,
        dual_objective,
        relative_gap: report.relative_gap,
        feasibility_primal: report.infeasibilities[0],
        feasibility_dual: report.infeasibilities[1],
        dimacs_errors: report.dimacs_errors,
        least_eigenvalues: report.interior.least,
        mean_eigenvalues: report.interior.mean,
        little_interior: little_interior(report).map(|(side, _)| side_name(side)),
        iterations: report.iterations,
        seconds: report.seconds,
        constraints: problem.constraints(),
        order: problem.order(),
        equalities_eliminated: report.equalities[0],
        equalities_left: report.equalities[1],
        precision: report.precision.clone(),
        device: place.device.to_string(),
        device_reason: reason_text(place),
        certificate: certificate.as_ref().map(JsonCertificate::new),
    }
}

/// `3 constraints, order 2, 1 dense block`
fn problem_text(problem: &Problem) -> String {
    let blocks = problem.blocks();
    let diagonal = blocks.iter().filter(|block| matches!(block, Block::Diagonal(_))).count();
    let count = |count: usize, kind: &str| match count {
        0 => None,
        1 => Some(format!("1 {kind} block")),
        _ => Some(format!("{count} {kind} blocks")),
    };
    let kinds = [count(blocks.len() - diagonal, "dense"), count(diagonal, "diagonal")];
    let kinds: Vec<String> = kinds.into_iter().flatten().collect();
    format!(
        "{} constraints, order {}, {}",
        problem.constraints(),
        problem.order(),
        kinds.join(" and ")
    )
}

fn summary(problem: &Problem, found: &Found) -> Summary {
    let Found { report, place, certificate, .. } = found;
    let mut summary = Summary::default();
    summary.line("problem", problem_text(problem));
    match report.equalities {
        [0, 0] => {}
        [eliminated, 0] => summary.line("equalities", format!("{eliminated} eliminated")),
        [eliminated, left] => summary
            .line("equalities", format!("{eliminated} eliminated, {left} left as two rows each")),
    }
    summary.line("phase", format!("{}: {}", report.phase, meaning(report.phase)));
    summary.line("primal objective", &report.objectives[0]);
    summary.line("dual objective", &report.objectives[1]);
    summary.line("relative gap", format!("{:.1e}", report.relative_gap));
    let [primal, dual] = report.infeasibilities;
    summary.line("infeasibilities", format!("{primal:.1e} primal, {dual:.1e} dual"));
    if let Some((side, ratio)) = little_interior(report) {
        summary.line(
            "interior",
            format!(
                "the {} problem has little or none: near the optimum, least eigenvalues are below {ratio:.0e} of the mean",
                side_name(side)
            ),
        );
    }
    if let Some(certificate) = certificate {
        proofs(&mut summary, certificate);
    }
    let errors: Vec<String> = report.dimacs_errors.iter().map(|e| format!("{e:.1e}")).collect();
    summary.line("DIMACS errors", errors.join(" "));
    summary.line("iterations", report.iterations);
    summary.line("time", time_text(report.seconds));
    summary.line("precision", &report.precision);
    summary.line("device", device_text(place, report.seconds));
    summary
}

/// What is proved.
fn proofs(summary: &mut Summary, certificate: &Certificate) {
    let Certificate { lower, upper, infeasible, precision, seconds, .. } = certificate;
    let by = format!("in {precision}, {}", time_text(*seconds));
    if let Some(phase) = infeasible {
        return summary.line("proved", format!("{} ({by})", meaning(*phase)));
    }
    for (name, bound) in [("lower bound", lower), ("upper bound", upper)] {
        match bound {
            Ok(bound) => summary.line(name, bound),
            Err(reason) => summary.line(name, format!("not proved: {reason}")),
        }
    }
    let digits = certificate.digits().map_or("none".into(), |digits| format!("{digits:.1}"));
    summary.line("digits proved", format!("{digits} ({by})"));
}
