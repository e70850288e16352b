//! Lines that a page shows beside lines that a command prints. A line `...` stands for any lines.

use crate::mask::masked;

const ANY: &str = "...";
/// What a new line costs, where one that has gone, or resembles nothing of another, costs 1.
const NEW: f64 = 0.6;

pub(crate) fn agree(shown: &[String], printed: &[String]) -> bool {
    let printed: Vec<String> = printed.iter().map(|line| masked(line)).collect();
    // reach[j]: the lines shown so far can stand for the first j lines printed.
    let mut reach = vec![false; printed.len() + 1];
    reach[0] = true;
    for line in shown {
        reach = if line == ANY {
            reach
                .iter()
                .scan(false, |seen, now| {
                    *seen |= now;
                    Some(*seen)
                })
                .collect()
        } else {
            let line = masked(line);
            let follows = |j: usize| j > 0 && reach[j - 1] && printed[j - 1] == line;
            (0..=printed.len()).map(follows).collect()
        };
    }
    reach[printed.len()]
}

/// Whether a line printed begins with the text shown.
pub(crate) fn begins(shown: &str, printed: &[String]) -> bool {
    let shown = masked(shown);
    printed.iter().any(|line| masked(line).starts_with(&shown))
}

/// How the lines shown and the lines printed, up to a point, are brought together: what the last
/// step was.
#[derive(Clone, Copy)]
enum Step {
    /// A line shown is replaced by a line printed.
    Replace,
    /// A line printed is left out by `...`, which goes on.
    LeaveOut,
    /// A `...` ends.
    End,
    /// A line printed is new.
    Add,
    /// A line shown is printed no more.
    Drop,
}

/// The lines shown, each replaced by the line printed that resembles it most, in order, with what
/// is new and without what a page leaves out.
pub(crate) fn renewed(shown: &[String], printed: &[String]) -> Vec<String> {
    // best[i][j]: the least cost of the first i lines shown and the first j printed.
    let (m, n) = (shown.len(), printed.len());
    let mut best = vec![vec![(0.0, Step::Add); n + 1]; m + 1];
    for i in 0..=m {
        for j in 0..=n {
            let any = i > 0 && shown[i - 1] == ANY;
            let mut steps = Vec::new();
            if i > 0 {
                let (step, cost) = if any { (Step::End, 0.0) } else { (Step::Drop, 1.0) };
                steps.push((best[i - 1][j].0 + cost, step));
            }
            if j > 0 {
                let (step, cost) = if any { (Step::LeaveOut, 0.0) } else { (Step::Add, NEW) };
                steps.push((best[i][j - 1].0 + cost, step));
            }
            if i > 0 && j > 0 && !any {
                let cost = unlikeness(&shown[i - 1], &printed[j - 1]);
                steps.push((best[i - 1][j - 1].0 + cost, Step::Replace));
            }
            if let Some(least) = steps.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
                best[i][j] = least;
            }
        }
    }
    let (mut i, mut j) = (m, n);
    let mut lines = Vec::new();
    while i > 0 || j > 0 {
        let step = best[i][j].1;
        if matches!(step, Step::Replace | Step::LeaveOut | Step::Add) {
            j -= 1;
        }
        if matches!(step, Step::Replace | Step::End | Step::Drop) {
            i -= 1;
        }
        match step {
            Step::Replace | Step::Add => lines.push(printed[j].clone()),
            Step::End => lines.push(ANY.to_string()),
            Step::LeaveOut | Step::Drop => {}
        }
    }
    lines.reverse();
    lines
}

/// From 0 for equal lines to 1 for lines that differ from the first character on.
fn unlikeness(a: &str, b: &str) -> f64 {
    let (a, b) = (masked(a), masked(b));
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    1.0 - common as f64 / a.chars().count().max(b.chars().count()).max(1) as f64
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.lines().map(str::to_string).collect::<Vec<_>>();
    let printed = lines("a 1\nb 2\nc 3");
    assert!(agree(&lines("a 1\n...\nc 3"), &printed));
    assert!(agree(&lines("...\nc 3\n..."), &printed));
    assert!(!agree(&lines("a 1\nc 3"), &printed));
    assert!(!agree(&lines("a 1\n..."), &lines("")));
    assert_eq!(renewed(&lines("...\nb 7\n..."), &printed), lines("...\nb 2\n..."));
    assert_eq!(renewed(&lines("a 0\n...\nc 9"), &printed), lines("a 1\n...\nc 3"));
    assert_eq!(renewed(&lines("a 0"), &printed), printed);
    assert_eq!(
        renewed(&lines("b 1\nd 5\nc 9\n..."), &lines("b 2\nc 3\ne")),
        lines("b 2\nc 3\n...")
    );
    assert_eq!(renewed(&lines("...\nc 9"), &lines("a\nb 2\nc 3\nd")), lines("...\nc 3\nd"));
}
