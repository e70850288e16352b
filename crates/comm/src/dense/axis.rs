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
}

impl Axis {
    /// All of `count`.
    pub(super) fn new(tile: usize, parts: usize, count: usize) -> Self {
        Self { tile, parts, begin: 0, count }
    }

    /// Those from `start` on. Panics outside.
    pub(super) fn block(self, start: usize, count: usize) -> Self {
        assert!(
            start.checked_add(count).is_some_and(|end| end <= self.count),
            "{count} from {start} of {}",
            self.count
        );
        Self { begin: self.begin + start, count, ..self }
    }

    /// How many before the one with this number in the matrix are a part's.
    fn before(self, number: usize, part: usize) -> usize {
        let tile = number / self.tile;
        let whole = tile / self.parts * self.tile;
        match part.cmp(&(tile % self.parts)) {
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

    /// How many are a part's.
    pub(super) fn owned(self, part: usize) -> usize {
        self.place(self.count, part)
    }

    /// Those that are a part's, ascending.
    pub(super) fn runs(self, part: usize) -> Vec<Range<usize>> {
        let end = self.begin + self.count;
        let first = self.begin / self.tile;
        let first = first + (part + self.parts - first % self.parts) % self.parts;
        (first..)
            .step_by(self.parts)
            .map(|tile| tile * self.tile)
            .take_while(|&from| from < end)
            .map(|from| from.max(self.begin) - self.begin..(from + self.tile).min(end) - self.begin)
            .collect()
    }

    /// Where tiles begin, and the end.
    pub(super) fn cuts(self) -> impl Iterator<Item = usize> {
        let first = self.begin.next_multiple_of(self.tile);
        let end = self.begin + self.count;
        (first..end).step_by(self.tile).map(move |cut| cut - self.begin).chain([self.count])
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

    /// Every row has one owner, and lies where those before it of the same owner end.
    #[test]
    fn parts_have_all_and_in_order() {
        for (tile, parts, count) in [(1, 1, 5), (3, 2, 20), (4, 3, 41), (128, 4, 100), (2, 5, 3)] {
            let whole = Axis::new(tile, parts, count);
            for start in 0..=count {
                for length in 0..=count - start {
                    let axis = whole.block(start, length);
                    let mut owners = vec![None; length];
                    for part in 0..parts {
                        let mut place = 0;
                        for i in axis.runs(part).into_iter().flatten() {
                            assert_eq!((start + i) / tile % parts, part);
                            assert_eq!(axis.place(i, part), place);
                            assert_eq!(owners[i].replace(part), None);
                            place += 1;
                        }
                        assert_eq!(axis.owned(part), place);
                    }
                    assert!(owners.iter().all(Option::is_some));
                    assert_eq!(axis.cuts().last(), Some(length));
                }
            }
        }
    }
}
