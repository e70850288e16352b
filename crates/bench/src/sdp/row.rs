//! What there is to say of a problem and a solver.

use std::fmt::Display;

use nonius::sdp::Report;
use nonius::sdp::solver::{End, Phase};
use serde::Serialize;

use super::problems::Input;
use super::references::{Known, Reference, printed};

/// What a run counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// To the gap and the feasibility that were asked for.
    Solved,
    /// Recognised as what it is.
    Infeasible,
    /// Stopped because time was over.
    Limit,
    /// To no optimum, as one of the problems has little or no interior.
    Flat,
    /// Anything else.
    Failed,
}

/// One solver's run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    /// `nonius`, `nonius-cuda`, or the peer.
    pub(super) library: String,
    /// That in which the run had to end.
    pub(super) precision: String,
    pub(super) problem: String,
    pub(super) constraints: usize,
    pub(super) order: usize,
    pub(super) dense_blocks: usize,
    pub(super) diagonal_blocks: usize,
    pub(super) verdict: Verdict,
    pub(super) phase: String,
    /// Why the run ended.
    pub(super) end: String,
    pub(super) primal_objective: String,
    pub(super) dual_objective: String,
    /// Of the primal objective.
    pub(super) digits: Option<f64>,
    /// Whether these are all that the reference has.
    pub(super) all_digits: bool,
    /// Whether solvers agree on the reference.
    pub(super) settled: bool,
    pub(super) relative_gap: Option<f64>,
    /// The largest entry of `|Σ xᵢ·Fᵢ − F₀ − X|`; CSDP's is relative, and of norms.
    pub(super) primal_infeasibility: Option<f64>,
    /// `max |cᵢ − Fᵢ•Y|`; CSDP's as above.
    pub(super) dual_infeasibility: Option<f64>,
    pub(super) iterations: Option<u64>,
    /// As in `24 f64 + 9 dd`.
    pub(super) by_precision: String,
    pub(super) threads: usize,
    /// Without reading, where that is known.
    pub(super) seconds: f64,
    pub(super) seconds_with_reading: f64,
    /// A double-double solver's.
    pub(super) dd_seconds: Option<f64>,
    /// The paper's.
    pub(super) paper_seconds: Option<f64>,
}

impl Row {
    /// A run of which nothing is known yet.
    pub(super) fn new(library: &str, input: &Input, reference: &Reference) -> Self {
        let [dense_blocks, diagonal_blocks] = input.blocks();
        Self {
            library: library.into(),
            precision: "f64".into(),
            problem: input.name.clone(),
            constraints: input.problem.constraints(),
            order: input.problem.order(),
            dense_blocks,
            diagonal_blocks,
            verdict: Verdict::Failed,
            phase: String::new(),
            end: String::new(),
            primal_objective: String::new(),
            dual_objective: String::new(),
            digits: None,
            all_digits: false,
            settled: !matches!(reference.known, Known::Unsettled(_)),
            relative_gap: None,
            primal_infeasibility: None,
            dual_infeasibility: None,
            iterations: None,
            by_precision: String::new(),
            threads: 1,
            seconds: f64::NAN,
            seconds_with_reading: f64::NAN,
            dd_seconds: reference.dd_seconds,
            paper_seconds: reference.paper_seconds,
        }
    }

    /// Whether it is our code that ran.
    pub(super) fn is_ours(&self) -> bool {
        self.library.starts_with("nonius")
    }

    /// What a run of ours found.
    pub(super) fn fill(&mut self, report: &Report, reference: &Reference) {
        self.verdict = match report.end {
            End::Interrupted => Verdict::Limit,
            End::Exhausted if report.interior.little().is_some() => Verdict::Flat,
            end => Claim::of(end, report.phase).verdict(&reference.known),
        };
        self.phase = report.phase.name().into();
        self.end = end_name(report.end).into();
        let [primal, dual] = report.objectives.clone();
        self.objectives(primal, dual, reference);
        self.relative_gap = Some(report.relative_gap);
        let [primal, dual] = report.infeasibilities;
        (self.primal_infeasibility, self.dual_infeasibility) = (Some(primal), Some(dual));
        self.iterations = Some(report.iterations);
        let taken = report.history.iter().filter(|row| row.number > 0);
        self.by_precision = by_precision(taken.map(|row| row.precision.as_str()));
    }

    /// Both objectives, with the digits of the primal one.
    pub(super) fn objectives(&mut self, primal: String, dual: String, reference: &Reference) {
        if let Some(digits) = reference.known.digits(&primal) {
            (self.digits, self.all_digits) = (Some(digits.count), digits.all);
        }
        (self.primal_objective, self.dual_objective) = (primal, dual);
    }

    /// Takes back digits that the primal objective does not have as it was printed.
    pub(super) fn as_printed(&mut self) {
        let (Some(digits), Some(printed)) = (self.digits, printed(&self.primal_objective)) else {
            return;
        };
        if printed < digits {
            (self.digits, self.all_digits) = (Some(printed), false);
        }
    }

    /// Why a run found nothing.
    pub(super) fn fail(&mut self, error: &dyn Display) {
        self.verdict = Verdict::Failed;
        self.end = error.to_string();
    }

    /// Whether the run ended as it should.
    pub(super) fn succeeded(&self) -> bool {
        matches!(self.verdict, Verdict::Solved | Verdict::Infeasible)
    }

    /// The primal objective of a run that ended with one.
    pub(super) fn objective(&self) -> Option<&str> {
        let infeasible = self.verdict == Verdict::Infeasible;
        Some(self.primal_objective.as_str()).filter(|text| !text.is_empty() && !infeasible)
    }

    /// Why the run ended, with the phase if there is one.
    pub(super) fn outcome(&self) -> String {
        match (self.phase.as_str(), self.end.as_str()) {
            ("", end) => end.to_owned(),
            (phase, "") => phase.to_owned(),
            (phase, end) => format!("{phase}, {end}"),
        }
    }

    /// `16.2`, with a sign before it where these are all digits of the reference, and behind it
    /// where solvers do not agree on that.
    pub(super) fn digits_text(&self) -> String {
        let Some(digits) = self.digits else { return String::new() };
        let all = if self.all_digits { "≥" } else { "" };
        let settled = if self.settled { "" } else { "?" };
        format!("{all}{digits:.1}{settled}")
    }
}

/// What a solver says of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Solved,
    PrimalInfeasible,
    DualInfeasible,
    /// One of the two is infeasible.
    Infeasible,
    Nothing,
}

impl Claim {
    fn of(end: End, phase: Phase) -> Self {
        match end {
            End::Solved => Self::Solved,
            End::Decided => Self::of_phase(phase.name()),
            _ => Self::Nothing,
        }
    }

    /// What a phase says, by its name in SDPA.
    pub(super) fn of_phase(name: &str) -> Self {
        match name {
            "pdOPT" => Self::Solved,
            "pINF_dFEAS" | "dUNBD" => Self::PrimalInfeasible,
            "pFEAS_dINF" | "pUNBD" => Self::DualInfeasible,
            "pdINF" => Self::Infeasible,
            _ => Self::Nothing,
        }
    }

    /// What a run counts as that says this, where so much is known.
    pub(super) fn verdict(self, known: &Known) -> Verdict {
        let right = match known {
            Known::Nothing => self != Self::Nothing,
            Known::Optimum(_) | Known::Unsettled(_) => self == Self::Solved,
            Known::PrimalInfeasible => matches!(self, Self::PrimalInfeasible | Self::Infeasible),
            Known::DualInfeasible => matches!(self, Self::DualInfeasible | Self::Infeasible),
        };
        match (right, self) {
            (false, _) => Verdict::Failed,
            (true, Self::Solved) => Verdict::Solved,
            (true, _) => Verdict::Infeasible,
        }
    }
}

fn end_name(end: End) -> &'static str {
    match end {
        // Nothing else interrupts.
        End::Interrupted => "limit",
        end => end.name(),
    }
}

/// How many iterations there were in each precision, in their order.
fn by_precision<'a>(precisions: impl Iterator<Item = &'a str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for precision in precisions {
        match counts.last_mut() {
            Some((last, count)) if *last == precision => *count += 1,
            _ => counts.push((precision, 1)),
        }
    }
    let texts: Vec<String> =
        counts.iter().map(|(precision, count)| format!("{count} {precision}")).collect();
    texts.join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_counted_by_precision() {
        assert_eq!(by_precision(["f64", "f64", "dd"].into_iter()), "2 f64 + 1 dd");
        assert_eq!(by_precision(["qd"].into_iter()), "1 qd");
        assert_eq!(by_precision([].into_iter()), "");
    }

    #[test]
    fn infeasibility_counts_where_it_is() {
        let optimum = Known::Optimum("1.0".into());
        let decided = |phase, known: &Known| Claim::of(End::Decided, phase).verdict(known);
        assert_eq!(decided(Phase::PrimalInfeasible, &optimum), Verdict::Failed);
        assert_eq!(decided(Phase::PrimalInfeasible, &Known::PrimalInfeasible), Verdict::Infeasible);
        assert_eq!(decided(Phase::DualInfeasible, &Known::PrimalInfeasible), Verdict::Failed);
        assert_eq!(decided(Phase::DualInfeasible, &Known::DualInfeasible), Verdict::Infeasible);
        assert_eq!(decided(Phase::DualInfeasible, &Known::Nothing), Verdict::Infeasible);
        assert_eq!(Claim::Solved.verdict(&optimum), Verdict::Solved);
        assert_eq!(Claim::Solved.verdict(&Known::PrimalInfeasible), Verdict::Failed);
        let exhausted = Claim::of(End::Exhausted, Phase::Feasible);
        assert_eq!(exhausted.verdict(&optimum), Verdict::Failed);
        assert_eq!(exhausted.verdict(&Known::Nothing), Verdict::Failed);
    }
}
