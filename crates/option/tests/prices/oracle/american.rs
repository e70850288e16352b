//! American options from the integral equation of their boundary.
//!
//! Andersen, Lake and Offengenden, *High performance American option pricing* (2016): the boundary `B(τ)` of a put solves `B = K·e^(−(r − q)τ)·N/D` with integrals `N` and `D` over its past (their equation FP-B); `ln²(B/X)` is
//! nearly linear in `√τ`, so that a Chebyshev polynomial in it takes few nodes.

use super::legendre::integral;

/// Chebyshev nodes of the boundary.
const NODES: usize = 24;

/// How far the boundary may still move in the last step, as a part of the strike: prices know its square.
const RESTING: f64 = 1e-9;

/// Panels of the integrals.
const PANELS: usize = 4;

fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / core::f64::consts::SQRT_2)
}

/// The boundary as a polynomial.
struct Boundary {
    limit: f64,
    maturity: f64,
    /// `ln²(B/X)` at the Chebyshev nodes.
    values: [f64; NODES + 1],
}

fn node(i: usize) -> f64 {
    (core::f64::consts::PI * i as f64 / NODES as f64).cos()
}

impl Boundary {
    /// The boundary with so much time left: barycentric interpolation.
    fn at(&self, tau: f64) -> f64 {
        let z = 2.0 * (tau / self.maturity).max(0.0).sqrt() - 1.0;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (i, &value) in self.values.iter().enumerate() {
            let distance = z - node(i);
            if distance == 0.0 {
                return self.limit * (-value.max(0.0).sqrt()).exp();
            }
            let end = if i == 0 || i == NODES { 0.5 } else { 1.0 };
            let weight = if i % 2 == 0 { end } else { -end } / distance;
            sum += weight * value;
            weights += weight;
        }
        self.limit * (-(sum / weights).max(0.0).sqrt()).exp()
    }
}

/// A put with `r > 0` and `q ≥ 0`; nothing where the iteration does not come to rest.
pub(crate) fn put([spot, strike, maturity]: [f64; 3], [r, q, v]: [f64; 3]) -> Option<f64> {
    let limit = if q > r { strike * r / q } else { strike };
    let mut boundary = Boundary { limit, maturity, values: [0.0; NODES + 1] };
    let d = |tau: f64, x: f64, sign: f64| {
        (x.ln() + (r - q + sign * 0.5 * v * v) * tau) / (v * tau.sqrt())
    };
    // `s = τ·sin²θ` takes the roots out of both ends.
    let over = |tau: f64, f: &dyn Fn(f64) -> f64| {
        integral(0.0, core::f64::consts::FRAC_PI_2, PANELS, |theta| {
            let (sin, cos) = theta.sin_cos();
            2.0 * tau * sin * cos * f(tau * sin * sin)
        })
    };
    for i in 0..=NODES {
        let tau = maturity * (0.5 * (1.0 + node(i))).powi(2);
        let perpetual = {
            let a = r - q - 0.5 * v * v;
            let root = (a * a + 2.0 * r * v * v).sqrt();
            let power = (-a - root) / (v * v);
            strike * power / (power - 1.0)
        };
        let rest = (-(2.0 * r / (v * v)).max(0.5) * v * tau.sqrt()).exp();
        let guess = perpetual.min(limit) + (limit - perpetual.min(limit)) * rest;
        boundary.values[i] = (guess / limit).ln().powi(2);
    }
    let mut moved = f64::INFINITY;
    for _ in 0..300 {
        let mut next = boundary.values;
        moved = 0.0;
        for (i, value) in next.iter_mut().enumerate().take(NODES) {
            let tau = maturity * (0.5 * (1.0 + node(i))).powi(2);
            let here = boundary.at(tau);
            // `s` is the time since which it has passed; `u = τ − s` of the past.
            let past = |s: f64| here / boundary.at(tau - s);
            let n = normal(d(tau, here / strike, -1.0))
                + r * over(tau, &|s| (r * (tau - s)).exp() * normal(d(s, past(s), -1.0)));
            let e = normal(d(tau, here / strike, 1.0))
                + q * over(tau, &|s| (q * (tau - s)).exp() * normal(d(s, past(s), 1.0)));
            let found = strike * (-(r - q) * tau).exp() * n / e;
            let found = found.min(limit);
            let new = (found / limit).ln().powi(2);
            moved = f64::max(moved, (found - here).abs() / strike);
            *value = new;
        }
        boundary.values = next;
        if moved < 1e-12 {
            break;
        }
    }
    if moved.is_nan() || moved >= RESTING {
        return None;
    }
    if spot <= boundary.at(maturity) {
        return Some(strike - spot);
    }
    let european = {
        let d1 = d(maturity, spot / strike, 1.0);
        strike * (-r * maturity).exp() * normal(v * maturity.sqrt() - d1)
            - spot * (-q * maturity).exp() * normal(-d1)
    };
    let premium = over(maturity, &|s| {
        let x = spot / boundary.at(maturity - s);
        r * strike * (-r * s).exp() * normal(-d(s, x, -1.0))
            - q * spot * (-q * s).exp() * normal(-d(s, x, 1.0))
    });
    Some(european + premium)
}

#[test]
fn known_prices() {
    for case in super::super::data::AMERICAN {
        let found = put(case.terms, case.market).unwrap();
        assert!((found / case.price - 1.0).abs() < 1e-8, "{found} for {}", case.price);
    }
}
