mod binary;
mod dot;
mod exhaustive;
mod stepwise;
mod text;

use super::stepwise::{axpy, dot, multiply, scale, strided_dot, xpay};
use super::*;
use crate::integers::words::{bit_length, bits_at};
use crate::mp::Bits;

/// What the format promises of a number: residues below their moduli, the length of the
/// significand, bounds that hold it.
fn sound(x: &RnsFloat) {
    let tables = x.format.tables();
    assert!(x.residues.iter().zip(&tables.moduli).all(|(y, m)| y < m), "{x:?}");
    assert!(x.residues[tables.count..].iter().all(|&y| y == 0), "{x:?}");
    if x.head.exponent().is_none() {
        assert!(x.residues.iter().all(|&y| y == 0), "{x:?}");
        return;
    }
    let mut words = [0; convert::WORDS + 1];
    tables.decode(&x.residues, &mut words);
    assert_eq!(bit_length(&words), tables.bits, "{x:?}");
    // X·2^62 within [low, high]·2^p.
    let (whole, below) = match tables.bits.checked_sub(62) {
        Some(start) => (bits_at(&words, start), crate::integers::words::zero_below(&words, start)),
        None => (words[0] << (62 - tables.bits), true),
    };
    assert!(x.bounds.low() <= whole, "{x:?}");
    assert!(whole < x.bounds.high() || whole == x.bounds.high() && below, "{x:?}");
    assert!(x.bounds.high() - x.bounds.low() <= Bounds::WIDEST, "{x:?}");
}

/// Whether both are the same number, signs of zeros included, or both NaN.
fn same(x: &RnsFloat, y: &crate::Mp) -> bool {
    let x = x.view().to_mp_of(Bits::internal(x.format.bits()));
    x.is_nan() && y.is_nan() || x.head() == y.head() && x.words() == y.words()
}
