//! Rows or columns that are shared out by tiles.

use core::ops::Range;

/// Some rows or columns, one after the other, of a matrix whose tiles go round among `parts` rows
/// or columns of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    tile: usize,
    parts: usize,
    /// The first one's number in the matrix.
    begin: usize,
    pub(super) count: usize,
    /// Those with lower numbers in the matrix are on all parts.
    shared: usize,
}

impl Axis {
    /// All of `count`.
    pub(super) fn new(tile: usize, parts: usize, count: usize) -> Self {
        Self { tile, parts, begin: 0, count, shared: 0 }
    }

    /// Those from `start` on. Panics outside.
    pub(super) fn block(self, start: usize, count: usize) -> Self {
        assert!(
            start.checked_add(count).is_some_and(|end| end <= self.count),
            "{count} from {start} of {}",
            self.count
        );
        let begin = self.begin + start;
        // Without any of those that all parts have it is like another that never had them.
        let shared = if begin < self.shared { self.shared } else { 0 };
        Self { begin, count, shared, ..self }
    }

    /// The same, but the first `count` are on all parts.
    pub(super) fn sharing(self, count: usize) -> Self {
        Self { shared: self.begin + count, ..self }
    }

    /// How many of the first ones are on all parts.
    pub(super) fn shared(self) -> usize {
        self.shared.saturating_sub(self.begin).min(self.count)
    }

    /// How many before the one with this number in the matrix are a part's.
    fn before(self, number: usize, part: usize) -> usize {
        let tiles = |number| self.in_tiles_before(number, part);
        let shared = number.min(self.shared);
        shared + tiles(number) - tiles(shared)
    }

    /// The same by tiles alone.
    fn in_tiles_before(self, number: usize, part: usize) -> usize {
        let tile = number / self.tile;
        let whole = tile / self.parts * self.tile;
        // The only part is that of all ranks.
        match (part % self.parts).cmp(&(tile % self.parts)) {
            core::cmp::Ordering::Less => whole + self.tile,
            core::cmp::Ordering::Equal => whole + number % self.tile,
            core::cmp::Ordering::Greater => whole,
        }
    }

    /// How many of the first `count` are a part's: where the next one of them is among the part's.
    pub(super) fn place(self, count: usize, part: usize) -> usize {
        self.before(self.begin + count, part) - self.before(self.begin, part)
    }

    /// Whether one part has all.
    pub(super) fn is_whole(self) -> bool {
        self.parts == 1
    }

    /// Whether every part has the first `count`.
    pub(super) fn are_everywhere(self, count: usize) -> bool {
        self.is_whole() || count <= self.shared()
    }

    /// How many are a part's.
    pub(super) fn owned(self, part: usize) -> usize {
        self.place(self.count, part)
    }

    /// Those that are a part's, ascending.
    pub(super) fn runs(self, part: usize) -> Vec<Range<usize>> {
        let shared = self.shared();
        let of_all = core::iter::once(0..shared).filter(|run| !run.is_empty());
        of_all.chain(self.block(shared, self.count - shared).in_tiles(part, shared)).collect()
    }

    /// The numbers of those that are a part's, ascending.
    pub(super) fn numbers(self, part: usize) -> Vec<usize> {
        self.runs(part).into_iter().flatten().collect()
    }

    /// Those that are a part's by its tiles, counted from `start`.
    fn in_tiles(self, part: usize, start: usize) -> impl Iterator<Item = Range<usize>> {
        let Self { tile, parts, begin, count, .. } = self;
        let end = begin + count;
        let first = begin / tile;
        let first = first + (part + parts - first % parts) % parts;
        (first..)
            .step_by(parts)
            .map(move |number| number * tile)
            .take_while(move |&from| from < end)
            .map(move |from| from.max(begin)..(from + tile).min(end))
            .map(move |run| start + run.start - begin..start + run.end - begin)
    }

    /// Where tiles begin, what all parts have ends, and the end.
    pub(super) fn cuts(self) -> impl Iterator<Item = usize> {
        let first = self.begin.max(self.shared).next_multiple_of(self.tile);
        let end = self.begin + self.count;
        let tiles = (first..end).step_by(self.tile).map(move |cut| cut - self.begin);
        tiles.chain([self.shared(), self.count])
    }
}

/// Where tiles of rows or of columns begin, ascending from 0, and the ends: what is between two of
/// these cuts lies in one tile.
pub(super) fn common_cuts(rows: Axis, cols: Axis) -> Vec<usize> {
    let mut cuts: Vec<usize> = rows.cuts().chain(cols.cuts()).chain([0]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: [(usize, usize, usize); 5] =
        [(1, 1, 5), (3, 2, 20), (4, 3, 41), (128, 4, 100), (2, 5, 3)];

    /// Every row has one owner, or all parts have it, and lies where those before it of the same
    /// owner end.
    #[test]
    fn parts_have_all_and_in_order() {
        for (tile, parts, count) in AXES {
            for start in 0..=count {
                for length in 0..=count - start {
                    let axis = Axis::new(tile, parts, count).block(start, length);
                    parts_have_all(axis, 0);
                    parts_have_all(axis.sharing(0), 0);
                    parts_have_all(axis.sharing(length / 3), length / 3);
                    parts_have_all(axis.sharing(length), length);
                }
            }
        }
    }

    /// Of rows on all parts some are on all parts.
    #[test]
    fn blocks_share() {
        let axis = Axis::new(3, 2, 20).block(2, 15).sharing(7);
        for (start, length, shared) in [(0, 15, 7), (0, 4, 4), (5, 3, 2), (7, 8, 0), (9, 2, 0)] {
            let block = axis.block(start, length);
            assert_eq!(block.shared(), shared);
            parts_have_all(block, shared);
            for part in 0..2 {
                assert_eq!(axis.place(start + length, part) - axis.place(start, part), {
                    block.owned(part)
                });
            }
        }
    }

    fn parts_have_all(axis: Axis, shared: usize) {
        let Axis { tile, parts, begin, count, .. } = axis;
        let mut owners = vec![None; count];
        for part in 0..parts {
            let mut place = 0;
            for i in axis.runs(part).into_iter().flatten() {
                assert_eq!(axis.place(i, part), place);
                place += 1;
                if i >= shared {
                    assert_eq!((begin + i) / tile % parts, part);
                    assert_eq!(owners[i].replace(part), None);
                }
            }
            assert_eq!(axis.owned(part), place);
        }
        assert!(owners[shared..].iter().all(Option::is_some));
        assert_eq!(axis.cuts().last(), Some(count));
    }
}
