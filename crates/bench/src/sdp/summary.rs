//! The whole library in a few lines.

use super::row::{Row, Verdict};
use super::table::ratio;

/// Digits that are enough, if the gap allows them.
const WANTED_DIGITS: f64 = 12.0;

pub(super) fn print(rows: &[Row], gap: f64, limit: Option<f64>) {
    for line in lines(rows, gap, limit) {
        println!("{line}");
    }
}

/// What is said of all rows, where runs were asked for a gap.
fn lines(rows: &[Row], gap: f64, limit: Option<f64>) -> Vec<String> {
    let ours: Vec<&Row> = rows.iter().filter(|row| row.is_ours()).collect();
    let of = |verdict: Verdict| ours.iter().filter(move |row| row.verdict == verdict).copied();
    let count = |verdict: Verdict| of(verdict).count();
    let seconds: f64 = ours.iter().map(|row| row.seconds).sum();
    let mut lines = vec![format!(
        "{} solved, {} recognised as infeasible, {} with little or no interior, {} stopped, {} failed, of {} in {seconds:.1} s",
        count(Verdict::Solved),
        count(Verdict::Infeasible),
        count(Verdict::Flat),
        count(Verdict::Limit),
        count(Verdict::Failed),
        ours.len()
    )];
    let mut named = |what: &str, names: Vec<String>| {
        if !names.is_empty() {
            lines.push(format!("{what}: {}", names.join(", ")));
        }
    };
    if let Some(limit) = limit {
        named(
            &format!("stopped after {limit} s"),
            of(Verdict::Limit).map(|row| row.problem.clone()).collect(),
        );
    }
    let reason = |row: &Row| match row.digits_text() {
        digits if digits.is_empty() => format!("{} ({})", row.problem, row.outcome()),
        digits => format!("{} ({}, {digits} digits)", row.problem, row.outcome()),
    };
    named("little or no interior", of(Verdict::Flat).map(reason).collect());
    named("failed", of(Verdict::Failed).map(reason).collect());
    // A digit less than the gap promises.
    let enough = WANTED_DIGITS.min(-gap.log10() - 1.0);
    let short = |all: bool| {
        let few = |row: &&&Row| row.settled && row.digits.is_some_and(|digits| digits < enough);
        let rows = ours.iter().filter(|row| row.verdict != Verdict::Limit).filter(few);
        let rows = rows.filter(|row| row.all_digits == all);
        rows.map(|row| format!("{} ({})", row.problem, row.digits_text())).collect::<Vec<_>>()
    };
    named(&format!("fewer than {enough:.0} digits"), short(false));
    named("all digits of a reference of fewer", short(true));
    let unsettled = ours.iter().filter(|row| !row.settled && row.verdict != Verdict::Limit);
    let unsettled = unsettled.map(|row| format!("{} ({})", row.problem, row.digits_text()));
    named("no agreed optimum", unsettled.collect());
    lines.extend(beside(&ours));
    lines.extend(peers(rows));
    lines
}

/// The double-double solver's seconds and ours, where both came to an end.
fn beside(ours: &[&Row]) -> Option<String> {
    let done = ours.iter().filter(|row| row.succeeded() && row.precision != "f64");
    let both: Vec<[f64; 2]> = done.filter_map(|row| Some([row.dd_seconds?, row.seconds])).collect();
    let [theirs, ours] = [0, 1].map(|which| both.iter().map(|both| both[which]).sum::<f64>());
    let ratio = theirs / ours;
    (!both.is_empty()).then(|| {
        format!(
            "the double-double solver on {} that we solve: {theirs:.1} s, ours {ours:.1} s, {ratio:.1}×",
            both.len()
        )
    })
}

/// Our seconds over those of the faster peer.
fn peers(rows: &[Row]) -> Option<String> {
    let of = |ours: &Row| {
        ratio(ours, rows.iter().filter(|row| !row.is_ours() && row.problem == ours.problem))
    };
    let mut ratios: Vec<f64> = rows.iter().filter(|row| row.is_ours()).filter_map(of).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, most) = (ratios.first()?, ratios.last()?);
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    Some(format!(
        "our seconds over the faster peer's on {}: {mean:.2} in the geometric mean, {least:.2} to {most:.2}",
        ratios.len()
    ))
}
