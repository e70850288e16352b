//! Residues of integers: products of the integers' bytes with the residues of the powers of 256.

use core::ops::Range;

use nonius_num::rns::Moduli;

use super::super::layout::{LINES, Side};
use super::channel::{Channel, balanced, halves};
use super::words::{Kernel, Words};
use crate::cpu::gemm::crt::source;

/// Words of an integer after which a sum is reduced, so that it stays below `2^22`, or for two digits `2^28`, and its quotient by the modulus below
/// `2^14`: the quotient's error before it is rounded is below `2^-9`, and less than half the modulus's reciprocal for a modulus up to 256.
const CHUNK: usize = 16;

/// Small moduli whose sums are kept in registers together, where these are many: products with
/// fewer would wait for one another.
const TOGETHER: usize = 4;

/// What integers are multiplied with.
pub(super) struct Weights {
    /// Words of an integer.
    words: usize,
    /// For each channel and word the residues of four powers of 256, as signed bytes; for a large modulus those of their lower digits to base
    /// 128, then of their higher ones.
    bytes: Vec<u32>,
    /// For each channel the residue of what takes back that integers' highest bits are inverted.
    starts: Vec<i32>,
}

impl Weights {
    pub(super) fn new(moduli: &Moduli, bits: u32) -> Self {
        let words = source::words(bits);
        let (mut bytes, mut starts) = (Vec::new(), Vec::new());
        for &m in moduli.values() {
            let modulus = m as i32;
            let mut power = 1;
            let mut next = || {
                let this = power;
                power = balanced(i64::from(power) * 256, modulus);
                this
            };
            let powers: Vec<i32> = (0..4 * words).map(|_| next()).collect();
            let word = |digit: fn(i32) -> i32| {
                let pack = move |powers: &[i32]| {
                    u32::from_le_bytes(core::array::from_fn(|i| digit(powers[i]) as u8))
                };
                powers.chunks_exact(4).map(pack)
            };
            if m > Moduli::LARGEST_OF_ONE_BYTE {
                bytes.extend(word(low_digit));
                bytes.extend(word(|x| (x - low_digit(x)) >> 7));
            } else {
                bytes.extend(word(|x| x));
            }
            // The highest bit weighs 128·256^(4·words − 1) more than it should.
            starts.push(balanced(-128 * i64::from(powers[4 * words - 1]), modulus));
        }
        Self { words, bytes, starts }
    }
}

/// The lower balanced digit to base 128.
fn low_digit(x: i32) -> i32 {
    (x + 64).rem_euclid(128) - 64
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
        // One byte comes before two digits: see [`Moduli::bytes`].
        let small = self.channels.partition_point(|channel| !channel.large);
        let mut first = 0;
        while first + TOGETHER <= small && W::GROUPS > 1 {
            self.small::<W, TOGETHER>(first);
            first += TOGETHER;
        }
        for channel in first..small {
            self.small::<W, 1>(channel);
        }
        for channel in small..self.channels.len() {
            self.large::<W>(small, channel);
        }
    }
}

impl Pack<'_, '_> {
    /// The residues modulo some of the numbers up to 256, from a channel on.
    #[inline(always)]
    fn small<W: Words, const C: usize>(&mut self, first: usize) {
        let Self { channels, weights, side, ref integers, ref words, .. } = *self;
        let size = weights.words;
        let residues: [Small; C] = core::array::from_fn(|c| {
            Small::new(channels[first + c].modulus, weights.starts[first + c], side)
        });
        let bytes: [&[u32]; C] =
            core::array::from_fn(|c| &weights.bytes[(first + c) * size..][..size]);
        for (integers, word) in integers.chunks_exact(4 * size * LINES).zip(words.clone()) {
            let residues = small_residues::<W, C>(&residues, integers, bytes);
            for (c, residues) in residues.into_iter().enumerate() {
                let plane = channels[first + c].planes.start;
                residues.store(&mut self.to[plane][word * LINES..]);
            }
        }
    }

    /// The residues modulo a larger number, that of a channel after so many small ones.
    #[inline(always)]
    fn large<W: Words>(&mut self, small: usize, channel: usize) {
        let Self { channels, weights, side, ref integers, ref words, .. } = *self;
        let (size, start) = (weights.words, weights.starts[channel]);
        let bytes = &weights.bytes[(2 * channel - small) * size..][..2 * size];
        let (low, high) = bytes.split_at(size);
        let Channel { modulus, ref planes, .. } = channels[channel];
        let large = Large::new(modulus, start, side);
        for (integers, word) in integers.chunks_exact(4 * size * LINES).zip(words.clone()) {
            let residues = large.residues::<W>(integers, low, high);
            for (residues, plane) in residues.into_iter().zip(&mut self.to[planes.clone()]) {
                residues.store(&mut plane[word * LINES..]);
            }
        }
    }
}

/// `sums[c][p] += Σ bytes·weights[c]` for four places.
#[inline(always)]
fn add_products<W: Words, const C: usize>(
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
        let bytes: [W; 4] = core::array::from_fn(|p| {
            // SAFETY: the integers of four places of so many words are there.
            #[allow(unsafe_code)]
            unsafe {
                W::load(integers.as_ptr().add((p * words + from + w) * LINES))
            }
        });
        for (sums, weights) in sums.iter_mut().zip(weights) {
            let weight = W::splat(weights[w] as i32);
            for (sum, bytes) in sums.iter_mut().zip(bytes) {
                *sum = sum.dot_bytes(bytes, weight);
            }
        }
    }
    sums
}

/// `x − q·m` with `q` the integer nearest to `x/m + shift`, for `|q| < 2^15`.
#[inline(always)]
fn reduced<W: Words>(x: W, modulus: i32, reciprocal: f32, shift: f32) -> W {
    x.dot_halves(x.scaled(reciprocal, shift), W::splat(halves(-modulus, 0)))
}

struct Small {
    modulus: i32,
    reciprocal: f32,
    start: i32,
    shift: f32,
}

impl Small {
    fn new(modulus: i32, start: i32, side: Side) -> Self {
        let reciprocal = 1.0 / modulus as f32;
        // From 0 to m − 1: the middle is taken off before the quotient is rounded.
        let shift = match side {
            Side::Left => -0.5 * (modulus - 1) as f32 * reciprocal,
            Side::Right => 0.0,
        };
        Self { modulus, reciprocal, start, shift }
    }
}

/// The residues of four places modulo each of some numbers, as bytes of words.
#[inline(always)]
fn small_residues<W: Words, const C: usize>(
    moduli: &[Small; C],
    integers: &[u32],
    weights: [&[u32]; C],
) -> [W; C] {
    let words = weights[0].len();
    let mut sums = [[W::splat(0); 4]; C];
    for (sums, small) in sums.iter_mut().zip(moduli) {
        *sums = [W::splat(small.start); 4];
    }
    for from in (0..words).step_by(CHUNK) {
        if from > 0 {
            for (sums, small) in sums.iter_mut().zip(moduli) {
                for sum in sums {
                    *sum = reduced(*sum, small.modulus, small.reciprocal, 0.0);
                }
            }
        }
        let chunk = weights.map(|weights| &weights[from..words.min(from + CHUNK)]);
        sums = add_products(sums, integers, words, from, chunk);
    }
    let mut residues = [W::splat(0); C];
    for ((to, sums), small) in residues.iter_mut().zip(&mut sums).zip(moduli) {
        for sum in sums.iter_mut() {
            *sum = reduced(*sum, small.modulus, small.reciprocal, small.shift);
        }
        *to = W::joined(*sums);
    }
    residues
}

struct Large {
    modulus: i32,
    reciprocal: f32,
    start: i32,
    side: Side,
}

impl Large {
    fn new(modulus: i32, start: i32, side: Side) -> Self {
        // Balanced residues are those from 0 to m − 1 of a number that is m/2 larger.
        let start = if side == Side::Right { start + modulus / 2 } else { start };
        Self { modulus, reciprocal: 1.0 / modulus as f32, start, side }
    }

    #[inline(always)]
    fn residues<W: Words>(&self, integers: &[u32], low: &[u32], high: &[u32]) -> [W; 3] {
        let mut sums = [W::splat(self.start); 4];
        for (c, (low, high)) in low.chunks(CHUNK).zip(high.chunks(CHUNK)).enumerate() {
            if c > 0 {
                sums = sums.map(|x| reduced(x, self.modulus, self.reciprocal, 0.0));
            }
            let words = integers.len() / (4 * LINES);
            let zeros = [W::splat(0); 4];
            let from = c * CHUNK;
            let highs;
            if W::GROUPS > 1 {
                [sums, highs] = add_products([sums, zeros], integers, words, from, [low, high]);
            } else {
                [sums] = add_products([sums], integers, words, from, [low]);
                [highs] = add_products([zeros], integers, words, from, [high]);
            }
            for (sum, high) in sums.iter_mut().zip(highs) {
                *sum = sum.add(high.shift_left::<7>());
            }
        }
        let modulus = W::splat(self.modulus);
        let (mut lows, mut highs) = (sums, sums);
        for (p, x) in sums.into_iter().enumerate() {
            // From 0 to some above m, then below it: a negative number is a large one without sign.
            let x = reduced(x, self.modulus, self.reciprocal, -0.5 - 1.0 / 256.0);
            let x = x.min_unsigned(x.sub(modulus));
            (lows[p], highs[p]) = match self.side {
                Side::Left => (x.and(W::splat(127)), x.shift_right::<7>()),
                Side::Right => two_digits(x.sub(W::splat(self.modulus / 2))),
            };
        }
        let (low, high) = (W::joined(lows), W::joined(highs));
        [low, high, low.add_bytes(high)]
    }
}

/// Balanced digits to base 128.
#[inline(always)]
fn two_digits<W: Words>(x: W) -> (W, W) {
    let low = x.shift_left::<25>().shift_right::<25>();
    (low, x.sub(low).shift_right::<7>())
}
