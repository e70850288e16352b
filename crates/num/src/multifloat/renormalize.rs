//! Bringing limbs that overlap back into the normal form.

use super::MultiFloat;
use crate::Lane;
use crate::eft::two_sum;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// The number `Σ limbs`, exactly, for limbs that may overlap, cancel, or lie in any order.
    ///
    /// Two bottom-up and `N−1` top-down passes of TwoSum (VecSum of Ogita, Rump, Oishi 2005), of
    /// which none loses anything. That this many separate the limbs is an observation (no
    /// counterexample among millions of random and cancelling limbs), not a theorem.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // Limbs in any order, with the sum 10¹⁶ + 1.
    /// let x = Dd::renormalize([1.0, 1e16]);
    /// assert_eq!(x.limbs(), [1e16, 1.0]);
    /// ```
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
}
