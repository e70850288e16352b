//! The integers of which an operand consists.

use core::ops::Range;

use nonius_num::rns::FixedPoint;
use nonius_num::{Element, Lane};

use super::layout::LINES;
use crate::Scalar;
use crate::cpu::gemm::operand::Operand;
use crate::cpu::limbs::limbs_of;
use crate::cpu::simd::prefetch::prefetch_all;
use crate::cpu::simd::{Kernel, dispatch};
use crate::dense::Transpose;

/// An operand as lines of integers: rows of `op(A)`, or columns of `op(B)`.
pub(in crate::cpu) trait Source: Sync {
    /// Number of lines, and of places in each.
    fn shape(&self) -> (usize, usize);

    /// Writes the integers of at most [`LINES`] lines at some places, in two's complement. They
    /// have as many words as `to` has room for. The word of weight `2^(32w)` of the `i`-th line at
    /// the `p`-th of these places goes to `to[(p·words + w)·LINES + i]`. Lines that are missing get
    /// zeros.
    fn integers(&self, lines: Range<usize>, places: Range<usize>, to: &mut [u32]);
}

/// Words of 32 bits of an integer of magnitude up to `2^bits`.
pub(super) fn words(bits: u32) -> usize {
    (bits + 2).div_ceil(u32::BITS) as usize
}

/// Sums of limbs: an entry of a line with exponent `e` becomes the integer nearest to its product
/// with `2^(bits − e)`.
pub(super) struct Limbs<'a, T: Element> {
    pub(super) operand: Operand<'a, T>,
    pub(super) exponents: &'a [i32],
    pub(super) bits: u32,
}

impl<T: Scalar> Source for Limbs<'_, T> {
    fn shape(&self) -> (usize, usize) {
        self.operand.shape()
    }

    fn integers(&self, lines: Range<usize>, places: Range<usize>, to: &mut [u32]) {
        dispatch(Job { source: self, lines, places, to });
    }
}

struct Job<'a, T: Element> {
    source: &'a Limbs<'a, T>,
    lines: Range<usize>,
    places: Range<usize>,
    to: &'a mut [u32],
}

impl<T: Scalar> Kernel for Job<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        match T::LIMBS {
            1 => self.convert::<1, L>(),
            2 => self.convert::<2, L>(),
            3 => self.convert::<3, L>(),
            _ => self.convert::<4, L>(),
        }
    }
}

/// Digits of [`FixedPoint::MOST_BITS`] bits.
const MOST_DIGITS: usize = FixedPoint::MOST_BITS.div_ceil(u32::BITS) as usize;

/// `1.5·2^52`: an integer below `2^51` in magnitude that is added to it stands in the lowest bits.
const ANCHOR: f64 = 6_755_399_441_055_744.0;

impl<T: Scalar> Job<'_, T> {
    #[inline(always)]
    fn convert<const N: usize, L: Lane>(self) {
        let Self { source, lines, places, to } = self;
        let fixed = FixedPoint::new(source.bits, u32::BITS);
        let count = fixed.digits();
        let words = words(source.bits);
        // Two powers, because one may be beyond the range of f64.
        let mut powers = [[0.0; LINES]; 2];
        for (i, &e) in source.exponents[lines.clone()].iter().enumerate() {
            let shift = source.bits as i32 - e;
            powers[0][i] = f64::exp2_integer(f64::from(shift / 2));
            powers[1][i] = f64::exp2_integer(f64::from(shift - shift / 2));
        }
        let units: [f64; MOST_DIGITS] =
            core::array::from_fn(|i| f64::exp2_integer(-32.0 * i as f64));
        let mut digits = [[0.0; LINES]; MOST_DIGITS];
        let mut staged = Staged::new(source.operand, lines.clone(), places.end);
        for (place, to) in places.zip(to.chunks_exact_mut(words * LINES)) {
            let numbers = limbs_of(staged.numbers_at(place));
            for first in (0..LINES).step_by(L::LANES) {
                let mut limbs = L::load_limbs::<N>(&numbers[first * N..]);
                let powers = [L::load(&powers[0][first..]), L::load(&powers[1][first..])];
                for limb in &mut limbs {
                    *limb = *limb * powers[0] * powers[1];
                }
                fixed.split(limbs, |i, digit| {
                    let integer = digit.mul_add(L::splat(units[i]), L::splat(ANCHOR));
                    integer.store(&mut digits[i][first..]);
                });
            }
            let mut carries = [0_i64; LINES];
            let mut words = to.chunks_exact_mut(LINES);
            for (digits, to) in digits[..count].iter().zip(&mut words) {
                for ((to, carry), digit) in to.iter_mut().zip(&mut carries).zip(digits) {
                    let sum = digit.to_bits() as i64 - ANCHOR.to_bits() as i64 + *carry;
                    *to = sum as u32;
                    *carry = sum >> u32::BITS;
                }
            }
            // Beyond the digits there are signs.
            for to in words {
                for (to, carry) in to.iter_mut().zip(carries) {
                    *to = carry as u32;
                }
            }
        }
    }
}

/// Entries of at most 16 lines, zeros for lines that are missing.
struct Staged<'a, T: Element> {
    operand: Operand<'a, T>,
    lines: Range<usize>,
    /// The place before which entries are asked for.
    end: usize,
    /// Those of some places, of which these are the first and the one after the last.
    numbers: [[T; LINES]; PLACES],
    places: Range<usize>,
}

/// Places whose entries are fetched together where they lie side by side: some cache lines.
const PLACES: usize = 8;

impl<'a, T: Scalar> Staged<'a, T> {
    fn new(operand: Operand<'a, T>, lines: Range<usize>, end: usize) -> Self {
        Self { operand, lines, end, numbers: [[T::ZERO; LINES]; PLACES], places: 0..0 }
    }

    /// The entries at a place.
    #[inline(always)]
    fn numbers_at(&mut self, place: usize) -> &[T] {
        let Operand { transpose, matrix } = self.operand;
        match transpose {
            Transpose::No => {
                // Columns are far apart.
                if place + PLACES < matrix.cols() {
                    prefetch_all(&matrix.col(place + PLACES)[self.lines.clone()]);
                }
                let numbers = &matrix.col(place)[self.lines.clone()];
                if numbers.len() == LINES {
                    return numbers;
                }
                self.numbers[0][..numbers.len()].copy_from_slice(numbers);
                &self.numbers[0]
            }
            Transpose::Yes => {
                if !self.places.contains(&place) {
                    self.places = place..self.end.min(place + PLACES);
                    for (i, line) in self.lines.clone().enumerate() {
                        let numbers = &matrix.col(line)[self.places.clone()];
                        for (to, &x) in self.numbers.iter_mut().zip(numbers) {
                            to[i] = x;
                        }
                    }
                }
                &self.numbers[place - self.places.start]
            }
        }
    }
}
