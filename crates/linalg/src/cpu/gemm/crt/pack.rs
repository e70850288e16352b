//! From numbers to planes of residues.

use core::marker::PhantomData;
use core::ops::Range;

use nonius_num::Lane;
use nonius_num::rns::{Crt, FixedPoint, Residues, Sign};

use super::unit::{LINES, Unit};
use crate::Scalar;
use crate::cpu::gemm::Operand;
use crate::cpu::limbs::limbs_of;
use crate::cpu::simd::Kernel;
use crate::dense::Transpose;

/// Makes the planes of an operand.
pub(super) struct Packer<U> {
    fixed: FixedPoint,
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
    /// For the left operand.
    pub(super) fn left(crt: &Crt, fixed: FixedPoint) -> Self {
        let factors = crt.moduli().values().iter().map(|_| 1);
        Self::new(crt, fixed, U::LEFT, factors)
    }

    /// For the right operand, whose residues are multiplied by what the rebuilding asks for.
    pub(super) fn right(crt: &Crt, fixed: FixedPoint) -> Self {
        Self::new(crt, fixed, U::RIGHT, crt.inverses().iter().copied())
    }

    fn new(crt: &Crt, fixed: FixedPoint, sign: Sign, factors: impl Iterator<Item = u32>) -> Self {
        let channel = |(&modulus, factor)| Channel {
            residues: Residues::new(modulus, factor, fixed, sign),
            takes_digits: U::takes_digits(modulus),
        };
        let channels: Vec<_> = crt.moduli().values().iter().zip(factors).map(channel).collect();
        let planes = channels.iter().map(|c| if c.takes_digits { 3 } else { 1 }).sum();
        Self { fixed, sign, channels, planes, unit: PhantomData }
    }

    /// Words of a group of lines of `k` entries.
    pub(super) fn size(&self, k: usize) -> usize {
        self.planes * U::plane(k)
    }

    /// Packs a group: at most 16 `lines`, zeros for those that are missing, into [`size`](Self::size) words.
    pub(super) fn job<'a, T: Scalar>(
        &'a self,
        operand: Operand<'a, T>,
        exponents: &'a [i32],
        lines: Range<usize>,
        to: &'a mut [U::Word],
    ) -> Job<'a, U, T> {
        Job { packer: self, operand, exponents, lines, to }
    }
}

pub(super) struct Job<'a, U: Unit, T: Scalar> {
    packer: &'a Packer<U>,
    operand: Operand<'a, T>,
    exponents: &'a [i32],
    lines: Range<usize>,
    to: &'a mut [U::Word],
}

impl<U: Unit, T: Scalar> Kernel for Job<'_, U, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lane>(self) {
        // Registers that are computed together: eight where a word has four residues.
        match (T::LIMBS, U::DEPTH) {
            (1, 4) => self.pack::<1, 8, L>(),
            (2, 4) => self.pack::<2, 8, L>(),
            (3, 4) => self.pack::<3, 8, L>(),
            (4, 4) => self.pack::<4, 8, L>(),
            (1, _) => self.pack::<1, 2, L>(),
            (2, _) => self.pack::<2, 2, L>(),
            (3, _) => self.pack::<3, 2, L>(),
            _ => self.pack::<4, 2, L>(),
        }
    }
}

impl<U: Unit, T: Scalar> Job<'_, U, T> {
    /// Packs words from the first to the last: `V` registers at a time, which are `V / DEPTH` registers of lines.
    #[inline(always)]
    fn pack<const N: usize, const V: usize, L: Lane>(self) {
        let Self { packer, operand, exponents, lines, to } = self;
        let (k, fixed) = (operand.inner(), packer.fixed);
        let (count, words, plane) = (fixed.digits(), U::words(k), U::plane(k));
        let step = V / U::DEPTH * L::LANES;
        // Two powers, because one may be beyond the range of f64.
        let mut powers = [[0.0; LINES]; 2];
        for (i, &e) in exponents[lines.clone()].iter().enumerate() {
            let shift = fixed.bits() as i32 - e;
            powers[0][i] = f64::exp2_integer(f64::from(shift / 2));
            powers[1][i] = f64::exp2_integer(f64::from(shift - shift / 2));
        }
        let mut digits = vec![[L::splat(0.0); V]; LINES / step * count];
        let mut staged = [T::ZERO; LINES];
        for word in 0..words {
            for d in 0..U::DEPTH {
                let place = word * U::DEPTH + d;
                if place >= k {
                    for digits in &mut digits {
                        for v in (d..V).step_by(U::DEPTH) {
                            digits[v] = L::splat(0.0);
                        }
                    }
                    continue;
                }
                let numbers = limbs_of(numbers_at(operand, lines.clone(), place, &mut staged));
                for first in (0..LINES).step_by(L::LANES) {
                    let mut limbs = L::load_limbs::<N>(&numbers[first * N..]);
                    let powers = [L::load(&powers[0][first..]), L::load(&powers[1][first..])];
                    for limb in &mut limbs {
                        *limb = *limb * powers[0] * powers[1];
                    }
                    let batch = &mut digits[first / step * count..][..count];
                    let v = first % step / L::LANES * U::DEPTH + d;
                    fixed.split(limbs, batch.iter_mut().map(|digits| &mut digits[v]));
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

/// The entries of `lines` at `place`, those of at most 16 lines, and anything for those that are missing.
#[inline(always)]
fn numbers_at<'a, T: Scalar>(
    operand: Operand<'a, T>,
    lines: Range<usize>,
    place: usize,
    staged: &'a mut [T; LINES],
) -> &'a [T] {
    match operand.transpose {
        Transpose::No => {
            let numbers = &operand.matrix.col(place)[lines];
            if numbers.len() == LINES {
                return numbers;
            }
            staged[..numbers.len()].copy_from_slice(numbers);
        }
        Transpose::Yes => {
            for (to, line) in staged.iter_mut().zip(lines) {
                *to = operand.matrix.col(line)[place];
            }
        }
    }
    staged
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
