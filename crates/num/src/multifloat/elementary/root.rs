//! `∛x` and `√(x² + y²)`.
//!
//! Cube root: `x = 2^(3k)·m` with `m` in [1, 8); an approximation `a` of `∛m` with 53 bits comes
//! from Newton's iteration for `m^(-1/3)`, which needs no division; then `∛m = a·(1 + d)^(1/3)`
//! with `d = (m − a³)/a³`, `|d| < 2^-48`, by four terms of the binomial series. The correction is
//! so small that only its sum with `a` matters; the result is rounded to `p + 1` bits, which makes
//! roots of cubes exact: bound 1 unit of the last place (the sum costs a quarter at the most: `a`
//! has one limb).
//!
//! Hypotenuse: the squares' sum and its root, scaled so that nothing overflows. The root halves the
//! error of the sum and adds its own.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::super::div::div_finite;
use super::super::mul::mul_finite;
use super::logarithm::in_range;
use super::power::round;
use super::series::{add_product, evaluate};
use super::tables::root::SERIES;
use super::wide::List;
use crate::Lane;
use crate::eft::two_prod;

/// Coordinates between these have squares with all limbs.
const SMALL: f64 = f64::from_bits((1023 - 240) << 52);
const LARGE: f64 = f64::from_bits((1023 + 240) << 52);

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Cube root, within 1 unit of the last place; exact for cubes.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// assert_eq!(Qd::from(-27).cbrt(), -3.0);
    /// let x = Qd::from(2).cbrt();
    /// assert_eq!(format!("{x:.50}"), "1.25992104989487316476721060727822835057025146470151");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn cbrt(self) -> Self {
        if T::LANES > 1 && in_range(self.0[0].abs()) {
            cbrt_core(self)
        } else {
            self.map_lanes(cbrt_scalar)
        }
    }

    /// `√(self² + y²)`, without overflow on the way, within 4 units of the last place.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // The squares would overflow.
    /// let (x, y) = (Dd::from(3e200), Dd::from(4e200));
    /// assert!((x.hypot(y) / 5e200 - 1.0).abs().to_f64() < 1e-15);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn hypot(self, y: Self) -> Self {
        if T::LANES > 1 && have_squares(self.0[0], y.0[0]) {
            hypot_core(self, y)
        } else {
            Self::from_fn(|i| hypot_scalar(self.lane(i), y.lane(i)))
        }
    }
}

/// Whether in all lanes `x` and `y` are zero or of such size that their squares have all limbs, and
/// not both zero.
#[inline(always)]
fn have_squares<T: Lane>(x: T, y: T) -> bool {
    let (x, y) = (x.abs(), y.abs());
    let larger = T::select(T::less(x, y), y, x);
    let large_enough =
        |x| T::less(T::splat(SMALL), T::select(T::equal(x, T::splat(0.0)), larger, x));
    T::all(large_enough(x)) && T::all(large_enough(y)) && T::all(T::less(larger, T::splat(LARGE)))
}

/// The cube root of a number whose first limb's magnitude is [in range](in_range).
#[inline(always)]
fn cbrt_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let e = x.0[0].exponent();
    // ⌊e/3⌋
    let third = ((e - T::splat(1.0)) * T::splat(1.0 / 3.0)).round_small();
    let m = x.abs().scale(T::exp2_integer(third * T::splat(-3.0)));
    let one = T::splat(1.0);
    let sign = T::select(T::less(x.0[0], T::splat(0.0)), -one, one);
    root_of_significand(m).scale(T::exp2_integer(third) * sign)
}

/// The cube root of a number whose first limb is in [1, 8).
#[inline(always)]
fn root_of_significand<const N: usize, T: Lane>(m: MultiFloat<N, T>) -> MultiFloat<N, T> {
    let m = m.0;
    let a = {
        // Within 4 % of m^(-1/3); each step squares the relative error and doubles it.
        let mut z = m[0] * T::splat(0.011) - T::splat(0.165);
        z = z * m[0] + T::splat(1.12);
        let third = T::splat(1.0 / 3.0);
        for _ in 0..5 {
            let error = T::splat(1.0) - m[0] * z * z * z;
            z = z + z * (error * third);
        }
        m[0] * z * z
    };
    // a³ of three limbs is exact.
    let (square, square_low) = two_prod(a, a);
    let (p, p_error) = two_prod(square, a);
    let (q, q_error) = two_prod(square_low, a);
    let mut list = List::new();
    for term in [p, p_error, q, q_error] {
        list.push(term);
    }
    let cube: [T; N] = list.condense();
    let mut list = List::new();
    for term in [m[0], -p, m[1], -p_error, -q] {
        list.push(term);
    }
    for &limb in &m[2..] {
        list.push(limb);
    }
    list.push(-q_error);
    let d = div_finite(list.condense(), cube);
    let a = MultiFloat::from_lane(a).0;
    let correction = mul_finite(d, evaluate(&SERIES, d));
    round(MultiFloat(add_product(a, a, correction)))
}

#[inline(always)]
fn hypot_core<const N: usize, T: Lane>(
    x: MultiFloat<N, T>,
    y: MultiFloat<N, T>,
) -> MultiFloat<N, T> {
    MultiFloat(add_finite(mul_finite(x.0, x.0), mul_finite(y.0, y.0))).sqrt()
}

fn cbrt_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.0[0] == 0.0 || !x.is_finite() {
        return x;
    }
    let (m, e) = x.frexp();
    let third = (e - 1).div_euclid(3);
    root_of_significand(m.abs().ldexp(e - 3 * third)).ldexp(third).copysign(x)
}

fn hypot_scalar<const N: usize>(x: MultiFloat<N>, y: MultiFloat<N>) -> MultiFloat<N> {
    if have_squares(x.0[0], y.0[0]) {
        return hypot_core(x, y);
    }
    if x.is_infinite() || y.is_infinite() {
        return MultiFloat::INFINITY;
    }
    let scale = match (x.exponent(), y.exponent()) {
        (Some(x), Some(y)) => x.max(y),
        (Some(e), None) | (None, Some(e)) => e,
        (None, None) => 0,
    };
    if x.is_nan() || y.is_nan() {
        return MultiFloat::NAN;
    }
    hypot_core(x.ldexp(-scale), y.ldexp(-scale)).ldexp(scale)
}
