//! Elimination trees: the parent of a column is the row of its first entry below the diagonal in
//! the factor.
//!
//! The columns of `L` with an entry in row `i` are those on the ways up the tree from the columns
//! of `A` with an entry there to `i`: the row's subtree (Davis, *Direct Methods for Sparse Linear
//! Systems*, 4.1).

use super::lower::Lower;

/// No column.
pub(super) const NONE: u32 = u32::MAX;

/// A permuted symmetric matrix by the columns below the diagonal of each row.
pub(super) struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Rows {
    /// With row `i` of the matrix in place `places[i]`.
    pub(super) fn new(a: &Lower, places: &[u32]) -> Self {
        let n = a.order();
        let pairs = || {
            (0..n).flat_map(|j| {
                a.column(j)[1..].iter().map(move |&i| {
                    let (i, j) = (places[i as usize], places[j]);
                    (i.max(j) as usize, i.min(j))
                })
            })
        };
        let mut starts = vec![0; n + 1];
        pairs().for_each(|(row, _)| starts[row + 1] += 1);
        for row in 0..n {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; starts[n]];
        for (row, column) in pairs() {
            columns[next[row]] = column;
            next[row] += 1;
        }
        Self { starts, columns }
    }

    fn order(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.starts[i]..self.starts[i + 1]]
    }
}

/// The parent of each column; [`NONE`] for a root.
pub(super) fn parents(rows: &Rows) -> Vec<u32> {
    let n = rows.order();
    let mut parents = vec![NONE; n];
    // A column above, as far up as is known.
    let mut above = vec![NONE; n];
    for i in 0..n {
        for &column in rows.row(i) {
            let mut j = column as usize;
            while j != i {
                let next = core::mem::replace(&mut above[j], i as u32);
                if next == NONE {
                    parents[j] = i as u32;
                    break;
                }
                j = next as usize;
            }
        }
    }
    parents
}

/// All columns, each after all below it in the tree and these side by side.
pub(super) fn postorder(parents: &[u32]) -> Vec<u32> {
    let n = parents.len();
    // Children by lists; the last place is that of the roots.
    let (mut first, mut next) = (vec![NONE; n + 1], vec![NONE; n]);
    for j in (0..n).rev() {
        let parent = (parents[j] as usize).min(n);
        next[j] = core::mem::replace(&mut first[parent], j as u32);
    }
    let (mut order, mut path) = (Vec::with_capacity(n), Vec::new());
    let mut root = first[n];
    while root != NONE {
        path.push(root);
        while let Some(&j) = path.last() {
            let child = first[j as usize];
            if child == NONE {
                order.push(j);
                path.pop();
            } else {
                first[j as usize] = next[child as usize];
                path.push(child);
            }
        }
        root = next[root as usize];
    }
    order
}

/// How many entries each column of the factor has, the diagonal included; `None` where there are
/// more than `most` in all. Takes as many steps.
pub(super) fn counts(rows: &Rows, parents: &[u32], most: usize) -> Option<Vec<u32>> {
    let n = rows.order();
    let (mut counts, mut all) = (vec![1; n], n);
    // The last row that has an entry in each column.
    let mut met = vec![NONE; n];
    for i in 0..n {
        met[i] = i as u32;
        for &column in rows.row(i) {
            let mut j = column as usize;
            while met[j] != i as u32 {
                met[j] = i as u32;
                counts[j] += 1;
                all += 1;
                j = parents[j] as usize;
            }
        }
        if all > most {
            return None;
        }
    }
    Some(counts)
}
