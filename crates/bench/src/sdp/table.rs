//! The table: a line for each problem.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::peers::Program;
use super::row::{Row, Verdict};

/// What stands beside our figures.
pub(super) struct Table<'a> {
    /// Seconds of the double-double solver and of the paper.
    pub(super) beside: bool,
    /// Programs that run here.
    pub(super) peers: &'a [Program],
}

impl Table<'_> {
    pub(super) fn header(&self) {
        println!(
            "blocks are dense + diagonal ones; digits are of the primal objective, ≥ where the reference has no more, ? where solvers do not agree on it"
        );
        if !self.peers.is_empty() {
            println!(
                "seconds of the peers, and ours that they are compared with, are those with reading; a peer with * does not count, for it did not end as it should"
            );
        }
        let mut text = format!(
            "{:10} {:>5} {:>5} {:>7}  {:10} {:10} {:>22} {:>6} {:>8} {:>8} {:>8}  {:24} {:>9}",
            "",
            "m",
            "n",
            "blocks",
            "phase",
            "end",
            "objective",
            "digits",
            "gap",
            "infeas P",
            "infeas D",
            "iterations",
            "seconds"
        );
        if self.beside {
            text += &format!(" {:>9} {:>8} {:>7}", "dd", "dd/ours", "paper");
        }
        if !self.peers.is_empty() {
            text += &format!(" {:>9}", "+reading");
        }
        for program in self.peers {
            text += &format!(" {:>9} {:>22}", program.name(), "objective");
        }
        if !self.peers.is_empty() {
            text += &format!(" {:>11}", "ours/faster");
        }
        print(&text);
    }

    /// The line of a problem.
    pub(super) fn line(&self, ours: &Row, theirs: &[Row]) {
        let mut text = line(ours);
        if self.beside {
            text += &beside(ours);
        }
        if !self.peers.is_empty() {
            text += &peers(ours, theirs);
        }
        print(&text);
    }
}

/// At once, though it may take long till the next one.
fn print(text: &str) {
    println!("{}", text.trim_end());
    // Nothing depends on it.
    let _ = io::stdout().flush();
}

fn line(row: &Row) -> String {
    let blocks = format!("{}+{}", row.dense_blocks, row.diagonal_blocks);
    let mut text =
        format!("{:10} {:5} {:5} {blocks:>7}  ", row.problem, row.constraints, row.order);
    let Some(iterations) = row.iterations else {
        let _ = write!(text, "{}", row.end);
        return text;
    };
    let small = |number: Option<f64>| number.map_or(String::new(), |x| format!("{x:.1e}"));
    let iterations = format!("{iterations} = {}", row.by_precision);
    let _ = write!(
        text,
        "{:10} {:10} {:>22} {:>6} {:>8} {:>8} {:>8}  {iterations:24} {:9.3}",
        row.phase,
        row.end,
        objective(&row.primal_objective),
        row.digits_text(),
        small(row.relative_gap),
        small(row.primal_infeasibility),
        small(row.dual_infeasibility),
        row.seconds
    );
    text
}

/// What others took for the same, over ours unless that was stopped.
fn beside(row: &Row) -> String {
    let whole = row.iterations.is_some() && row.verdict != Verdict::Limit;
    let ratio = row.dd_seconds.filter(|_| whole).map(|theirs| theirs / row.seconds);
    let seconds = |seconds: Option<f64>, width: usize, decimals: usize| {
        let text = seconds.map_or(String::new(), |seconds| format!("{seconds:.decimals$}"));
        format!("{text:>width$}")
    };
    format!(
        " {} {} {}",
        seconds(row.dd_seconds, 9, 3),
        seconds(ratio, 8, 2),
        seconds(row.paper_seconds, 7, 0)
    )
}

fn peers(ours: &Row, theirs: &[Row]) -> String {
    let mut text = format!(" {:9.3}", ours.seconds_with_reading);
    for row in theirs {
        let end = || if row.phase.is_empty() { row.end.clone() } else { row.phase.clone() };
        let mut objective = row.objective().map_or_else(end, objective);
        if !row.succeeded() {
            objective += " *";
        }
        let _ = write!(text, " {:9.3} {objective:>22}", row.seconds_with_reading);
    }
    if let Some(ratio) = ratio(ours, theirs) {
        let _ = write!(text, " {ratio:11.2}");
    }
    text
}

/// Our seconds over those of the faster peer, of those that came to an end as it should be, as we
/// have to; with reading.
pub(super) fn ratio<'a>(ours: &Row, theirs: impl IntoIterator<Item = &'a Row>) -> Option<f64> {
    let done = theirs.into_iter().filter(|row| row.succeeded());
    let fastest = done.map(|row| row.seconds_with_reading).reduce(f64::min)?;
    ours.succeeded().then(|| ours.seconds_with_reading / fastest)
}

/// A decimal to the digits of `f64`.
fn objective(text: &str) -> String {
    text.parse::<f64>().map_or(String::new(), |x| format!("{x:.14e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_have_as_many_digits_as_fit() {
        assert_eq!(objective("-8.99999631528689053127e0"), "-8.99999631528689e0");
        assert_eq!(objective("22.999999999999999999999"), "2.30000000000000e1");
        assert_eq!(objective(""), "");
    }
}
