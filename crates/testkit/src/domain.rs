//! The numbers an operation is tried on.

use std::ops::RangeInclusive;

/// A range of exponents and signs, and points to press around.
///
/// Random and adversarial inputs have a first limb in it; the special inputs (zeros, infinities,
/// NaN, the limits of the format) are tried on top, in whatever domain, unless
/// [`without_specials`](Domain::without_specials).
#[derive(Clone, Debug)]
pub struct Domain {
    pub(crate) exponents: RangeInclusive<i32>,
    pub(crate) negative: bool,
    /// Whether the special inputs belong to it.
    pub specials: bool,
    pub(crate) points: Vec<[f64; 4]>,
}

impl Domain {
    /// Every finite number.
    pub fn all() -> Self {
        Self::exponents(-1074, 1023)
    }

    /// Both signs, first limb in `[2^lowest, 2^(highest+1))`.
    pub fn exponents(lowest: i32, highest: i32) -> Self {
        Self { exponents: lowest..=highest, negative: true, specials: true, points: Vec::new() }
    }

    /// Without negative numbers.
    pub fn positive(self) -> Self {
        Self { negative: false, ..self }
    }

    /// Without zeros, infinities, NaN and the limits of the format.
    pub fn without_specials(self) -> Self {
        Self { specials: false, ..self }
    }

    /// Presses a sixth of the inputs around these points: at distances of all sizes down to the
    /// last place. Points are given by four limbs, of which narrower formats drop the last.
    pub fn around(self, points: impl IntoIterator<Item = [f64; 4]>) -> Self {
        Self { points: points.into_iter().collect(), ..self }
    }
}
