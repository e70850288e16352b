//! Kinds of numbers that suites draw at random, and whose results they judge.

use nonius_linalg::backend::Reading;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::{Number, Scalar};
use nonius_num::mp::{Bits, Head};
use nonius_num::{Mp, MultiFloat, Real};

use crate::Random;

/// The precisions at which suites run for numbers of any precision.
pub const PRECISIONS: [u32; 4] = [106, 424, 1000, 2048];

/// A kind of numbers that suites draw at random and judge: limbs, or numbers of any precision.
pub trait Sample: Number {
    /// Whether sums of products overflow on the way as operators do, one after the other: sums that
    /// are rounded once do not.
    const OVERFLOWS_ON_THE_WAY: bool;

    /// A number in (−1, 1) of full length, now and then with gaps or with fewer bits.
    fn random(format: Self::Format, random: &mut Random) -> Self;

    /// A number of full length and of any magnitude, now and then a special one.
    fn special(format: Self::Format, random: &mut Random) -> Self;

    /// Finite numbers at the ends of the range and beyond the roots of its ends: a quarter of the
    /// largest, one whose square overflows, one whose square underflows, the smallest.
    fn extremes() -> [Self; 4];

    /// Whether both are the same number bit for bit, NaN included.
    fn same_bits(self, other: Self) -> bool;

    /// The factor `c(k)` in the bound `|fl(AB) − AB| <= c(k)·u·(|A||B|)` of products of `k` terms.
    fn sum_error(k: usize) -> f64;

    /// A seed that differs from that of other formats.
    fn seed(format: Self::Format) -> u64;

    /// How the format is written: `dd`, `mp424`.
    fn name(format: Self::Format) -> String {
        Self::precision(format).to_string()
    }

    /// `count` units of roundoff.
    fn units(format: Self::Format, count: f64) -> Reading {
        Reading::of(count) * Self::unit_roundoff(format).into()
    }

    /// Bits in which sums of products are as good as exact beside the errors of the format.
    fn wide(format: Self::Format) -> Bits {
        let bits = (2 * Self::precision(format).bits() + 64).min(Bits::MOST);
        Bits::new(bits).unwrap_or_else(|_| panic!("{bits} bits"))
    }

    /// The magnitude.
    fn magnitude(self) -> Reading {
        self.size().into()
    }
}

/// Multiplications of cost 1 for which a test has time.
const MOST: usize = 2_000_000_000;

/// Whether a test has time for `multiplications` multiplications.
pub fn affordable<T: Sample>(format: T::Format, multiplications: usize) -> bool {
    multiplications <= MOST / T::cost(format)
}

/// The order `n`, or the largest one for which a test has time for `n³` multiplications.
pub fn order<T: Sample>(format: T::Format, n: usize) -> usize {
    (0..=n).rev().find(|n| affordable::<T>(format, n * n * n)).unwrap_or(0)
}

/// Times a power of two between `2^-range` and `2^range`.
pub fn spread<T: Sample>(format: T::Format, range: u32, random: &mut Random) -> T {
    let exponent = random.below(2 * range as usize + 1) as i32 - range as i32;
    T::random(format, random).ldexp(exponent)
}

/// Implements [`Sample`] for numbers made of limbs.
macro_rules! limbs {
    () => {
        const OVERFLOWS_ON_THE_WAY: bool = true;

        fn random((): (), random: &mut Random) -> Self {
            let limbs = random.limbs::<4>();
            Scalar::from_limbs(|l| limbs[l])
        }

        fn special((): (), random: &mut Random) -> Self {
            random.special_scalar()
        }

        fn extremes() -> [Self; 4] {
            [f64::MAX / 4.0, 1e200, f64::MIN_POSITIVE, 5e-324].map(Real::from_f64)
        }

        fn same_bits(self, other: Self) -> bool {
            (0..Self::LIMBS).all(|l| self.limb(l).to_bits() == other.limb(l).to_bits())
        }

        fn sum_error(k: usize) -> f64 {
            Arithmetic::Delayed.error::<Self>(k)
        }

        fn seed((): ()) -> u64 {
            Self::LIMBS as u64
        }
    };
}

impl Sample for f64 {
    limbs!();
}

impl<const N: usize> Sample for MultiFloat<N>
where
    Self: Scalar,
{
    limbs!();
}

impl Sample for Mp {
    const OVERFLOWS_ON_THE_WAY: bool = false;

    fn random(bits: Bits, random: &mut Random) -> Self {
        let count = bits.words();
        let mut words: Vec<u64> = (0..count).map(|_| random.bits()).collect();
        let low = random.below(count);
        match random.below(8) {
            // A gap, a run of ones, fewer words.
            0 => words[..low].iter_mut().skip(1).for_each(|word| *word = 0),
            1 => words[..low].fill(u64::MAX),
            2 => words[..low].fill(0),
            _ => (),
        }
        let negative = random.below(2) == 1;
        Mp::rounded(bits, negative, &words, -64 * count as i64, false)
    }

    fn special(bits: Bits, random: &mut Random) -> Self {
        let kind = random.below(64);
        let ordinary = [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        // Sines of far greater numbers take seconds.
        let [.., small, least] = Self::extremes();
        let far = [small, least];
        if kind < ordinary.len() {
            return Mp::from_f64(bits, ordinary[kind]);
        }
        if kind < ordinary.len() + far.len() {
            return far[kind - ordinary.len()].to_format(bits);
        }
        let range = if random.below(8) == 0 { 7000 } else { 30 };
        spread(bits, range, random)
    }

    fn extremes() -> [Self; 4] {
        const FAR: i32 = Head::GREATEST_EXPONENT;
        let near = Head::LEAST_EXPONENT - 1;
        [FAR - 3, FAR / 2 + 100, near / 2 - 100, near].map(|exponent| Mp::ONE.ldexp(exponent))
    }

    fn same_bits(self, other: Self) -> bool {
        self.head() == other.head() && self.words() == other.words()
    }

    /// By residues; sums are rounded once.
    fn sum_error(k: usize) -> f64 {
        k as f64 + 3.0
    }

    fn seed(bits: Bits) -> u64 {
        u64::from(bits.get())
    }
}
