//! Slices of numbers as slices of their limbs.

#![allow(unsafe_code)]

use crate::Scalar;

/// The limbs of the numbers, number by number.
#[inline]
pub(crate) fn limbs_of<T: Scalar>(x: &[T]) -> &[f64] {
    const { assert!(size_of::<T>() == T::LIMBS * size_of::<f64>()) };
    // SAFETY: `Scalar` is sealed; its implementors are `f64` and `MultiFloat<N>`, a transparent wrapper of `[f64; N]`
    // with `N = LIMBS`. Both are made of exactly `LIMBS` initialised `f64` without padding.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len() * T::LIMBS) }
}
