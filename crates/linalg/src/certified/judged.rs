//! What is known of unknowns after a correction, entry by entry and column by column.

use nonius_num::mp::{Bits, MpRef};

use super::magnitude::Magnitude;

/// What bounds the errors of a corrected `Y`: that of entry `(i, j)` is at most
/// `row_sums[i]·noise[j] + shares[i]·reach[j] + floors[j] + 2^-bits·(|y_ij| + |z_ij|)`, where `z`
/// is what was added.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// `Σ_j |R_ij|`
    pub row_sums: &'a [Magnitude],
    /// `γ_i/(1 − γ)`
    pub shares: &'a [f64],
    /// Column by column.
    pub noise: &'a [Magnitude],
    /// Bounds of `‖R·r‖_∞`, column by column.
    pub reach: &'a [Magnitude],
    /// Column by column.
    pub floors: &'a [Magnitude],
    /// `X = D₂·Y`: exponents, row by row.
    pub scales: &'a [i64],
    /// Bits that results are rounded to: `|x|·2^(2 − bits)` is added to their errors.
    pub result_bits: Bits,
    /// What the relative errors of entries may be.
    pub tolerance: Magnitude,
}

/// What is known of a column of `Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The largest relative error of an entry of `X`.
    pub worst: Magnitude,
    /// The largest absolute error of an entry of `X`.
    pub error: Magnitude,
    /// Of entries with larger relative errors than allowed: the largest absolute error; 0 where
    /// there are none.
    pub open: Magnitude,
    /// Whether the relative error of one of these is bounded.
    pub bounded: bool,
    /// A lower bound of the largest magnitude of an entry of `X`.
    pub least: Magnitude,
    /// An upper bound of the largest magnitude of an entry of `Y`.
    pub largest: Magnitude,
}

impl Judged {
    /// A column without entries.
    pub const NOTHING: Self = Self {
        worst: Magnitude::ZERO,
        error: Magnitude::ZERO,
        open: Magnitude::ZERO,
        bounded: false,
        least: Magnitude::ZERO,
        largest: Magnitude::ZERO,
    };

    /// What is known of two parts of a column.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self {
            worst: self.worst.max(other.worst),
            error: self.error.max(other.error),
            open: self.open.max(other.open),
            bounded: self.bounded | other.bounded,
            least: self.least.max(other.least),
            largest: self.largest.max(other.largest),
        }
    }

    /// Takes in entry `(i, j)` of `Y`, to which a number below `added` in magnitude was added.
    pub(super) fn add(
        &mut self,
        bounds: &Bounds<'_>,
        (i, j): (usize, usize),
        added: Magnitude,
        y: MpRef<'_>,
    ) {
        let (size, least) = (Magnitude::above(y), Magnitude::below(y));
        let error = bounds.error((i, j), y.bits(), size.plus(added));
        let written = error.plus(size.shifted(2 - i64::from(bounds.result_bits.get())));
        // A zero that is known has no error.
        let relative =
            if written.is_zero() { Magnitude::ZERO } else { written.over_difference(least, error) };
        let scaled = written.shifted(bounds.scales[i]);
        self.worst = self.worst.max(relative);
        self.error = self.error.max(scaled);
        if bounds.tolerance.less(relative) {
            self.open = self.open.max(scaled);
            self.bounded |= relative.is_finite();
        }
        self.least = self.least.max(least.above_by(error).shifted(bounds.scales[i]));
        self.largest = self.largest.max(size.plus(error));
    }
}

impl Bounds<'_> {
    /// A bound of the error of entry `(i, j)` of `Y` with `bits` bits, where `size` bounds
    /// `|y_ij| + |z_ij|`.
    pub(super) fn error(&self, (i, j): (usize, usize), bits: Bits, size: Magnitude) -> Magnitude {
        let noise = self.row_sums[i].times(self.noise[j]).plus(self.floors[j]);
        let share = Magnitude::new(self.shares[i], 0).times(self.reach[j]);
        noise.plus(share).plus(size.shifted(-i64::from(bits.get())))
    }
}
