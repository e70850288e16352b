//! What is asked for, and whether a column has it.
//!
//! A number `x̃` written for an entry `x` has `D` correct digits where `|x̃ − x| <= 1/2·10^-D·|x|`:
//! less than half a unit of the `D`-th significant digit, whatever the first digit is. Measured by
//! the norm, the right side has the largest magnitude of the column in the place of `|x|`. What
//! rounding to the bits of the result and to its decimal text adds is part of `x̃ − x`.

use nonius_num::mp::{Bits, Mp};

use super::column::Column;
use super::judged::Judged;
use super::magnitude::Magnitude;
use super::system::System;

/// Relative to what digits are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DigitsIn {
    /// Each entry.
    #[default]
    Entry,
    /// The largest entry of its column.
    Norm,
}

/// The digits asked for, and the bits that they take.
pub(super) struct Target {
    /// What relative errors may be.
    pub(super) tolerance: Magnitude,
    /// The decimal digits asked for.
    pub(super) digits: u32,
    digits_in: DigitsIn,
    /// Bits of the result.
    pub(super) bits: Bits,
    most: Bits,
}

/// What is known of a column.
pub(super) struct Judgement {
    /// The largest relative error of an entry.
    pub(super) worst: Magnitude,
    /// Entries with larger relative errors than allowed.
    pub(super) open: Vec<usize>,
    /// A bound of the largest magnitude in the column of `Y`.
    pub(super) largest: Magnitude,
    /// Whether all of these are so small beside the largest entry that they seem to be zero.
    pub(super) negligible: bool,
}

/// What is known of a column that is refined together with others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verdict {
    /// The largest relative error of an entry.
    pub(super) worst: Magnitude,
    /// Whether that is allowed.
    pub(super) done: bool,
    /// Whether entries with larger errors than allowed are so small beside the largest entry that
    /// they seem to be zero.
    pub(super) negligible: bool,
}

/// Digits that can be asked for.
pub const MOST_DIGITS: u32 = 1000;

impl Target {
    /// For `digits` digits, with at most `most` bits on the way; `None` where there are too many
    /// digits.
    pub(super) fn new(digits: u32, digits_in: DigitsIn, most: Bits) -> Option<Self> {
        if digits > MOST_DIGITS {
            return None;
        }
        // 10^D < 2^(10 D / 3 + 1)
        let bits = Bits::new((digits * 10).div_ceil(3) + 10).or(Bits::new(Bits::LEAST)).ok()?;
        let tolerance = Mp::from_decimal(bits, format!("0.5e-{digits}").as_bytes()).ok()?;
        let tolerance = Magnitude::below(tolerance.view());
        Some(Self { tolerance, digits, digits_in, bits, most })
    }

    /// About how many bits are enough where `bits` bits leave the relative error `worst`. Each bit
    /// halves the error; `None` where it is infinite.
    pub(super) fn bits_for(&self, worst: Magnitude, bits: Bits) -> Option<u32> {
        let missing = worst.exponent()? - self.tolerance.exponent()? + 1;
        bits.get().checked_add(u32::try_from(missing.max(0)).ok()?)
    }

    /// Bits of approximations at first.
    pub(super) fn working_bits(&self) -> Bits {
        Bits::new((self.bits.get() + 8).next_multiple_of(64)).unwrap_or(self.bits)
    }

    /// Bits of approximations at most: sums have 64 more.
    pub(super) fn most_working_bits(&self) -> Bits {
        let most = self.most.get().max(self.working_bits().get());
        Bits::new(most.min(Bits::MOST - 64)).unwrap_or(self.bits)
    }

    /// More bits than these for approximations, unless that are too many.
    pub(super) fn more_bits(&self, bits: Bits) -> Option<Bits> {
        let more = bits.get() + (bits.get() / 4).next_multiple_of(64);
        let more = Bits::new(more.min(self.most_working_bits().get()));
        more.ok().filter(|&more| more > bits)
    }

    /// Below such a part of the largest entry others are negligible.
    fn negligible_size(&self) -> Magnitude {
        Magnitude::power(-2 * i64::from(self.bits.get()) - 64)
    }

    /// Judges a column by what a machine found.
    pub(super) fn verdict(&self, judged: &Judged) -> Verdict {
        let beside_largest = |error: Magnitude| {
            if error.is_zero() {
                return error;
            }
            error.over_difference(judged.least, Magnitude::ZERO)
        };
        match self.digits_in {
            DigitsIn::Entry => Verdict {
                worst: judged.worst,
                done: judged.open.is_zero(),
                negligible: !judged.bounded
                    && beside_largest(judged.open).less(self.negligible_size()),
            },
            DigitsIn::Norm => {
                let worst = beside_largest(judged.error);
                Verdict { worst, done: !self.tolerance.less(worst), negligible: false }
            }
        }
    }

    /// Judges a column.
    pub(super) fn judge(&self, system: &System, column: &Column) -> Judgement {
        let size = |i: usize| Magnitude::above(column.values.entry(i, 0));
        let least = |i: usize| Magnitude::below(column.values.entry(i, 0));
        let scale = |i: usize| system.column_scales[i];
        let rounding = 2 - i64::from(self.bits.get());
        let relative = |i: usize| -> Magnitude {
            let error = column.errors[i];
            if error.is_zero() && column.values.entry(i, 0).head().is_zero() {
                return Magnitude::ZERO;
            }
            error.plus(size(i).shifted(rounding)).over_difference(least(i), error)
        };
        let n = system.order();
        let largest = (0..n).max_by(|&i, &j| {
            let (x, y) = (least(i).shifted(scale(i)), least(j).shifted(scale(j)));
            if x.less(y) { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater }
        });
        let beside_largest = |i: usize| {
            let Some(k) = largest else { return Magnitude::ZERO };
            let error = column.errors[i].plus(size(i).shifted(rounding)).shifted(scale(i));
            error.over_difference(least(k).shifted(scale(k)), column.errors[k].shifted(scale(k)))
        };
        let (mut worst, mut open, mut negligible) = (Magnitude::ZERO, Vec::new(), true);
        let negligible_size = self.negligible_size();
        for i in 0..n {
            let error = match self.digits_in {
                DigitsIn::Entry => relative(i),
                DigitsIn::Norm => beside_largest(i),
            };
            worst = worst.max(error);
            if self.tolerance.less(error) {
                open.push(i);
                negligible &= !relative(i).is_finite() && beside_largest(i).less(negligible_size);
            }
        }
        let largest =
            (0..n).map(|i| size(i).plus(column.errors[i])).fold(Magnitude::ZERO, Magnitude::max);
        Judgement { worst, open, largest, negligible }
    }
}
