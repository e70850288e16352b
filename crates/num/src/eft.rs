//! Error-free transformations: sums and products of `f64` together with their exact rounding
//! errors.
//!
//! Sources: Knuth, *The Art of Computer Programming* II, 4.2.2 (TwoSum); Dekker, *A floating-point
//! technique for extending the available precision*, Numer. Math. 18 (1971) (FastTwoSum, the split
//! product); Ogita, Rump, Oishi, *Accurate sum and dot product*, SIAM J. Sci. Comput. 26 (2005)
//! (TwoProd by FMA).
//!
//! All assume rounding to nearest and no overflow, of a step either: TwoSum's steps stay in range
//! if the sum does and no operand is ±`f64::MAX` (Boldo, Graillat, Muller, *On the robustness of
//! the 2Sum and Fast2Sum algorithms*, 2017). A sum's error is always exact; a product's error is
//! exact unless it is smaller than the smallest subnormal, where it is itself rounded.

use crate::Lane;

pub use crate::dekker::two_prod_dekker;

/// `(s, e)` with `s = fl(a + b)` and `s + e = a + b` exactly. 6 operations.
///
/// ```
/// use nonius_num::eft::two_sum;
///
/// let (sum, error) = two_sum(1e16, 1.0);
/// assert_eq!((sum, error), (1e16, 1.0)); // 1e16 + 1 is no `f64`
/// ```
#[inline(always)]
pub fn two_sum<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_sum(a, b)
}

/// `(s, e)` with `s = fl(a − b)` and `s + e = a − b` exactly. 6 operations.
#[inline(always)]
pub fn two_diff<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_sum(a, -b)
}

/// [`two_sum`] in 3 operations, for `a = 0`, or `b = 0`, or an exponent of `a` not less than that
/// of `b`.
#[inline(always)]
pub fn fast_two_sum<T: Lane>(a: T, b: T) -> (T, T) {
    let s = a + b;
    (s, b - (s - a))
}

/// `(p, e)` with `p = fl(a·b)` and `p + e = a·b` exactly. 2 operations with a fused multiply-add.
///
/// Targets without the instruction use [`two_prod_dekker`], which returns the same bits.
///
/// ```
/// use nonius_num::eft::two_prod;
///
/// // (1 + 2⁻³⁰)² = 1 + 2⁻²⁹ + 2⁻⁶⁰: the last term does not fit.
/// let x = 1.0 + 2.0_f64.powi(-30);
/// assert_eq!(two_prod(x, x), (1.0 + 2.0_f64.powi(-29), 2.0_f64.powi(-60)));
/// ```
#[inline(always)]
pub fn two_prod<T: Lane>(a: T, b: T) -> (T, T) {
    T::two_prod(a, b)
}
