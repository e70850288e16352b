//! Vega and rho: differences of prices in shifted markets, on the same grids.
//!
//! Five-point central differences: with shifts of a hundredth of what prices vary over, their error is of the order of 10⁻⁸ of the derivative, while errors of the prices are divided by a hundredth only, and are nearly the same on all sides. The shift
//! of the volatility, all of it together, is a hundredth of the least; that of the rate a hundredth of `σ/√T` or of `1/T`, whichever is less.

use nonius_linalg::Scalar;

use crate::contract::Contract;

/// How a market is shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shift<T> {
    /// Of the rate.
    Rate(T),
    /// Of the volatility.
    Volatility(T),
}

/// Multiples of the shift, and their factors in twelve times the derivative.
const STENCIL: [(f64, f64); 4] = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)];

impl<T: Scalar> Shift<T> {
    /// The contract in the shifted market.
    pub(crate) fn of(self, contract: &Contract<T>) -> Contract<T> {
        match self {
            Shift::Rate(by) => contract.shifted(by, T::ZERO),
            Shift::Volatility(by) => contract.shifted(T::ZERO, by),
        }
    }
}

fn sizes<T: Scalar>(contract: &Contract<T>) -> [T; 2] {
    let volatility = contract.volatility.range().0;
    let hundredth = T::ONE / T::from_f64(100.0);
    let slow = T::ONE / contract.maturity;
    let quick = volatility * slow.sqrt();
    [volatility * hundredth, if quick < slow { quick } else { slow } * hundredth]
}

/// The shifts that both derivatives need, those for vega first.
pub(crate) fn shifts<T: Scalar>(contract: &Contract<T>) -> Vec<Shift<T>> {
    let [volatility, rate] = sizes(contract);
    let by = |size: T| STENCIL.map(|(multiple, _)| size * T::from_f64(multiple));
    let (volatilities, rates) = (by(volatility), by(rate));
    volatilities.map(Shift::Volatility).into_iter().chain(rates.map(Shift::Rate)).collect()
}

/// Vega and rho from the prices in the order of [`shifts`].
pub(crate) fn derivatives<T: Scalar>(contract: &Contract<T>, prices: &[T]) -> Option<[T; 2]> {
    let [volatility, rate] = sizes(contract);
    let of = |prices: &[T], size: T| {
        let sum = STENCIL
            .iter()
            .zip(prices)
            .fold(T::ZERO, |sum, (&(_, factor), &price)| sum + T::from_f64(factor) * price);
        sum / (size * T::from_f64(12.0))
    };
    let (vega, rho) = prices.split_at_checked(STENCIL.len())?;
    Some([of(vega, volatility), of(rho, rate)])
}
