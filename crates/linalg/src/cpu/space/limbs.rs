//! Vectors of limbs: rounded to `f64` and back, as words.

use crate::cpu::limbs::{limbs_of, limbs_of_mut};
use crate::{Scalar, Slice, SliceMut};

/// An exponent that limbs cannot reach, by sign.
const BEYOND_ALL_EXPONENTS: i64 = 1 << 13;

/// `to ← 2^−exponent·x`, each entry rounded.
pub(in crate::cpu) fn round<T: Scalar>(x: Slice<'_, T>, exponent: i64, to: &mut [f64]) {
    let shift = (-exponent).clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
    to.iter_mut().zip(x.cells()).for_each(|(to, x)| *to = x.ldexp(shift).to_f64());
}

/// `to ← 2^exponent·x`, each entry rounded.
pub(in crate::cpu) fn widen<T: Scalar>(x: &[f64], exponent: i64, to: SliceMut<'_, T>) {
    let shift = exponent.clamp(-BEYOND_ALL_EXPONENTS, BEYOND_ALL_EXPONENTS) as i32;
    to.plain().iter_mut().zip(x).for_each(|(to, &x)| *to = T::from_f64(x).ldexp(shift));
}

/// Appends the limbs of all numbers.
pub(in crate::cpu) fn pack<T: Scalar>(x: Slice<'_, T>, words: &mut Vec<u64>) {
    words.extend(limbs_of(x.cells()).iter().map(|limb| limb.to_bits()));
}

/// Takes what [`pack`] appended.
pub(in crate::cpu) fn unpack<T: Scalar>(words: &[u64], to: SliceMut<'_, T>) {
    let limbs = limbs_of_mut(to.plain()).iter_mut().zip(words);
    limbs.for_each(|(limb, &word)| *limb = f64::from_bits(word));
}
