//! Vectors of numbers of any bits: rounded to `f64` and back, as words.

use nonius_num::mp::{Head, Mp, MpRef};

use crate::backend::Reading;
use crate::{Slice, SliceMut};

/// `to ← 2^−exponent·x`, each entry rounded.
pub(in crate::cpu) fn round(x: Slice<'_, Mp>, exponent: i64, to: &mut [f64]) {
    for (i, to) in to.iter_mut().enumerate() {
        let x = x.entry(i);
        *to = MpRef::new(x.bits(), x.head().shifted(-exponent), x.words()).to_f64();
    }
}

/// `to ← 2^exponent·x`, each entry rounded.
pub(in crate::cpu) fn widen(x: &[f64], exponent: i64, mut to: SliceMut<'_, Mp>) {
    let bits = to.format();
    let mut number = Mp::zero(bits);
    for (i, &x) in x.iter().enumerate() {
        let Reading { significand, exponent: own } = Reading::of(x);
        if significand.is_finite() {
            let integer = [(significand.abs() * 2.0_f64.powi(53)) as u64];
            number.set_rounded(x.is_sign_negative(), &integer, own - 53 + exponent, false);
        } else {
            number.set_value(Mp::from_f64(bits, x).view());
        }
        to.put(i, number.view());
    }
}

/// Appends the heads and words of all numbers.
pub(in crate::cpu) fn pack(x: Slice<'_, Mp>, words: &mut Vec<u64>) {
    let (heads, significands) = x.parts();
    for (head, significand) in heads.iter().zip(significands.chunks_exact(x.bits().words())) {
        words.push(head.to_bits().into());
        words.extend_from_slice(significand);
    }
}

/// Takes what [`pack`] appended.
pub(in crate::cpu) fn unpack(words: &[u64], to: SliceMut<'_, Mp>) {
    let count = to.format().words();
    let (heads, significands) = to.into_parts();
    let numbers = heads.iter_mut().zip(significands.chunks_exact_mut(count));
    for ((head, significand), words) in numbers.zip(words.chunks_exact(1 + count)) {
        *head = Head::from_bits(words[0] as u32);
        significand.copy_from_slice(&words[1..]);
    }
}
