//! Constants as balls.

use super::super::digits;
use super::Ball;

impl Ball {
    /// The leading words of a constant in [½, 1), which are less than a unit off.
    fn constant(digits: &digits::Constant, n: usize) -> Self {
        Self::new(false, &digits.leading(n + 1), -64 * (n as i64 + 1), -64 * (n as i64 + 1), n + 1)
    }

    /// `ln 2` with `n` words.
    pub(in crate::mp::elementary) fn ln_2(n: usize) -> Self {
        Self::constant(&digits::LN_2, n)
    }

    /// `ln 10` with `n` words.
    pub(in crate::mp::elementary) fn ln_10(n: usize) -> Self {
        Self::constant(&digits::LN_10_OVER_4, n).ldexp(2)
    }

    /// `π` with `n` words.
    pub(in crate::mp::elementary) fn pi(n: usize) -> Self {
        Self::constant(&digits::QUARTER_PI, n).ldexp(2)
    }

    /// `1 / π` with `n` words.
    pub(in crate::mp::elementary) fn inverse_pi(n: usize) -> Self {
        Self::constant(&digits::TWO_OVER_PI, n).ldexp(-1)
    }
}
