//! Which rows each rank has.

use core::ops::Range;
use std::sync::Arc;

use nonius_linalg::Number;
use nonius_linalg::backend::SEGMENT;
use nonius_linalg::sparse::{Csr, Layout};

/// What the operations of a method on a row of its vectors cost, in entries of the matrix.
const COST_OF_ROW: u64 = 8;

/// Pieces of a rank's rows, of which one more or less is the error of a cut: fewer sums to send
/// against a better balance.
const PIECES: usize = 32;

/// The rows of each rank, contiguous and in the order of the ranks. They are cut at multiples of
/// [`SEGMENT`]; a rank may have none.
///
/// ```
/// use nonius_comm::krylov::Rows;
///
/// let rows = Rows::even(2, 10_000);
/// assert_eq!((rows.of(0), rows.of(1)), (0..4096, 4096..10_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The first row of each rank, then the order.
    cuts: Arc<[usize]>,
}

impl Rows {
    /// Nearly as many rows for each rank.
    ///
    /// Panics where there is no rank.
    pub fn even(ranks: usize, order: usize) -> Self {
        Self::by_cost(ranks, order, |_| 1)
    }

    /// Rows for products with this matrix, by the entries of each.
    ///
    /// Panics where there is no rank.
    pub fn of_matrix<V: Number>(ranks: usize, a: &Csr<V>) -> Self {
        Self::by_cost(ranks, a.shape().0, |row| COST_OF_ROW + a.row(row).len() as u64)
    }

    /// Rows for products with a matrix of this order that has entries in these places.
    ///
    /// Panics where there is no rank, or where a place is outside.
    pub fn of_places(ranks: usize, order: usize, places: &[(usize, usize)]) -> Self {
        let mut entries = vec![0; order];
        places.iter().for_each(|&(row, _)| entries[row] += 1);
        Self::by_cost(ranks, order, |row| COST_OF_ROW + entries[row])
    }

    /// Rows of nearly the same cost for each rank.
    ///
    /// Panics where there is no rank.
    pub fn by_cost(ranks: usize, order: usize, cost: impl Fn(usize) -> u64) -> Self {
        assert_ne!(ranks, 0, "ranks");
        let segments = (order / ranks / PIECES / SEGMENT).max(1);
        let piece = SEGMENT << segments.ilog2();
        let mut before = vec![0_u64];
        for first in (0..order).step_by(piece) {
            let costs = (first..order.min(first + piece)).map(&cost);
            before.push(before[before.len() - 1] + costs.sum::<u64>());
        }
        let all = u128::from(before[before.len() - 1]);
        let place = |rank: usize| {
            let target = (all * rank as u128 / ranks as u128) as u64;
            // The nearest cut.
            let at = before.partition_point(|&cost| cost < target);
            let is_nearer_before = at > 0 && target - before[at - 1] < before[at] - target;
            if is_nearer_before { at - 1 } else { at }
        };
        let cuts = (0..ranks).map(|rank| order.min(place(rank) * piece)).chain([order]);
        Self { cuts: cuts.collect() }
    }

    /// The rows that begin at these, as other ranks have them.
    pub(super) fn from_cuts(cuts: &[usize]) -> Self {
        Self { cuts: cuts.into() }
    }

    /// The first row of each rank, then the order.
    pub(super) fn cuts(&self) -> &[usize] {
        &self.cuts
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.cuts.len() - 1
    }

    /// Rows of all.
    pub fn order(&self) -> usize {
        self.cuts[self.ranks()]
    }

    /// The rows of a rank.
    ///
    /// Panics where there is no such rank.
    pub fn of(&self, rank: usize) -> Range<usize> {
        self.cuts[rank]..self.cuts[rank + 1]
    }

    /// The fewest runs of a rank's segments whose sums are sums of one device: of `2^k` segments,
    /// from a multiple of `2^k` on. The number of segments of each.
    pub(super) fn runs(&self, rank: usize) -> Vec<usize> {
        let Range { start, end } = self.of(rank);
        let (mut next, end) = (start.div_ceil(SEGMENT), end.div_ceil(SEGMENT));
        let mut runs = Vec::new();
        while next < end {
            let aligned = next.trailing_zeros().min(usize::BITS - 1);
            let run = 1 << aligned.min((end - next).ilog2());
            runs.push(run);
            next += run;
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_have_all_segments() {
        for ranks in 1..=9 {
            for order in [0, 1, SEGMENT, SEGMENT + 1, 5 * SEGMENT - 1, 1 << 20, 3_000_001] {
                let rows = Rows::by_cost(ranks, order, |row| 1 + (row % 7) as u64);
                assert_eq!((rows.ranks(), rows.order(), rows.of(0).start), (ranks, order, 0));
                for own in (0..ranks).map(|rank| rows.of(rank)) {
                    assert!(own.is_empty() || own.start.is_multiple_of(SEGMENT));
                }
                let segments = (0..ranks).flat_map(|rank| rows.runs(rank)).sum::<usize>();
                assert_eq!(segments, order.div_ceil(SEGMENT));
            }
        }
    }

    #[test]
    fn costs_are_shared_out() {
        let order = 1 << 20;
        let cost = |row: usize| if row < order / 4 { 30 } else { 10 };
        let rows = Rows::by_cost(4, order, cost);
        let costs = (0..4).map(|rank| rows.of(rank).map(cost).sum::<u64>());
        let most = costs.max().unwrap() as f64;
        assert!(most < 1.1 * (15 * order / 4) as f64, "{most}");
        // Few sums go from rank to rank.
        assert!((0..4).all(|rank| rows.runs(rank).len() < 12));
    }

    #[test]
    fn runs_are_aligned() {
        let rows = Rows::from_cuts(&[0, 3 * SEGMENT, 13 * SEGMENT, 13 * SEGMENT + 5]);
        assert_eq!(rows.runs(0), [2, 1]);
        assert_eq!(rows.runs(1), [1, 4, 4, 1]);
        assert_eq!(rows.runs(2), [1]);
    }
}
