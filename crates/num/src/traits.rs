//! What algorithms ask of their numbers: [`Ring`] ⊂ [`Real`] ⊂ [`Elementary`].
//!
//! An algorithm names the weakest of the three that it needs. It then runs at `f64`,
//! [`Dd`](crate::Dd), [`Td`](crate::Td), [`Qd`](crate::Qd) and [`Mp`].

use core::f64::consts;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::mp::{Bits, Head};
use crate::{Element, Mp, MultiFloat, Precision};

/// Numbers that can be added, subtracted and multiplied.
pub trait Ring:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// Additive identity.
    const ZERO: Self;
    /// Multiplicative identity.
    const ONE: Self;
}

/// Ordered numbers with division and square roots, rounded to a number of bits.
///
/// A result has the bits of its wider operand. Constants and conversions from `f64` have the fewest
/// bits there are, so that they are exact operands beside any other number. A computation with
/// constants alone therefore has few bits: give them a format by [`to_format`](Self::to_format)
/// first.
///
/// ```
/// use nonius_num::mp::Bits;
/// use nonius_num::{Mp, Qd, Real};
///
/// /// √2 by Newton's iteration, in any format.
/// fn root<T: Real>(format: T::Format) -> T {
///     // Constants have few bits until they get a format.
///     let two = T::from_f64(2.0).to_format(format);
///     (0..12).fold(T::ONE.to_format(format), |x, _| (x + two / x).ldexp(-1))
/// }
/// assert!((root::<Qd>(()) - Qd::SQRT_2).abs() <= Qd::EPSILON.ldexp(2));
/// let bits = Bits::new(424).unwrap();
/// assert!((root::<Mp>(bits) - Mp::sqrt_2(bits)).abs() < Mp::one(bits).ldexp(-420));
/// ```
pub trait Real: Ring + Element + PartialOrd + Div<Output = Self> + DivAssign {
    /// The format of this number.
    fn format(self) -> Self::Format;
    /// The number rounded to a format.
    #[must_use]
    fn to_format(self, format: Self::Format) -> Self;
    /// The precision of numbers of a format.
    fn precision(format: Self::Format) -> Precision;
    /// The number `x`, exactly.
    fn from_f64(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Square root; NaN below zero.
    #[must_use]
    fn sqrt(self) -> Self;
    /// `self · 2^k`, exact unless it overflows or underflows.
    #[must_use]
    fn ldexp(self, k: i32) -> Self;
    /// Whether this is neither infinite nor NaN.
    fn is_finite(self) -> bool;
    /// Whether the number stored with this cell is finite.
    fn is_finite_cell(cell: Self::Cell) -> bool;
    /// Whether the number stored with this cell is zero, of either sign.
    fn is_zero_cell(cell: Self::Cell) -> bool;
    /// Whether this is NaN.
    fn is_nan(self) -> bool;
}

/// Numbers whose type determines their precision.
///
/// ```
/// use nonius_num::{Dd, Fixed, Qd};
///
/// /// A bound of the error of a sum of `n` terms of magnitude up to 1.
/// fn bound<T: Fixed>(n: usize) -> f64 {
///     (n * n) as f64 * T::UNIT_ROUNDOFF
/// }
/// assert_eq!((Dd::NAME, Dd::PRECISION), ("dd", 104));
/// assert_eq!(bound::<Qd>(16), 256.0 * 2.0_f64.powi(-208));
/// ```
pub trait Fixed: Real<Format = ()> {
    /// The precision.
    const KIND: Precision;
    /// The name of the precision: `f64`, `dd`, `td`, `qd`.
    const NAME: &'static str = Self::KIND.kind();
    /// Significand bits `p`.
    const PRECISION: u32 = Self::KIND.bits();
    /// `u = 2^-p`: bounds are multiples of it.
    const UNIT_ROUNDOFF: f64;
}

/// Numbers with the elementary functions and their constants.
///
/// Constants are functions of a [format](crate::Element::Format), in which they are rounded to
/// nearest.
///
/// Multi-limb numbers document their error bounds at the inherent methods of the same names. Those
/// of [`Mp`] are correctly rounded; sine, cosine and tangent of huge arguments take long, as
/// [`Mp::sin`] says. For `f64` the functions are those of the crate `libm`, whose results are the
/// same on every machine.
///
/// ```
/// use nonius_num::mp::Bits;
/// use nonius_num::{Elementary, Mp, Qd};
///
/// /// The larger solution of cosh x = 2.
/// fn solution<T: Elementary>(format: T::Format) -> T {
///     T::from_f64(2.0).to_format(format).acosh()
/// }
/// let x = solution::<Qd>(());
/// assert_eq!(format!("{x:.50}"), "1.31695789692481670862504634730796844402698197146752");
/// let x = solution::<Mp>(Bits::new(424).unwrap());
/// assert!(x.to_string().starts_with("1.316957896924816708625046347307968444026981971467516479"));
/// ```
pub trait Elementary: Real {
    /// `π`.
    #[must_use]
    fn pi(format: Self::Format) -> Self;
    /// `2π`.
    #[must_use]
    fn tau(format: Self::Format) -> Self;
    /// `π / 2`.
    #[must_use]
    fn frac_pi_2(format: Self::Format) -> Self;
    /// `π / 4`.
    #[must_use]
    fn frac_pi_4(format: Self::Format) -> Self;
    /// `1 / π`.
    #[must_use]
    fn frac_1_pi(format: Self::Format) -> Self;
    /// Euler's number `e`.
    #[must_use]
    fn e(format: Self::Format) -> Self;
    /// `ln 2`.
    #[must_use]
    fn ln_2(format: Self::Format) -> Self;
    /// `ln 10`.
    #[must_use]
    fn ln_10(format: Self::Format) -> Self;
    /// `log2 e`.
    #[must_use]
    fn log2_e(format: Self::Format) -> Self;
    /// `log10 e`.
    #[must_use]
    fn log10_e(format: Self::Format) -> Self;
    /// `√2`.
    #[must_use]
    fn sqrt_2(format: Self::Format) -> Self;
    /// `1 / √2`.
    #[must_use]
    fn frac_1_sqrt_2(format: Self::Format) -> Self;

    /// `e^self`.
    #[must_use]
    fn exp(self) -> Self;
    /// `2^self`.
    #[must_use]
    fn exp2(self) -> Self;
    /// `e^self − 1`.
    #[must_use]
    fn exp_m1(self) -> Self;
    /// Natural logarithm.
    #[must_use]
    fn ln(self) -> Self;
    /// Logarithm to base 2.
    #[must_use]
    fn log2(self) -> Self;
    /// Logarithm to base 10.
    #[must_use]
    fn log10(self) -> Self;
    /// `ln(1 + self)`.
    #[must_use]
    fn ln_1p(self) -> Self;
    /// `self^y`.
    #[must_use]
    fn pow(self, y: Self) -> Self;
    /// `self^n`.
    #[must_use]
    fn powi(self, n: i32) -> Self;
    /// Cube root.
    #[must_use]
    fn cbrt(self) -> Self;
    /// `√(self² + y²)`.
    #[must_use]
    fn hypot(self, y: Self) -> Self;
    /// Sine.
    #[must_use]
    fn sin(self) -> Self;
    /// Cosine.
    #[must_use]
    fn cos(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Tangent.
    #[must_use]
    fn tan(self) -> Self;
    /// Arc sine.
    #[must_use]
    fn asin(self) -> Self;
    /// Arc cosine.
    #[must_use]
    fn acos(self) -> Self;
    /// Arc tangent.
    #[must_use]
    fn atan(self) -> Self;
    /// The angle of the point `(x, self)`.
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    #[must_use]
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    #[must_use]
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
    /// Inverse hyperbolic sine.
    #[must_use]
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    #[must_use]
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    #[must_use]
    fn atanh(self) -> Self;
}

impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

impl Fixed for f64 {
    const KIND: Precision = Precision::F64;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;
}

/// The format of numbers whose precision their type says.
macro_rules! no_format {
    () => {
        #[inline(always)]
        fn format(self) {}

        #[inline(always)]
        fn to_format(self, (): ()) -> Self {
            self
        }

        fn precision((): ()) -> Precision {
            Self::KIND
        }

        #[inline(always)]
        fn is_finite_cell(cell: Self) -> bool {
            cell.is_finite()
        }

        #[inline(always)]
        fn is_zero_cell(cell: Self) -> bool {
            cell == Self::ZERO
        }
    };
}

impl Real for f64 {
    no_format!();

    #[inline(always)]
    fn from_f64(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        crate::Lane::sqrt(self)
    }

    #[inline]
    fn ldexp(self, k: i32) -> f64 {
        libm::ldexp(self, k)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
}

impl<const N: usize> Ring for MultiFloat<N> {
    const ZERO: Self = MultiFloat::ZERO;
    const ONE: Self = MultiFloat::ONE;
}

impl<const N: usize> Fixed for MultiFloat<N> {
    const KIND: Precision = Precision::FIXED[N - 1];
    const UNIT_ROUNDOFF: f64 = Self::UNIT_ROUNDOFF;
}

impl<const N: usize> Real for MultiFloat<N> {
    no_format!();

    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        Self::from(x)
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        MultiFloat::to_f64(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        MultiFloat::abs(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        MultiFloat::sqrt(self)
    }

    #[inline]
    fn ldexp(self, k: i32) -> Self {
        MultiFloat::ldexp(self, k)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        MultiFloat::is_finite(self)
    }

    #[inline(always)]
    fn is_nan(self) -> bool {
        MultiFloat::is_nan(self)
    }
}

impl Ring for Mp {
    const ZERO: Self = Mp::ZERO;
    const ONE: Self = Mp::ONE;
}

impl Real for Mp {
    #[inline]
    fn format(self) -> Bits {
        self.bits()
    }

    fn to_format(self, bits: Bits) -> Self {
        self.view().to_mp(bits)
    }

    fn precision(bits: Bits) -> Precision {
        Precision::Mp(bits)
    }

    fn from_f64(x: f64) -> Self {
        Mp::from_f64(Bits::FEWEST, x)
    }

    fn to_f64(self) -> f64 {
        self.view().to_f64()
    }

    fn abs(self) -> Self {
        Mp::abs(self)
    }

    fn sqrt(self) -> Self {
        Mp::sqrt(&self)
    }

    fn ldexp(self, k: i32) -> Self {
        Mp::ldexp(self, k)
    }

    fn is_finite(self) -> bool {
        Mp::is_finite(&self)
    }

    fn is_finite_cell(head: Head) -> bool {
        head.is_finite()
    }

    #[inline(always)]
    fn is_zero_cell(head: Head) -> bool {
        head.is_zero()
    }

    fn is_nan(self) -> bool {
        Mp::is_nan(&self)
    }
}

/// The constants of the type or module `$place`, for numbers whose precision their type says.
macro_rules! constants_of {
    ($place:ident: $($function:ident $name:ident;)*) => {$(
        #[inline(always)]
        fn $function((): ()) -> Self {
            $place::$name
        }
    )*};
    ($place:ident) => {
        constants_of! { $place:
            pi PI; tau TAU; frac_pi_2 FRAC_PI_2; frac_pi_4 FRAC_PI_4; frac_1_pi FRAC_1_PI;
            e E; ln_2 LN_2; ln_10 LN_10; log2_e LOG2_E; log10_e LOG10_E;
            sqrt_2 SQRT_2; frac_1_sqrt_2 FRAC_1_SQRT_2;
        }
    };
}

/// Methods of one operand that call `$place::$function`.
macro_rules! unary {
    ($($method:ident $place:ident::$function:ident;)*) => {$(
        #[inline]
        fn $method(self) -> Self {
            $place::$function(self)
        }
    )*};
}

/// Methods of two operands that call `$place::$function`.
macro_rules! binary {
    ($($method:ident $place:ident::$function:ident;)*) => {$(
        #[inline]
        fn $method(self, y: Self) -> Self {
            $place::$function(self, y)
        }
    )*};
}

impl Elementary for f64 {
    constants_of!(consts);

    unary! {
        exp libm::exp; exp2 libm::exp2; exp_m1 libm::expm1;
        ln libm::log; log2 libm::log2; log10 libm::log10; ln_1p libm::log1p;
        cbrt libm::cbrt;
        sin libm::sin; cos libm::cos; tan libm::tan;
        asin libm::asin; acos libm::acos; atan libm::atan;
        sinh libm::sinh; cosh libm::cosh; tanh libm::tanh;
        asinh libm::asinh; acosh mended::acosh; atanh libm::atanh;
    }

    binary! {
        pow libm::pow; hypot libm::hypot; atan2 libm::atan2;
    }

    #[inline]
    fn powi(self, n: i32) -> f64 {
        libm::pow(self, f64::from(n))
    }

    #[inline]
    fn sin_cos(self) -> (f64, f64) {
        libm::sincos(self)
    }
}

/// Functions of libm that need help.
mod mended {
    /// libm 0.2.16 returns a number for arguments below −2^26.
    pub(super) fn acosh(x: f64) -> f64 {
        if x < 1.0 { f64::NAN } else { libm::acosh(x) }
    }
}

impl<const N: usize> Elementary for MultiFloat<N> {
    constants_of!(MultiFloat);

    unary! {
        exp MultiFloat::exp; exp2 MultiFloat::exp2; exp_m1 MultiFloat::exp_m1;
        ln MultiFloat::ln; log2 MultiFloat::log2; log10 MultiFloat::log10; ln_1p MultiFloat::ln_1p;
        cbrt MultiFloat::cbrt;
        sin MultiFloat::sin; cos MultiFloat::cos; tan MultiFloat::tan;
        asin MultiFloat::asin; acos MultiFloat::acos; atan MultiFloat::atan;
        sinh MultiFloat::sinh; cosh MultiFloat::cosh; tanh MultiFloat::tanh;
        asinh MultiFloat::asinh; acosh MultiFloat::acosh; atanh MultiFloat::atanh;
    }

    binary! {
        pow MultiFloat::pow; hypot MultiFloat::hypot; atan2 MultiFloat::atan2;
    }

    #[inline]
    fn powi(self, n: i32) -> Self {
        MultiFloat::powi(self, n)
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        MultiFloat::sin_cos(self)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::Elementary;

    /// The functions of `f64` are those of the standard library but for last bits, in their domains
    /// and outside.
    #[test]
    fn functions_of_f64_know_their_domains() {
        type Function = fn(f64) -> f64;
        let functions: &[(&str, Function, Function)] = &[
            ("exp", Elementary::exp, f64::exp),
            ("exp2", Elementary::exp2, f64::exp2),
            ("exp_m1", Elementary::exp_m1, f64::exp_m1),
            ("ln", Elementary::ln, f64::ln),
            ("log2", Elementary::log2, f64::log2),
            ("log10", Elementary::log10, f64::log10),
            ("ln_1p", Elementary::ln_1p, f64::ln_1p),
            ("cbrt", Elementary::cbrt, f64::cbrt),
            ("sin", Elementary::sin, f64::sin),
            ("cos", Elementary::cos, f64::cos),
            ("tan", Elementary::tan, f64::tan),
            ("asin", Elementary::asin, f64::asin),
            ("acos", Elementary::acos, f64::acos),
            ("atan", Elementary::atan, f64::atan),
            ("sinh", Elementary::sinh, f64::sinh),
            ("cosh", Elementary::cosh, f64::cosh),
            ("tanh", Elementary::tanh, f64::tanh),
            ("asinh", Elementary::asinh, f64::asinh),
            ("acosh", Elementary::acosh, f64::acosh),
            ("atanh", Elementary::atanh, f64::atanh),
        ];
        let same = |x: f64, y: f64| {
            let near = (x - y).abs() <= 512.0 * f64::EPSILON * y.abs() + f64::MIN_POSITIVE;
            x == y || near || (x.is_nan() && y.is_nan())
        };
        for &(name, ours, standard) in functions {
            for exponent in -1022..1024 {
                for x in [1.0, -1.0, 1.7, -1.3].map(|m: f64| m * 2.0_f64.powi(exponent)) {
                    let (found, expected) = (ours(x), standard(x));
                    // The standard library loses half the digits of this one near 1 and near 0.
                    let lost = name == "acosh" && x < 2.0 && found.is_finite();
                    let lost = lost || (name == "asinh" || name == "atanh") && x.abs() < 1.0;
                    let near = lost
                        && (found - expected).abs() <= 8.0 * f64::EPSILON.sqrt() * expected.abs();
                    assert!(
                        same(found, expected) || near,
                        "{name}({x:e}) = {found:e}, {expected:e}"
                    );
                }
            }
            for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                assert!(same(ours(x), standard(x)), "{name}({x:e})");
            }
        }
    }
}
