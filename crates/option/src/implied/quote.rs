//! A quote, and what it implies.

use nonius_linalg::Number;

use crate::contract::{Contract, Volatility};
use crate::error::{Error, Field};
use crate::request::Grid;
use crate::terms::Terms;

/// The least volatility that is searched.
pub(super) const LEAST: f64 = 1e-3;

/// A price of a contract, whose volatility does not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote<T> {
    /// The contract.
    pub contract: Contract<T>,
    /// Its price.
    pub price: T,
}

impl<T: Number> Quote<T> {
    /// `Ok` where a volatility may be implied, bounds of no arbitrage aside.
    ///
    /// # Errors
    /// As [`Contract::validate`], the volatility aside; [`Error::ImpliedBarrier`]; [`Error::Range`]
    /// of the price.
    pub fn validate(&self) -> Result<(), Error> {
        self.with_least().validate()?;
        if self.contract.barrier.is_some() {
            return Err(Error::ImpliedBarrier);
        }
        if !self.price.is_finite() || self.price <= T::ZERO {
            let needed = "a positive finite number";
            return Err(Error::Range { field: Field::Price, value: self.price.to_f64(), needed });
        }
        Ok(())
    }

    /// The widest format of its numbers, the contract's volatility aside.
    pub(crate) fn format(&self) -> T::Format {
        (self.price + T::ZERO.to_format(self.with_least().format())).format()
    }

    /// The contract with the least volatility that is searched.
    pub(crate) fn with_least(&self) -> Contract<T> {
        self.with(T::from_f64(LEAST))
    }

    /// The contract with a constant volatility.
    pub(super) fn with(&self, volatility: T) -> Contract<T> {
        let volatility = Volatility::Terms(Terms::constant(volatility));
        Contract { volatility, ..self.contract.clone() }
    }

    /// A volatility that every contract may have: the quote's does not count.
    pub(crate) fn any_volatility(format: T::Format) -> Volatility<T> {
        Volatility::Terms(Terms::constant(T::from_f64(LEAST).to_format(format)))
    }
}

/// The constant volatility with which a contract has its quoted price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Implied<T> {
    /// The volatility, in the widest format of the quote's numbers.
    pub volatility: T,
    /// The estimate of its absolute error, which takes in that of the contract's price.
    pub error: f64,
    /// Whether the estimate is within the tolerance.
    pub converged: bool,
    /// The finest grid of the last price; nothing where that needed none.
    pub grid: Option<Grid>,
}
