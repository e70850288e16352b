//! `sin x`, `cos x`, `tan x`.
//!
//! Method: `x = q·π/2 + a + r` with `a = jπ/256`, `|j| <= 64`, `|r| <= π/512`; `sin r` and
//! `cos r − 1` by their series, then the addition theorem with a table of `sin a` and `cos a` (as
//! in Gal and Bachelis, *An accurate elementary mathematical library*, ACM TOMS 17 (1991), without
//! their perturbed nodes: limbs take their place). The reduction subtracts `(128q + j)·π/256` with
//! nine short limbs (Cody and Waite); where `x` is larger than `10⁵`, or so close to a multiple of
//! `π/256` that this would lose bits, the scalar path reduces by [`huge`](super::huge) instead,
//! whose `r` is relatively exact always. So are the results next to multiples of `π/2`.
//!
//! Error: with `a ≠ 0` the larger term decides, whose product with `cos r` costs little as
//! `cos r − 1` is small, and the final sum: 3 units of the last place at the worst. Next to
//! multiples of `π/2`, `a = 0` and the sum is exact, but `sin r` is as large as the result:
//! again 3. The tangent adds both errors and that of the quotient.

use super::super::MultiFloat;
use super::super::add::add_finite;
use super::super::mul::mul_finite;
use super::domain::{LEAST_MODERATE, is_moderate};
use super::exponential::keep_zero;
use super::huge::reduce_huge;
use super::limbs::{look_up, negate_where, scale, select};
use super::quotient::quotient;
use super::reduce::{LARGEST_MULTIPLE, subtract_multiple};
use super::series::{add_product, evaluate};
use super::tables::circular::{COSINE_SERIES, COSINES, SINE_SERIES, SINES, STEP, STEPS_PER_UNIT};
use crate::Lane;

/// The largest argument that is reduced by subtraction.
const LIMIT: f64 = (LARGEST_MULTIPLE - 1.0) / STEPS_PER_UNIT;
/// Below this, a reduced argument that came from a subtraction has lost too many bits.
const CANCELLED: f64 = 1.0 / (1 << 26) as f64;

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Sine, within 4 units of the last place for any argument.
    ///
    /// ```
    /// use nonius_num::Qd;
    ///
    /// // A huge argument is reduced by as many digits of π as it takes.
    /// let x: Qd = "1e22".parse()?;
    /// assert_eq!(format!("{:.45}", x.sin()), "-0.852200849767188801772705893753029368261762150");
    /// # Ok::<(), nonius_num::ParseDecimalError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sin(self) -> Self {
        if T::LANES > 1
            && let Some(angle) = Angle::new(self)
        {
            angle.sin(self)
        } else {
            self.map_lanes(sin_scalar)
        }
    }

    /// Cosine, within 4 units of the last place for any argument.
    #[inline(always)]
    #[must_use]
    pub fn cos(self) -> Self {
        if T::LANES > 1
            && let Some(angle) = Angle::new(self)
        {
            angle.cos()
        } else {
            self.map_lanes(cos_scalar)
        }
    }

    /// Sine and cosine.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// let (s, c) = Dd::from(1).sin_cos();
    /// assert_eq!(format!("{s:.28}"), "0.8414709848078965066525023216");
    /// assert_eq!(format!("{c:.28}"), "0.5403023058681397174009366074");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sin_cos(self) -> (Self, Self) {
        if T::LANES > 1
            && let Some(angle) = Angle::new(self)
        {
            (angle.sin(self), angle.cos())
        } else {
            self.map_lanes_to_two(sin_cos_scalar)
        }
    }

    /// Tangent, within 4 units of the last place for any argument.
    #[inline(always)]
    #[must_use]
    pub fn tan(self) -> Self {
        if T::LANES > 1
            && is_moderate(self.0[0], LIMIT)
            && let Some(angle) = Angle::new(self)
        {
            angle.tan(self)
        } else {
            self.map_lanes(tan_scalar)
        }
    }

    /// A scalar function with two results, in each lane.
    #[inline(always)]
    fn map_lanes_to_two(
        self,
        f: fn(MultiFloat<N>) -> (MultiFloat<N>, MultiFloat<N>),
    ) -> (Self, Self) {
        let mut second = [MultiFloat::ZERO; 8];
        let first = Self::from_fn(|i| {
            let (y, z) = f(self.lane(i));
            second[i] = z;
            y
        });
        (first, Self::from_fn(|i| second[i]))
    }
}

/// `x = q·π/2 + a + r`, with the sine and cosine of `r`.
struct Angle<const N: usize, T> {
    /// `q`, modulo 4 in [−2, 2].
    quadrant: T,
    sin_a: [T; N],
    cos_a: [T; N],
    sin_r: [T; N],
    /// `cos r − 1`.
    cos_r: [T; N],
}

impl<const N: usize, T: Lane> Angle<N, T> {
    /// Of `x` in all lanes, unless one needs the scalar path.
    #[inline(always)]
    fn new(x: MultiFloat<N, T>) -> Option<Self> {
        let (quadrant, j, r) = reduce(x)?;
        Some(Self::from_parts(quadrant, j, r))
    }

    #[inline(always)]
    fn from_parts(quadrant: T, j: T, r: [T; N]) -> Self {
        let index = j.abs();
        let negative = T::less(j, T::splat(0.0));
        let z = mul_finite(r, r);
        let h = mul_finite(z, evaluate(&SINE_SERIES, z));
        Self {
            quadrant,
            sin_a: negate_where(negative, look_up(&SINES, index)),
            cos_a: look_up(&COSINES, index),
            sin_r: add_product(r, r, h),
            cos_r: mul_finite(z, evaluate(&COSINE_SERIES, z)),
        }
    }

    /// `sin(a + r)` and `cos(a + r)`, exchanged in odd quadrants: the first with the sign of the
    /// result, the second negated with it.
    #[inline(always)]
    fn sine_of(&self, quadrant: T) -> MultiFloat<N, T> {
        // −1, 1: cosine; 0, ±2: sine; −1, ±2: with the sign changed.
        let one = T::splat(1.0);
        let is_cosine = T::equal(quadrant.abs(), one);
        // sin(a + r) = sin a + sin a·(cos r − 1) + cos a·sin r; cos(a + r) with cos a, −sin a in
        // the places of sin a, cos a.
        let a = select(is_cosine, self.cos_a, self.sin_a);
        let b = select(is_cosine, (-MultiFloat(self.sin_a)).0, self.cos_a);
        let z = add_finite(add_product(a, a, self.cos_r), mul_finite(b, self.sin_r));
        let sign = T::select(T::equal(quadrant.abs(), T::splat(2.0)), -one, one);
        let sign = T::select(T::equal(quadrant, -one), -one, sign);
        MultiFloat(scale(z, sign))
    }

    #[inline(always)]
    fn sin(&self, x: MultiFloat<N, T>) -> MultiFloat<N, T> {
        keep_zero(x, self.sine_of(self.quadrant).0)
    }

    #[inline(always)]
    fn cos(&self) -> MultiFloat<N, T> {
        // cos x = sin(x + π/2), where the quadrant after 2 is −1.
        let next = self.quadrant + T::splat(1.0);
        self.sine_of(T::select(T::less(T::splat(2.0), next), -T::splat(1.0), next))
    }

    #[inline(always)]
    fn tan(&self, x: MultiFloat<N, T>) -> MultiFloat<N, T> {
        let sine = self.sine_of(self.quadrant);
        keep_zero(x, quotient(sine.0, self.cos().0))
    }
}

/// `(q, j, r)` with `x = q·π/2 + j·π/256 + r` and `q` modulo 4, unless a lane is too large or `r`
/// loses bits.
#[inline(always)]
fn reduce<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> Option<(T, T, [T; N])> {
    if !T::all(T::less(x.0[0].abs(), T::splat(LIMIT))) {
        return None;
    }
    let k = (x.0[0] * T::splat(STEPS_PER_UNIT)).round_small();
    let r = subtract_multiple(x.0, None, k, &STEP);
    // What was not subtracted from is exact, however small.
    let size = T::select(T::equal(k, T::splat(0.0)), T::splat(1.0), r[0].abs());
    if !T::all(T::less(T::splat(CANCELLED), size)) {
        return None;
    }
    let q = (k * T::splat(1.0 / 128.0)).round_small();
    let j = k - q * T::splat(128.0);
    let turns = (q * T::splat(0.25)).round_small();
    Some((q - turns * T::splat(4.0), j, r))
}

/// The angle of any finite number.
fn angle<const N: usize>(x: MultiFloat<N>) -> Angle<N, f64> {
    let (quadrant, j, r) = reduce(x).unwrap_or_else(|| reduce_huge(x));
    Angle::from_parts(quadrant, j, r)
}

fn sin_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.is_finite() { angle(x).sin(x) } else { MultiFloat::NAN }
}

fn cos_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if x.is_finite() { angle(x).cos() } else { MultiFloat::NAN }
}

fn sin_cos_scalar<const N: usize>(x: MultiFloat<N>) -> (MultiFloat<N>, MultiFloat<N>) {
    if !x.is_finite() {
        return (MultiFloat::NAN, MultiFloat::NAN);
    }
    let angle = angle(x);
    (angle.sin(x), angle.cos())
}

fn tan_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    if !x.is_finite() {
        return MultiFloat::NAN;
    }
    if x.0[0].abs() < LEAST_MODERATE {
        return x;
    }
    angle(x).tan(x)
}
