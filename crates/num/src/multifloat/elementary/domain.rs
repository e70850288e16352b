//! Which arguments the cores take.
//!
//! A core that runs on a register must give the bits that the scalar function gives for each lane;
//! where that one takes a short cut, for tiny arguments say, the core is not used.

use crate::Lane;

/// Below this, odd functions `f(x) = x + O(x³)` are `x`: the rest is less than a hundredth of the
/// last place.
pub(super) const LEAST_MODERATE: f64 = f64::from_bits((1023 - 112) << 52);

/// Whether all lanes are zero or of a magnitude in `[LEAST_MODERATE, limit)`.
#[inline(always)]
pub(super) fn is_moderate<T: Lane>(x: T, limit: f64) -> bool {
    let size = T::select(T::equal(x, T::splat(0.0)), T::splat(LEAST_MODERATE), x.abs());
    T::all(T::less(T::splat(LEAST_MODERATE.next_down()), size))
        && T::all(T::less(size, T::splat(limit)))
}
