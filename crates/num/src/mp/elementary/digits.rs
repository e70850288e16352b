//! The words of constants: from a table, and beyond it from series.
//!
//! With the standard library, what is computed is kept for the process, at lengths that double.

use alloc::vec;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use super::inverse_pi::two_over_pi;
use super::tables::{self, WORDS};
use super::words::Words;
use crate::integers::words::{
    add_multiple, add_with_carry, divide_small, sub_with_borrow, subtract_multiple,
};

/// Lengths that are kept: the last one suffices to reduce any number modulo `π/2`.
#[cfg(feature = "std")]
const LENGTHS: usize = 15;

/// A constant in [½, 1).
pub(super) struct Constant {
    table: &'static [u64; WORDS],
    /// Computes a given number of leading words, less than a unit off.
    compute: fn(usize) -> Vec<u64>,
    /// Twice the table's words, four times, and so on.
    #[cfg(feature = "std")]
    known: [OnceLock<Vec<u64>>; LENGTHS],
}

macro_rules! constants {
    ($($name:ident $compute:expr;)*) => {$(
        pub(super) static $name: Constant = Constant {
            table: &tables::$name,
            compute: $compute,
            #[cfg(feature = "std")]
            known: [const { OnceLock::new() }; LENGTHS],
        };
    )*};
}

// ln 2 = 4·atanh(1/7) + 2·atanh(1/17), ln 10 = 46·atanh(1/31) + 34·atanh(1/49) + 20·atanh(1/161),
// π/4 = 4·atan(1/5) − atan(1/239) (Machin).
constants! {
    LN_2 |n| inverses(&[(4, 7), (2, 17)], false, 1, n);
    LN_10_OVER_4 |n| inverses(&[(46, 31), (34, 49), (20, 161)], false, 4, n);
    QUARTER_PI |n| inverses(&[(4, 5), (-1, 239)], true, 1, n);
    TWO_OVER_PI two_over_pi;
}

impl Constant {
    /// The leading `n` words, less than a unit off.
    pub(super) fn leading(&self, n: usize) -> Words {
        self.leading_from(n, 0)
    }

    /// The same without the first `skipped` words.
    pub(super) fn leading_from(&self, n: usize, skipped: usize) -> Words {
        let part = |words: &[u64]| {
            let start = words.len() - n;
            Words::from_slice(&words[start..words.len() - skipped])
        };
        if n <= WORDS {
            return part(self.table);
        }
        #[cfg(feature = "std")]
        {
            let i = n.div_ceil(WORDS).next_power_of_two().ilog2() as usize - 1;
            if let Some(known) = self.known.get(i) {
                return part(known.get_or_init(|| (self.compute)(WORDS << (i + 1))));
            }
        }
        part(&(self.compute)(n))
    }
}

/// `Σ c·atanh(1/k) / divisor`, or with arc tangents, from the pairs `(c, k)`.
fn inverses(pairs: &[(i64, u64)], alternating: bool, divisor: u64, n: usize) -> Vec<u64> {
    // The words below those asked for hold the error: below 2^20 terms, each less than a unit off.
    let n = n + 1;
    let mut sum = vec![0; n + 1];
    for &(c, k) in pairs {
        let step = if c < 0 { subtract_multiple } else { add_multiple };
        step(&mut sum, &inverse_series(k, alternating, n)[..n], c.unsigned_abs());
    }
    divide_small(&mut sum, divisor);
    sum[1..n].to_vec()
}

/// `Σ (±1)^i / ((2i + 1)·k^(2i + 1))`.
fn inverse_series(k: u64, alternating: bool, n: usize) -> Vec<u64> {
    let mut power = vec![0; n + 1];
    power[n] = 1;
    divide_small(&mut power, k);
    let mut sum = power.clone();
    let mut i = 1;
    while power.last().is_some() {
        divide_small(&mut power, k * k);
        while power.last() == Some(&0) {
            power.pop();
        }
        let mut part = power.clone();
        divide_small(&mut part, 2 * i + 1);
        let step = if alternating && i % 2 == 1 { sub_with_borrow } else { add_with_carry };
        let mut carry = false;
        for (j, sum) in sum.iter_mut().enumerate() {
            let part = part.get(j).copied().unwrap_or(0);
            if j >= power.len() && !carry {
                break;
            }
            (*sum, carry) = step(*sum, part, carry);
        }
        i += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_their_series() {
        for constant in [&LN_2, &LN_10_OVER_4, &QUARTER_PI, &TWO_OVER_PI] {
            assert_eq!((constant.compute)(WORDS), constant.table);
            let more = constant.leading(WORDS + 3);
            assert_eq!(more[3..], constant.table[..]);
        }
    }
}
