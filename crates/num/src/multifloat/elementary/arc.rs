//! `atan x`, `atan2(y, x)`, `asin x`, `acos x`.
//!
//! Method: everything is the angle of a point `(x, y)`. With `u` the smaller and `v` the larger of
//! `|x|` and `|y|`, `c` the multiple of 1/128 next to `u/v` and `t = (u − c·v) / (v + c·u)`,
//! `|t| <= 2^-8`, it is a table and a series: `atan(u/v) = atan c + atan t` (the products by `c`
//! are exact). The table and the multiple of `π/2` that the octant asks for stand on a grid, where
//! their sum is exact. `asin x` is the angle of `(√((1 − x)(1 + x)), x)`, `acos x` that of the
//! exchanged point.
//!
//! Error: small angles are `t + t·h` with `|h| < 2^-17`, so that the quotient decides; larger ones
//! add `t` of at most half the size to a number that is exact. The relative error of the square
//! root enters `asin x` and `acos x` multiplied by at most 1.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::super::mul::mul_finite;
use super::domain::{LEAST_MODERATE, is_moderate};
use super::exponential::keep_zero;
use super::limbs::{scale, select};
use super::quotient::quotient;
use super::series::{add_product, evaluate};
use super::tables::arc::{ARCS, HALF_PI_GRID, SERIES};
use super::wide::List;
use crate::Lane;
use crate::eft::two_prod;

/// The core takes coordinates below this.
const LARGEST_COORDINATE: f64 = f64::from_bits((1023 + 120) << 52);
/// Quotients of coordinates that are further apart than this exponent do not change a right angle.
const RIGHT_ANGLE_EXPONENT: i32 = 240;
const FURTHEST: f64 = f64::from_bits((1023 + RIGHT_ANGLE_EXPONENT as u64) << 52);

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Arc tangent, within 4 units of the last place.
    #[inline(always)]
    #[must_use]
    pub fn atan(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], LARGEST_COORDINATE) {
            keep_zero(self, angle(self.0, one()).0)
        } else {
            self.map_lanes(atan_scalar)
        }
    }

    /// The angle of the point `(x, self)`, in [−π, π], within 4 units of the last place.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// // Machin: π/4 = 4·atan(1/5) − atan(1/239).
    /// let atan = |n: f64| Qd::ONE.atan2(Qd::from(n));
    /// let machin = atan(5.0) * 4.0 - atan(239.0);
    /// assert!((machin - Qd::FRAC_PI_4).abs() <= 32.0 * Qd::EPSILON);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn atan2(self, x: Self) -> Self {
        if T::LANES > 1 && is_usual_point(self.0[0], x.0[0]) {
            angle(self.0, x.0)
        } else {
            Self::from_fn(|i| atan2_scalar(self.lane(i), x.lane(i)))
        }
    }

    /// Arc sine, within 4 units of the last place; NaN beyond ±1.
    #[inline(always)]
    #[must_use]
    pub fn asin(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], 1.0) {
            keep_zero(self, angle(self.0, cathetus(self)).0)
        } else {
            self.map_lanes(asin_scalar)
        }
    }

    /// Arc cosine, within 4 units of the last place; NaN beyond ±1.
    #[inline(always)]
    #[must_use]
    pub fn acos(self) -> Self {
        if T::LANES > 1 && is_moderate(self.0[0], 1.0) {
            angle(cathetus(self), self.0)
        } else {
            self.map_lanes(acos_scalar)
        }
    }
}

/// Whether all points have coordinates for [`angle`], and `y` is not zero.
#[inline(always)]
fn is_usual_point<T: Lane>(y: T, x: T) -> bool {
    let y = T::select(T::equal(y, T::splat(0.0)), T::splat(f64::NAN), y);
    is_moderate(y, LARGEST_COORDINATE) && is_moderate(x, LARGEST_COORDINATE)
}

#[inline(always)]
fn one<const N: usize, T: Lane>() -> [T; N] {
    MultiFloat::from_lane(T::splat(1.0)).0
}

/// `√(1 − x²)` for `|x| <= 1`.
#[inline(always)]
fn cathetus<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> [T; N] {
    let above = add_finite(one(), x.0);
    let below = add_finite(one(), (-x).0);
    MultiFloat(mul_finite(above, below)).sqrt().0
}

/// The angle of the point `(x, y)` with coordinates of [moderate](is_moderate) size, not both zero;
/// `y = 0` counts as positive.
#[inline(always)]
fn angle<const N: usize, T: Lane>(y: [T; N], x: [T; N]) -> MultiFloat<N, T> {
    let (zero, one) = (T::splat(0.0), T::splat(1.0));
    let sign_y = T::select(T::less(y[0], zero), -one, one);
    let sign_x = T::select(T::less(x[0], zero), -one, one);
    let (x, y) = (scale(x, sign_x), scale(y, sign_y));
    // The octant: multiples of π/2 to add, and the direction of the angle counted from there.
    let steep = T::less(x[0], y[0]);
    let quarters = T::select(steep, one, one - sign_x);
    let direction = T::select(steep, -sign_x, sign_x);
    let (u, v) = (select(steep, x, y), select(steep, y, x));
    let index = (u[0] / v[0] * T::splat(128.0)).round_small();
    let c = index * T::splat(1.0 / 128.0);
    // u − c·v, exactly but for the last limb.
    let mut list = List::new();
    let mut error = zero;
    for i in 0..N {
        let (p, next_error) = two_prod(v[i], c);
        list.push(u[i]);
        if i > 0 {
            list.push(-error);
        }
        list.push(-p);
        error = next_error;
    }
    list.push(-error);
    let mut wide_c = [zero; N];
    wide_c[0] = c;
    let t = quotient(list.condense(), add_product(v, u, wide_c));
    let z = mul_finite(t, t);
    let h = mul_finite(z, evaluate(&SERIES, z));
    let small = scale(add_product(t, t, h), direction);
    let mut list = List::new();
    for i in 0..N + 2 {
        let arc = index.look_up(&ARCS[i]) * direction;
        list.push(quarters * T::splat(HALF_PI_GRID[i]) + arc);
        if i < N {
            list.push(small[i]);
        }
    }
    MultiFloat(scale(list.condense(), sign_y))
}

/// [`angle`] of single numbers, compiled once.
fn single_angle<const N: usize>(y: MultiFloat<N>, x: MultiFloat<N>) -> MultiFloat<N> {
    angle(y.0, x.0)
}

fn atan_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if first.abs() < LEAST_MODERATE || first.is_nan() {
        x
    } else if first.abs() > FURTHEST {
        MultiFloat::FRAC_PI_2.copysign(x)
    } else {
        single_angle(x, MultiFloat::ONE)
    }
}

fn atan2_scalar<const N: usize>(y: MultiFloat<N>, x: MultiFloat<N>) -> MultiFloat<N> {
    if is_usual_point(y.0[0], x.0[0]) {
        return single_angle(y, x);
    }
    let straight = if x.is_sign_negative() { MultiFloat::PI } else { MultiFloat::ZERO };
    let (Some(y_exponent), Some(x_exponent)) = (y.exponent(), x.exponent()) else {
        return if y.is_nan() || x.is_nan() {
            MultiFloat::NAN
        } else if y.is_infinite() && x.is_infinite() {
            let diagonal = MultiFloat::FRAC_PI_4;
            if x.is_sign_negative() { diagonal * 3.0 } else { diagonal }.copysign(y)
        } else if y.is_infinite() || x.0[0] == 0.0 && y.0[0] != 0.0 {
            MultiFloat::FRAC_PI_2.copysign(y)
        } else {
            straight.copysign(y)
        };
    };
    let slope = y_exponent - x_exponent;
    if slope > RIGHT_ANGLE_EXPONENT {
        MultiFloat::FRAC_PI_2.copysign(y)
    } else if slope >= -RIGHT_ANGLE_EXPONENT {
        single_angle(y.ldexp(-x_exponent), x.ldexp(-x_exponent))
    } else if x.is_sign_negative() {
        MultiFloat::PI.copysign(y)
    } else {
        let (y, y_exponent) = y.frexp();
        let (x, x_exponent) = x.frexp();
        MultiFloat(quotient(y.0, x.0)).ldexp(y_exponent - x_exponent)
    }
}

fn asin_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.0[0].abs() < LEAST_MODERATE {
        x
    } else if x.abs() <= MultiFloat::ONE {
        atan2_scalar(x, MultiFloat(cathetus(x)))
    } else {
        MultiFloat::NAN
    }
}

fn acos_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.abs() <= MultiFloat::ONE {
        atan2_scalar(MultiFloat(cathetus(x)), x)
    } else {
        MultiFloat::NAN
    }
}
