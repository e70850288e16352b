//! The element types of matrices.

use nonius_num::{MultiFloat, Real};

/// A real number made of `LIMBS` `f64` limbs, as kernels see it when they lay the limbs out in planes.
///
/// Implemented for `f64` and `MultiFloat<2 | 3 | 4>`.
pub trait Scalar: Real {
    /// Number of limbs.
    const LIMBS: usize;

    /// Limb `i < LIMBS`, the largest first.
    fn limb(self, i: usize) -> f64;

    /// The number with the given limbs, which must be in normal form.
    fn from_limbs(limb: impl FnMut(usize) -> f64) -> Self;
}

impl Scalar for f64 {
    const LIMBS: usize = 1;

    #[inline(always)]
    fn limb(self, _: usize) -> f64 {
        self
    }

    #[inline(always)]
    fn from_limbs(mut limb: impl FnMut(usize) -> f64) -> f64 {
        limb(0)
    }
}

impl<const N: usize> Scalar for MultiFloat<N> {
    const LIMBS: usize = N;

    #[inline(always)]
    fn limb(self, i: usize) -> f64 {
        self.limbs()[i]
    }

    #[inline(always)]
    fn from_limbs(limb: impl FnMut(usize) -> f64) -> Self {
        MultiFloat::from_limbs(core::array::from_fn(limb))
    }
}
