//! How many bits a product takes.

use core::fmt;

use crate::Scalar;
use crate::dense::gemm::Arithmetic;

/// What the error bound needs to know of the rows of `op(A)`, or of the columns of `op(B)`.
#[derive(Clone, Debug)]
pub struct Profile {
    /// For each line the `e` with entries below `2^e` in magnitude and the largest not below `2^(e − 1)`; 0 for a line of zeros.
    pub exponents: Vec<i32>,
    /// The largest 1-norm of a line in units of `k·2^e`.
    pub reach: f64,
    /// For each of the [`LEVELS`](Self::LEVELS) `g`, the smallest share of entries that are at least `2^(e − g)`, over lines that are not zero.
    pub shares: [f64; Self::LEVELS.len()],
    /// Whether all entries are finite, and their sums.
    pub finite: bool,
}

/// Why a product is not computed by residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// The device has no residue engine.
    NoEngine,
    /// An entry is infinite or NaN, or the sum of a row or column overflows.
    NotFinite,
    /// The exponents spread so widely that the bound takes more bits than are worth it.
    Spread {
        /// The bits it takes; `None` where no number of bits is known to do.
        bits: Option<u32>,
    },
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fallback::NoEngine => f.write_str("the device has no residue engine"),
            Fallback::NotFinite => {
                f.write_str("an entry, or the sum of a row or column, is not finite")
            }
            Fallback::Spread { bits: Some(bits) } => {
                write!(f, "exponents spread so widely that {bits} bits would be needed")
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

    /// A lower bound for `Σ|a||b| / (2^e·‖b‖₁ + 2^f·‖a‖₁)` over all pairs of a line of `self` and one of `other`; 0 where
    /// there is none.
    ///
    /// The entries of `a` that are at least `2^(e − g)` and those of `b` that are at least `2^(f − h)`, if they are `p` and `q` of `k` with
    /// `p + q > k`, meet in `p + q − k` places.
    pub fn meeting(&self, other: &Self) -> f64 {
        let mut most = 0.0_f64;
        for (g, share) in Self::LEVELS.into_iter().zip(self.shares) {
            for (h, other) in Self::LEVELS.into_iter().zip(other.shares) {
                most = most.max((share + other - 1.0) * 2.0_f64.powi(-g - h));
            }
        }
        // Shares and norms are rounded, and taken from first limbs.
        most * (1.0 - 1e-9) / (self.reach + other.reach)
    }
}

/// The numbers that a product is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Bits of an integer entry: `t`.
    pub bits: u32,
    /// Bits that the product of the moduli has to have.
    pub modulus_bits: u32,
}

impl Plan {
    /// The most bits of an integer entry: products of them, as sums of limbs, stay in the range of `f64`.
    pub const MOST_BITS: u32 = 450;

    /// Bits below which the entries are never cut: those of the limbs.
    pub fn least_bits<T: Scalar>() -> u32 {
        53 * T::LIMBS as u32
    }

    /// The plan for `k` terms with which the error stays within the direct product's bound, if `meeting` is a lower bound as
    /// [`Profile::meeting`] gives it, for the pairs of lines that have a term.
    ///
    /// # Errors
    /// [`Fallback::Spread`] if that takes more than `most` bits.
    pub fn within_bound<T: Scalar>(k: usize, meeting: f64, most: u32) -> Result<Self, Fallback> {
        // 2^-t / meeting <= (c − 2)·u, where 2 are for the final rounding.
        let allowed = (Arithmetic::Delayed.error::<T>(k) - 2.0) * T::UNIT_ROUNDOFF * meeting;
        let bits = (-allowed.log2()).ceil();
        if meeting.is_nan() || meeting <= 0.0 || bits > 1e9 {
            return Err(Fallback::Spread { bits: None });
        }
        let bits = (bits.max(0.0) as u32).max(Self::least_bits::<T>());
        if bits > most.min(Self::MOST_BITS) {
            return Err(Fallback::Spread { bits: Some(bits) });
        }
        Ok(Self::with_bits(k, bits))
    }

    /// The plan for `k` terms of entries of so many bits.
    pub fn with_bits(k: usize, bits: u32) -> Self {
        // k·2^2t < M/2·(1 − 2^-30): one bit more than ⌈log₂ k⌉ + 2t + 1 where k is a power of two.
        let terms = usize::BITS - k.leading_zeros();
        Self { bits, modulus_bits: 2 * bits + terms + 1 }
    }
}
