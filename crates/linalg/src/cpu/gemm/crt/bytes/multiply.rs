//! Products of planes.

use super::super::block::{Block, Place};
use super::super::layout::LINES;
use super::channel::Channel;
use super::words::{Kernel, Words};

/// Words of a line whose products are summed before the sum is reduced: sums stay below `2^26`, and so do a group's words in the first-level
/// cache.
const MOST_DEPTH: usize = 512;

/// See [`Unit::multiply`](super::super::unit::Unit::multiply).
pub(super) struct Multiply<'a> {
    pub(super) channel: &'a Channel,
    pub(super) a: Block<'a, u32>,
    pub(super) b: Block<'a, u32>,
    pub(super) c: &'a mut [i8],
    pub(super) place: Place,
    pub(super) add: bool,
}

impl Kernel for Multiply<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { channel, a, b, c, place, mut add } = self;
        let blocks = a.depth.div_ceil(MOST_DEPTH).max(1);
        let step = a.depth.div_ceil(blocks);
        for start in (0..a.depth.max(1)).step_by(step.max(1)) {
            let depth = start..a.depth.min(start + step);
            let [a, b] = [(a, a.groups), (b, b.groups)]
                .map(|(block, groups)| block.part(0..groups, depth.clone()));
            let mut at = 0;
            while at < a.groups {
                // As many groups of rows at a time as registers hold sums of.
                let rows = (W::GROUPS).min(a.groups - at);
                for j in 0..b.groups {
                    let mut tile = Tile {
                        channel,
                        b: b.part(j..j + 1, 0..b.depth),
                        c: &mut *c,
                        place: Place {
                            start: place.start + at * LINES + j * LINES * place.column,
                            ..place
                        },
                        add,
                    };
                    let a = a.part(at..at + rows, 0..a.depth);
                    match (rows, W::COLUMNS) {
                        (2, 8) => tile.run::<W, 2, 8>(a),
                        (_, 8) => tile.run::<W, 1, 8>(a),
                        (_, 4) => tile.run::<W, 1, 4>(a),
                        _ => tile.run::<W, 1, 1>(a),
                    }
                }
                at += rows;
            }
            add = true;
        }
    }
}

/// Some groups of rows by one of columns.
struct Tile<'a> {
    channel: &'a Channel,
    b: Block<'a, u32>,
    c: &'a mut [i8],
    place: Place,
    add: bool,
}

impl Tile<'_> {
    /// `G` groups by one, `C` columns at a time.
    #[inline(always)]
    fn run<W: Words, const G: usize, const C: usize>(&mut self, a: Block<'_, u32>) {
        for first in (0..LINES).step_by(C) {
            if self.channel.large {
                self.large::<W, G, C>(a, first);
            } else {
                self.small::<W, G, C>(a, first);
            }
        }
    }

    /// Index of the first residue in a column and group.
    #[inline(always)]
    fn at(&self, column: usize, group: usize) -> usize {
        self.place.start + column * self.place.column + group * LINES
    }

    #[inline(always)]
    fn small<W: Words, const G: usize, const C: usize>(&mut self, a: Block<'_, u32>, first: usize) {
        let reduction = &self.channel.reduction;
        let sums = products::<W, G, C>(a, self.b, 0, first);
        for (j, sums) in sums.into_iter().enumerate() {
            for (g, mut sum) in sums.into_iter().enumerate() {
                let at = self.at(first + j, g);
                if self.add {
                    sum = sum.add(W::load_bytes(&self.c[at..]));
                }
                let x = reduction.add(W::splat(reduction.start), sum, 0);
                reduction.small(x).store_bytes(&mut self.c[at..]);
            }
        }
    }

    #[inline(always)]
    fn large<W: Words, const G: usize, const C: usize>(&mut self, a: Block<'_, u32>, first: usize) {
        let reduction = &self.channel.reduction;
        let mut totals = [[W::splat(reduction.start); G]; C];
        for p in 0..3 {
            let sums = products::<W, G, C>(a, self.b, p, first);
            for (totals, sums) in totals.iter_mut().zip(sums) {
                for (total, sum) in totals.iter_mut().zip(sums) {
                    *total = reduction.add(*total, sum, p);
                }
            }
        }
        for (j, totals) in totals.into_iter().enumerate() {
            for (g, mut total) in totals.into_iter().enumerate() {
                let at = self.at(first + j, g);
                let (low, high) = self.c[at..].split_at_mut(self.place.plane);
                if self.add {
                    total = total.add(W::load_bytes(low));
                    total = total.add(W::load_bytes(high).shift_left::<8>());
                }
                let x = reduction.large(total);
                x.store_bytes(low);
                x.add(W::splat(128)).shift_right::<8>().store_bytes(high);
            }
        }
    }
}

/// Sums of products of `G` groups of rows and `C` columns, from column `first` of a group on, in a plane.
#[inline(always)]
fn products<W: Words, const G: usize, const C: usize>(
    a: Block<'_, u32>,
    b: Block<'_, u32>,
    plane: usize,
    first: usize,
) -> [[W; G]; C] {
    let rows: [&[u32]; G] = core::array::from_fn(|g| a.line(g, plane));
    let columns = b.line(0, plane);
    assert!(first + C <= LINES && rows.iter().all(|rows| rows.len() == columns.len()));
    let mut sums = [[W::splat(0); G]; C];
    for word in (0..columns.len()).step_by(LINES) {
        // SAFETY: all lines have the same length, a multiple of 16, which `word` is below by 16 at least.
        #[allow(unsafe_code)]
        let (rows, columns) = unsafe {
            let rows: [W; G] = core::array::from_fn(|g| W::load(rows[g].as_ptr().add(word)));
            (rows, columns.get_unchecked(word + first..word + first + C))
        };
        for (sums, &x) in sums.iter_mut().zip(columns) {
            let x = W::splat(x as i32);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = sum.dot_bytes(row, x);
            }
        }
    }
    sums
}
