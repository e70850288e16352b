//! From integers to planes of residues.

use core::marker::PhantomData;
use core::ops::Range;

use nonius_num::Lane;
use nonius_num::rns::{Crt, DIGIT, Residues, Sign};

use super::source::{Source, words};
use super::unit::{LINES, Unit};
use crate::cpu::simd::{Kernel, dispatch};

/// Places whose integers are made at a time: they stay in the first-level cache.
const RUN: usize = 32;

/// Makes the planes of an operand.
pub(super) struct Packer<U> {
    words: usize,
    digits: usize,
    sign: Sign,
    channels: Vec<Channel>,
    planes: usize,
    unit: PhantomData<U>,
}

/// One modulus.
struct Channel {
    residues: Residues,
    takes_digits: bool,
}

impl<U: Unit> Packer<U> {
    /// For the left operand, of integers of magnitude up to `2^bits`.
    pub(super) fn left(crt: &Crt, bits: u32) -> Self {
        let factors = crt.moduli().values().iter().map(|_| 1);
        Self::new(crt, bits, U::LEFT, factors)
    }

    /// For the right operand, whose residues are multiplied by what the rebuilding asks for.
    pub(super) fn right(crt: &Crt, bits: u32) -> Self {
        Self::new(crt, bits, U::RIGHT, crt.inverses().iter().copied())
    }

    fn new(crt: &Crt, bits: u32, sign: Sign, factors: impl Iterator<Item = u32>) -> Self {
        let digits = (bits + 2).div_ceil(DIGIT) as usize;
        let channel = |(&modulus, factor)| Channel {
            residues: Residues::new(modulus, factor, digits, sign),
            takes_digits: U::takes_digits(modulus),
        };
        let channels: Vec<_> = crt.moduli().values().iter().zip(factors).map(channel).collect();
        let planes = channels.iter().map(|c| if c.takes_digits { 3 } else { 1 }).sum();
        Self { words: words(bits), digits, sign, channels, planes, unit: PhantomData }
    }

    /// Words of a group of lines of `k` entries.
    pub(super) fn size(&self, k: usize) -> usize {
        self.planes * U::plane(k)
    }

    /// Packs a group: at most 16 `lines`, zeros for those that are missing, into [`size`](Self::size) words.
    pub(super) fn pack(&self, source: &impl Source, lines: Range<usize>, to: &mut [U::Word]) {
        let (_, k) = source.shape();
        let mut integers = vec![0; RUN * self.words * LINES];
        for start in (0..k).step_by(RUN) {
            let places = start..k.min(start + RUN);
            let (made, missing) = integers.split_at_mut(places.len() * self.words * LINES);
            source.integers(lines.clone(), places, made);
            missing.fill(0);
            let words = start / U::DEPTH..U::words(k).min((start + RUN) / U::DEPTH);
            dispatch(Job { packer: self, integers: &integers, words, plane: U::plane(k), to });
        }
    }
}

struct Job<'a, U: Unit> {
    packer: &'a Packer<U>,
    integers: &'a [u32],
    /// Those of a plane that are made.
    words: Range<usize>,
    plane: usize,
    to: &'a mut [U::Word],
}

impl<U: Unit> Kernel for Job<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // Registers that are computed together: eight where a word has four residues.
        match U::DEPTH {
            4 => self.pack::<8, L>(),
            _ => self.pack::<2, L>(),
        }
    }
}

impl<U: Unit> Job<'_, U> {
    /// Packs words from the first to the last: `V` registers at a time, which are `V / DEPTH` registers of lines.
    #[inline(always)]
    fn pack<const V: usize, L: Lane>(self) {
        let Self { packer, integers, words, plane, to } = self;
        let count = packer.digits;
        let step = V / U::DEPTH * L::LANES;
        let mut digits = vec![[L::splat(0.0); V]; LINES / step * count];
        let mut integers = integers.chunks_exact(packer.words * LINES);
        for word in words {
            for (d, integers) in integers.by_ref().take(U::DEPTH).enumerate() {
                for i in 0..count {
                    let digit = digit(integers, i, i + 1 == count);
                    for first in (0..LINES).step_by(L::LANES) {
                        let v = first % step / L::LANES * U::DEPTH + d;
                        digits[first / step * count + i][v] = L::load_integers(&digit[first..]);
                    }
                }
            }
            for (batch, digits) in digits.chunks_exact(count).enumerate() {
                let mut at = word * LINES + batch * step;
                for channel in &packer.channels {
                    let residues = channel.residues.of(digits);
                    if channel.takes_digits {
                        let (mut low, mut high, mut sum) = (residues, residues, residues);
                        for v in 0..V {
                            (low[v], high[v]) = two_digits(residues[v], packer.sign);
                            sum[v] = low[v] + high[v];
                        }
                        for digits in [low, high, sum] {
                            store::<U, V, L>(&digits, packer.sign, &mut to[at..]);
                            at += plane;
                        }
                    } else {
                        store::<U, V, L>(&residues, packer.sign, &mut to[at..]);
                        at += plane;
                    }
                }
            }
        }
    }
}

/// Digit `i` to base `2^24` of a group's integers at one place; the last one takes the sign.
#[inline(always)]
fn digit(integers: &[u32], i: usize, last: bool) -> [i32; LINES] {
    let (word, offset) = (i * DIGIT as usize / 32, i as u32 * DIGIT % 32);
    let words = integers[word * LINES..].chunks_exact(LINES);
    let mut digit = [0; LINES];
    for (i, digit) in digit.iter_mut().enumerate() {
        let mut words = words.clone().map(|words| words[i]);
        let low = words.next().unwrap_or(0);
        // Beyond the highest word there are signs.
        let high = words.next().unwrap_or((low as i32 >> 31) as u32);
        let bits = ((u64::from(high) << 32 | u64::from(low)) >> offset) as u32;
        *digit = if last {
            (bits << (32 - DIGIT)) as i32 >> (32 - DIGIT)
        } else {
            (bits & ((1 << DIGIT) - 1)) as i32
        };
    }
    digit
}

/// Packs `V / DEPTH` registers of words.
#[inline(always)]
fn store<U: Unit, const V: usize, L: Lane>(residues: &[L; V], sign: Sign, to: &mut [U::Word]) {
    for (r, residues) in residues.chunks_exact(U::DEPTH).enumerate() {
        U::store(residues, sign, &mut to[r * L::LANES..]);
    }
}

/// `x = low + 128·high`, with digits of the given sign.
#[inline(always)]
fn two_digits<L: Lane>(x: L, sign: Sign) -> (L, L) {
    let middle = match sign {
        Sign::Balanced => 0.0,
        Sign::Positive => 63.5,
    };
    let high = ((x - L::splat(middle)) * L::splat(1.0 / 128.0)).round_small();
    (high.mul_add(L::splat(-128.0), x), high)
}
