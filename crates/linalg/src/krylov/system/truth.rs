//! What a solution by iteration is worth: its true residual, and whether that is what was asked
//! for.
//!
//! **Residual.** `b − A·x` in the precision of the vectors is itself wrong by some
//! `u·(‖A‖‖x‖ + ‖b‖)`. A solution that is as good as its precision permits leaves no more, so the
//! residual is computed again, with more than twice the bits: a product then is exact, and a sum is
//! wrong by `2^−64` of the least residual that rounding of `x` leaves.
//!
//! **Convergence.** A recursive residual `r` drifts away from `b − A·x`. Where that is rounding
//! alone, `‖b − A·x − r‖` is at most about `k·u·(‖A‖‖x‖ + ‖b‖)` after `k` iterations (Greenbaum,
//! *Estimating the attainable accuracy of recursively computed residual methods*, 1997; van der
//! Vorst and Ye, *Residual replacement strategies for Krylov subspace iterative methods for the
//! convergence of true residuals*, 2000), with the largest `x` of the iteration in the place of the
//! last. A true residual that is above the criterion by more has not converged: iterates were so
//! much larger than the solution that their roundings are what is left, or the solution lies next
//! to the end of the range, where numbers have fewer digits.

use crate::backend::Reading;
use crate::krylov::{Report, Stopped};
use crate::mp::Bits;
use crate::sparse::{Csr, Layout};
use crate::threads::{Grain, map};
use crate::{Number, Numbers};

use super::options::KrylovOptions;

/// Roundings of an iteration beside those that grow with their number.
const FEW_ROUNDINGS: f64 = 8.0;

/// A residual below this multiple of its own rounding is computed again with more bits.
const WELL_ABOVE_ROUNDING: f64 = 1024.0;

/// A system and the solution returned.
pub(super) struct Solved<'a, V: Number, T: Number> {
    pub(super) a: &'a Csr<V>,
    pub(super) b: &'a Numbers<T>,
    pub(super) x: &'a Numbers<T>,
    /// Bits of the vectors.
    pub(super) digits: u32,
    /// Where the iteration began.
    pub(super) start: &'a Numbers<T>,
    /// The norm of the first residual; zero or infinite where it is beyond the range of `f64`.
    pub(super) first: Reading,
    /// Whether the iteration saw the system in other units, from which the solution was rounded
    /// into its own.
    pub(super) is_scaled: bool,
}

impl<V: Number, T: Number> Solved<'_, V, T> {
    /// Puts the true residual of a report right, and whether the iteration converged.
    pub(super) fn judge(&self, report: &mut Report, options: &KrylovOptions) {
        let b = norm(self.b.len(), |i| reading(self.b.at(i)));
        let x = norm(self.x.len(), |i| reading(self.x.at(i)));
        let Ok(bits) = Bits::new((2 * self.digits + 192).min(Bits::MOST)) else { return };
        let mut first = self.first;
        if !first.is_finite() || first.significand == 0.0 {
            first = self.residual(self.start, bits);
            if first.significand == 0.0 {
                return;
            }
        }
        let u = 0.5_f64.powi(self.digits.min(1000) as i32);
        let sizes = self.matrix_norm().times(x).over(first).to_f64() + b.over(first).to_f64();
        let is_small = report.relative_residual_true <= WELL_ABOVE_ROUNDING * u * sizes;
        if is_small || self.is_scaled {
            report.relative_residual_true = self.residual(self.x, bits).over(first).to_f64();
        }
        let drift = u * (report.iterations as f64 + FEW_ROUNDINGS) * sizes;
        let limit = if options.iteration.relative {
            options.iteration.tolerance
        } else {
            Reading::of(options.iteration.tolerance).over(first).to_f64()
        };
        if report.converged && report.relative_residual_true > limit + drift {
            report.converged = false;
            report.stopped = Stopped::Drift;
        }
    }

    /// `√(‖A‖₁‖A‖∞)`, which is at least `‖A‖₂`.
    fn matrix_norm(&self) -> Reading {
        let (rows, cols) = self.a.shape();
        let values = self.a.values();
        let size = |at: usize| reading(values.at(at));
        let all = (0..values.len()).map(size).filter(|size| size.significand != 0.0);
        let most = all.map(|size| size.exponent).max().unwrap_or(0);
        let (mut by_row, mut by_column) = (vec![0.0; rows], vec![0.0; cols]);
        for (row, sum) in by_row.iter_mut().enumerate() {
            for (at, col) in self.a.row(row) {
                let size = size(at);
                let scaled = Reading { exponent: size.exponent - most, ..size }.to_f64().abs();
                *sum += scaled;
                by_column[col] += scaled;
            }
        }
        let largest = |sums: Vec<f64>| Reading::of(sums.into_iter().fold(0.0, f64::max));
        let square = largest(by_row).times(largest(by_column));
        Reading { exponent: square.exponent + 2 * most, ..square }.sqrt()
    }

    /// `‖b − A·x‖` with `bits` bits.
    fn residual(&self, x: &Numbers<T>, bits: Bits) -> Reading {
        let values = self.a.values();
        let row = |i: usize| {
            let mut rest = self.b.at(i).in_bits(bits);
            for (at, col) in self.a.row(i) {
                rest -= values.at(at).in_bits(bits) * x.at(col).in_bits(bits);
            }
            rest.nearest()
        };
        let rests: Vec<Reading> = map(self.b.len(), Grain::ANY, row);
        norm(rests.len(), |i| rests[i])
    }
}

/// The number as a significand and an exponent.
fn reading<T: Number>(x: T) -> Reading {
    x.in_bits(Bits::FEWEST).nearest()
}

/// `√Σ x²`, of numbers of any exponents.
fn norm(count: usize, of: impl Fn(usize) -> Reading) -> Reading {
    let numbers = || (0..count).map(&of).filter(|x| x.significand != 0.0);
    let Some(most) = numbers().map(|x| x.exponent).max() else { return Reading::ZERO };
    let squares = numbers().map(|x| Reading { exponent: x.exponent - most, ..x }.to_f64().powi(2));
    let root = Reading::of(squares.sum::<f64>().sqrt());
    Reading { exponent: root.exponent + most, ..root }
}
