//! What the arithmetic asks of its limbs: one `f64`, or a SIMD register of them.
//!
//! Every algorithm of this crate is written once over [`Lane`]. With `f64` it is the scalar
//! arithmetic; with a SIMD register it computes the same bits in every lane, because each method is
//! required to round exactly as its scalar counterpart does.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// One or several IEEE 754 binary64 numbers that are computed with in lockstep.
///
/// `+ - * /`, [`mul_add`](Lane::mul_add) and [`sqrt`](Lane::sqrt) round to nearest, ties to even,
/// in each lane. Implementations must produce the bits that `f64` produces: the crate's promise of
/// identical results on every machine rests on it.
///
/// ```
/// use nonius_num::{Lane, MultiFloat};
///
/// /// The product of two numbers in every lane of a register.
/// fn product<T: Lane>(x: MultiFloat<2, T>, y: MultiFloat<2, T>) -> MultiFloat<2, T> {
///     x * y
/// }
/// // With `f64` for the register there is one lane.
/// let x = product(MultiFloat::from_lane(1.5), MultiFloat::from_lane(3.0));
/// assert_eq!(x.lane(0), 4.5);
/// ```
pub trait Lane:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The outcome of a comparison, lane by lane.
    type Mask: Copy;

    /// How many numbers a value holds.
    const LANES: usize;

    /// The same number in every lane.
    fn splat(x: f64) -> Self;

    /// Builds a value from the number of each lane.
    fn from_fn(f: impl FnMut(usize) -> f64) -> Self;

    /// The number in lane `i < LANES`.
    fn lane(self, i: usize) -> f64;

    /// The first [`LANES`](Lane::LANES) numbers of `from`; panics where it is shorter.
    fn load(from: &[f64]) -> Self;

    /// Writes the numbers to the first [`LANES`](Lane::LANES) of `to`; panics where it is shorter.
    fn store(self, to: &mut [f64]);

    /// The first [`LANES`](Lane::LANES) integers of `from`; panics where it is shorter.
    #[inline(always)]
    fn load_integers(from: &[i32]) -> Self {
        let from = &from[..Self::LANES];
        Self::from_fn(|i| f64::from(from[i]))
    }

    /// The first [`LANES`](Lane::LANES) numbers of `N` limbs each that lie one after the other in
    /// `from`, limb by limb; panics where `from` is shorter than `N · LANES`.
    #[inline(always)]
    fn load_limbs<const N: usize>(from: &[f64]) -> [Self; N] {
        let from = &from[..N * Self::LANES];
        core::array::from_fn(|limb| Self::from_fn(|i| from[i * N + limb]))
    }

    /// The inverse of [`load_limbs`](Lane::load_limbs); panics where `to` is shorter than
    /// `N · LANES`.
    #[inline(always)]
    fn store_limbs<const N: usize>(limbs: [Self; N], to: &mut [f64]) {
        for (i, number) in to[..N * Self::LANES].chunks_exact_mut(N).enumerate() {
            for (to, limb) in number.iter_mut().zip(limbs) {
                *to = limb.lane(i);
            }
        }
    }

    /// `self * b + c` with one rounding.
    #[must_use]
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Absolute value (clears the sign bit, of NaN too).
    #[must_use]
    fn abs(self) -> Self;

    /// `a < b`; false where either is NaN.
    fn less(a: Self, b: Self) -> Self::Mask;

    /// `a == b`; false where either is NaN.
    fn equal(a: Self, b: Self) -> Self::Mask;

    /// `a` where the mask is set, else `b`.
    #[must_use]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;

    /// Whether the mask is set in every lane.
    fn all(mask: Self::Mask) -> bool;

    /// `2^k` for integral `k` in [−1022, 1023]; any other `k` gives an unspecified number.
    fn exp2_integer(k: Self) -> Self;

    /// The exponent `e` with `2^e <= |self| < 2^(e+1)`, for normal numbers; unspecified for all
    /// others.
    #[must_use]
    fn exponent(self) -> Self;

    /// `table[self]` for an integral index; panics when it lies outside the table.
    #[must_use]
    fn look_up(self, table: &[f64]) -> Self;

    /// The nearest integer, ties to even, for `|self| <= 2^51`; unspecified beyond.
    #[inline(always)]
    #[must_use]
    fn round_small(self) -> Self {
        let anchor = Self::splat(6_755_399_441_055_744.0); // 1.5 · 2^52
        (self + anchor) - anchor
    }

    /// Whether every lane is finite.
    #[inline(always)]
    fn all_finite(self) -> bool {
        Self::all(Self::less(self.abs(), Self::splat(f64::INFINITY)))
    }

    /// Whether every lane is finite and not zero.
    #[inline(always)]
    fn all_ordinary(self) -> bool {
        Self::all(Self::less(Self::splat(0.0), self.abs())) && self.all_finite()
    }

    /// Whether every lane's magnitude lies in [2^-500, 2^500], so that squares and reciprocals stay
    /// in range.
    #[inline(always)]
    fn all_moderate(self) -> bool {
        const SMALL: f64 = f64::from_bits((1023 - 500) << 52);
        const LARGE: f64 = f64::from_bits((1023 + 500) << 52);
        let x = self.abs();
        Self::all(Self::less(Self::splat(SMALL), x)) && Self::all(Self::less(x, Self::splat(LARGE)))
    }

    /// The rounded product and its error: `p + e = a·b` exactly, unless `e` underflows.
    #[inline(always)]
    fn two_prod(a: Self, b: Self) -> (Self, Self) {
        let p = a * b;
        (p, a.mul_add(b, -p))
    }

    /// The rounded sum and its error: `s + e = a + b` exactly. 6 operations (Knuth).
    #[inline(always)]
    fn two_sum(a: Self, b: Self) -> (Self, Self) {
        let s = a + b;
        let b_virtual = s - a;
        let a_virtual = s - b_virtual;
        (s, (a - a_virtual) + (b - b_virtual))
    }
}

impl Lane for f64 {
    type Mask = bool;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> f64) -> f64 {
        f(0)
    }

    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn load(from: &[f64]) -> f64 {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = self;
    }

    #[inline(always)]
    fn mul_add(self, b: f64, c: f64) -> f64 {
        #[cfg(feature = "std")]
        {
            f64::mul_add(self, b, c)
        }
        #[cfg(not(feature = "std"))]
        {
            libm::fma(self, b, c)
        }
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        #[cfg(feature = "std")]
        {
            f64::sqrt(self)
        }
        #[cfg(not(feature = "std"))]
        {
            libm::sqrt(self)
        }
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn less(a: f64, b: f64) -> bool {
        a < b
    }

    #[inline(always)]
    fn equal(a: f64, b: f64) -> bool {
        a == b
    }

    #[inline(always)]
    fn select(mask: bool, a: f64, b: f64) -> f64 {
        if mask { a } else { b }
    }

    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn exp2_integer(k: f64) -> f64 {
        f64::from_bits(((k as i64).wrapping_add(1023) as u64) << 52)
    }

    #[inline(always)]
    fn exponent(self) -> f64 {
        f64::from(((self.to_bits() >> 52) & 0x7ff) as i32 - 1023)
    }

    #[inline(always)]
    fn look_up(self, table: &[f64]) -> f64 {
        table[self as usize]
    }

    #[cfg(not(any(target_feature = "fma", target_arch = "aarch64")))]
    #[inline(always)]
    fn two_prod(a: f64, b: f64) -> (f64, f64) {
        crate::dekker::two_prod_dekker(a, b)
    }
}
