//! What can be wrong with a contract, and with its pricing.

use core::fmt;

use nonius_files::room::NoRoom;

use crate::evolve::Failure;

/// Why a contract has no price.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number of the contract lies outside its range.
    Range {
        /// The number.
        field: Field,
        /// What it is.
        value: f64,
        /// What it has to be.
        needed: &'static str,
    },
    /// Dates that have to increase do not.
    Order {
        /// The dates.
        field: Field,
        /// The place of the first that does not, counted from 0.
        index: usize,
    },
    /// Early exercise of an option that only begins to exist at a barrier.
    EarlyExerciseKnockIn,
    /// Exercise at any time of an option whose barrier is looked at on dates: before such a date it
    /// may pay on both sides.
    EarlyExerciseMonitoring,
    /// Exercise at any time where it pays between two prices of the underlying, not beyond one.
    TwoBoundaries,
    /// The grid has too few or too many nodes or steps.
    Grid {
        /// Intervals of the underlying.
        space: usize,
        /// Steps in time.
        time: usize,
    },
    /// The tolerance is not a positive number below 1.
    Tolerance {
        /// What it is.
        value: f64,
    },
    /// A price outside the bounds of no arbitrage, which no volatility explains.
    NoVolatility {
        /// The price.
        price: f64,
        /// What the price has to be above.
        least: f64,
        /// What it has to be below.
        greatest: f64,
    },
    /// A price whose volatility lies outside those that are searched.
    VolatilityOutside {
        /// The price.
        price: f64,
        /// The least or the greatest volatility that is searched.
        limit: f64,
        /// The contract's price with that volatility.
        found: f64,
    },
    /// A price that too many volatilities explain, as far as prices can be computed.
    Undetermined {
        /// The price.
        price: f64,
        /// The least of them.
        least: f64,
        /// The greatest.
        greatest: f64,
    },
    /// Implied volatility of an option whose price need not grow with it.
    ImpliedBarrier,
    /// An iteration for an implied volatility that did not come to rest.
    NoConvergence {
        /// The steps that were taken.
        steps: usize,
    },
    /// Price, sensitivities or numbers on the way to them exceed the range of the number type.
    NotFinite,
    /// The grid does not fit the memory.
    NoRoom(NoRoom),
    /// Computing broke down.
    Evolution(Failure),
}

/// A number of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// [`Contract::spot`](crate::Contract::spot).
    Spot,
    /// [`Contract::strike`](crate::Contract::strike).
    Strike,
    /// [`Contract::maturity`](crate::Contract::maturity).
    Maturity,
    /// [`Contract::rates`](crate::Contract::rates).
    Rate,
    /// [`Contract::yields`](crate::Contract::yields).
    Yield,
    /// [`Contract::volatility`](crate::Contract::volatility).
    Volatility,
    /// The dates of [`Exercise::Bermudan`](crate::Exercise::Bermudan).
    ExerciseDate,
    /// [`Barrier::level`](crate::Barrier::level).
    Barrier,
    /// [`Barrier::rebate`](crate::Barrier::rebate).
    Rebate,
    /// The dates of [`Monitoring::Dates`](crate::Monitoring::Dates).
    MonitoringDate,
    /// [`Dividend::time`](crate::Dividend::time).
    DividendDate,
    /// [`Dividend::amount`](crate::Dividend::amount).
    Dividend,
    /// A price whose volatility is asked for.
    Price,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Spot => "spot",
            Field::Strike => "strike",
            Field::Maturity => "maturity",
            Field::Rate => "rate",
            Field::Yield => "yield",
            Field::Volatility => "volatility",
            Field::ExerciseDate => "exercise date",
            Field::Barrier => "barrier",
            Field::Rebate => "rebate",
            Field::MonitoringDate => "monitoring date",
            Field::DividendDate => "dividend date",
            Field::Dividend => "dividend",
            Field::Price => "price",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Range { field, value, needed } => {
                write!(f, "the {field} is {value} where {needed} is needed")
            }
            Error::Order { field, index } => {
                write!(f, "{field} {} does not come after the one before", index + 1)
            }
            Error::EarlyExerciseKnockIn => f.write_str(
                "an option that a barrier knocks in can be priced with European exercise only",
            ),
            Error::EarlyExerciseMonitoring => f.write_str(
                "an option with American exercise can have a barrier that is looked at always, not one on dates; give it exercise dates instead",
            ),
            Error::TwoBoundaries => f.write_str(
                "with this negative rate or yield early exercise pays between two prices of the underlying, which is not supported",
            ),
            Error::Grid { space, time } => write!(
                f,
                "a grid of {space} × {time} is outside 16 × 2 to 65536 × 1048576"
            ),
            Error::Tolerance { value } => {
                write!(f, "the tolerance is {value} where a positive number below 1 is needed")
            }
            Error::NoVolatility { price, least, greatest } => write!(
                f,
                "no volatility explains the price {price}: without arbitrage it is above {least} and below {greatest}"
            ),
            Error::VolatilityOutside { price, limit, found } => {
                let beyond = if found < price { "above" } else { "below" };
                write!(
                    f,
                    "the volatility of the price {price} is {beyond} {limit}, where the contract is worth {found}; the search ends there"
                )
            }
            Error::Undetermined { price, least, greatest } => write!(
                f,
                "computed prices cannot tell which volatility from {least:.2e} to {greatest:.2e} the price {price} has"
            ),
            Error::ImpliedBarrier => f.write_str(
                "the price of an option with a barrier need not grow with volatility, so that none is implied",
            ),
            Error::NoConvergence { steps } => {
                write!(f, "the implied volatility did not converge in {steps} steps")
            }
            Error::NotFinite => f.write_str(
                "the price or a sensitivity exceeds the range of numbers: spot, strike and barrier are too far from one",
            ),
            Error::NoRoom(refused) => refused.fmt(f),
            Error::Evolution(failure) => write!(f, "the finite differences failed: {failure}"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Evolution(failure) => Some(failure),
            _ => None,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Error::Evolution(failure)
    }
}
