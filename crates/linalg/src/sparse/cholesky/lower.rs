//! Patterns of symmetric matrices.

use core::ops::Range;

/// Where a symmetric matrix has entries: its lower triangle column by column, in each the diagonal
/// first, then ascending rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lower {
    /// Where each column begins; one more says where the last ends.
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Lower {
    /// The order of the matrix.
    pub fn order(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// The numbers of a column's entries.
    pub fn range(&self, j: usize) -> Range<usize> {
        self.starts[j]..self.starts[j + 1]
    }

    /// The rows of a column's entries.
    pub fn column(&self, j: usize) -> &[u32] {
        &self.rows[self.range(j)]
    }

    /// The rows of all entries.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Where each column begins, and where the last ends.
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }
}

/// Sets of rows, each ascending, and for each row where it is in them.
#[derive(Clone, Debug)]
pub struct Cliques {
    /// Where the sets of each row begin; one more says where the last end.
    starts: Vec<usize>,
    /// The sets by ascending numbers, and the row's position in each.
    places: Vec<(u32, u32)>,
}

impl Cliques {
    /// Of rows below `order`; `None` where there are more than indices of 32 bits.
    pub fn new<'a>(order: usize, sets: impl Iterator<Item = &'a [u32]> + Clone) -> Option<Self> {
        let mut starts = vec![0; order + 1];
        for &row in sets.clone().flatten() {
            starts[row as usize + 1] += 1;
        }
        for row in 0..order {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut places = vec![(0, 0); starts[order]];
        for (number, set) in sets.enumerate() {
            let number = u32::try_from(number).ok()?;
            for (at, &row) in set.iter().enumerate() {
                let next = &mut next[row as usize];
                places[*next] = (number, at as u32);
                *next += 1;
            }
        }
        Some(Self { starts, places })
    }

    /// The sets of a row by ascending numbers, and its position in each.
    pub fn of(&self, row: usize) -> &[(u32, u32)] {
        &self.places[self.starts[row]..self.starts[row + 1]]
    }

    /// The pattern of a matrix with entries where row and column are in one of these sets, and on
    /// the diagonal; `None` where there are more than `most`. Takes as many steps as all sets have
    /// pairs.
    pub fn lower<'a>(&self, set: impl Fn(usize) -> &'a [u32], most: usize) -> Option<Lower> {
        let order = self.starts.len() - 1;
        let (mut starts, mut rows) = (Vec::with_capacity(order + 1), Vec::new());
        // The last column that has an entry in each row.
        let mut met = vec![u32::MAX; order];
        starts.push(0);
        for j in 0..order {
            rows.push(j as u32);
            let first = rows.len();
            for &(number, at) in self.of(j) {
                if rows.len() - first == order - 1 - j {
                    break;
                }
                for &i in &set(number as usize)[at as usize + 1..] {
                    if met[i as usize] != j as u32 {
                        met[i as usize] = j as u32;
                        rows.push(i);
                    }
                }
            }
            rows[first..].sort_unstable();
            if rows.len() > most {
                return None;
            }
            starts.push(rows.len());
        }
        Some(Lower { starts, rows })
    }
}
