//! Residues of integers in `f64`.

use core::ops::Range;

use nonius_num::Lane;
use nonius_num::rns::DIGIT;

use super::super::layout::LINES;
use super::channel::Floats;
use crate::cpu::simd::Kernel;

/// See [`Unit::pack`](super::super::unit::Unit::pack).
pub(super) struct Pack<'a, 'b> {
    pub(super) unit: &'a Floats,
    pub(super) integers: &'a [u32],
    pub(super) words: Range<usize>,
    pub(super) to: &'a mut [&'b mut [f64]],
}

impl Kernel for Pack<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        match L::LANES {
            8 => self.pack::<2, L>(),
            4 => self.pack::<4, L>(),
            _ => self.pack::<16, L>(),
        }
    }
}

impl Pack<'_, '_> {
    /// The `V` registers of one place at a time.
    #[inline(always)]
    fn pack<const V: usize, L: Lane>(self) {
        let Self { unit, integers, words, to } = self;
        let mut digits = vec![[L::splat(0.0); V]; unit.digits];
        for (integers, place) in integers.chunks_exact(unit.words * LINES).zip(words) {
            for (i, digits) in digits.iter_mut().enumerate() {
                let integers = digit(integers, i, i + 1 == unit.digits);
                for (v, digit) in digits.iter_mut().enumerate() {
                    *digit = L::load_integers(&integers[v * L::LANES..]);
                }
            }
            for (channel, to) in unit.channels.iter().zip(&mut *to) {
                let residues = channel.residues.of(&digits);
                for (v, residue) in residues.into_iter().enumerate() {
                    residue.store(&mut to[place * LINES + v * L::LANES..]);
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
