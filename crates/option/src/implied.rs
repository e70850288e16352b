//! Implied volatilities.
//!
//! **Method.** The price grows with the volatility. The root of price minus quote is bracketed by
//! doubling and halving the volatility, then found by the method of Anderson and Björck (*A new
//! high order method of regula falsi type*, 1973) in the logarithm of the volatility, with a
//! bisection where it does not halve the bracket in three steps. Every step prices all contracts
//! that are left in one batch.
//!
//! **Error.** That of the prices, a part `tolerance` of each, divided by the vega.

use nonius_linalg::Number;

use crate::contract::{Amount, Contract, Exercise, Kind, Volatility};
use crate::error::{Error, Field};
use crate::evolve::Evolve;
use crate::price::{Priced, price};
use crate::request::{Accuracy, Request};
use crate::terms::Terms;

/// A price of a contract, whose volatility does not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote<T> {
    /// The contract.
    pub contract: Contract<T>,
    /// Its price.
    pub price: T,
}

/// Steps before the search is given up: three bisections bring three bits at least.
const MOST_STEPS: usize = 120;

/// The volatilities between which is searched, standard deviations up to maturity aside.
const RANGE: [f64; 2] = [1e-3, 8.0];

/// Where the search begins.
const START: f64 = 0.25;

/// The constant volatilities with which contracts have their quoted prices, each price computed to
/// the tolerance.
///
/// ```
/// use nonius_linalg::backend::Cpu;
/// use nonius_option::{Contract, Error, Kind, Quote, implied_volatility};
///
/// // The volatility of the contract does not count.
/// let contract = Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.05, 0.0, 1.0]);
/// let quote = |price| Quote { contract: contract.clone(), price };
/// let quotes = [quote(10.450_583_572_185_567), quote(1.0)];
/// let found = implied_volatility(&Cpu::default(), &quotes, 1e-8)?;
/// assert!((found[0].as_ref().unwrap() - 0.2).abs() < 1e-7);
/// // No volatility makes the call cheaper than its value without any.
/// assert!(matches!(found[1], Err(Error::NoVolatility { .. })));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`nonius_linalg::Error::Device`], of the backend as a whole.
pub fn implied_volatility<T: Priced>(
    backend: &dyn Evolve<T>,
    quotes: &[Quote<T>],
    tolerance: f64,
) -> Result<Vec<Result<T, Error>>, nonius_linalg::Error> {
    let request = Request { accuracy: Accuracy::Tolerance(tolerance), ..Request::default() };
    let mut searches: Vec<Search<T>> =
        quotes.iter().map(|quote| Search::new(quote, tolerance)).collect();
    for _ in 0..MOST_STEPS {
        let (mut asking, mut contracts) = (Vec::new(), Vec::new());
        for (i, search) in searches.iter().enumerate() {
            if search.outcome.is_none() {
                asking.push(i);
                contracts.push(with(&search.quote.contract, search.trial));
            }
        }
        if asking.is_empty() {
            break;
        }
        for (i, price) in asking.into_iter().zip(price(backend, &contracts, &request)?) {
            match price {
                Ok(price) => searches[i].learn(price.value),
                Err(error) => searches[i].outcome = Some(Err(error)),
            }
        }
    }
    let unfinished = || Err(Error::NoConvergence { steps: MOST_STEPS });
    Ok(searches.into_iter().map(|search| search.outcome.unwrap_or_else(unfinished)).collect())
}

fn with<T: Number>(contract: &Contract<T>, volatility: T) -> Contract<T> {
    Contract { volatility: Volatility::Terms(Terms::constant(volatility)), ..contract.clone() }
}

/// A volatility and by how much the price there is more than the quote.
#[derive(Clone, Copy)]
struct Point<T> {
    volatility: T,
    excess: T,
}

/// The search of one volatility.
struct Search<T> {
    /// With all numbers in the widest format of these, in which the volatility is found.
    quote: Quote<T>,
    trial: T,
    below: Option<Point<T>>,
    above: Option<Point<T>>,
    /// The width of the bracket some steps ago, and how many.
    width: T,
    steps: usize,
    /// Which end moved last.
    last_was_below: Option<bool>,
    limits: [T; 2],
    tolerance: T,
    outcome: Option<Result<T, Error>>,
}

impl<T: Number> Search<T> {
    fn new(quote: &Quote<T>, tolerance: f64) -> Self {
        let contract = with(&quote.contract, T::from_f64(RANGE[0]));
        let format = (quote.price + T::ZERO.to_format(contract.format())).format();
        let number = |x: f64| T::from_f64(x).to_format(format);
        let (contract, price) = (contract.in_format(format), quote.price.to_format(format));
        // Nine standard deviations, of ten that contracts may have.
        let most = number(9.0) / contract.maturity.sqrt();
        let most = if most < number(RANGE[1]) { most } else { number(RANGE[1]) };
        let trial = if most < number(START) { most } else { number(START) };
        let outcome = contract.validate().and_then(|()| check(&contract, price)).err();
        Self {
            quote: Quote { contract, price },
            trial,
            below: None,
            above: None,
            width: T::ZERO,
            steps: 0,
            last_was_below: None,
            limits: [number(RANGE[0]), most],
            tolerance: number(tolerance),
            outcome: outcome.map(Err),
        }
    }

    /// Takes the price at the trial.
    fn learn(&mut self, price: T) {
        let excess = price - self.quote.price;
        let point = Point { volatility: self.trial, excess };
        let is_below = excess < T::ZERO;
        if excess.abs() <= self.tolerance * self.quote.price.abs() * T::ONE.ldexp(-3) {
            self.outcome = Some(Ok(self.trial));
            return;
        }
        // The other end's excess shrinks where the same end moves twice (Anderson and Björck).
        if self.last_was_below == Some(is_below) {
            let (same, other) = if is_below {
                (self.below, &mut self.above)
            } else {
                (self.above, &mut self.below)
            };
            if let (Some(same), Some(other)) = (same, other.as_mut()) {
                let factor = T::ONE - excess / same.excess;
                let factor = if factor > T::ZERO { factor } else { T::ONE.ldexp(-1) };
                other.excess *= factor;
            }
        }
        self.last_was_below = Some(is_below);
        *(if is_below { &mut self.below } else { &mut self.above }) = Some(point);
        match (self.below, self.above) {
            (Some(below), Some(above)) => self.between(below, above),
            (Some(_), None) => self.outwards(self.trial.ldexp(1), price),
            _ => self.outwards(self.trial.ldexp(-1), price),
        }
    }

    /// Tries a volatility beyond the trial, unless that is at a limit already.
    fn outwards(&mut self, trial: T, found: T) {
        let [least, most] = self.limits;
        let trial = if trial < least {
            least
        } else if trial > most {
            most
        } else {
            trial
        };
        if trial == self.trial {
            let bounds = bounds(&self.quote.contract);
            let [least, greatest] =
                if trial == self.limits[0] { [found, bounds[1]] } else { [bounds[0], found] };
            self.outcome = Some(Err(no_volatility(self.quote.price, [least, greatest])));
        }
        self.trial = trial;
    }

    fn between(&mut self, below: Point<T>, above: Point<T>) {
        let [low, high] = [below, above].map(|point| point.volatility.ln());
        let width = (high - low).abs();
        // Prices of a tolerance cannot tell closer volatilities apart.
        if width <= self.tolerance * T::ONE.ldexp(-10) {
            self.outcome = Some(Ok(((low + high).ldexp(-1)).exp()));
            return;
        }
        if self.steps == 0 {
            self.width = width;
        }
        self.steps += 1;
        let bisect = self.steps > 3 && width > self.width.ldexp(-1);
        if self.steps > 3 {
            (self.steps, self.width) = (1, width);
        }
        let part = below.excess / (below.excess - above.excess);
        let is_inside = part > T::ZERO && part < T::ONE;
        let part = if bisect || !is_inside { T::ONE.ldexp(-1) } else { part };
        self.trial = (low + part * (high - low)).exp();
    }
}

/// `Ok` for a price between its bounds of a contract that has one without barrier.
fn check<T: Number>(contract: &Contract<T>, price: T) -> Result<(), Error> {
    if contract.barrier.is_some() {
        return Err(Error::ImpliedBarrier);
    }
    if !price.is_finite() || price <= T::ZERO {
        let needed = "a positive finite number";
        return Err(Error::Range { field: Field::Price, value: price.to_f64(), needed });
    }
    let [least, greatest] = bounds(contract);
    if price > least && price < greatest {
        Ok(())
    } else {
        Err(no_volatility(price, [least, greatest]))
    }
}

fn no_volatility<T: Number>(price: T, [least, greatest]: [T; 2]) -> Error {
    Error::NoVolatility {
        price: price.to_f64(),
        least: least.to_f64(),
        greatest: greatest.to_f64(),
    }
}

/// Bounds of the price that hold for every volatility (Merton 1973): those of the forward, and of
/// exercise now where it is allowed.
fn bounds<T: Number>(contract: &Contract<T>) -> [T; 2] {
    let years = contract.maturity;
    let growth = |until: T| {
        (contract.rates.integral(until, |x| x) - contract.yields.integral(until, |x| x)).exp()
    };
    // Dividends that are not earned reduce the share, those in cash by what they grow to.
    let mut forward = contract.spot * growth(years);
    let mut dividends: Vec<_> = contract.effective_dividends().collect();
    dividends.sort_by(|a, b| a.time.partial_cmp(&b.time).unwrap_or(core::cmp::Ordering::Equal));
    for dividend in dividends {
        forward = match dividend.amount {
            Amount::Cash(cash) => forward - cash * (growth(years) / growth(dividend.time)),
            Amount::Proportional(part) => forward * (T::ONE - part),
        };
    }
    let discount = (-contract.rates.integral(years, |x| x)).exp();
    let intrinsic = discount
        * match contract.kind {
            Kind::Call => forward - contract.strike,
            Kind::Put => contract.strike - forward,
        };
    let (least, greatest) = match contract.kind {
        Kind::Call => (intrinsic, discount * forward),
        Kind::Put => (intrinsic, discount * contract.strike),
    };
    let least = if least > T::ZERO { least } else { T::ZERO };
    let larger = |a: T, b: T| if a > b { a } else { b };
    match contract.exercise {
        Exercise::European => [least, greatest],
        // Rates below zero may make waiting dear or cheap: only what holds in any case.
        _ => {
            let now = if contract.exercise == Exercise::American {
                contract.payoff(contract.spot)
            } else {
                T::ZERO
            };
            let whole = match contract.kind {
                Kind::Call => contract.spot,
                Kind::Put => contract.strike,
            };
            [larger(least, now), larger(greatest, whole)]
        }
    }
}
