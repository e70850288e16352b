//! American options from the integral equation of their boundary.
//!
//! Andersen, Lake and Offengenden, *High performance American option pricing* (2016): the boundary
//! `B(τ)` of a put solves `B = K·e^(−(r − q)τ)·N/D` with integrals `N` and `D` over its past (their
//! equation FP-B); `ln²(B/X)` is nearly linear in `√τ`, so that a Chebyshev polynomial in it takes
//! few nodes.

use super::legendre::panel;

/// How far the boundary may still move in the last step, as a part of the strike: prices know its
/// square.
const RESTING: f64 = 1e-9;

/// The boundary is at rest below this part of the strike, as rounding errors move it as far.
const AT_REST: f64 = 1e-12;

/// How finely the boundary is resolved.
#[derive(Clone, Copy)]
struct Effort {
    /// Chebyshev nodes of the boundary.
    nodes: usize,
    /// Panels of the integrals.
    panels: usize,
}

const COARSE: Effort = Effort { nodes: 24, panels: 4 };
const FINE: Effort = Effort { nodes: 40, panels: 8 };

fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x / core::f64::consts::SQRT_2)
}

/// The boundary as a polynomial.
struct Boundary {
    limit: f64,
    maturity: f64,
    /// `ln²(B/X)` at the Chebyshev nodes.
    values: Vec<f64>,
}

impl Boundary {
    fn node(&self, i: usize) -> f64 {
        (core::f64::consts::PI * i as f64 / (self.values.len() - 1) as f64).cos()
    }

    /// The time left at a node.
    fn time(&self, i: usize) -> f64 {
        self.maturity * (0.5 * (1.0 + self.node(i))).powi(2)
    }

    /// The boundary with so much time left: barycentric interpolation.
    fn at(&self, tau: f64) -> f64 {
        let z = 2.0 * (tau / self.maturity).max(0.0).sqrt() - 1.0;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (i, &value) in self.values.iter().enumerate() {
            let distance = z - self.node(i);
            if distance == 0.0 {
                return self.limit * (-value.max(0.0).sqrt()).exp();
            }
            let end = if i == 0 || i + 1 == self.values.len() { 0.5 } else { 1.0 };
            let weight = if i % 2 == 0 { end } else { -end } / distance;
            sum += weight * value;
            weights += weight;
        }
        self.limit * (-(sum / weights).max(0.0).sqrt()).exp()
    }
}

/// The price of a put with `r > 0` and `q ≥ 0`, and by how much it differs with fewer nodes and
/// panels; nothing where the iteration does not come to rest.
pub(crate) fn put(terms: [f64; 3], market: [f64; 3]) -> Option<(f64, f64)> {
    let guess = |tau: f64| guess(terms[1], market, tau);
    let (coarse, boundary) = with(COARSE, terms, market, &guess)?;
    let (fine, _) = with(FINE, terms, market, &|tau| boundary.at(tau))?;
    Some((fine, (fine - coarse).abs()))
}

/// Where the boundary may be with so much time left.
fn guess(strike: f64, [r, q, v]: [f64; 3], tau: f64) -> f64 {
    let limit = limit(strike, r, q);
    let a = r - q - 0.5 * v * v;
    let root = (a * a + 2.0 * r * v * v).sqrt();
    let power = (-a - root) / (v * v);
    let perpetual = (strike * power / (power - 1.0)).min(limit);
    let rest = (-(2.0 * r / (v * v)).max(0.5) * v * tau.sqrt()).exp();
    perpetual + (limit - perpetual) * rest
}

/// The boundary at maturity.
fn limit(strike: f64, r: f64, q: f64) -> f64 {
    if q > r { strike * r / q } else { strike }
}

fn with(
    effort: Effort,
    [spot, strike, maturity]: [f64; 3],
    [r, q, v]: [f64; 3],
    guess: &dyn Fn(f64) -> f64,
) -> Option<(f64, Boundary)> {
    let limit = limit(strike, r, q);
    let mut boundary = Boundary { limit, maturity, values: vec![0.0; effort.nodes + 1] };
    let d = |tau: f64, x: f64, sign: f64| {
        (x.ln() + (r - q + sign * 0.5 * v * v) * tau) / (v * tau.sqrt())
    };
    // `s`, the time since the boundary has passed, is `τ·sin²θ`, which takes the roots out of both
    // ends; with weights, and the boundary then.
    let past = |boundary: &Boundary, tau: f64| -> Vec<[f64; 3]> {
        let step = core::f64::consts::FRAC_PI_2 / effort.panels as f64;
        let panels = (0..effort.panels).map(|i| step * i as f64);
        let angles = panels.flat_map(|low| panel(low, low + step));
        let then = angles.map(|(theta, weight)| {
            let (sin, cos) = theta.sin_cos();
            let s = tau * sin * sin;
            [s, weight * 2.0 * tau * sin * cos, boundary.at(tau - s)]
        });
        then.collect()
    };
    boundary.values =
        (0..=effort.nodes).map(|i| (guess(boundary.time(i)) / limit).ln().powi(2)).collect();
    let mut moved = f64::INFINITY;
    for _ in 0..300 {
        let mut next = boundary.values.clone();
        moved = 0.0;
        for (i, value) in next.iter_mut().enumerate().take(effort.nodes) {
            let tau = boundary.time(i);
            let here = boundary.at(tau);
            let mut n = normal(d(tau, here / strike, -1.0));
            let mut e = normal(d(tau, here / strike, 1.0));
            for [s, weight, then] in past(&boundary, tau) {
                n += weight * r * (r * (tau - s)).exp() * normal(d(s, here / then, -1.0));
                e += weight * q * (q * (tau - s)).exp() * normal(d(s, here / then, 1.0));
            }
            let found = strike * (-(r - q) * tau).exp() * n / e;
            let found = found.min(limit);
            let new = (found / limit).ln().powi(2);
            moved = f64::max(moved, (found - here).abs() / strike);
            *value = new;
        }
        boundary.values = next;
        if moved < AT_REST {
            break;
        }
    }
    if moved.is_nan() || moved >= RESTING {
        return None;
    }
    if spot <= boundary.at(maturity) {
        return Some((strike - spot, boundary));
    }
    let d1 = d(maturity, spot / strike, 1.0);
    let european = strike * (-r * maturity).exp() * normal(v * maturity.sqrt() - d1)
        - spot * (-q * maturity).exp() * normal(-d1);
    let premium = past(&boundary, maturity).into_iter().map(|[s, weight, then]| {
        let x = spot / then;
        let gain = r * strike * (-r * s).exp() * normal(-d(s, x, -1.0))
            - q * spot * (-q * s).exp() * normal(-d(s, x, 1.0));
        weight * gain
    });
    Some((european + premium.sum::<f64>(), boundary))
}

#[test]
fn known_prices() {
    /// The relative error of the known prices, which are good to about 10⁻⁹, with a factor of ten.
    const OF_PRICES: f64 = 1e-8;
    for case in super::super::data::AMERICAN {
        let (found, _) = put(case.terms, case.market).unwrap();
        assert!((found / case.price - 1.0).abs() < OF_PRICES, "{found} for {}", case.price);
    }
}
