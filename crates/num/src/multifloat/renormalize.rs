//! Bringing limbs that overlap slightly back into the normal form.

use super::MultiFloat;
use crate::Lane;
use crate::eft::two_sum;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// The number `Σ limbs`, for limbs in any order of magnitude; error at most a few units of the last limb.
    ///
    /// Two bottom-up and `N−1` top-down passes of TwoSum (VecSum of Ogita, Rump, Oishi 2005): enough for the sums
    /// of this crate, whose limbs overlap by at most the carries of a few dozen additions.
    #[inline(always)]
    #[must_use]
    pub fn renormalize(limbs: [T; N]) -> Self {
        let mut x = limbs;
        for _ in 0..2 {
            for i in (0..N - 1).rev() {
                (x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
            }
        }
        for _ in 0..N - 1 {
            for i in 0..N - 1 {
                (x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
            }
        }
        Self(x)
    }

    /// `Σ limbs` for `N + 1` limbs: as [`renormalize`](Self::renormalize), with one limb more to round from.
    #[inline(always)]
    #[must_use]
    pub fn renormalize_with_tail(limbs: [T; N], tail: T) -> Self {
        let mut x = limbs;
        let mut t = tail;
        for _ in 0..2 {
            (x[N - 1], t) = two_sum(x[N - 1], t);
            for i in (0..N - 1).rev() {
                (x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
            }
        }
        for _ in 0..N - 1 {
            for i in 0..N - 1 {
                (x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
            }
            (x[N - 1], t) = two_sum(x[N - 1], t);
        }
        Self(x)
    }
}
