//! One entry of given data, and sums of such entries.

use core::ops::{AddAssign, Neg};

use nonius_num::Mp;
use nonius_num::mp::MpRef;

use super::magnitude::Magnitude;

/// One entry of [`Data`](super::Data).
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    pub(super) value: Mp,
    pub(super) error: Option<i32>,
    pub(super) places: u32,
}

/// The exponent of a relative error that has no bound.
pub(super) const UNBOUNDED: i32 = i32::MAX;

/// Whether a number is so far from the ends of the exponents' range that nothing computed from it
/// for a solution leaves that.
pub(super) fn in_range(x: MpRef<'_>) -> bool {
    x.head().is_zero() || x.head().exponent().is_some_and(|e| e.unsigned_abs() < 1 << 25)
}

/// `x + y` rounded, and what the rounding left: TwoSum (Knuth), whose proof holds for any
/// precision.
pub(super) fn two_sum(x: MpRef<'_>, y: MpRef<'_>) -> (Mp, Mp) {
    let s = x + y;
    let y_part = s.view() - x;
    let x_part = s.view() - y_part.view();
    let rest = (x - x_part.view()) + (y - y_part.view());
    (s, rest)
}

/// `x + y` rounded, with the relative error of the sum.
pub(super) fn sum(x: &Datum, y: &Datum) -> Datum {
    if x.value.is_zero() && x.error.is_none() {
        return y.clone();
    }
    let lost = |x: &Datum| x.error == Some(UNBOUNDED) || !in_range(x.value.view());
    let (s, rest) = two_sum(x.value.view(), y.value.view());
    let places = x.places.max(y.places);
    if lost(x) || lost(y) {
        return Datum { value: s, error: Some(UNBOUNDED), places };
    }
    if rest.is_zero() && x.error.is_none() && y.error.is_none() {
        return Datum { value: s, error: None, places };
    }
    let radius = |x: &Datum| {
        let size = Magnitude::above(x.value.view());
        x.error.map_or(Magnitude::ZERO, |e| size.shifted(i64::from(e)))
    };
    let error = radius(x).plus(radius(y)).plus(Magnitude::above(rest.view()));
    let relative = error.over_difference(Magnitude::below(s.view()), Magnitude::ZERO);
    let error = relative
        .exponent()
        .map_or(UNBOUNDED, |e| e.clamp(-i64::from(UNBOUNDED), i64::from(UNBOUNDED)) as i32);
    Datum { value: s, error: Some(error), places }
}

impl AddAssign for Datum {
    fn add_assign(&mut self, y: Self) {
        *self = sum(self, &y);
    }
}

impl Neg for Datum {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}
