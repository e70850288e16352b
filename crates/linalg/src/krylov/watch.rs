//! What the host knows of an iteration.

use super::options::{Options, Residual};
use super::report::NonPositive;
use crate::Error;
use crate::backend::Reading;

/// Entries of the history for which memory is found before the first iteration; more are found as
/// they come.
const MOST_RESERVED: usize = 1 << 20;

/// Iterations and residuals so far.
#[derive(Debug)]
pub struct Watch<'a> {
    options: &'a Options,
    /// Square of the first residual's norm.
    pub(super) first: Reading,
    /// Relative norm that is small enough.
    pub(super) limit: f64,
    /// The square of the norm that is.
    pub(super) limit_of_squares: Reading,
    pub(super) non_positive: Option<NonPositive>,
    pub(super) history: Vec<f64>,
    pub(super) iteration: usize,
    /// Norm of the recursive residual beside that of the first.
    pub(super) relative: f64,
    /// Whether the residual that counts is small enough.
    pub(super) met: bool,
}

impl<'a> Watch<'a> {
    /// Before the first iteration on a system of order `n`.
    pub(super) fn new(first: Reading, options: &'a Options, n: usize) -> Result<Self, Error> {
        if !first.is_finite() {
            return Err(Error::Breakdown { iteration: 0, quantity: "r·r", value: first.to_f64() });
        }
        let zero = first.significand == 0.0;
        let limit = if options.relative || zero {
            options.tolerance
        } else {
            Reading::of(options.tolerance).over(first.sqrt()).to_f64()
        };
        let relative = if zero { 0.0 } else { 1.0 };
        let mut history = Vec::new();
        if options.history {
            let length = options.max_iterations.saturating_add(1).min(MOST_RESERVED);
            history
                .try_reserve_exact(length)
                .map_err(|_| Error::TooLarge { rows: n, cols: length })?;
            history.push(relative);
        }
        let least = Reading::of(limit);
        Ok(Self {
            options,
            first,
            limit,
            limit_of_squares: least.times(least).times(first),
            non_positive: None,
            history,
            iteration: 0,
            relative,
            met: relative <= limit || zero,
        })
    }

    /// The norm whose square this is, beside that of the first residual.
    pub(super) fn relative_of(&self, square: Reading) -> f64 {
        if self.first.significand == 0.0 { 0.0 } else { square.over(self.first).sqrt().to_f64() }
    }

    /// Whether there were as many iterations as allowed.
    pub(super) fn is_last(&self) -> bool {
        self.iteration >= self.options.max_iterations
    }

    /// Iterations that may follow.
    pub(super) fn left(&self) -> usize {
        self.options.max_iterations.saturating_sub(self.iteration)
    }

    /// Whether the residual became small enough.
    pub fn is_met(&self) -> bool {
        self.met
    }

    /// The next iteration has begun.
    pub fn begin(&mut self) {
        self.iteration += 1;
    }

    /// The square of the recursive residual's norm in this iteration.
    ///
    /// # Errors
    /// [`Error::Breakdown`] where it is not finite.
    pub fn residual(&mut self, square: Reading) -> Result<(), Error> {
        if !square.is_finite() {
            return self.broken("r·r", square);
        }
        self.met = square.at_most(self.limit_of_squares);
        self.relative = self.relative_of(square);
        if self.options.history {
            // A later step of the same iteration replaces what an earlier one said.
            self.history.truncate(self.iteration);
            self.history.push(self.relative);
        }
        Ok(())
    }

    /// The true residual, from which a method begins anew; returns its norm beside that of the
    /// first.
    pub(super) fn renew(&mut self, square: Reading) -> Result<f64, Error> {
        if !square.is_finite() {
            self.broken("r·r", square)?;
        }
        let small = square.at_most(self.limit_of_squares);
        if small && !self.met {
            self.residual(square)?;
        }
        self.met = small || self.met && self.options.residual == Residual::Recursive;
        Ok(self.relative_of(square))
    }

    /// A number by which the iteration divides.
    ///
    /// # Errors
    /// [`Error::Breakdown`] where it is zero or not finite.
    pub fn divisor(&self, quantity: &'static str, value: Reading) -> Result<(), Error> {
        let fine = value.is_finite() && value.significand != 0.0;
        if fine { Ok(()) } else { self.broken(quantity, value) }
    }

    /// A number of which the iteration takes the root.
    ///
    /// # Errors
    /// [`Error::Breakdown`] where it is negative or not finite.
    pub fn square(&self, quantity: &'static str, value: Reading) -> Result<(), Error> {
        let fine = value.is_finite() && value.significand >= 0.0;
        if fine { Ok(()) } else { self.broken(quantity, value) }
    }

    /// `p·Ap`, which is positive where the matrix is positive definite.
    ///
    /// # Errors
    /// [`Error::NegativeCurvature`] where it is negative and the options ask for that.
    pub fn curvature(&mut self, value: Reading) -> Result<(), Error> {
        if value.significand < 0.0 {
            NonPositive::count(&mut self.non_positive, self.iteration);
            if self.options.require_positive_definite {
                let (iteration, value) = (self.iteration, value.to_f64());
                return Err(Error::NegativeCurvature { iteration, value });
            }
        }
        Ok(())
    }

    fn broken(&self, quantity: &'static str, value: Reading) -> Result<(), Error> {
        Err(Error::Breakdown { iteration: self.iteration, quantity, value: value.to_f64() })
    }
}
