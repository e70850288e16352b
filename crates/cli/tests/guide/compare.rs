//! Lines that a page shows beside lines that a command prints. A line `...` stands for any lines.

use crate::mask::masked;

const ANY: &str = "...";

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

/// The lines shown, each replaced by the line printed that resembles it most, in order and with
/// what a page leaves out left out; all that was printed where this cannot be.
pub(crate) fn renewed(shown: &[String], printed: &[String]) -> Vec<String> {
    // best[i][j]: the least unlikeness of the first i lines shown and the first j printed.
    let (m, n) = (shown.len(), printed.len());
    let mut best = vec![vec![f64::INFINITY; n + 1]; m + 1];
    best[0][0] = 0.0;
    for i in 1..=m {
        for j in 0..=n {
            best[i][j] = if shown[i - 1] == ANY {
                let more = if j > 0 { best[i][j - 1] } else { f64::INFINITY };
                more.min(best[i - 1][j])
            } else if j > 0 {
                best[i - 1][j - 1] + unlikeness(&shown[i - 1], &printed[j - 1])
            } else {
                f64::INFINITY
            };
        }
    }
    if best[m][n].is_infinite() {
        return printed.to_vec();
    }
    let (mut i, mut j) = (m, n);
    let mut lines = Vec::new();
    while i > 0 {
        if shown[i - 1] != ANY {
            j -= 1;
            lines.push(printed[j].clone());
            i -= 1;
        } else if best[i - 1][j] <= best[i][j] {
            lines.push(ANY.to_string());
            i -= 1;
        } else {
            j -= 1;
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
}
