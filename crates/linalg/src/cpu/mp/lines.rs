//! Numbers of a matrix along a row or a column, and sums of products of two of them.

use nonius_num::Mp;
use nonius_num::mp::{Bits, MpRef};

use crate::cpu::space::kernels::{Place, dot_of_places};
use crate::{MatRef, Slice};

/// Numbers at equal distances.
#[derive(Clone, Copy)]
pub(super) struct Strided<'a> {
    numbers: Slice<'a, Mp>,
    place: Place,
}

impl<'a> Strided<'a> {
    /// The first `count` numbers of row `i` from column `j` on.
    pub(super) fn of_row(a: MatRef<'a, Mp>, i: usize, j: usize, count: usize) -> Self {
        let ld = a.ld();
        let place = Place { first: i + j * ld, step: ld, count };
        Self { numbers: a.numbers(), place }
    }

    /// The first `count` numbers of column `j` from row `i` on.
    pub(super) fn of_column(a: MatRef<'a, Mp>, i: usize, j: usize, count: usize) -> Self {
        let place = Place { first: i + j * a.ld(), step: 1, count };
        Self { numbers: a.numbers(), place }
    }

    /// All of them.
    pub(super) fn of(numbers: Slice<'a, Mp>) -> Self {
        let place = Place { first: 0, step: 1, count: numbers.len() };
        Self { numbers, place }
    }

    /// `Σ x_k·y_k`, rounded once to the greater number of bits: within `(1 + 2^-61)·u·Σ|x_k·y_k|`.
    pub(super) fn dot(self, y: Self) -> Mp {
        let mut sum = Mp::zero(self.numbers.bits().max(y.numbers.bits()));
        let (x, y) = ((self.numbers.parts(), self.place), (y.numbers.parts(), y.place));
        sum.set_parts(|bits, words| dot_of_places(bits, x, y, words));
        sum
    }

    /// `b − Σ x_k·y_k`, the sum and the difference rounded once each.
    pub(super) fn remainder(self, b: MpRef<'_>, y: Self) -> Mp {
        if self.place.count == 0 { b.to_mp(b.bits()) } else { b - self.dot(y).view() }
    }
}

/// A divisor of many numbers, which are multiplied by its reciprocal if that is in the range.
pub(super) struct Divisor {
    divisor: Mp,
    reciprocal: Option<Mp>,
}

impl Divisor {
    /// For numbers of `bits` bits.
    pub(super) fn new(divisor: MpRef<'_>, bits: Bits) -> Self {
        let reciprocal = Mp::one(bits).view() / divisor;
        let usable = reciprocal.is_finite() && !reciprocal.is_zero();
        Self { divisor: divisor.to_mp(divisor.bits()), reciprocal: usable.then_some(reciprocal) }
    }

    /// `x / d` within `2u + u²` of itself.
    pub(super) fn divide(&self, x: MpRef<'_>) -> Mp {
        match &self.reciprocal {
            Some(reciprocal) => x * reciprocal.view(),
            None => x / self.divisor.view(),
        }
    }
}
