//! Whether a contract makes sense.

use nonius_linalg::Number;

use crate::contract::{Amount, Contract, Exercise, Kind, Knock, Monitoring, Volatility};
use crate::error::{Error, Field};

/// Standard deviations of the logarithm of the underlying up to maturity, and drifts, beyond these
/// leave the range of `f64` on a grid.
const MOST_DEVIATIONS: f64 = 10.0;

impl<T: Number> Contract<T> {
    /// `Ok` where the contract can be priced.
    ///
    /// ```
    /// use nonius_option::{Contract, Error, Field, Kind};
    ///
    /// let call = Contract::european(Kind::Call, 100.0, -1.0, 1.0, [0.05, 0.0, 0.2]);
    /// let error = call.validate().unwrap_err();
    /// assert!(matches!(error, Error::Range { field: Field::Strike, .. }));
    /// assert_eq!(error.to_string(), "the strike is -1 where a positive finite number is needed");
    /// ```
    ///
    /// # Errors
    /// The first number that lies outside its range, by its name, or the first combination that is
    /// not supported.
    pub fn validate(&self) -> Result<(), Error> {
        positive(Field::Spot, self.spot)?;
        positive(Field::Strike, self.strike)?;
        positive(Field::Maturity, self.maturity)?;
        if let Some(barrier) = &self.barrier {
            positive(Field::Barrier, barrier.level)?;
        }
        self.validate_range()?;
        self.rates.pieces().iter().try_for_each(|piece| finite(Field::Rate, piece.value))?;
        self.yields.pieces().iter().try_for_each(|piece| finite(Field::Yield, piece.value))?;
        match &self.volatility {
            Volatility::Terms(terms) => terms
                .pieces()
                .iter()
                .try_for_each(|piece| positive(Field::Volatility, piece.value))?,
            Volatility::Local(surface) => {
                surface.values().iter().try_for_each(|&x| positive(Field::Volatility, x))?;
            }
        }
        if self.deviation() > T::from_f64(MOST_DEVIATIONS) {
            let value = self.volatility.range().1.to_f64();
            let needed = "one with at most ten standard deviations up to maturity";
            return Err(Error::Range { field: Field::Volatility, value, needed });
        }
        if self.drift() > T::from_f64(MOST_DEVIATIONS) {
            let value = self.rates.range().1.to_f64();
            let needed = "one that grows to at most e^10 up to maturity, together with the yield,";
            return Err(Error::Range { field: Field::Rate, value, needed });
        }
        if let Exercise::Bermudan(dates) = &self.exercise {
            self.dates(Field::ExerciseDate, dates)?;
        }
        self.validate_barrier()?;
        for dividend in &self.dividends {
            positive(Field::DividendDate, dividend.time)?;
            match dividend.amount {
                Amount::Cash(x) => not_negative(Field::Dividend, x)?,
                Amount::Proportional(x) => {
                    not_negative(Field::Dividend, x)?;
                    if x >= T::ONE {
                        let needed = "a part below 1";
                        let value = x.to_f64();
                        return Err(Error::Range { field: Field::Dividend, value, needed });
                    }
                }
            }
        }
        self.validate_early_exercise()
    }

    /// Grids are laid out in `f64`, whose range some numbers exceed.
    fn validate_range(&self) -> Result<(), Error> {
        let barrier = self.barrier.as_ref().map(|barrier| (Field::Barrier, barrier.level));
        let prices = [(Field::Spot, self.spot), (Field::Strike, self.strike)];
        for (field, x) in
            prices.into_iter().chain([(Field::Maturity, self.maturity)]).chain(barrier)
        {
            let near = x.to_f64();
            range(field, x, near.is_finite() && near != 0.0, "a number in the range of f64")?;
        }
        Ok(())
    }

    fn validate_barrier(&self) -> Result<(), Error> {
        let Some(barrier) = &self.barrier else { return Ok(()) };
        not_negative(Field::Rebate, barrier.rebate)?;
        if let Monitoring::Dates(dates) = &barrier.monitoring {
            self.dates(Field::MonitoringDate, dates)?;
            if self.exercise == Exercise::American {
                return Err(Error::EarlyExerciseMonitoring);
            }
        }
        if barrier.knock == Knock::In && self.exercise != Exercise::European {
            return Err(Error::EarlyExerciseKnockIn);
        }
        Ok(())
    }

    /// Exercise pays `r·K − q·S` a year for a put, the opposite for a call. Where both are negative
    /// that is positive on the far side of `S = K·r/q` only, and as the option is in the money on
    /// the near side of `K` only, between the two.
    fn validate_early_exercise(&self) -> Result<(), Error> {
        if self.exercise != Exercise::American {
            return Ok(());
        }
        let zero = T::ZERO;
        let two = |r: T, q: T| match self.kind {
            Kind::Put => r < zero && q < r,
            Kind::Call => q < zero && r < q,
        };
        let found = self
            .rates
            .pieces()
            .iter()
            .any(|r| self.yields.pieces().iter().any(|q| two(r.value, q.value)));
        if found { Err(Error::TwoBoundaries) } else { Ok(()) }
    }

    /// `Ok` for dates that increase and lie after today and not after maturity.
    fn dates(&self, field: Field, dates: &[T]) -> Result<(), Error> {
        for (index, &date) in dates.iter().enumerate() {
            positive(field, date)?;
            if date > self.maturity {
                let needed = "a time up to maturity";
                return Err(Error::Range { field, value: date.to_f64(), needed });
            }
            if index > 0 && date <= dates[index - 1] {
                return Err(Error::Order { field, index });
            }
        }
        Ok(())
    }

    /// The standard deviation of the logarithm of the underlying at maturity; where volatility is
    /// local, the greatest possible.
    pub(crate) fn deviation(&self) -> T {
        match &self.volatility {
            Volatility::Terms(terms) => terms.integral(self.maturity, |x| x * x).sqrt(),
            Volatility::Local(surface) => surface.range().1 * self.maturity.sqrt(),
        }
    }

    /// The same, where volatility is local the least possible.
    pub(crate) fn least_deviation(&self) -> T {
        match &self.volatility {
            Volatility::Terms(_) => self.deviation(),
            Volatility::Local(surface) => surface.range().0 * self.maturity.sqrt(),
        }
    }

    /// How far rates and yields may move the logarithm of the underlying up to maturity.
    pub(crate) fn drift(&self) -> T {
        let rates = self.rates.integral(self.maturity, |x| x.abs());
        rates + self.yields.integral(self.maturity, |x| x.abs())
    }
}

fn finite<T: Number>(field: Field, x: T) -> Result<(), Error> {
    range(field, x, x.is_finite(), "a finite number")
}

fn positive<T: Number>(field: Field, x: T) -> Result<(), Error> {
    range(field, x, x.is_finite() && x > T::ZERO, "a positive finite number")
}

fn not_negative<T: Number>(field: Field, x: T) -> Result<(), Error> {
    range(field, x, x.is_finite() && x >= T::ZERO, "a finite number not below zero")
}

fn range<T: Number>(field: Field, x: T, holds: bool, needed: &'static str) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Range { field, value: x.to_f64(), needed }) }
}
