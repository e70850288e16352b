//! Residues of integers: products of the integers' bytes, or halves of words, with the residues of
//! the powers of 256, or of 2^16.

use core::ops::Range;

use nonius_num::rns::Moduli;

use super::super::layout::{LINES, Side};
use super::channel::{Channel, balanced, halves};
use super::words::{Dot, Kernel, OfBytes, OfHalves, Words, unrolled};
use crate::cpu::gemm::crt::source;

/// Words of an integer after which a sum of products of bytes is reduced, so that it stays below
/// `2^22`, and its quotient by the modulus below `2^14`: the quotient's error before it is rounded
/// is below `2^-9`, and less than half the modulus's reciprocal.
const CHUNK: usize = 16;

/// Moduli whose sums are kept in registers together, where there are many registers: products with
/// fewer would wait for one another.
const TOGETHER: usize = 4;

/// What integers are multiplied with.
pub(super) struct Weights {
    /// Words of an integer.
    words: usize,
    /// For each channel and word the residues of four powers of 256, as signed bytes; for a large
    /// modulus those of two powers of `2^16`, as signed halves.
    residues: Vec<u32>,
    /// For each channel the residue of what takes back that highest bits are inverted.
    starts: Vec<i32>,
}

impl Weights {
    pub(super) fn new(moduli: &Moduli, bits: u32) -> Self {
        let words = source::words(bits);
        let (mut residues, mut starts) = (Vec::new(), Vec::new());
        for &m in moduli.values() {
            let modulus = m as i32;
            let powers = |base: i64| {
                let next = move |&power: &i32| Some(balanced(i64::from(power) * base, modulus));
                core::iter::successors(Some(1), next)
            };
            if m > Moduli::LARGEST_OF_ONE_BYTE {
                let powers: Vec<i32> = powers(1 << 16).take(2 * words).collect();
                let pair = |powers: &[i32]| halves(powers[0], powers[1]) as u32;
                residues.extend(powers.chunks_exact(2).map(pair));
                // Each half but the highest, which has a sign, weighs 2^15 less than it should.
                let below: i64 = powers[..2 * words - 1].iter().copied().map(i64::from).sum();
                starts.push(balanced(below << 15, modulus));
            } else {
                let powers: Vec<i32> = powers(256).take(4 * words).collect();
                let four =
                    |powers: &[i32]| u32::from_le_bytes(core::array::from_fn(|i| powers[i] as u8));
                residues.extend(powers.chunks_exact(4).map(four));
                // The highest bit weighs 128·256^(4·words − 1) more than it should.
                starts.push(balanced(-128 * i64::from(powers[4 * words - 1]), modulus));
            }
        }
        Self { words, residues, starts }
    }

    /// The residues for some channels.
    #[inline(always)]
    fn of<const C: usize>(&self, first: usize) -> [&[u32]; C] {
        core::array::from_fn(|c| &self.residues[(first + c) * self.words..][..self.words])
    }
}

/// See [`Unit::pack`](super::super::unit::Unit::pack).
pub(super) struct Pack<'a, 'b> {
    pub(super) channels: &'a [Channel],
    pub(super) weights: &'a Weights,
    pub(super) side: Side,
    pub(super) integers: &'a mut [u32],
    pub(super) words: Range<usize>,
    pub(super) to: &'a mut [&'b mut [u32]],
}

impl Kernel for Pack<'_, '_> {
    #[inline(always)]
    fn run<W: Words>(mut self) {
        let place = self.weights.words * LINES;
        for place in self.integers.chunks_exact_mut(place) {
            for word in &mut place[(self.weights.words - 1) * LINES..] {
                *word ^= 1 << 31;
            }
        }
        // One byte comes before two: see [`Moduli::bytes_and_halves`].
        let small = self.channels.partition_point(|channel| !channel.is_large());
        let mut first = 0;
        while first + TOGETHER <= small && W::GROUPS > 1 {
            self.small::<W, TOGETHER>(first);
            first += TOGETHER;
        }
        for channel in first..small {
            self.small::<W, 1>(channel);
        }
        if small < self.channels.len() {
            self.halves::<W>(small);
        }
        W::after_stores_past();
    }
}

impl Pack<'_, '_> {
    /// The residues modulo all larger numbers, which come after `small` small ones.
    #[inline(always)]
    fn halves<W: Words>(&mut self, small: usize) {
        // Now halves are signed, of which the highest was so from the beginning.
        for word in self.integers.iter_mut() {
            *word ^= 0x8000_8000;
        }
        let mut first = small;
        while first + TOGETHER <= self.channels.len() && W::GROUPS > 1 {
            self.large::<W, TOGETHER>(first);
            first += TOGETHER;
        }
        for channel in first..self.channels.len() {
            self.large::<W, 1>(channel);
        }
    }

    /// The residues modulo some of the numbers up to 256, from a channel on.
    #[inline(always)]
    fn small<W: Words, const C: usize>(&mut self, first: usize) {
        let Self { channels, weights, side, ref integers, ref words, .. } = *self;
        let (size, residues) = (weights.words, weights.of::<C>(first));
        for (integers, word) in integers.chunks_exact(4 * size * LINES).zip(words.clone()) {
            let mut sums: [[W; 4]; C] =
                core::array::from_fn(|c| [W::splat(weights.starts[first + c]); 4]);
            for from in (0..size).step_by(CHUNK) {
                if from > 0 {
                    unrolled!(c < C, {
                        let reduction = &channels[first + c].reduction;
                        let [x, y, z, w] = sums[c];
                        sums[c] = [
                            reduction.reduced(x, 0.0),
                            reduction.reduced(y, 0.0),
                            reduction.reduced(z, 0.0),
                            reduction.reduced(w, 0.0),
                        ];
                    });
                }
                let chunk = residues.map(|residues| &residues[from..size.min(from + CHUNK)]);
                sums = add_products::<W, OfBytes, C>(sums, integers, size, from, chunk);
            }
            unrolled!(c < C, {
                let Channel { reduction, planes, .. } = &channels[first + c];
                let shift = reduction.shift(side);
                let [x, y, z, w] = sums[c];
                let residues = [
                    reduction.reduced(x, shift),
                    reduction.reduced(y, shift),
                    reduction.reduced(z, shift),
                    reduction.reduced(w, shift),
                ];
                W::joined(residues).store_past(&mut self.to[planes.start][word * LINES..]);
            });
        }
    }

    /// The residues modulo some larger numbers, from a channel on.
    #[inline(always)]
    fn large<W: Words, const C: usize>(&mut self, first: usize) {
        let Self { channels, weights, ref integers, ref words, .. } = *self;
        let (size, residues) = (weights.words, weights.of::<C>(first));
        // The first modulus is the largest: sums of products of halves stay below 2^31.
        let chunk = (((1 << 16) - 2) / channels[first].modulus() as usize).max(1);
        for (integers, word) in integers.chunks_exact(4 * size * LINES).zip(words.clone()) {
            let mut sums: [[W; 4]; C] =
                core::array::from_fn(|c| [W::splat(weights.starts[first + c]); 4]);
            for from in (0..size).step_by(chunk) {
                let part = residues.map(|residues| &residues[from..size.min(from + chunk)]);
                sums = add_products::<W, OfHalves, C>(sums, integers, size, from, part);
                unrolled!(c < C, {
                    let reduction = &channels[first + c].reduction;
                    let [x, y, z, w] = sums[c];
                    sums[c] = [
                        reduction.residue_of_halves(x),
                        reduction.residue_of_halves(y),
                        reduction.residue_of_halves(z),
                        reduction.residue_of_halves(w),
                    ];
                });
            }
            unrolled!(c < C, {
                let to = &mut self.to[channels[first + c].planes.clone()];
                let [x, y, z, w] = sums[c];
                W::paired(x, y).store_past(&mut to[0][word * LINES..]);
                W::paired(z, w).store_past(&mut to[1][word * LINES..]);
            });
        }
    }
}

/// `sums[c][p] += Σ parts·weights[c]` for four places.
#[inline(always)]
fn add_products<W: Words, D: Dot, const C: usize>(
    mut sums: [[W; 4]; C],
    integers: &[u32],
    words: usize,
    from: usize,
    weights: [&[u32]; C],
) -> [[W; 4]; C] {
    let count = weights[0].len();
    assert!(integers.len() == 4 * words * LINES && from + count <= words);
    assert!(weights.iter().all(|weights| weights.len() == count));
    for w in 0..count {
        let parts: [W; 4] = core::array::from_fn(|p| {
            // SAFETY: the integers of four places are there, `words` words each.
            #[allow(unsafe_code)]
            unsafe {
                W::load(integers.as_ptr().add((p * words + from + w) * LINES))
            }
        });
        for (sums, weights) in sums.iter_mut().zip(weights) {
            let weight = W::splat(weights[w] as i32);
            for (sum, parts) in sums.iter_mut().zip(parts) {
                *sum = D::add(*sum, parts, weight);
            }
        }
    }
    sums
}
