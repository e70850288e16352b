//! Error-free transformations: sums and products of `f64` together with their exact rounding errors.
//!
//! Sources: Knuth, *The Art of Computer Programming* II, 4.2.2 (TwoSum); Dekker, *A floating-point technique for
//! extending the available precision*, Numer. Math. 18 (1971) (FastTwoSum, the split product); Ogita, Rump, Oishi,
//! *Accurate sum and dot product*, SIAM J. Sci. Comput. 26 (2005) (TwoProd by FMA).
//!
//! All assume rounding to nearest and no overflow, of a step either: TwoSum's steps stay in range if the sum does and no operand
//! is ±`f64::MAX` (Boldo, Graillat, Muller, *On the robustness of the 2Sum and Fast2Sum algorithms*, 2017). A sum's error is always exact; a product's error is exact unless
//! it is smaller than the smallest subnormal, where it is itself rounded.

use crate::Lane;

/// `(s, e)` with `s = fl(a + b)` and `s + e = a + b` exactly. 6 operations.
#[inline(always)]
pub fn two_sum<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_sum(a, b)
}

/// `(s, e)` with `s = fl(a − b)` and `s + e = a − b` exactly. 6 operations.
#[inline(always)]
pub fn two_diff<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_sum(a, -b)
}

/// [`two_sum`] in 3 operations, for `a = 0`, or `b = 0`, or an exponent of `a` not less than that of `b`.
#[inline(always)]
pub fn fast_two_sum<T: Lane>(a: T, b: T) -> (T, T) {
    let s = a + b;
    (s, b - (s - a))
}

/// `(p, e)` with `p = fl(a·b)` and `p + e = a·b` exactly. 2 operations with a fused multiply-add.
///
/// Targets without the instruction use [`two_prod_dekker`], which returns the same bits.
#[inline(always)]
pub fn two_prod<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_prod(a, b)
}

/// [`two_prod`] without a fused multiply-add: both factors are split into halves of at most 26 bits whose products
/// are exact (Dekker). 17 operations.
///
/// Where the halves could overflow or their products underflow, it turns to a fused multiply-add in software, so
/// that it agrees with the fused form on every input.
#[inline]
pub fn two_prod_dekker(a: f64, b: f64) -> (f64, f64) {
    /// Below this the parts' products stay normal; `2^-960`.
    const SMALLEST: f64 = f64::from_bits((1023 - 960) << 52);
    /// Above this the split may overflow; `2^990`.
    const LARGEST: f64 = f64::from_bits((1023 + 990) << 52);
    let p = a * b;
    let safe = p.abs() > SMALLEST && p.abs() < LARGEST && a.abs() < LARGEST && b.abs() < LARGEST;
    if !safe {
        return (p, libm::fma(a, b, -p));
    }
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let e = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (p, e)
}

/// Veltkamp's split: `high + low = a`, each of at most 26 significant bits.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let t = SPLITTER * a;
    let high = t - (t - a);
    (high, a - high)
}
