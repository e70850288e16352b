//! Remainders and integer quotients.

use rug::{Float, float::Special};

use crate::{Bound, Domain, Oracle};

/// Holds the quotient of any two finite numbers, and their remainder.
const WIDE: u32 = 4_500;

/// `(n, x − n·y)` with the remainder in `[0, |y|)`, for finite `x` and finite `y ≠ 0`.
fn euclid(x: &Float, y: &Float) -> (Float, Float) {
    let mut rest = Float::with_val(WIDE, x % y);
    if rest.is_sign_negative() && !rest.is_zero() {
        rest += Float::with_val(WIDE, y.abs_ref());
    }
    let quotient = Float::with_val(WIDE, Float::with_val(WIDE, x - &rest) / y);
    (quotient, rest)
}

/// Whether `f64` takes the special path: its own operations then are the reference.
fn special(x: &Float, y: &Float) -> bool {
    !x.is_finite() || !y.is_finite() || x.is_zero() || y.is_zero()
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    for (suffix, domain) in [("", Domain::all()), (" (moderate)", Domain::exponents(-60, 60))] {
        let both = || [domain.clone(), domain.clone()];
        let name = |name: &str| format!("{name}{suffix}");
        o.binary(
            &name("rem"),
            both(),
            Bound::nearest(),
            |x, y| x % y,
            |_, x, y| {
                if y.is_zero() {
                    return Float::with_val(64, Special::Nan);
                }
                let rest = Float::with_val(WIDE, x % y);
                if rest.is_zero() {
                    Float::with_val(64, 0.0_f64.copysign(x.to_f64()))
                } else {
                    rest
                }
            },
        );
        o.binary(
            &name("rem_euclid"),
            both(),
            Bound::nearest(),
            |x, y| x.rem_euclid(y),
            |_, x, y| {
                if special(x, y) {
                    let right = x.to_f64().rem_euclid(y.to_f64());
                    // Of a finite number by infinity `f64` says all: itself or infinity.
                    return if x.is_finite() && right.is_finite() {
                        x.clone()
                    } else {
                        Float::with_val(64, right)
                    };
                }
                let (_, rest) = euclid(x, y);
                if rest.is_zero() {
                    Float::with_val(64, 0.0_f64.copysign(x.to_f64()))
                } else {
                    rest
                }
            },
        );
        o.binary(
            &name("div_euclid"),
            both(),
            Bound::nearest(),
            |x, y| x.div_euclid(y),
            |_, x, y| {
                if special(x, y) {
                    return Float::with_val(64, x.to_f64().div_euclid(y.to_f64()));
                }
                let (quotient, _) = euclid(x, y);
                if quotient.is_zero() {
                    let sign = x.to_f64().signum() * y.to_f64().signum();
                    return Float::with_val(64, 0.0_f64.copysign(sign));
                }
                quotient
            },
        );
    }
}
