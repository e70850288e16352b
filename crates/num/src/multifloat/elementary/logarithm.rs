//! `ln x`, `log2 x`, `log10 x`, `ln(1 + x)`.
//!
//! Method: `x = 2^e·m` with `m` in [√½, √2]; tables give numbers `c₁`, `c₂` of few bits (their
//! product `c` is exact) with `c·m = 1 + r`, `|r| < 2^-13.9`, and
//! `ln x = e·ln 2 − ln c₁ − ln c₂ + ln(1 + r)` (after Tang, *Table-driven implementation of the
//! logarithm function*, ACM TOMS 16 (1990), with a second table). The logarithms of the tables
//! stand on a grid, so that their sum is exact limb by limb; `ln(1 + r) = r + r²·(…)` by its
//! series. Near 1 both table entries are 1 and `r = x − 1` is exact, which keeps the relative
//! accuracy; elsewhere the sum cancels at most one bit.
//!
//! Error: everything is computed to `2^-(53N + 13)`, relatively, with one limb more than the
//! format: `r`'s last limb, the series' last coefficient and the tables' last limb are below that.
//! [`Logarithm::natural`] has it; `ln` and the others round it to `N` limbs, with an error below
//! 1/2 unit of the last place for two limbs, and less for more. Factors `log2 e`, `log10 e` have
//! `N + 1` limbs.

use super::super::MultiFloat;
use super::super::mul::mul_finite;
use super::exponential::keep_zero;
use super::limbs::look_up;
use super::series::evaluate;
use super::tables::constants::{LOG2_E, LOG10_E};
use super::tables::logarithm::{COARSE, FINE, LN_2_GRID, SERIES};
use super::wide::{List, Wide};
use crate::Lane;
use crate::eft::{two_prod, two_sum};

/// Exponents within which scaling by powers of two is exact and in range.
const SMALL: f64 = f64::from_bits((1023 - 1000) << 52);
const LARGE: f64 = f64::from_bits((1023 + 1000) << 52);

impl<const N: usize, T: Lane> MultiFloat<N, T> {
    /// Natural logarithm, within 1 unit of the last place; `−∞` at zero, NaN below.
    ///
    /// ```
    /// use nonius_num::Td;
    ///
    /// let x = Td::from(2).ln();
    /// assert_eq!(format!("{x:.43}"), "0.6931471805599453094172321214581765680755001");
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn ln(self) -> Self {
        if T::LANES > 1 && in_range(self.0[0]) {
            Logarithm::new(Wide::exact(self.0), T::splat(0.0)).ln()
        } else {
            self.map_lanes(|x| scalar(x, Logarithm::ln))
        }
    }

    /// Logarithm to base 2, within 1 unit of the last place; exact for powers of two.
    #[inline(always)]
    #[must_use]
    pub fn log2(self) -> Self {
        if T::LANES > 1 && in_range(self.0[0]) {
            Logarithm::new(Wide::exact(self.0), T::splat(0.0)).log2()
        } else {
            self.map_lanes(|x| scalar(x, Logarithm::log2))
        }
    }

    /// Logarithm to base 10, within 1 unit of the last place; exact for the powers of ten that the
    /// format holds.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// let x: Dd = "1e22".parse()?;
    /// assert_eq!(x.log10(), 22.0);
    /// # Ok::<(), nonius_num::ParseDecimalError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn log10(self) -> Self {
        if T::LANES > 1 && in_range(self.0[0]) {
            Logarithm::new(Wide::exact(self.0), T::splat(0.0)).log10()
        } else {
            self.map_lanes(|x| scalar(x, Logarithm::log10))
        }
    }

    /// `ln(1 + self)`, within 1 unit of the last place, for small `self` too; `−∞` at −1, NaN
    /// below.
    ///
    /// ```
    /// use nonius_num::Dd;
    ///
    /// // ln(1 + x) = x − x²/2 + … keeps all its digits near zero.
    /// let x: Dd = "1e-20".parse()?;
    /// assert_eq!(format!("{:.24e}", x.ln_1p()), "9.999999999999999999950000e-21");
    /// # Ok::<(), nonius_num::ParseDecimalError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn ln_1p(self) -> Self {
        if T::LANES > 1 && in_range(self.0[0] + T::splat(1.0)) {
            ln_1p_core(self)
        } else {
            self.map_lanes(ln_1p_scalar)
        }
    }
}

/// Whether all lanes are positive and far from the ends of the exponent range.
#[inline(always)]
pub(super) fn in_range<T: Lane>(first: T) -> bool {
    T::all(T::less(T::splat(SMALL), first)) && T::all(T::less(first, T::splat(LARGE)))
}

/// `ln x = e·ln 2 + tables + r + w`.
pub(super) struct Logarithm<const N: usize, T> {
    pub(super) exponent: T,
    tables: [T; 6],
    r: Wide<N, T>,
    w: [T; N],
}

impl<const N: usize, T: Lane> Logarithm<N, T> {
    /// Of `x·2^scale` for `x` [in range](in_range).
    #[inline(always)]
    pub(super) fn new(x: Wide<N, T>, scale: T) -> Self {
        const SQRT_2: f64 = core::f64::consts::SQRT_2;
        let one = T::splat(1.0);
        let e = x.limbs[0].exponent();
        let power = T::exp2_integer(-e);
        let above = T::less(T::splat(SQRT_2), x.limbs[0] * power);
        let power = T::select(above, power * T::splat(0.5), power);
        let exponent = T::select(above, e + one, e) + scale;
        let first = x.limbs[0] * power;
        let coarse = (first * T::splat(128.0)).round_small() - T::splat(90.0);
        let c = coarse.look_up(&COARSE[0]);
        let fine = ((first * c - one) * T::splat(8192.0)).round_small() + T::splat(64.0);
        let c = c * fine.look_up(&FINE[0]);
        // As many limbs of the logarithms as `terms` takes.
        let mut tables = look_up::<6, _, _>(&COARSE[1..N + 3], coarse);
        for (sum, plane) in tables.iter_mut().zip(&FINE[1..N + 3]) {
            *sum = *sum + fine.look_up(plane);
        }
        // c·m − 1, of which the first difference is exact.
        let mut list = List::new();
        let (p, mut error) = two_prod(first, c);
        list.push(p - one);
        for &limb in &x.limbs[1..] {
            let (p, next_error) = two_prod(limb * power, c);
            list.push(error);
            list.push(p);
            error = next_error;
        }
        list.push(error);
        list.push(x.tail * power * c);
        let r = Wide::condense(list);
        let w = mul_finite(r.limbs, mul_finite(r.limbs, evaluate(&SERIES, r.limbs)));
        Self { exponent, tables, r, w }
    }

    /// The terms of `ln x`, or of `ln m`.
    #[inline(always)]
    fn terms(&self, with_exponent: bool) -> List<T> {
        let table = |i: usize| {
            if with_exponent {
                self.exponent * T::splat(LN_2_GRID[i]) + self.tables[i]
            } else {
                self.tables[i]
            }
        };
        let r = &self.r.limbs;
        let w = &self.w;
        let mut list = List::new();
        for term in [table(0), r[0], w[0], table(1), r[1], table(2), w[1]] {
            list.push(term);
        }
        if N > 2 {
            list.push(r[2]);
        }
        list.push(table(3));
        if N > 2 {
            list.push(w[2]);
            list.push(table(4));
        }
        if N > 3 {
            list.push(r[3]);
            list.push(w[3]);
            list.push(table(5));
        }
        list.push(self.r.tail);
        list
    }

    /// `ln x` with a relative error below `2^-(53N + 12)`.
    #[inline(always)]
    pub(super) fn natural(&self) -> Wide<N, T> {
        Wide::condense(self.terms(true))
    }

    #[inline(always)]
    pub(super) fn ln(self) -> MultiFloat<N, T> {
        MultiFloat(self.natural().limbs)
    }

    #[inline(always)]
    fn log2(self) -> MultiFloat<N, T> {
        let z = Wide::<N, T>::condense(self.terms(false)).multiply(Wide::constant(&LOG2_E));
        let mut list = List::new();
        list.push(self.exponent);
        for limb in z.limbs {
            list.push(limb);
        }
        list.push(z.tail);
        MultiFloat(list.condense())
    }

    #[inline(always)]
    fn log10(self) -> MultiFloat<N, T> {
        let mut z = self.natural().multiply(Wide::constant(&LOG10_E)).limbs;
        // Next to a number of 53 bits the exact result is that number: it is an integer, and the
        // rest noise.
        let noise = z[0].abs() * T::splat(const { negative_power(53 * N as u64 + 8) });
        let exact = T::less(z[1].abs(), noise);
        for limb in &mut z[1..] {
            *limb = T::select(exact, T::splat(0.0), *limb);
        }
        MultiFloat(z)
    }
}

/// `2^-k`.
const fn negative_power(k: u64) -> f64 {
    f64::from_bits((1023 - k) << 52)
}

/// `ln(1 + x)` for `1 + x` [in range](in_range).
#[inline(always)]
fn ln_1p_core<const N: usize, T: Lane>(x: MultiFloat<N, T>) -> MultiFloat<N, T> {
    // 1 + x, exactly; the second pass separates the limbs that are left where x is next to −1.
    let mut sum = x.0;
    let mut carry = T::splat(1.0);
    for limb in &mut sum {
        (*limb, carry) = two_sum(carry, *limb);
    }
    for i in 1..N {
        (sum[i - 1], sum[i]) = two_sum(sum[i - 1], sum[i]);
    }
    (sum[N - 1], carry) = two_sum(sum[N - 1], carry);
    let z = Logarithm::new(Wide { limbs: sum, tail: carry }, T::splat(0.0)).ln();
    keep_zero(x, z.0)
}

/// A logarithm of any argument.
#[inline]
fn scalar<const N: usize>(
    x: MultiFloat<N>,
    finish: fn(Logarithm<N, f64>) -> MultiFloat<N>,
) -> MultiFloat<N> {
    let first = x.0[0];
    if first.is_nan() || first < 0.0 {
        MultiFloat::NAN
    } else if first == 0.0 {
        MultiFloat::NEG_INFINITY
    } else if first == f64::INFINITY {
        MultiFloat::INFINITY
    } else {
        finish(logarithm_scalar(x))
    }
}

/// The logarithm of a positive finite number.
pub(super) fn logarithm_scalar<const N: usize>(x: MultiFloat<N>) -> Logarithm<N, f64> {
    let (m, e) = if in_range(x.0[0]) { (x, 0) } else { x.frexp() };
    Logarithm::new(Wide::exact(m.0), f64::from(e))
}

fn ln_1p_scalar<const N: usize>(x: MultiFloat<N>) -> MultiFloat<N> {
    let first = x.0[0];
    if in_range(first + 1.0) {
        ln_1p_core(x)
    } else if first > LARGE / 2.0 {
        // The 1 is far below the last place.
        scalar(x, Logarithm::ln)
    } else {
        // −1 and its tail, of which the sum is exact; NaN; numbers below −1.
        scalar(x + 1.0, Logarithm::ln)
    }
}
