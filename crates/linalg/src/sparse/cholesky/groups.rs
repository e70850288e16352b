//! Which contributions to a supernode are one product of matrices: that of `k` columns of several
//! supernodes, with zeros where one has no entry, and their transpose.

use super::shape::Shape;

/// What a product costs beside its operations, in multiplications.
pub(super) const CALL_COST: f64 = 256.0;

/// By this factor a product may have more operations than its parts.
const MOST_PADDING: f64 = 1.5;

/// Columns that a product of several parts has at most.
const MOST_COLUMNS: usize = 256;

/// What supernode `from` contributes: its rows below from number `begin` on, times those of them
/// that are columns of the supernode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Update {
    pub(super) from: u32,
    pub(super) begin: u32,
}

/// Parts of one product.
struct Group {
    /// Rows in which one of them has an entry.
    rows: Vec<u32>,
    /// How many of these are columns of the supernode.
    columns: usize,
    depth: usize,
    /// What the parts cost one by one.
    parts: f64,
}

impl Group {
    fn new(rows: &[u32], last: u32, depth: usize) -> Self {
        let columns = rows.partition_point(|&row| row <= last);
        let mut group = Self { rows: rows.to_vec(), columns, depth, parts: 0.0 };
        group.parts = group.cost();
        group
    }

    fn cost(&self) -> f64 {
        let [rows, columns] = [self.rows.len(), self.columns].map(|n| n as f64);
        CALL_COST + self.depth as f64 * columns * (rows - 0.5 * (columns - 1.0))
    }

    /// Both as one where that is worth it.
    fn with(&self, other: &Self, last: u32) -> Option<Self> {
        let depth = self.depth + other.depth;
        if depth > MOST_COLUMNS {
            return None;
        }
        let rows = if self.rows == other.rows {
            self.rows.clone()
        } else {
            let mut rows = [&self.rows[..], &other.rows].concat();
            rows.sort_unstable();
            rows.dedup();
            rows
        };
        let columns = rows.partition_point(|&row| row <= last);
        let both = Self { rows, columns, depth, parts: self.parts + other.parts };
        (both.cost() <= MOST_PADDING * both.parts).then_some(both)
    }
}

/// Where the groups of a supernode's updates end, and what the products cost.
pub(super) fn gather(shape: &Shape, last: u32, updates: &[Update]) -> (Vec<usize>, f64) {
    let (mut ends, mut cost) = (Vec::new(), 0.0);
    let mut group: Option<Group> = None;
    for (at, update) in updates.iter().enumerate() {
        let from = update.from as usize;
        let rows = &shape.below(from)[update.begin as usize..];
        let one = Group::new(rows, last, shape.width(from));
        group = Some(match group {
            None => one,
            Some(group) => group.with(&one, last).unwrap_or_else(|| {
                ends.push(at);
                cost += group.cost();
                one
            }),
        });
    }
    if let Some(group) = group {
        ends.push(updates.len());
        cost += group.cost();
    }
    (ends, cost)
}
