//! The normal distribution in double-double.

use nonius_num::{Dd, Real};

/// Beyond this the continued fraction takes over from the series.
const FAR: f64 = 5.0;

/// Terms that a series or a fraction may take; it ends where they no longer count.
const TERMS: usize = 1000;

fn dd(x: f64) -> Dd {
    Dd::from_f64(x)
}

/// The density.
pub(crate) fn density(x: Dd) -> Dd {
    (-(x * x) * dd(0.5)).exp() / Dd::TAU.sqrt()
}

/// `e^factor·Φ(x)` without overflow on the way, with relative errors of some roundings.
pub(crate) fn scaled(factor: Dd, x: Dd) -> Dd {
    if x > dd(FAR) {
        return factor.exp() - scaled(factor, -x);
    }
    let bell = (factor - x * x * dd(0.5)).exp() / Dd::TAU.sqrt();
    if x < dd(-FAR) {
        return bell * mills(-x);
    }
    // Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/(3·5) + …)
    let (mut term, mut sum) = (x, x);
    for k in 1..TERMS {
        term = term * x * x / dd((2 * k + 1) as f64);
        sum += term;
        if term.abs() <= sum.abs() * dd(Dd::UNIT_ROUNDOFF) {
            break;
        }
    }
    factor.exp() * dd(0.5) + bell * sum
}

/// The distribution.
pub(crate) fn distribution(x: Dd) -> Dd {
    scaled(dd(0.0), x)
}

/// `(1 − Φ(x))/φ(x)` by Laplace's continued fraction `1/(x + 1/(x + 2/(x + 3/(x + …))))`, from its
/// end.
fn mills(x: Dd) -> Dd {
    let mut rest = x;
    for k in (1..TERMS / 2).rev() {
        rest = x + dd(k as f64) / rest;
    }
    dd(1.0) / rest
}

#[test]
fn known_values() {
    /// Half a unit of the 30th digit, relative to a number with the first digit 1.
    const DIGITS: f64 = 5e-30;
    /// At −2 the series cancels 1/2 to its 22nd part, and each term has some roundings.
    const ROUNDINGS: f64 = 22.0 * 256.0 * Dd::UNIT_ROUNDOFF;
    // To 30 digits.
    let known = [
        (1.0, "0.841344746068542948585232545632"),
        (-2.0, "0.0227501319481792072002826371665"),
        (-6.0, "9.86587645037698140700864132398e-10"),
    ];
    for (x, text) in known {
        let exact = <Dd as nonius_num::Decimal>::from_decimal(text.as_bytes()).unwrap();
        let error = ((distribution(dd(x)) - exact) / exact).to_f64().abs();
        assert!(error < ROUNDINGS + DIGITS, "{x}: {error:e}");
    }
}
