//! What a run found, for people and programs.

use nonius::sdp::certify::Certificate;
use nonius::sdp::solver::{End, Phase};
use nonius::sdp::{Block, Error, Problem, Report, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::found::Found;
use crate::common::{device_text, reason_text};
use crate::failure::Failure;
use crate::report::{self, Figure};
use crate::summary::{Summary, time_text};

/// The end of a run.
#[derive(Serialize, JsonSchema)]
pub(super) struct Figures {
    /// What is known of the problem, as SDPA calls it: pdOPT, pINF_dFEAS and others.
    phase: &'static str,
    /// Why the run ended: solved, decided, exhausted, iterations or interrupted.
    end: &'static str,
    /// What shows that a problem is infeasible where nothing had to be computed; else null.
    reason: Option<String>,
    /// The figures of the best point; all of them are null where nothing was computed.
    #[serde(flatten)]
    point: PointFigures,
    /// Iterations of all precisions; 0 where nothing was computed.
    iterations: u64,
    /// Time of the run in seconds, without reading and writing files.
    seconds: f64,
    /// Constraints of the problem: the length of x.
    constraints: usize,
    /// The order of X and Y.
    order: usize,
    /// What is proved; null without --certify.
    certificate: Option<JsonCertificate>,
}

/// What is known of the best point, and how it was found.
#[derive(Default, Serialize, JsonSchema)]
struct PointFigures {
    /// The primal objective c · x, in decimal at full precision.
    primal_objective: Option<String>,
    /// The dual objective F0 • Y, in decimal at full precision.
    dual_objective: Option<String>,
    /// Difference of the objectives beside their mean magnitude, or beside 1 where that is less.
    #[schemars(with = "Figure")]
    relative_gap: Option<f64>,
    /// The largest entry of x1 F1 + … + xm Fm - F0 - X.
    #[schemars(with = "Figure")]
    feasibility_primal: Option<f64>,
    /// The largest of all |ci - Fi • Y|.
    #[schemars(with = "Figure")]
    feasibility_dual: Option<f64>,
    /// The six errors of the seventh DIMACS implementation challenge.
    #[schemars(with = "Option<[Figure; 6]>")]
    dimacs_errors: Option<[f64; 6]>,
    /// What the least eigenvalues of all feasible X and Y near the optimum do not exceed.
    #[schemars(with = "Option<[Figure; 2]>")]
    least_eigenvalues: Option<[f64; 2]>,
    /// The mean eigenvalues of X and Y.
    #[schemars(with = "Option<[Figure; 2]>")]
    mean_eigenvalues: Option<[f64; 2]>,
    /// The problem of little or no interior, primal or dual, where no optimum was found for it.
    little_interior: Option<&'static str>,
    /// Equality constraints that were eliminated.
    equalities_eliminated: Option<usize>,
    /// Equality constraints that were left as two rows each.
    equalities_left: Option<usize>,
    /// The precision in which the run ended.
    precision: Option<String>,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: Option<String>,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
}

/// What is proved.
#[derive(Serialize, JsonSchema)]
struct JsonCertificate {
    /// A number that the optimum is not below, in decimal; null where none is proved.
    lower_bound: Option<String>,
    /// A number that the optimum is not above, in decimal; null where none is proved.
    upper_bound: Option<String>,
    /// Digits of the optimum that both bounds share; null where a bound is missing.
    #[schemars(with = "Figure")]
    digits: Option<f64>,
    /// Why no lower bound is proved; null where one is.
    lower_reason: Option<String>,
    /// Why no upper bound is proved; null where one is.
    upper_reason: Option<String>,
    /// The problem that is proved to be infeasible: primal or dual; else null.
    infeasible: Option<&'static str>,
    /// The precision of the proof; exact where decimals show it.
    precision: String,
    /// Time of the proof in seconds.
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
        End::Iterations => format!("{} iterations were not enough", report.iterations),
        End::Interrupted => "interrupted".into(),
    };
    let [primal, dual] = report.infeasibilities;
    let message = format!(
        "{problem}: {reason}{}: the best point has a relative gap of {:.1e} and infeasibilities of {primal:.1e} and {dual:.1e}",
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
    let figures = Figures {
        phase: phase.name(),
        end: End::Decided.name(),
        reason: Some(reason.to_string()),
        point: PointFigures::default(),
        iterations: 0,
        seconds: 0.0,
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
    let [primal_objective, dual_objective] = report.objectives.clone().map(Some);
    let [feasibility_primal, feasibility_dual] = report.infeasibilities.map(Some);
    let [equalities_eliminated, equalities_left] = report.equalities.map(Some);
    Figures {
        phase: report.phase.name(),
        end: report.end.name(),
        reason: None,
        point: PointFigures {
            primal_objective,
            dual_objective,
            relative_gap: Some(report.relative_gap),
            feasibility_primal,
            feasibility_dual,
            dimacs_errors: Some(report.dimacs_errors),
            least_eigenvalues: Some(report.interior.least),
            mean_eigenvalues: Some(report.interior.mean),
            little_interior: little_interior(report).map(|(side, _)| side_name(side)),
            equalities_eliminated,
            equalities_left,
            precision: Some(report.precision.clone()),
            device: Some(place.device.to_string()),
            device_reason: reason_text(place),
        },
        iterations: report.iterations,
        seconds: report.seconds,
        constraints: problem.constraints(),
        order: problem.order(),
        certificate: certificate.as_ref().map(JsonCertificate::new),
    }
}

/// `3 constraints, order 2, 1 dense block`
fn problem_text(problem: &Problem) -> String {
    let blocks = problem.blocks();
    let dense = blocks.iter().filter(|block| matches!(block, Block::Dense(_))).count();
    let count = |count: usize, kind: &str| match count {
        0 => None,
        1 => Some(format!("1 {kind} block")),
        _ => Some(format!("{count} {kind} blocks")),
    };
    let kinds = [count(dense, "dense"), count(blocks.len() - dense, "diagonal")];
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
    if !report.end.is_answer() {
        summary.line("point", format!("the best of {} iterations", report.iterations));
    }
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
