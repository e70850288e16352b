//! Products of planes in `f64`.

use nonius_num::Lane;

use super::super::block::{Block, Place, Terms};
use super::super::layout::LINES;
use super::channel::Channel;
use crate::cpu::simd::Kernel;

/// Terms whose sum is exact, on top of some residues: moduli are odd, and chosen for sums of this
/// many terms of `m²/4`.
pub(super) const MOST_DEPTH: usize = 1024;

/// See [`Unit::multiply`](super::super::unit::Unit::multiply).
pub(super) struct Multiply<'a> {
    pub(super) channel: &'a Channel,
    pub(super) a: Block<'a, f64>,
    pub(super) b: Block<'a, f64>,
    pub(super) c: &'a mut [i32],
    pub(super) place: Place,
    pub(super) terms: Terms<'a, i32>,
}

impl Kernel for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(mut self) {
        // As many sums as the registers hold: 16 rows by 8 columns, 8 by 4, 1 by 4.
        match L::LANES {
            8 => self.blocks::<L, 2, 8>(),
            4 => self.blocks::<L, 2, 4>(),
            _ => self.blocks::<L, 1, 4>(),
        }
    }
}

impl Multiply<'_> {
    #[inline(always)]
    fn blocks<L: Lane, const MR: usize, const NR: usize>(&mut self) {
        let Self { a, b, .. } = *self;
        let blocks = a.depth.div_ceil(MOST_DEPTH).max(1);
        let step = a.depth.div_ceil(blocks).max(1);
        for start in (0..a.depth).step_by(step) {
            let depth = start..a.depth.min(start + step);
            for i in 0..a.groups {
                let rows = a.part(i..i + 1, depth.clone()).line(0, 0);
                for j in 0..b.groups {
                    let columns = b.part(j..j + 1, depth.clone()).line(0, 0);
                    for row in (0..LINES).step_by(MR * L::LANES) {
                        for column in (0..LINES).step_by(NR) {
                            let at = [i * LINES + row, j * LINES + column];
                            self.tile::<L, MR, NR>(&rows[row..], &columns[column..], at);
                        }
                    }
                }
            }
            self.terms = Terms::ITSELF;
        }
    }

    #[inline(always)]
    fn tile<L: Lane, const MR: usize, const NR: usize>(
        &mut self,
        a: &[f64],
        b: &[f64],
        [row, column]: [usize; 2],
    ) {
        let mut sums = [[L::splat(0.0); MR]; NR];
        for (a, b) in a.chunks(LINES).zip(b.chunks(LINES)) {
            let mut rows = [L::splat(0.0); MR];
            for (r, to) in rows.iter_mut().enumerate() {
                *to = L::load(&a[r * L::LANES..]);
            }
            for (sums, &x) in sums.iter_mut().zip(&b[..NR]) {
                for (sum, &row) in sums.iter_mut().zip(&rows) {
                    *sum = row.mul_add(L::splat(x), *sum);
                }
            }
        }
        for (j, sums) in sums.into_iter().enumerate() {
            for (r, mut sum) in sums.into_iter().enumerate() {
                let (row, column) = (row + r * L::LANES, column + j);
                for term in self.terms.others {
                    sum = sum + L::load_integers(&term.residues[term.place.at(row, column)..]);
                }
                let to = &mut self.c[self.place.at(row, column)..];
                if self.terms.itself {
                    sum = sum + L::load_integers(to);
                }
                store(self.channel.reduce(sum), to);
            }
        }
    }
}

/// Writes integers.
#[inline(always)]
pub(super) fn store<L: Lane>(x: L, to: &mut [i32]) {
    /// An integer that is added to it stands in the lowest bits.
    const ANCHOR: f64 = 6_755_399_441_055_744.0; // 1.5·2^52
    let mut bits = [0.0; 8];
    (x + L::splat(ANCHOR)).store(&mut bits);
    for (to, bits) in to[..L::LANES].iter_mut().zip(bits) {
        *to = bits.to_bits() as i32;
    }
}
