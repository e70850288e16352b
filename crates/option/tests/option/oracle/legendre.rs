//! Gauss–Legendre quadrature.

use std::sync::LazyLock;

/// Nodes of a panel.
pub(crate) const NODES: usize = 16;

/// Nodes in [−1, 1] and their weights.
pub(crate) static RULE: LazyLock<[(f64, f64); NODES]> = LazyLock::new(|| {
    core::array::from_fn(|i| {
        let n = NODES as f64;
        let mut x = (core::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        // Newton's method doubles the two digits of the start.
        for _ in 0..8 {
            let (mut before, mut value) = (1.0, x);
            for k in 2..=NODES {
                let k = k as f64;
                (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// The nodes and weights in an interval.
pub(crate) fn panel(low: f64, high: f64) -> impl Iterator<Item = (f64, f64)> {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    RULE.iter().map(move |&(x, weight)| (middle + half * x, half * weight))
}

/// The integral of `f` from `low` to `high`, by `panels` panels.
pub(crate) fn integral(low: f64, high: f64, panels: usize, f: impl Fn(f64) -> f64) -> f64 {
    let edge = |i: usize| low + (high - low) * i as f64 / panels as f64;
    (0..panels).flat_map(|i| panel(edge(i), edge(i + 1))).map(|(x, weight)| weight * f(x)).sum()
}

#[test]
fn polynomials_are_exact() {
    for power in 0..2 * NODES {
        let exact = 2f64.powi(power as i32 + 1) / (power as f64 + 1.0);
        let found = integral(0.0, 2.0, 1, |x| x.powi(power as i32));
        assert!((found / exact - 1.0).abs() < 64.0 * f64::EPSILON, "{power}: {found} {exact}");
    }
}
