//! Slices of numbers as slices of their limbs.

#![allow(unsafe_code)]

use crate::Scalar;

/// The limbs of the numbers, number by number.
#[inline]
pub fn limbs_of<T: Scalar>(x: &[T]) -> &[f64] {
    const { assert!(size_of::<T>() == T::LIMBS * size_of::<f64>()) };
    // SAFETY: `Scalar` is sealed by `Kernels`; its implementors are `f64` and `MultiFloat<N>`, a
    // transparent wrapper of `[f64; N]` with `N = LIMBS`. Both are made of exactly `LIMBS`
    // initialised `f64` without padding.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len() * T::LIMBS) }
}

/// As [`limbs_of`], to be changed.
#[inline]
pub fn limbs_of_mut<T: Scalar>(x: &mut [T]) -> &mut [f64] {
    const { assert!(size_of::<T>() == T::LIMBS * size_of::<f64>()) };
    // SAFETY: as in `limbs_of`; any `f64` may be written, since no safety invariant rests on the
    // normal form.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len() * T::LIMBS) }
}
