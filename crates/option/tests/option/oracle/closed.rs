//! Closed forms in double-double.

use nonius_num::{Dd, Real};
use nonius_option::{Kind, Knock, Side};

use super::normal::{density, distribution, scaled};

fn dd(x: f64) -> Dd {
    Dd::from_f64(x)
}

/// `[S, K, T]` and `[r, q, σ]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) terms: [f64; 3],
    pub(crate) market: [f64; 3],
}

/// A price and its derivatives, time's a year.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Greeks {
    pub(crate) value: f64,
    pub(crate) delta: f64,
    pub(crate) gamma: f64,
    pub(crate) theta: f64,
    pub(crate) vega: f64,
    pub(crate) rho: f64,
}

/// The numbers of Black, Scholes and Merton.
struct Known {
    sign: Dd,
    d: Dd,
    d1: Dd,
    d2: Dd,
    stock: Dd,
    bond: Dd,
}

impl Terms {
    fn known(self, kind: Kind) -> Known {
        let ([s, k, t], [r, q, v]) = (self.terms.map(dd), self.market.map(dd));
        let d = v * t.sqrt();
        let d1 = ((s / k).ln() + (r - q + v * v * dd(0.5)) * t) / d;
        let sign = dd(if kind == Kind::Call { 1.0 } else { -1.0 });
        Known { sign, d, d1, d2: d1 - d, stock: s * (-q * t).exp(), bond: k * (-r * t).exp() }
    }

    /// Black, Scholes and Merton 1973.
    pub(crate) fn vanilla(self, kind: Kind) -> Dd {
        let Known { sign, d1, d2, stock, bond, .. } = self.known(kind);
        sign * (stock * distribution(sign * d1) - bond * distribution(sign * d2))
    }

    pub(crate) fn greeks(self, kind: Kind) -> Greeks {
        let Known { sign, d, d1, d2, stock, bond } = self.known(kind);
        let ([s, _, t], [r, q, v]) = (self.terms.map(dd), self.market.map(dd));
        let bell = density(d1);
        let (a, b) = (stock * distribution(sign * d1), bond * distribution(sign * d2));
        let number = |x: Dd| x.to_f64();
        Greeks {
            value: number(sign * (a - b)),
            delta: number(sign * a / s),
            gamma: number(stock * bell / (s * s * d)),
            theta: number(sign * (q * a - r * b) - stock * bell * v * dd(0.5) / t.sqrt()),
            vega: number(stock * bell * t.sqrt()),
            rho: number(sign * b * t),
        }
    }

    /// Reiner and Rubinstein, *Breaking down the barriers* (1991), with the rebate paid at the hit,
    /// or at maturity for an option that is knocked in.
    pub(crate) fn barrier(self, kind: Kind, side: Side, knock: Knock, h: f64, rebate: f64) -> Dd {
        let ([s, k, t], [r, q, v]) = (self.terms.map(dd), self.market.map(dd));
        let (h, rebate, one, two) = (dd(h), dd(rebate), dd(1.0), dd(2.0));
        let phi = dd(if kind == Kind::Call { 1.0 } else { -1.0 });
        let eta = dd(if side == Side::Down { 1.0 } else { -1.0 });
        let d = v * t.sqrt();
        let mu = (r - q - v * v * dd(0.5)) / (v * v);
        let lambda = (mu * mu + two * r / (v * v)).sqrt();
        let shift = (one + mu) * d;
        let (x1, x2) = ((s / k).ln() / d + shift, (s / h).ln() / d + shift);
        let (y1, y2) = ((h * h / (s * k)).ln() / d + shift, (h / s).ln() / d + shift);
        let z = (h / s).ln() / d + lambda * d;
        let away = (h / s).ln();
        let (stock, bond) = (s.ln() - q * t, k.ln() - r * t);
        let direct = |x: Dd| phi * (scaled(stock, phi * x) - scaled(bond, phi * (x - d)));
        let mirrored = |y: Dd| {
            phi * (scaled(stock + two * (mu + one) * away, eta * y)
                - scaled(bond + two * mu * away, eta * (y - d)))
        };
        let (a, b, c, e) = (direct(x1), direct(x2), mirrored(y1), mirrored(y2));
        let maturity = rebate
            * (scaled(-r * t, eta * (x2 - d)) - scaled(two * mu * away - r * t, eta * (y2 - d)));
        let hit = rebate
            * (scaled((mu + lambda) * away, eta * z)
                + scaled((mu - lambda) * away, eta * (z - two * lambda * d)));
        let above = k > h;
        let inside = match (kind, side, above) {
            (Kind::Call, Side::Down, true) | (Kind::Put, Side::Up, false) => c,
            (Kind::Call, Side::Down, false) | (Kind::Put, Side::Up, true) => a - b + e,
            (Kind::Call, Side::Up, true) | (Kind::Put, Side::Down, false) => a,
            (Kind::Call, Side::Up, false) | (Kind::Put, Side::Down, true) => b - c + e,
        };
        match knock {
            Knock::In => inside + maturity,
            Knock::Out => a - inside + hit,
        }
    }
}
