//! How many bits a product takes.

use core::fmt;

use nonius_num::Precision;

use crate::Number;
use crate::dense::gemm::{Accuracy, Arithmetic};

/// The part that a lower bound loses: shares, norms and sums are rounded and ignore later limbs.
const ROUNDED: f64 = 1e-9;

/// What the error bound needs to know of the rows of `op(A)`, or of the columns of `op(B)`.
#[derive(Clone, Debug)]
pub struct Profile {
    /// For each line the `e` with entries below `2^e` in magnitude and the largest not below
    /// `2^(e − 1)`; 0 for a line of zeros.
    pub exponents: Vec<i32>,
    /// The largest 1-norm of a line in units of `k·2^e`.
    pub reach: f64,
    /// For each of the [`LEVELS`](Self::LEVELS) `g`, the smallest share of entries that are at
    /// least `2^(e − g)`, over lines that are not zero.
    pub shares: [f64; Self::LEVELS.len()],
    /// Whether all entries are finite.
    pub finite: bool,
}

/// Why a product is not computed by residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// The device has no residue engine, or none for this number of rows and columns.
    NoEngine,
    /// An entry is infinite or NaN.
    NotFinite,
    /// The exponents spread so widely that the bound takes more bits than are worth it.
    Spread {
        /// The bits it takes; `None` where no number of bits is known to do.
        bits: Option<u32>,
    },
    /// The device computes with fewer bits only.
    TooManyBits {
        /// The bits it takes.
        bits: u32,
    },
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fallback::NoEngine => f.write_str(
                "the device has no residue engine for it: a GPU needs compute capability 8.0, and but for 9.0 cuBLASLt",
            ),
            Fallback::NotFinite => f.write_str("an entry is not finite"),
            Fallback::Spread { bits: Some(bits) } => {
                write!(f, "exponents spread so widely that {bits} bits would be needed")
            }
            Fallback::TooManyBits { bits } => {
                write!(f, "the device has no residue engine for the {bits} bits that are needed")
            }
            Fallback::Spread { bits: None } => {
                f.write_str("exponents spread more widely than any number of bits covers")
            }
        }
    }
}

impl Profile {
    /// How far below the largest entry the shares look, in bits.
    pub const LEVELS: [i32; 8] = [1, 2, 3, 4, 6, 8, 11, 15];

    /// Norms are sums of entries rounded to multiples of `2^(e − NORM_BITS)`: exact, and the same
    /// in any order.
    pub const NORM_BITS: i32 = 30;

    /// Takes in lines of `k` entries, not zero, of which the largest norm is
    /// `norm·2^(e − NORM_BITS)`, with the least numbers of entries for each level.
    pub fn join_line(&mut self, k: usize, norm: f64, counts: [f64; Self::LEVELS.len()]) {
        let k = k as f64;
        // Each entry was rounded by half a unit at most.
        let reach = (norm + k) / (k * 2.0_f64.powi(Self::NORM_BITS));
        self.reach = self.reach.max(reach);
        for (share, count) in self.shares.iter_mut().zip(counts) {
            *share = share.min(count / k);
        }
    }

    /// The profile of no lines.
    pub fn empty() -> Self {
        Self { exponents: Vec::new(), reach: 0.0, shares: [1.0; 8], finite: true }
    }

    /// The profile of these lines and those of `next`.
    #[must_use]
    pub fn joined(mut self, next: Self) -> Self {
        self.exponents.extend(next.exponents);
        self.reach = self.reach.max(next.reach);
        for (share, next) in self.shares.iter_mut().zip(next.shares) {
            *share = share.min(next);
        }
        self.finite &= next.finite;
        self
    }

    /// A lower bound for `Σ|a||b| / (2^e·‖b‖₁ + 2^f·‖a‖₁)` over all pairs of a line of `self` and
    /// one of `other`; 0 where there is none.
    ///
    /// The entries of `a` that are at least `2^(e − g)` and those of `b` that are at least
    /// `2^(f − h)`, if they are `p` and `q` of `k` with `p + q > k`, meet in `p + q − k` places.
    pub fn meeting(&self, other: &Self) -> f64 {
        let mut most = 0.0_f64;
        for (g, share) in Self::LEVELS.into_iter().zip(self.shares) {
            for (h, other) in Self::LEVELS.into_iter().zip(other.shares) {
                most = most.max((share + other - 1.0) * 2.0_f64.powi(-g - h));
            }
        }
        most * (1.0 - ROUNDED) / (self.reach + other.reach)
    }

    /// The same from the sums `Σ|a||b|/2^(e + f)` of `k` terms themselves, of which the least other
    /// than zero is `least`, in `f64`.
    pub fn meeting_of_sums(&self, other: &Self, k: usize, least: f64) -> f64 {
        least * (1.0 - ROUNDED) / (k as f64 * (self.reach + other.reach))
    }
}

/// The numbers that a product is computed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Bits of an integer entry: `t`.
    pub bits: u32,
    /// The base-2 logarithm that the product of the moduli has to have.
    pub modulus_bits: f64,
}

/// What the entries of a product by residues keep to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The unit roundoff `u` is `2^-precision`.
    pub precision: u32,
    /// The `c` of the bound `c·u·(|A||B|)_ij`, of which 2 are for the rounding of entries.
    pub factor: f64,
    /// Bits below which integers are never cut.
    pub least_bits: u32,
    /// Bits beyond which there is a better way.
    pub most_bits: u32,
}

/// Limbs of such numbers, if they are sums of limbs.
fn limbs(precision: Precision) -> Option<usize> {
    match precision {
        Precision::F64 => Some(1),
        Precision::Dd => Some(2),
        Precision::Td => Some(3),
        Precision::Qd => Some(4),
        Precision::Mp(_) => None,
    }
}

impl Target {
    /// The most bits of an integer for numbers of any precision: their products have as many bits
    /// as there are moduli for, 12 000.
    pub const MOST_BITS: u32 = 5900;

    /// The bound of the direct product for numbers of type `T` and `k` terms, with at most `most`
    /// bits; for numbers of any precision [`of_bits`](Self::of_bits).
    pub fn of<T: Number>(format: T::Format, k: usize, most: u32) -> Self {
        let precision = T::precision(format);
        let Some(limbs) = limbs(precision) else { return Self::of_bits(precision.bits(), k, most) };
        Self {
            precision: precision.bits(),
            factor: Arithmetic::Delayed.error_of_limbs(limbs, k),
            least_bits: Plan::least_bits::<T>(format),
            most_bits: most.min(Plan::MOST_BITS),
        }
    }

    /// `(k + 3)·u·(|A||B|)_ij` for numbers of `bits` bits and `k` terms, with at most `most` bits.
    /// The integers have as many bits as the numbers where exponents do not spread.
    pub fn of_bits(bits: u32, k: usize, most: u32) -> Self {
        Self {
            precision: bits,
            factor: k as f64 + 3.0,
            least_bits: bits,
            most_bits: most.min(Self::MOST_BITS),
        }
    }

    /// The least `meeting`, as for [`Plan::within_bound`], with which the least bits do.
    pub fn least_meeting(self) -> f64 {
        let spare = (self.factor - 2.0).max(0.0);
        2.0_f64.powi(self.precision as i32 - self.least_bits as i32) / spare
    }
}

impl Plan {
    /// The most bits of an integer entry: products of them, as sums of limbs, stay in the range of
    /// `f64`.
    pub const MOST_BITS: u32 = 450;

    /// Bits below which the entries are never cut: those of the limbs, or the precision.
    pub fn least_bits<T: Number>(format: T::Format) -> u32 {
        let precision = T::precision(format);
        limbs(precision).map_or(precision.bits(), |limbs| 53 * limbs as u32)
    }

    /// The most bits of an integer entry for such numbers.
    pub fn most_bits<T: Number>(format: T::Format) -> u32 {
        limbs(T::precision(format)).map_or(Target::MOST_BITS, |_| Self::MOST_BITS)
    }

    /// The plan for `k` terms of lines with these profiles.
    ///
    /// # Errors
    /// [`Fallback::NotFinite`]; for [`Accuracy::Entrywise`], [`Fallback::Spread`] if the profiles
    /// do not tell that the bits allowed keep the target's bound.
    pub fn for_target(
        k: usize,
        target: Target,
        profiles: [&Profile; 2],
        accuracy: Accuracy,
    ) -> Result<Self, Fallback> {
        let [left, right] = profiles;
        if !(left.finite && right.finite) {
            return Err(Fallback::NotFinite);
        }
        let reach = Self::reach(profiles);
        match accuracy {
            Accuracy::Normwise => Ok(Self::with_bits(k, target.least_bits, reach)),
            Accuracy::Entrywise => Self::within_bound(k, target, left.meeting(right), reach),
        }
    }

    /// The smaller of the operands' largest norms: what bounds the product's entries.
    pub fn reach([left, right]: [&Profile; 2]) -> f64 {
        left.reach.min(right.reach)
    }

    /// The plan for `k` terms with which the error stays within the target's bound, if `meeting` is
    /// a lower bound as [`Profile::meeting`] gives it, for the pairs of lines that have a term;
    /// `reach` as for [`with_bits`](Self::with_bits).
    ///
    /// # Errors
    /// [`Fallback::Spread`] if that takes more bits than allowed.
    pub fn within_bound(
        k: usize,
        target: Target,
        meeting: f64,
        reach: f64,
    ) -> Result<Self, Fallback> {
        // A logarithm of zero would raise a flag of the caller's.
        if meeting.is_nan() || meeting <= 0.0 {
            return Err(Fallback::Spread { bits: None });
        }
        // 2^-t / meeting <= (c − 2)·u, where 2 are for the final rounding.
        let allowed = ((target.factor - 2.0) * meeting).log2() - f64::from(target.precision);
        let bits = (-allowed).ceil();
        if bits > 1e9 {
            return Err(Fallback::Spread { bits: None });
        }
        let bits = (bits.max(0.0) as u32).max(target.least_bits);
        if bits > target.most_bits {
            return Err(Fallback::Spread { bits: Some(bits) });
        }
        Ok(Self::with_bits(k, bits, reach))
    }

    /// The plan for `k` terms of entries of `bits` bits, where the lines of one operand have
    /// 1-norms of at most `reach·k·2^e`, as [`Profile::reach`].
    pub fn with_bits(k: usize, bits: u32, reach: f64) -> Self {
        // An entry of the product is at most reach·k·2^2t, and roundings, and has to be below
        // M/2·(1 − 2^-30): some 10^-9 bits.
        const SLACK: f64 = 1e-6;
        // The largest entry of a line is at least half of 2^e.
        let norm = (reach * k as f64).clamp(0.5, k as f64);
        let modulus_bits = f64::from(2 * bits + 1) + norm.log2() + SLACK;
        // In steps, so that similar operands share the tables.
        Self { bits, modulus_bits: (8.0 * modulus_bits).ceil() / 8.0 }
    }
}
