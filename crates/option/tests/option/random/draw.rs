//! Numbers and contracts at random, over all that contracts may be.

use nonius_option::{
    Amount, Barrier, Contract, Dividend, Exercise, Kind, Knock, Monitoring, Piece, Side, Terms,
    Volatility,
};
use nonius_testkit::Random;

/// Draws numbers.
pub(super) struct Draw<'a>(pub(super) &'a mut Random);

impl Draw<'_> {
    /// Between two numbers.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.unit().abs()
    }

    /// Between two numbers, every magnitude as often.
    pub(super) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// True once in `times` times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.0.below(times) == 0
    }

    pub(super) fn kind(&mut self) -> Kind {
        if self.once_in(2) { Kind::Call } else { Kind::Put }
    }

    /// A tolerance down to the given one.
    pub(super) fn tolerance(&mut self, least: f64) -> f64 {
        self.magnitude(least, 1e-3)
    }

    /// A contract with constant rate, yield and volatility. Maturities are from minutes to decades,
    /// standard deviations up to maturity from 0.005 to `most`. Spots lie at the strike, some
    /// deviations off and far away; drifts have either sign.
    pub(super) fn contract(&mut self, most: f64) -> Contract<f64> {
        let kind = self.kind();
        let strike = if self.once_in(4) { self.magnitude(1e-6, 1e6) } else { 100.0 };
        let maturity = self.magnitude(1e-5, 50.0);
        let deviation =
            if self.once_in(2) { self.magnitude(0.05, 1.0) } else { self.magnitude(0.005, most) };
        let far = match self.0.below(4) {
            0 => 0.1 * deviation,
            1 | 2 => 3.0 * deviation,
            _ => 8.0,
        };
        let spot = strike * self.between(-far, far).exp();
        // A drift of some deviations, as a few per cent a year are, seldom more.
        let drift = if self.once_in(8) { 1.0 } else { (2.0 * deviation).min(0.06 * maturity) };
        // Rate and yield together move prices by `e^10` at most.
        let drift = drift.min(2.4);
        let mut rate =
            |flat: bool| if flat { 0.0 } else { self.between(-1.0, 2.0) * drift / maturity };
        let (r, q) = (rate(false), rate(false));
        let (no_rate, no_yield) = (self.once_in(6), self.once_in(3));
        let market = [
            if no_rate { 0.0 } else { r },
            if no_yield { 0.0 } else { q },
            deviation / maturity.sqrt(),
        ];
        Contract::european(kind, spot, strike, maturity, market)
    }

    /// A contract of years, in which a boundary of exercise comes to rest.
    pub(super) fn long(&mut self) -> Contract<f64> {
        let kind = self.kind();
        let (maturity, volatility) = (self.magnitude(1.0, 45.0), self.magnitude(0.015, 0.5));
        let deviation = volatility * maturity.sqrt();
        let spot = 100.0 * (deviation * self.between(-1.0, 1.0)).exp();
        let market = [self.magnitude(0.002, 0.12), self.magnitude(0.002, 0.12), volatility];
        Contract::european(kind, spot, 100.0, maturity, market)
    }

    /// A barrier on either side of spot and strike.
    pub(super) fn barrier(&mut self, contract: &Contract<f64>, deviation: f64) -> Barrier<f64> {
        let side = if self.once_in(2) { Side::Up } else { Side::Down };
        let knock = if self.once_in(2) { Knock::In } else { Knock::Out };
        let distance = (deviation * self.magnitude(0.02, 3.0)).exp();
        let level = match side {
            Side::Up => contract.spot * distance,
            Side::Down => contract.spot / distance,
        };
        let level = if self.once_in(12) { contract.strike } else { level };
        let rebate =
            if self.once_in(2) { 0.0 } else { contract.strike * self.magnitude(1e-3, 0.5) };
        Barrier { side, knock, level, rebate, monitoring: Monitoring::Continuous }
    }

    /// Up to `most` dates, not too near to each other.
    pub(super) fn dates(&mut self, maturity: f64, most: usize) -> Vec<f64> {
        let count = 1 + self.0.below(most);
        let slots = (count + self.0.below(3)) as f64;
        let dates = (0..count).map(|i| maturity * (i as f64 + self.between(0.2, 0.9)) / slots);
        dates.collect()
    }

    /// Dividends of a few per cent.
    pub(super) fn dividends(&mut self, contract: &Contract<f64>) -> Vec<Dividend<f64>> {
        let dates = self.dates(contract.maturity, 3);
        let dividend = |time| {
            let part = self.magnitude(1e-3, 0.1);
            let amount = if self.once_in(2) {
                Amount::Cash(part * contract.spot.min(contract.strike))
            } else {
                Amount::Proportional(part)
            };
            Dividend { time, amount }
        };
        dates.into_iter().map(dividend).collect()
    }

    /// Pieces about a number.
    pub(super) fn pieces(&mut self, about: f64, spread: f64, maturity: f64) -> Terms<f64> {
        let dates = self.dates(maturity, 3);
        let piece = |until| Piece { until, value: about + spread * self.between(-1.0, 1.0) };
        Terms::new(dates.into_iter().map(piece).collect()).unwrap()
    }

    /// Rates, yields and volatilities that change with time.
    pub(super) fn change(&mut self, contract: &mut Contract<f64>) {
        let maturity = contract.maturity;
        let level = |terms: &Terms<f64>| terms.pieces()[0].value;
        let (rate, dividend_yield) = (level(&contract.rates), level(&contract.yields));
        contract.rates = self.pieces(rate, rate.abs(), maturity);
        contract.yields = self.pieces(dividend_yield, dividend_yield.abs(), maturity);
        if let Volatility::Terms(terms) = &contract.volatility {
            let volatility = level(terms);
            contract.volatility =
                Volatility::Terms(self.pieces(volatility, 0.5 * volatility, maturity));
        }
    }

    /// European or Bermudan exercise.
    pub(super) fn exercise(&mut self, contract: &mut Contract<f64>) {
        if self.once_in(2) {
            contract.exercise = Exercise::Bermudan(self.dates(contract.maturity, 4));
        }
    }
}
