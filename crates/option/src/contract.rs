//! Contracts, each with its market.

use nonius_linalg::Number;

use crate::format::widest;
use crate::surface::Surface;
use crate::terms::Terms;

/// An option on one underlying. Times are in years from today, rates and volatilities those of a
/// year.
///
/// Under the pricing measure the underlying follows `dS = (r − q)·S·dt + σ·S·dW` between dividends.
///
/// A call and a put with the same terms differ by the forward's value:
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Contract, Kind, Request, price};
///
/// let [call, put] = [Kind::Call, Kind::Put]
///     .map(|kind| Contract::european(kind, 100.0, 110.0, 2.0, [0.03, 0.01, 0.25]));
/// let prices = price(&Cpu::default(), &[call, put], &Request::default())?;
/// let [call, put] = [0, 1].map(|i| prices[i].as_ref().unwrap().value);
/// let forward = 100.0 * (-0.02_f64).exp() - 110.0 * (-0.06_f64).exp();
/// assert!((call - put - forward).abs() < 1e-4);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Contract<T> {
    /// What it pays.
    pub kind: Kind,
    /// When it may be exercised.
    pub exercise: Exercise<T>,
    /// The price of the underlying today.
    pub spot: T,
    /// The strike.
    pub strike: T,
    /// When it ends.
    pub maturity: T,
    /// The interest rate `r`, continuously compounded.
    pub rates: Terms<T>,
    /// The continuous yield `q` of the underlying.
    pub yields: Terms<T>,
    /// The volatility `σ`.
    pub volatility: Volatility<T>,
    /// A level of the underlying at which the option begins or ends.
    pub barrier: Option<Barrier<T>>,
    /// Dividends of the underlying at dates. Those at maturity and later have no effect.
    pub dividends: Vec<Dividend<T>>,
}

/// What an option pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `max(S − K, 0)`.
    Call,
    /// `max(K − S, 0)`.
    Put,
}

/// When an option may be exercised.
///
/// A put that may be exercised after half a year too is worth more than one that may not:
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Accuracy, Contract, Exercise, Kind, Request, price};
///
/// let mut put = Contract::european(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// put.exercise = Exercise::Bermudan(vec![0.5]);
/// let request = Request { accuracy: Accuracy::Tolerance(1e-5), ..Request::default() };
/// let prices = price(&Cpu::default(), &[put], &request)?;
/// // By integration 5.838709602626; the European put is worth 5.573526.
/// assert!((prices[0].as_ref().unwrap().value - 5.838_709_602_626).abs() < 1e-4);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Exercise<T> {
    /// At maturity.
    European,
    /// At any time.
    American,
    /// At these dates, in ascending order, and at maturity.
    Bermudan(Vec<T>),
}

/// The volatility of the underlying.
#[derive(Clone, Debug, PartialEq)]
pub enum Volatility<T> {
    /// A volatility that depends on time alone.
    Terms(Terms<T>),
    /// A volatility that depends on the underlying too.
    Local(Surface<T>),
}

/// A level of the underlying at which an option begins or ends.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Barrier, Contract, Kind, Knock, Monitoring, Request, Side, price};
///
/// let mut call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// call.barrier = Some(Barrier {
///     side: Side::Down,
///     knock: Knock::Out,
///     level: 90.0,
///     rebate: 0.0,
///     monitoring: Monitoring::Continuous,
/// });
/// let prices = price(&Cpu::default(), &[call], &Request::default())?;
/// // The closed form of Merton.
/// assert!((prices[0].as_ref().unwrap().value - 8.665_471_658_246).abs() < 1e-4);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier<T> {
    /// The side from which the underlying reaches it.
    pub side: Side,
    /// Whether the option begins or ends there.
    pub knock: Knock,
    /// The price of the underlying at which it stands.
    pub level: T,
    /// What is paid at once when the underlying knocks the option out, or at maturity when it has
    /// never knocked it in.
    pub rebate: T,
    /// When it is monitored.
    pub monitoring: Monitoring<T>,
}

/// The side from which the underlying reaches a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// From below.
    Up,
    /// From above.
    Down,
}

/// What a barrier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knock {
    /// The option begins to exist.
    In,
    /// The option ends.
    Out,
}

/// When a barrier is monitored.
#[derive(Clone, Debug, PartialEq)]
pub enum Monitoring<T> {
    /// At any time.
    Continuous,
    /// At these dates, in ascending order, before dividends of the same date.
    Dates(Vec<T>),
}

/// A dividend: at `time` the underlying falls by `amount`.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Accuracy, Amount, Contract, Dividend, Kind, Request, price};
///
/// let mut call = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
/// call.dividends = vec![Dividend { time: 182.0 / 365.0, amount: Amount::Cash(2.0) }];
/// let request = Request { accuracy: Accuracy::Tolerance(1e-5), ..Request::default() };
/// let prices = price(&Cpu::default(), &[call], &request)?;
/// // By integration 9.32102616344956; 10.45 without the dividend.
/// assert!((prices[0].as_ref().unwrap().value - 9.321_026_163).abs() < 2e-4);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dividend<T> {
    /// When it falls. A holder who exercises at that date does so before.
    pub time: T,
    /// The amount by which the underlying falls.
    pub amount: Amount<T>,
}

/// The amount of a dividend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount<T> {
    /// A sum of money. An underlying that is worth less falls to zero.
    Cash(T),
    /// A part of the underlying's price, in [0, 1).
    Proportional(T),
}

impl<T: Number> Contract<T> {
    /// A European option with constant rate, yield and volatility.
    pub fn european(
        kind: Kind,
        spot: T,
        strike: T,
        maturity: T,
        [rate, dividend_yield, volatility]: [T; 3],
    ) -> Self {
        Self {
            kind,
            exercise: Exercise::European,
            spot,
            strike,
            maturity,
            rates: Terms::constant(rate),
            yields: Terms::constant(dividend_yield),
            volatility: Volatility::Terms(Terms::constant(volatility)),
            barrier: None,
            dividends: Vec::new(),
        }
    }

    /// As [`european`](Self::european), exercised at any time.
    pub fn american(kind: Kind, spot: T, strike: T, maturity: T, market: [T; 3]) -> Self {
        Self {
            exercise: Exercise::American,
            ..Self::european(kind, spot, strike, maturity, market)
        }
    }

    /// The format of the widest of its numbers, in which it is priced.
    pub fn format(&self) -> T::Format {
        let mut numbers = vec![self.spot, self.strike, self.maturity];
        let mut terms = |terms: &Terms<T>| {
            numbers.extend(terms.pieces().iter().flat_map(|piece| [piece.until, piece.value]));
        };
        terms(&self.rates);
        terms(&self.yields);
        match &self.volatility {
            Volatility::Terms(volatility) => terms(volatility),
            Volatility::Local(surface) => numbers.extend(surface.numbers()),
        }
        if let Exercise::Bermudan(dates) = &self.exercise {
            numbers.extend(dates);
        }
        if let Some(barrier) = &self.barrier {
            numbers.extend([barrier.level, barrier.rebate]);
            if let Monitoring::Dates(dates) = &barrier.monitoring {
                numbers.extend(dates);
            }
        }
        for dividend in &self.dividends {
            let (Amount::Cash(amount) | Amount::Proportional(amount)) = dividend.amount;
            numbers.extend([dividend.time, amount]);
        }
        widest(numbers)
    }

    /// The same contract with all numbers in a format.
    #[must_use]
    pub fn in_format(&self, format: T::Format) -> Self {
        let all = |numbers: &[T]| numbers.iter().map(|x| x.to_format(format)).collect();
        let barrier = |barrier: &Barrier<T>| Barrier {
            level: barrier.level.to_format(format),
            rebate: barrier.rebate.to_format(format),
            monitoring: match &barrier.monitoring {
                Monitoring::Continuous => Monitoring::Continuous,
                Monitoring::Dates(dates) => Monitoring::Dates(all(dates)),
            },
            ..barrier.clone()
        };
        let dividend = |dividend: &Dividend<T>| Dividend {
            time: dividend.time.to_format(format),
            amount: match dividend.amount {
                Amount::Cash(cash) => Amount::Cash(cash.to_format(format)),
                Amount::Proportional(part) => Amount::Proportional(part.to_format(format)),
            },
        };
        Self {
            kind: self.kind,
            exercise: match &self.exercise {
                Exercise::European => Exercise::European,
                Exercise::American => Exercise::American,
                Exercise::Bermudan(dates) => Exercise::Bermudan(all(dates)),
            },
            spot: self.spot.to_format(format),
            strike: self.strike.to_format(format),
            maturity: self.maturity.to_format(format),
            rates: self.rates.in_format(format),
            yields: self.yields.in_format(format),
            volatility: match &self.volatility {
                Volatility::Terms(terms) => Volatility::Terms(terms.in_format(format)),
                Volatility::Local(surface) => Volatility::Local(surface.in_format(format)),
            },
            barrier: self.barrier.as_ref().map(barrier),
            dividends: self.dividends.iter().map(dividend).collect(),
        }
    }

    /// What exercise pays with the underlying at `spot`; negative where it costs money.
    pub fn intrinsic(&self, spot: T) -> T {
        match self.kind {
            Kind::Call => spot - self.strike,
            Kind::Put => self.strike - spot,
        }
    }

    /// What the option pays at maturity, barriers aside.
    pub fn payoff(&self, spot: T) -> T {
        let value = self.intrinsic(spot);
        if value > T::ZERO { value } else { T::ZERO.to_format(value.format()) }
    }

    /// The dividends that have an effect.
    pub(crate) fn effective_dividends(&self) -> impl Iterator<Item = &Dividend<T>> {
        self.dividends.iter().filter(|dividend| dividend.time < self.maturity)
    }

    /// The sum of dividends in money.
    pub(crate) fn cash(&self) -> T {
        self.effective_dividends().fold(T::ZERO, |sum, dividend| match dividend.amount {
            Amount::Cash(cash) => sum + cash,
            Amount::Proportional(_) => sum,
        })
    }

    /// The same contract in a market of other levels.
    pub(crate) fn shifted(&self, rate: T, volatility: T) -> Self {
        Self {
            rates: self.rates.shifted(rate),
            volatility: self.volatility.shifted(volatility),
            ..self.clone()
        }
    }
}

impl<T: Number> Volatility<T> {
    /// The volatility at a time, where the underlying is at `spot`.
    pub fn at(&self, time: T, spot: T) -> T {
        match self {
            Volatility::Terms(terms) => terms.at(time),
            Volatility::Local(surface) => surface.at(time, spot),
        }
    }

    pub(crate) fn shifted(&self, by: T) -> Self {
        match self {
            Volatility::Terms(terms) => Volatility::Terms(terms.shifted(by)),
            Volatility::Local(surface) => Volatility::Local(surface.shifted(by)),
        }
    }

    /// The least and the greatest.
    pub(crate) fn range(&self) -> (T, T) {
        match self {
            Volatility::Terms(terms) => terms.range(),
            Volatility::Local(surface) => surface.range(),
        }
    }
}
