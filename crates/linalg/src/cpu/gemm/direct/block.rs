//! One rectangle of `C`, computed by one thread.

use core::ops::Range;

use nonius_num::Lane;

use super::super::entries::Entries;
use super::pack;
use super::tile::{Sums, add_panels, period};
use crate::Scalar;
use crate::accumulate::normalized::{Cray, Ieee, IeeeSloppy, Sloppy};
use crate::accumulate::{Accumulator, Sum};
use crate::cpu::simd::Kernel;
use crate::cpu::workspace::Buffer;
use crate::dense::gemm::Arithmetic;
use crate::scalar::Pack;

/// Steps of `k` whose panels are packed at a time.
const K_BLOCK: usize = 256;

/// The entries of `C` in `rows × columns`.
pub(super) struct Block<'a, T: Scalar> {
    /// No other thread has entries of this block.
    pub(super) entries: Entries<'a, T>,
    /// One that exists for `T`.
    pub(super) arithmetic: Arithmetic,
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

impl<T: Scalar> Kernel for Block<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        match T::LIMBS {
            1 => match self.arithmetic {
                Arithmetic::Delayed => self.f64::<L, Accumulator<1, L>>(),
                _ => self.f64::<L, Ieee<1, L>>(),
            },
            2 => match self.arithmetic {
                Arithmetic::Delayed => self.dd::<L, Accumulator<2, L>>(),
                Arithmetic::Ieee => self.dd::<L, Ieee<2, L>>(),
                Arithmetic::IeeeSloppy => self.dd::<L, IeeeSloppy<L>>(),
                Arithmetic::Cray => self.dd::<L, Cray<L>>(),
                Arithmetic::Sloppy => self.dd::<L, Sloppy<L>>(),
            },
            3 => match self.arithmetic {
                Arithmetic::Delayed => self.compute::<3, L, Accumulator<3, L>, 1, 4>(),
                _ => self.compute::<3, L, Ieee<3, L>, 1, 4>(),
            },
            _ => match self.arithmetic {
                Arithmetic::Delayed => self.compute::<4, L, Accumulator<4, L>, 1, 2>(),
                _ => self.compute::<4, L, Ieee<4, L>, 1, 2>(),
            },
        }
    }
}

// Rows in registers and columns: as many sums as the registers hold, by measurement.

impl<T: Scalar> Block<'_, T> {
    #[inline(always)]
    fn f64<L: Lane, S: Sum<1, L>>(self) {
        match L::LANES {
            8 => self.compute::<1, L, S, 3, 8>(),
            _ => self.compute::<1, L, S, 2, 6>(),
        }
    }

    #[inline(always)]
    fn dd<L: Lane, S: Sum<2, L>>(self) {
        match L::LANES {
            8 => self.compute::<2, L, S, 2, 4>(),
            _ => self.compute::<2, L, S, 1, 4>(),
        }
    }

    #[inline(always)]
    fn compute<const N: usize, L: Lane, S: Sum<N, L>, const MR: usize, const NR: usize>(self) {
        const { assert!(K_BLOCK.is_multiple_of(period::<N, L, S>())) };
        let k = self.entries.a.inner();
        let height = MR * L::LANES;
        let k_block = k.min(K_BLOCK);
        let (panels_a, panels_b) =
            (self.rows.len().div_ceil(height), self.columns.len().div_ceil(NR));
        let length_a = panels_a * height * N * k_block;
        let length_b = panels_b * NR * N * k_block;
        // Sums rest here between blocks of `k`.
        let tile = height * NR * N;
        let length_sums = if k > K_BLOCK { panels_a * panels_b * tile } else { 0 };
        let mut buffer = Buffer::new(length_a + length_b + length_sums);
        let (buffer_a, rest) = buffer.split_at_mut(length_a);
        let (buffer_b, resting) = rest.split_at_mut(length_b);
        for k_start in (0..k).step_by(K_BLOCK) {
            let ks = k_start..k.min(k_start + K_BLOCK);
            let last = ks.end == k;
            let (size_a, size_b) = (height * N * ks.len(), NR * N * ks.len());
            let packed_a = &mut buffer_a[..panels_a * size_a];
            let packed_b = &mut buffer_b[..panels_b * size_b];
            pack::rows(self.entries.a, self.rows.clone(), ks.clone(), height, packed_a);
            pack::columns(self.entries.b, ks, self.columns.clone(), NR, packed_b);
            let mut tiles = resting.chunks_exact_mut(tile);
            let columns = self.columns.clone().step_by(NR);
            for (panel_b, j) in packed_b.chunks_exact(size_b).zip(columns) {
                let rows = self.rows.clone().step_by(height);
                for (panel_a, i) in packed_a.chunks_exact(size_a).zip(rows) {
                    let resting = tiles.next();
                    if !self.entries.part.meets(i..i + height, j..j + NR) {
                        continue;
                    }
                    let sums: Sums<S, MR, NR> = match &resting {
                        Some(resting) if k_start > 0 => load::<N, L, S, MR, NR>(resting),
                        _ => [[S::new(); MR]; NR],
                    };
                    let sums = add_panels::<N, L, S, MR, NR>(panel_a, panel_b, sums);
                    match resting {
                        Some(resting) if !last => store::<N, L, S, MR, NR>(&sums, resting),
                        _ => self.finish::<N, L, S, MR, NR>(&sums, i, j),
                    }
                }
            }
        }
    }

    /// Writes the entries of `C` from the sums of the tile whose first is `(i, j)`.
    #[inline(always)]
    fn finish<const N: usize, L: Lane, S: Sum<N, L>, const MR: usize, const NR: usize>(
        &self,
        sums: &Sums<S, MR, NR>,
        i: usize,
        j: usize,
    ) {
        for (column, sums) in (j..self.columns.end).zip(sums) {
            for (first, sum) in (i..self.rows.end).step_by(L::LANES).zip(sums) {
                let sum = sum.normalized();
                let sum = T::Pack::<L>::from_limbs(|l| sum[l]);
                self.entries.write::<L>(sum, first, self.rows.end, column);
            }
        }
    }
}

#[inline(always)]
fn load<const N: usize, L: Lane, S: Sum<N, L>, const MR: usize, const NR: usize>(
    from: &[f64],
) -> Sums<S, MR, NR> {
    core::array::from_fn(|j| {
        core::array::from_fn(|r| {
            let place = |l: usize| ((j * MR + r) * N + l) * L::LANES;
            S::from_limbs(core::array::from_fn(|l| L::load(&from[place(l)..])))
        })
    })
}

#[inline(always)]
fn store<const N: usize, L: Lane, S: Sum<N, L>, const MR: usize, const NR: usize>(
    sums: &Sums<S, MR, NR>,
    to: &mut [f64],
) {
    let limbs = sums.iter().flatten().flat_map(|sum| sum.limbs());
    for (to, limb) in to.chunks_exact_mut(L::LANES).zip(limbs) {
        limb.store(to);
    }
}
