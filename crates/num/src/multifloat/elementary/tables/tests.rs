//! Recomputes every table in fixed point, by other means than the script that wrote it.

use num_bigint::BigInt;

use super::*;

/// Bits after the binary point. Series are summed to a few units of the last.
const POINT: i64 = 640;

fn integer(n: i64) -> BigInt {
    BigInt::from(n) << POINT
}

fn ratio(p: i64, q: i64) -> BigInt {
    integer(p) / q
}

fn mul(x: &BigInt, y: &BigInt) -> BigInt {
    (x * y) >> POINT
}

fn div(x: &BigInt, y: &BigInt) -> BigInt {
    (x << POINT) / y
}

fn abs(x: &BigInt) -> BigInt {
    BigInt::from(x.magnitude().clone())
}

/// `Σ termᵢ` until the terms vanish; `next(i, term)` is the one after term `i`.
fn series(first: BigInt, next: impl Fn(i64, BigInt) -> BigInt) -> BigInt {
    let (mut sum, mut term, mut i) = (first.clone(), first, 0);
    while abs(&term) > BigInt::from(1) {
        term = next(i, term);
        sum += &term;
        i += 1;
    }
    sum
}

fn exp(x: &BigInt) -> BigInt {
    series(integer(1), |i, term| mul(&term, x) / (i + 1))
}

/// `Σ yⁱ·(±1)ⁱ·x/(2i + 1)`, `y = x²`: `atanh x` or `atan x`.
fn odd_series(x: &BigInt, sign: i64) -> BigInt {
    let square = mul(x, x) * sign;
    let (mut sum, mut power, mut i) = (BigInt::from(0), x.clone(), 1);
    while abs(&power) > BigInt::from(1) {
        sum += &power / i;
        power = mul(&power, &square);
        i += 2;
    }
    sum
}

fn ln(x: &BigInt) -> BigInt {
    odd_series(&div(&(x - integer(1)), &(x + integer(1))), 1) * 2
}

/// `atan(p/q)` for `0 <= p/q <= 1`, from Euler's
/// `atan x = Σ 4ⁿ n!²/(2n+1)! · x^(2n+1)/(1 + x²)^(n+1)`.
fn atan(p: i64, q: i64) -> BigInt {
    let norm = p * p + q * q;
    series(integer(p * q) / norm, |n, term| term * (2 * (n + 1) * p * p) / ((2 * n + 3) * norm))
}

/// Machin's formula.
fn pi() -> BigInt {
    atan(1, 5) * 16 - atan(1, 239) * 4
}

fn sin(x: &BigInt) -> BigInt {
    let square = mul(x, x);
    series(x.clone(), |i, term| -mul(&term, &square) / ((2 * i + 2) * (2 * i + 3)))
}

fn cos(x: &BigInt) -> BigInt {
    let square = mul(x, x);
    series(integer(1), |i, term| -mul(&term, &square) / ((2 * i + 1) * (2 * i + 2)))
}

fn sqrt(x: i64) -> BigInt {
    (integer(x) << POINT).sqrt()
}

/// `x` in fixed point, exactly.
fn exact(x: f64) -> BigInt {
    let bits = x.to_bits();
    let field = (bits >> 52 & 0x7ff) as i64;
    let significand = (bits & ((1 << 52) - 1)) as i64 | i64::from(field != 0) << 52;
    let shift = POINT + field.max(1) - 1075;
    assert!(x == 0.0 || shift >= 0);
    let magnitude = if shift >= 0 { BigInt::from(significand) << shift } else { BigInt::from(0) };
    if x < 0.0 { -magnitude } else { magnitude }
}

/// `2^k` in fixed point.
fn power(k: i64) -> BigInt {
    BigInt::from(1) << (POINT + k)
}

/// What `limbs` leave of `value` after each of them must be at most `allowed`, given the limb's
/// index and value.
#[track_caller]
fn leaves(value: &BigInt, limbs: &[f64], allowed: impl Fn(usize, f64) -> BigInt) {
    let mut rest = value.clone();
    for (i, &limb) in limbs.iter().enumerate() {
        rest -= exact(limb);
        // The series' own errors are below 2^-620.
        assert!(abs(&rest) <= allowed(i, limb) + power(-620), "limb {i} of {limbs:?}");
    }
}

fn half_ulp(x: f64, bits: i64) -> BigInt {
    if x == 0.0 {
        return BigInt::from(0);
    }
    power(i64::from(libm::frexp(x).1) - 1 - bits)
}

#[track_caller]
fn nearest(value: &BigInt, limbs: &[f64]) {
    leaves(value, limbs, |_, limb| half_ulp(limb, 53));
}

#[track_caller]
fn short(value: &BigInt, limbs: &[f64]) {
    let last = limbs.len() - 1;
    leaves(value, limbs, |i, limb| half_ulp(limb, if i == last { 53 } else { 30 }));
    for &limb in &limbs[..last] {
        assert_eq!(limb.to_bits() & ((1 << 23) - 1), 0, "{limb:e} has more than 30 bits");
    }
}

#[track_caller]
fn grid(value: &BigInt, limbs: &[f64]) {
    leaves(value, limbs, |i, _| power(-43 - 40 * i as i64));
    for (i, &limb) in limbs.iter().enumerate() {
        assert_eq!(exact(limb) % power(-42 - 40 * i as i64), BigInt::from(0));
    }
}

/// Entry `j` of a table, limb by limb.
fn entry<const M: usize>(table: &[[f64; M]], j: usize) -> Vec<f64> {
    table.iter().map(|plane| plane[j]).collect()
}

fn polynomial(p: &Polynomial, coefficient: impl Fn(i64) -> BigInt) {
    assert_eq!(p.coefficients.len(), p.terms[3]);
    assert!(p.terms.windows(2).all(|pair| pair[0] < pair[1]) && p.terms[0] > 0);
    for (i, limbs) in p.coefficients.iter().enumerate() {
        nearest(&coefficient(i as i64), limbs);
    }
}

fn inverse_factorial(n: i64) -> BigInt {
    (1..=n).fold(integer(1), |x, i| x / i)
}

fn sign(i: i64) -> i64 {
    if i % 2 == 0 { 1 } else { -1 }
}

#[test]
fn exponential_tables() {
    use exponential::*;
    let step = ln(&integer(2)) / 4096;
    assert_eq!(STEPS_PER_UNIT, 4096.0 / core::f64::consts::LN_2);
    short(&step, &STEP);
    for j in -32..=32 {
        nearest(&exp(&(&step * 64 * j)), &entry(&POWERS, (j + 32) as usize));
        nearest(&(exp(&(&step * j)) - integer(1)), &entry(&FINE_POWERS, (j + 32) as usize));
    }
    polynomial(&SERIES, |i| inverse_factorial(i + 2));
}

#[test]
fn logarithm_tables() {
    use logarithm::*;
    grid(&ln(&integer(2)), &LN_2_GRID);
    for i in 90..=182 {
        let limbs = entry(&COARSE, i - 90);
        // A multiple of 2^-9 for which the next table suffices.
        assert_eq!(exact(limbs[0]) % power(-9), BigInt::from(0));
        assert!(abs(&(exact(limbs[0]) * i as i64 - integer(128))) <= power(-2));
        grid(&-ln(&exact(limbs[0])), &limbs[1..]);
    }
    for i in -64..=64 {
        let limbs = entry(&FINE, (i + 64) as usize);
        assert_eq!(exact(limbs[0]) % power(-22), BigInt::from(0));
        assert!(abs(&(exact(limbs[0]) * (8192 + i) - integer(8192))) <= power(-9));
        grid(&-ln(&exact(limbs[0])), &limbs[1..]);
    }
    polynomial(&SERIES, |i| ratio(-sign(i), i + 2));
}

#[test]
fn circular_tables() {
    use circular::*;
    let step = pi() / 256;
    assert_eq!(STEPS_PER_UNIT, 256.0 / core::f64::consts::PI);
    short(&step, &STEP);
    nearest(&(pi() / 2), &HALF_PI);
    for j in 0..=64 {
        nearest(&sin(&(&step * j)), &entry(&SINES, j));
        nearest(&cos(&(&step * j)), &entry(&COSINES, j));
    }
    polynomial(&SINE_SERIES, |i| -inverse_factorial(2 * i + 3) * sign(i));
    polynomial(&COSINE_SERIES, |i| -inverse_factorial(2 * i + 2) * sign(i));
}

/// 1728 bits of `2/π` are right if their product with `π` misses 2 by less than `π` units of their
/// last.
#[test]
fn two_over_pi() {
    let places = 2000;
    let machin = |q: i64| {
        let (mut sum, mut power, mut i) = (BigInt::from(0), (BigInt::from(1) << places) / q, 1);
        while power != BigInt::from(0) {
            sum += &power / i * sign(i / 2);
            power /= q * q;
            i += 2;
        }
        sum
    };
    let pi: BigInt = machin(5) * 16 - machin(239) * 4;
    let words = circular::TWO_OVER_PI.iter().fold(BigInt::from(0), |x, &word| (x << 64) + word);
    let missing: BigInt = (BigInt::from(2) << (places + 1728)) - words * &pi;
    assert!(missing > BigInt::from(0) && missing < pi);
}

#[test]
fn arc_tables() {
    use arc::*;
    grid(&(pi() / 2), &HALF_PI_GRID);
    for i in 0..=128 {
        grid(&atan(i, 128), &entry(&ARCS, i as usize));
    }
    polynomial(&SERIES, |i| ratio(-sign(i), 2 * i + 3));
}

#[test]
fn root_table() {
    // Binomial coefficients (1/3 over n).
    polynomial(&root::SERIES, |i| (1..=i).fold(ratio(1, 3), |c, n| c * (1 - 3 * n) / (3 * n + 3)));
}

#[test]
fn constants_table() {
    use constants::*;
    let (pi, ln_2, ln_10) = (pi(), ln(&integer(2)), ln(&integer(10)));
    let one = integer(1);
    let constants: [(&[f64; 5], BigInt); 19] = [
        (&PI, pi.clone()),
        (&TAU, &pi * 2),
        (&FRAC_PI_2, &pi / 2),
        (&FRAC_PI_3, &pi / 3),
        (&FRAC_PI_4, &pi / 4),
        (&FRAC_PI_6, &pi / 6),
        (&FRAC_PI_8, &pi / 8),
        (&FRAC_1_PI, div(&one, &pi)),
        (&FRAC_2_PI, div(&integer(2), &pi)),
        (&FRAC_2_SQRT_PI, div(&integer(2), &(&pi << POINT).sqrt())),
        (&SQRT_2, sqrt(2)),
        (&FRAC_1_SQRT_2, sqrt(2) / 2),
        (&E, exp(&one)),
        (&LN_2, ln_2.clone()),
        (&LN_10, ln_10.clone()),
        (&LOG2_E, div(&one, &ln_2)),
        (&LOG2_10, div(&ln_10, &ln_2)),
        (&LOG10_E, div(&one, &ln_10)),
        (&LOG10_2, div(&ln_2, &ln_10)),
    ];
    for (limbs, value) in constants {
        nearest(&value, limbs);
    }
}
