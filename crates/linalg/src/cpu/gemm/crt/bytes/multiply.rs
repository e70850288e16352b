//! Products of planes.

use super::super::block::{Block, Place, Term, Terms};
use super::super::layout::LINES;
use super::channel::{Channel, Reduction};
use super::words::{Dot, Kernel, OfBytes, OfHalves, Words, unrolled};

/// See [`Unit::multiply`](super::super::unit::Unit::multiply).
pub(super) struct Multiply<'a> {
    pub(super) channel: &'a Channel,
    pub(super) a: Block<'a, u32>,
    pub(super) b: Block<'a, u32>,
    pub(super) c: &'a mut [i8],
    pub(super) place: Place,
    pub(super) terms: Terms<'a, i8>,
}

impl Kernel for Multiply<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { channel, a, b, c, place, mut terms } = self;
        let blocks = a.depth.div_ceil(channel.most_places / 4).max(1);
        let step = a.depth.div_ceil(blocks);
        for start in (0..a.depth.max(1)).step_by(step.max(1)) {
            let depth = start..a.depth.min(start + step);
            let [a, b] = [(a, a.groups), (b, b.groups)]
                .map(|(block, groups)| block.part(0..groups, depth.clone()));
            let mut at = 0;
            while at < a.groups {
                // As many groups of rows at a time as registers hold sums of.
                let groups = (W::GROUPS).min(a.groups - at);
                for j in 0..b.groups {
                    let mut tile = Tile {
                        channel,
                        b: b.part(j..j + 1, 0..b.depth),
                        c: &mut *c,
                        place,
                        terms,
                        row: at * LINES,
                        column: j * LINES,
                    };
                    let a = a.part(at..at + groups, 0..a.depth);
                    match (groups, W::COLUMNS) {
                        (2, 8) => tile.run::<W, 2, 8>(a),
                        (_, 8) => tile.run::<W, 1, 8>(a),
                        (_, 4) => tile.run::<W, 1, 4>(a),
                        _ => tile.run::<W, 1, 1>(a),
                    }
                }
                at += groups;
            }
            terms = Terms::ITSELF;
        }
    }
}

/// Some groups of rows by one of columns.
struct Tile<'a> {
    channel: &'a Channel,
    b: Block<'a, u32>,
    c: &'a mut [i8],
    place: Place,
    terms: Terms<'a, i8>,
    /// Where it begins in the place.
    row: usize,
    column: usize,
}

impl Tile<'_> {
    /// `G` groups by one, `C` columns at a time.
    #[inline(always)]
    fn run<W: Words, const G: usize, const C: usize>(&mut self, a: Block<'_, u32>) {
        let Self { channel, b, place, terms, row, column, .. } = *self;
        let large = channel.is_large();
        for first in (0..LINES).step_by(C) {
            let base = if large { 0 } else { Reduction::BASE };
            let mut sums = [[W::splat(base); G]; C];
            if large {
                sums = add_products::<W, OfHalves, G, C>(sums, [a, b], 0, first);
                sums = add_products::<W, OfHalves, G, C>(sums, [a, b], 1, first);
            } else {
                sums = add_products::<W, OfBytes, G, C>(sums, [a, b], 0, first);
            }
            let at = [row, column + first];
            for &term in terms.others {
                add_residues(&mut sums, term, at, large);
            }
            if terms.itself {
                add_residues(&mut sums, Term { residues: self.c, place }, at, large);
            }
            write_residues(&sums, channel, self.c, place, at);
        }
    }
}

/// Adds products of `G` groups of rows and `C` columns, from column `first` of a group on, in a
/// plane.
#[inline(always)]
fn add_products<W: Words, D: Dot, const G: usize, const C: usize>(
    mut sums: [[W; G]; C],
    [a, b]: [Block<'_, u32>; 2],
    plane: usize,
    first: usize,
) -> [[W; G]; C] {
    let rows: [&[u32]; G] = core::array::from_fn(|g| a.line(g, plane));
    let columns = b.line(0, plane);
    assert!(first + C <= LINES && rows.iter().all(|rows| rows.len() == columns.len()));
    for word in (0..columns.len()).step_by(LINES) {
        // SAFETY: all lines have the same length, a multiple of 16, which `word` is below by 16 at
        // least.
        #[allow(unsafe_code)]
        let (rows, columns) = unsafe {
            let rows: [W; G] = core::array::from_fn(|g| W::load(rows[g].as_ptr().add(word)));
            (rows, columns.get_unchecked(word + first..word + first + C))
        };
        for (sums, &x) in sums.iter_mut().zip(columns) {
            let x = W::splat(x as i32);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = D::add(*sum, row, x);
            }
        }
    }
    sums
}

/// Adds residues that stand from a row and column of a rectangle on.
#[inline(always)]
fn add_residues<W: Words, const G: usize, const C: usize>(
    sums: &mut [[W; G]; C],
    Term { residues, place }: Term<'_, i8>,
    [row, column]: [usize; 2],
    large: bool,
) {
    let low = &residues[place.at(row, column)..];
    unrolled!(j < C, {
        let low = &low[j * place.column..][..G * LINES];
        for (sum, low) in sums[j].iter_mut().zip(low.chunks_exact(LINES)) {
            *sum = sum.add(W::load_bytes(low));
        }
    });
    if large {
        let high = &low[place.plane..];
        unrolled!(j < C, {
            let high = &high[j * place.column..][..G * LINES];
            for (sum, high) in sums[j].iter_mut().zip(high.chunks_exact(LINES)) {
                *sum = sum.add(W::load_bytes(high).shift_left::<8>());
            }
        });
    }
}

/// Reduces sums and writes them from a row and column of a rectangle on.
#[inline(always)]
fn write_residues<W: Words, const G: usize, const C: usize>(
    sums: &[[W; G]; C],
    channel: &Channel,
    c: &mut [i8],
    place: Place,
    [row, column]: [usize; 2],
) {
    let c = &mut c[place.at(row, column)..];
    if !channel.is_large() {
        unrolled!(j < C, {
            let to = &mut c[j * place.column..][..G * LINES];
            for (&sum, to) in sums[j].iter().zip(to.chunks_exact_mut(LINES)) {
                channel.reduction.residue_of_bytes(sum).store_bytes(to);
            }
        });
        return;
    }
    let (low, high) = c.split_at_mut(place.plane);
    unrolled!(j < C, {
        let low = &mut low[j * place.column..][..G * LINES];
        let high = &mut high[j * place.column..][..G * LINES];
        let to = low.chunks_exact_mut(LINES).zip(high.chunks_exact_mut(LINES));
        for (&sum, (low, high)) in sums[j].iter().zip(to) {
            let x = channel.reduction.residue_of_halves(sum);
            x.store_bytes(low);
            x.add(W::splat(128)).shift_right::<8>().store_bytes(high);
        }
    });
}
