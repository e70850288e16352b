//! Integers from residues: products of the residues with the bytes of what the Chinese remainder
//! theorem multiplies them by.

use nonius_num::Lane;
use nonius_num::rns::Crt;

use super::super::layout::ROWS;
use super::super::layout::{Digits, LINES};
use super::channel::Channel;
use super::level::dispatch;
use super::words::{Kernel, Words};
use crate::cpu::simd;
use crate::cpu::simd::prefetch::prefetch;

/// Groups of rows that are computed together.
const GROUPS: usize = ROWS / LINES;
/// Bytes of integers whose sums are kept in registers together.
const BYTES: usize = 4;

/// What residues are multiplied by.
///
/// A residue is at most 128 in magnitude, and [`Moduli::bytes_and_halves`] has at most 1783 planes:
/// sums for a byte stay below `2^26`, and integers below `2^18·M`, as
/// [`Crt::remainder_digits`] asks for.
///
/// [`Moduli::bytes_and_halves`]: nonius_num::rns::Moduli::bytes_and_halves
pub(super) struct Sums {
    /// Words of four planes of a product, the last one filled up with zeros.
    quads: usize,
    /// Bytes of an integer.
    bytes: usize,
    planes: usize,
    /// For each byte of an integer and each four planes a word of the weights' bytes.
    weights: Vec<u32>,
}

impl Sums {
    pub(super) fn new(crt: &Crt, channels: &[Channel]) -> Self {
        let mut numbers = Vec::new();
        for (index, channel) in channels.iter().enumerate() {
            numbers.push(crt.basis_bytes(index, 1));
            if channel.is_large() {
                numbers.push(crt.basis_bytes(index, 256));
            }
        }
        let (planes, bytes) = (numbers.len(), crt.product_bytes().len());
        let quads = planes.div_ceil(4);
        numbers.resize(4 * quads, vec![0; bytes]);
        let word = |byte: usize, quad: usize| {
            u32::from_le_bytes(core::array::from_fn(|i| numbers[4 * quad + i][byte]))
        };
        let weights = (0..bytes).flat_map(|byte| (0..quads).map(move |quad| (byte, quad)));
        let weights = weights.map(|(byte, quad)| word(byte, quad)).collect();
        Self { quads, bytes, planes, weights }
    }

    /// See [`Unit::digits`](super::super::unit::Unit::digits).
    pub(super) fn digits(
        &self,
        crt: &Crt,
        residues: &[i8],
        apart: usize,
        rows: usize,
        to: &mut Digits,
    ) {
        to.words.resize(self.quads * ROWS, 0);
        to.sums.resize(self.bytes * ROWS, 0);
        to.digits.resize(crt.digit_count() * ROWS, 0.0);
        let Digits { digits, words, sums } = to;
        let groups = rows.div_ceil(LINES);
        dispatch(Dot { sums: self, residues, apart, groups, quads: words, to: sums });
        simd::dispatch(Carry { crt, sums, to: digits });
    }
}

/// Sums of products for each byte.
struct Dot<'a> {
    sums: &'a Sums,
    residues: &'a [i8],
    apart: usize,
    groups: usize,
    quads: &'a mut [u32],
    to: &'a mut [i32],
}

impl Kernel for Dot<'_> {
    #[inline(always)]
    fn run<W: Words>(self) {
        let Self { sums, residues, apart, groups, quads, to } = self;
        for (quad, to) in quads.chunks_exact_mut(ROWS).enumerate() {
            for g in 0..groups {
                let bytes = core::array::from_fn(|i| match 4 * quad + i {
                    plane if plane < sums.planes => {
                        let at = plane * apart + g * LINES;
                        // These residues come from far away, and from as many places as there are
                        // planes.
                        if let Some(next) = residues.get(at + 2 * ROWS).filter(|_| g == 0) {
                            prefetch(next);
                        }
                        W::load_bytes(&residues[at..])
                    }
                    _ => W::splat(0),
                });
                W::joined(bytes).store(&mut to[g * LINES..]);
            }
        }
        let size = sums.quads;
        let mut places = to.chunks_exact_mut(BYTES * ROWS);
        let mut weights = sums.weights.chunks_exact(BYTES * size);
        for (to, weights) in (&mut places).zip(&mut weights) {
            let weights = core::array::from_fn(|i| &weights[i * size..][..size]);
            dot::<W, BYTES>(quads, weights, to);
        }
        let places = places.into_remainder().chunks_exact_mut(ROWS);
        for (to, weights) in places.zip(weights.remainder().chunks_exact(size)) {
            dot::<W, 1>(quads, [weights], to);
        }
    }
}

#[inline(always)]
fn dot<W: Words, const B: usize>(quads: &[u32], weights: [&[u32]; B], to: &mut [i32]) {
    let mut sums = [[W::splat(0); GROUPS]; B];
    for (q, quad) in quads.chunks_exact(ROWS).enumerate() {
        // SAFETY: the slice holds four times sixteen words.
        #[allow(unsafe_code)]
        let bytes: [W; GROUPS] =
            core::array::from_fn(|g| unsafe { W::load(quad[g * LINES..].as_ptr()) });
        for (sums, weights) in sums.iter_mut().zip(weights) {
            let weight = W::splat(weights[q] as i32);
            for (sum, bytes) in sums.iter_mut().zip(bytes) {
                *sum = sum.dot_bytes(weight, bytes);
            }
        }
    }
    for (sums, to) in sums.into_iter().zip(to.chunks_exact_mut(ROWS)) {
        for (sum, to) in sums.into_iter().zip(to.chunks_exact_mut(LINES)) {
            sum.store_signed(to);
        }
    }
}

/// Digits from the sums for each byte.
struct Carry<'a> {
    crt: &'a Crt,
    sums: &'a [i32],
    to: &'a mut [f64],
}

impl simd::Kernel for Carry<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        match L::LANES {
            8 => self.carry::<2, L>(),
            _ => self.carry::<1, L>(),
        }
    }
}

impl Carry<'_> {
    #[inline(always)]
    fn carry<const V: usize, L: Lane>(self) {
        let Self { crt, sums, to } = self;
        let count = crt.digit_count();
        let mut columns = vec![[L::splat(0.0); V]; 2 * count];
        let mut digits = vec![[L::splat(0.0); V]; count];
        for first in (0..ROWS).step_by(V * L::LANES) {
            for (column, sums) in columns.iter_mut().zip(sums.chunks_exact(3 * ROWS)) {
                for (v, column) in column.iter_mut().enumerate() {
                    let byte = |i: usize| {
                        let at = i * ROWS + first + v * L::LANES;
                        L::load_integers(&sums[at..])
                    };
                    let sum = byte(1).mul_add(L::splat(256.0), byte(0));
                    *column = byte(2).mul_add(L::splat(65_536.0), sum);
                }
            }
            crt.remainder_digits(&columns, &mut digits);
            for (digits, to) in digits.iter().zip(to.chunks_exact_mut(ROWS)) {
                for (v, digit) in digits.iter().enumerate() {
                    digit.store(&mut to[first + v * L::LANES..]);
                }
            }
        }
    }
}
