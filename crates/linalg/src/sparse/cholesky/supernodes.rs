//! Supernodes: runs of columns that are stored as one dense panel.

use super::tree::NONE;

/// Numbers of columns, and the part that may be zeros in a supernode of at most as many columns.
const ZEROS: [(usize, f64); 3] = [(4, 0.6), (16, 0.25), (usize::MAX, 0.05)];

/// A run of columns.
struct Run {
    first: usize,
    width: usize,
    /// Rows of its first column.
    height: usize,
    /// Entries of the panel that are zero in the factor.
    zeros: usize,
}

impl Run {
    fn entries(&self) -> usize {
        self.width * self.height - self.width * (self.width - 1) / 2
    }

    /// A run with that of its parent, which is behind it and has all of its rows below.
    fn with(&self, parent: &Self) -> Self {
        let height = self.width + parent.height;
        Self {
            first: self.first,
            width: self.width + parent.width,
            height,
            zeros: self.zeros + parent.zeros + self.width * (height - self.height),
        }
    }

    fn is_worth_it(&self) -> bool {
        let part = self.zeros as f64 / self.entries() as f64;
        ZEROS.iter().any(|&(width, zeros)| self.width <= width && part <= zeros)
    }
}

/// Where the supernodes of a factor begin, and where the last ends, from its tree in postorder and
/// the entries of its columns: columns with the same rows below are one, and so is one with its
/// last child where that adds few zeros.
pub(super) fn partition(parents: &[u32], counts: &[u32]) -> Vec<u32> {
    let n = parents.len();
    let mut runs: Vec<Run> = Vec::new();
    let mut j = 0;
    while j < n {
        let first = j;
        j += 1;
        while j < n && parents[j - 1] == j as u32 && counts[j - 1] == counts[j] + 1 {
            j += 1;
        }
        let mut run = Run { first, width: j - first, height: counts[first] as usize, zeros: 0 };
        while let Some(last) = runs.last() {
            let parent = parents[run.first - 1];
            if parent == NONE || parent as usize >= j {
                break;
            }
            let both = last.with(&run);
            if !both.is_worth_it() {
                break;
            }
            run = both;
            runs.pop();
        }
        runs.push(run);
    }
    runs.iter().map(|run| run.first as u32).chain([n as u32]).collect()
}
