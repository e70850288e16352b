//! Exact numbers to judge results by.

use std::cmp::Ordering;

use num_bigint::BigInt;

/// A rational number with a positive denominator.
#[derive(Clone, Debug)]
pub(crate) struct Fraction {
    over: BigInt,
    under: BigInt,
}

fn power_of_ten(k: u32) -> BigInt {
    BigInt::from(10).pow(k)
}

impl Fraction {
    pub(crate) fn new(over: i128, under: i128) -> Self {
        let sign = if under < 0 { -1 } else { 1 };
        Self { over: BigInt::from(over) * sign, under: BigInt::from(under) * sign }
    }

    /// The number times a power of ten.
    pub(crate) fn scaled(&self, k: i32) -> Self {
        let factor = power_of_ten(k.unsigned_abs());
        let Self { over, under } = self.clone();
        if k < 0 {
            Self { over, under: under * factor }
        } else {
            Self { over: over * factor, under }
        }
    }

    /// What a decimal says: a sign, digits with a point or not, and an exponent or not.
    pub(crate) fn of_decimal(text: &str) -> Self {
        let (significand, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, part) = significand.split_once('.').unwrap_or((significand, ""));
        let digits: BigInt = format!("{whole}{part}").parse().expect("digits");
        let exponent: i32 = exponent.parse().expect("an exponent");
        Self { over: digits, under: 1.into() }.scaled(exponent - part.len() as i32)
    }

    /// A finite number in `f64`, exactly but for half a unit of its last place.
    pub(crate) fn of(x: f64) -> Self {
        Self::of_decimal(&format!("{x:e}"))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            over: &self.over * &other.under + &other.over * &self.under,
            under: &self.under * &other.under,
        }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some((&self.over * &other.under).cmp(&(&other.over * &self.under)))
    }
}
