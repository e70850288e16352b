//! What a result says before the point.

use std::io::{self, Write};

use super::number::exponential;
use crate::parameters::Parameters;
use crate::report::{Report, Row};

/// The iterations, what was found and the parameters.
pub(super) fn write(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    write_history(out, &report.history)?;
    write_findings(out, report)?;
    write_parameters(out, &report.parameters)
}

/// A line for each point, with the steps that lead to the next one; the last has those that led to
/// it, as in SDPA.
fn write_history(out: &mut dyn Write, history: &[Row]) -> io::Result<()> {
    writeln!(out, "   mu      thetaP  thetaD  objP      objD      alphaP  alphaD  beta ")?;
    let start = history.first().map_or([1.0; 2], |row| row.infeasibilities);
    let start = start.map(|x| if x == 0.0 { 1.0 } else { x });
    for (k, row) in history.iter().enumerate() {
        let next = history.get(k + 1).unwrap_or(row);
        let thetas = [0, 1].map(|i| short(row.infeasibilities[i] / start[i]));
        let objectives = row.objectives.map(|x| exponential(format!("{x:+.2e}")));
        let steps = next.steps.map(short);
        let centring = exponential(format!("{:.2e}", next.centring));
        let mu = short(row.mu);
        writeln!(
            out,
            "{:2} {mu} {} {} {centring}",
            row.number,
            [thetas, objectives].concat().join(" "),
            steps.join(" ")
        )?;
    }
    Ok(())
}

fn short(x: f64) -> String {
    exponential(format!("{x:.1e}"))
}

fn write_findings(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let long = |x: f64| exponential(format!("{x:.16e}"));
    let [primal, dual] = &report.objectives;
    let [primal_error, dual_error] = report.infeasibilities.map(long);
    writeln!(out, "\nphase.value = {:<10}", report.phase)?;
    writeln!(out, "   Iteration = {}", report.iterations)?;
    writeln!(out, "          mu = {}", long(report.mu))?;
    writeln!(out, "relative gap = {}", long(report.relative_gap))?;
    writeln!(out, "         gap = {}", long(report.gap))?;
    writeln!(out, "      digits = {}", long(-report.relative_gap.log10()))?;
    writeln!(out, "objValPrimal = {primal}")?;
    writeln!(out, "objValDual   = {dual}")?;
    writeln!(out, "p.feas.error = {primal_error}")?;
    writeln!(out, "d.feas.error = {dual_error}")?;
    writeln!(out, "relative eps = {}", long(report.unit_roundoff))?;
    writeln!(out, "total time   = {:.3}", report.seconds)
}

fn write_parameters(out: &mut dyn Write, parameters: &Parameters) -> io::Result<()> {
    writeln!(out, "\n\nParameters are")?;
    writeln!(out, "maxIteration = {:6}", parameters.most_iterations)?;
    let number = |x: f64| exponential(format!("{x:.3e}"));
    let others = [
        ("epsilonStar ", number(parameters.gap)),
        ("lambdaStar  ", parameters.start.map_or("auto".into(), number)),
        ("omegaStar   ", number(parameters.reach)),
        ("lowerBound  ", number(parameters.lower_bound)),
        ("upperBound  ", number(parameters.upper_bound)),
        ("betaStar    ", number(parameters.feasible_centring)),
        ("betaBar     ", number(parameters.infeasible_centring)),
        ("gammaStar   ", number(parameters.step)),
        ("epsilonDash ", number(parameters.feasibility)),
    ];
    others.into_iter().try_for_each(|(name, value)| writeln!(out, "{name} = {value}"))
}
