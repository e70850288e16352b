//! Vega and rho: differences of prices in shifted markets, on the same grids.
//!
//! Five-point differences: with shifts of a hundredth of what prices vary over, their error is of
//! the order of 10⁻⁸ of the derivative (at a spot `d` standard deviations from the strike `(1 +
//! d²)⁴` times that), while errors of the prices are divided by a hundredth only, and are nearly
//! the same on all sides. The shift of the volatility, all of it together, is a hundredth of the
//! least; that of the rate a hundredth of `σ/√T` or of `1/T`, whichever is less.
//!
//! Where early exercise begins to pay as the rate changes its sign, the price has no expansion
//! across zero: rates that near zero are shifted to one side.

use nonius_linalg::Number;

use crate::contract::{Contract, Exercise};

/// Points and their factors in twelve times the derivative; the first is the market itself.
#[derive(Clone, Copy, Debug)]
struct Stencil {
    multiples: [f64; 4],
    factors: [f64; 5],
}

const CENTRAL: Stencil =
    Stencil { multiples: [-2.0, -1.0, 1.0, 2.0], factors: [0.0, 1.0, -8.0, 8.0, -1.0] };

/// Of the same order, and an error six times as large.
const ONE_SIDED: Stencil =
    Stencil { multiples: [1.0, 2.0, 3.0, 4.0], factors: [-25.0, 48.0, -36.0, 16.0, -3.0] };

/// Markets beside the contract's own that both derivatives need.
pub(crate) const MARKETS: usize = 2 * CENTRAL.multiples.len();

/// Steps in one direction: of the volatility, or of the rate.
struct Shift<T> {
    size: T,
    stencil: Stencil,
}

impl<T: Number> Shift<T> {
    /// By how much the points are shifted.
    fn amounts(&self) -> [T; 4] {
        self.stencil.multiples.map(|multiple| self.size * T::from_f64(multiple))
    }

    /// The derivative from the price in the market itself and those at the points.
    fn derivative(&self, price: T, shifted: &[T]) -> T {
        let prices = core::iter::once(&price).chain(shifted);
        let sum = (self.stencil.factors.iter().zip(prices))
            .filter(|&(&factor, _)| factor != 0.0)
            .fold(T::ZERO, |sum, (&factor, &price)| sum + T::from_f64(factor) * price);
        sum / (self.size * T::from_f64(12.0))
    }
}

/// Whether early exercise of the contract changes its kind within the points of a shift of the
/// rate: a rate changes its sign, or a second boundary of exercise begins.
fn is_across<T: Number>(contract: &Contract<T>, shift: &Shift<T>) -> bool {
    let points = shift.amounts();
    contract.exercise != Exercise::European
        && points.iter().any(|&by| {
            let crosses = |rate: T| (rate < T::ZERO) != (rate + by < T::ZERO);
            contract.rates.pieces().iter().any(|piece| crosses(piece.value))
                || contract.shifted(by, T::ZERO).validate().is_err()
        })
}

/// The shifts of the volatility and of the rate.
fn of<T: Number>(contract: &Contract<T>) -> [Shift<T>; 2] {
    let volatility = contract.volatility.range().0;
    let hundredth = T::ONE.to_format(volatility.format()) / T::from_f64(100.0);
    let slow = T::ONE / contract.maturity;
    let quick = volatility * slow.sqrt();
    let rate = if quick < slow { quick } else { slow } * hundredth;
    let central = Shift { size: rate, stencil: CENTRAL };
    let rate = if is_across(contract, &central) {
        let sides = [rate, -rate].map(|size| Shift { size, stencil: ONE_SIDED });
        let is_inside = |side: &Shift<T>| !is_across(contract, side);
        sides.into_iter().find(is_inside).unwrap_or(central)
    } else {
        central
    };
    [Shift { size: volatility * hundredth, stencil: CENTRAL }, rate]
}

/// The contract in all shifted markets that both derivatives need, those for vega first.
pub(crate) fn shifted<T: Number>(contract: &Contract<T>) -> Vec<Contract<T>> {
    let [volatility, rate] = of(contract).map(|shift| shift.amounts());
    let volatilities = volatility.map(|by| contract.shifted(T::ZERO, by));
    let rates = rate.map(|by| contract.shifted(by, T::ZERO));
    volatilities.into_iter().chain(rates).collect()
}

/// Vega and rho from the price and those in the markets of [`shifted`].
pub(crate) fn derivatives<T: Number>(
    contract: &Contract<T>,
    price: T,
    shifted: &[T],
) -> Option<[T; 2]> {
    let [volatility, rate] = of(contract);
    let (vega, rho) = shifted.split_at_checked(volatility.stencil.multiples.len())?;
    Some([volatility.derivative(price, vega), rate.derivative(price, rho)])
}
