//! Products of integers in `f64`, exact as long as their sums stay below `2^53`.

use nonius_num::Lane;
use nonius_num::rns::{Moduli, ModuliError, Sign};

use super::unit::{LINES, PAIR, Unit};
use crate::cpu::simd::{Kernel, dispatch};

/// Fused multiply-adds of `f64`.
pub(super) struct Floats;

impl Unit for Floats {
    type Word = f64;
    type Sum = f64;

    const DEPTH: usize = 1;
    const TERMS: usize = 4095;
    const LEFT: Sign = Sign::Balanced;
    const RIGHT: Sign = Sign::Balanced;

    fn moduli(bits: f64, k: usize) -> Result<Moduli, ModuliError> {
        // One more term for the residue that the sum begins with.
        Moduli::floats(bits, k.min(Self::TERMS) + 1)
    }

    fn takes_digits(_: u32) -> bool {
        false
    }

    #[inline(always)]
    fn store<L: Lane>(residues: &[L], _: Sign, to: &mut [f64]) {
        residues[0].store(to);
    }

    fn multiply(a: [&[f64]; PAIR], b: &[f64], sums: &mut [f64], stride: usize) {
        for (half, a) in a.into_iter().enumerate() {
            dispatch(Tile { a, b, sums: &mut sums[half * LINES..], stride });
        }
    }

    #[inline(always)]
    fn load<L: Lane>(from: &[f64]) -> L {
        L::load(from)
    }

    #[inline(always)]
    fn keep<L: Lane>(x: L, to: &mut [f64]) {
        x.store(to);
    }
}

/// 16 rows by 16 columns.
struct Tile<'a> {
    a: &'a [f64],
    b: &'a [f64],
    sums: &'a mut [f64],
    stride: usize,
}

impl Kernel for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(mut self) {
        // As many sums as the registers hold: 16 rows by 8 columns, 8 by 4, 1 by 4.
        match L::LANES {
            8 => self.columns::<L, 2, 8>(),
            4 => self.columns::<L, 2, 4>(),
            _ => self.columns::<L, 1, 4>(),
        }
    }
}

impl Tile<'_> {
    #[inline(always)]
    fn columns<L: Lane, const MR: usize, const NR: usize>(&mut self) {
        for row in (0..LINES).step_by(MR * L::LANES) {
            for column in (0..LINES).step_by(NR) {
                let mut sums = [[L::splat(0.0); MR]; NR];
                for (j, sums) in sums.iter_mut().enumerate() {
                    for (r, sum) in sums.iter_mut().enumerate() {
                        *sum =
                            L::load(&self.sums[(column + j) * self.stride + row + r * L::LANES..]);
                    }
                }
                for (a, b) in self.a.chunks_exact(LINES).zip(self.b.chunks_exact(LINES)) {
                    let mut rows = [L::splat(0.0); MR];
                    for (r, to) in rows.iter_mut().enumerate() {
                        *to = L::load(&a[row + r * L::LANES..]);
                    }
                    for (sums, &x) in sums.iter_mut().zip(&b[column..column + NR]) {
                        for (sum, &row) in sums.iter_mut().zip(&rows) {
                            *sum = row.mul_add(L::splat(x), *sum);
                        }
                    }
                }
                for (j, sums) in sums.iter().enumerate() {
                    for (r, sum) in sums.iter().enumerate() {
                        sum.store(
                            &mut self.sums[(column + j) * self.stride + row + r * L::LANES..],
                        );
                    }
                }
            }
        }
    }
}
