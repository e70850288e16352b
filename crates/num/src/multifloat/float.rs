//! `num_traits::Float`: every method is the inherent one of the same name, but for those commented
//! on.

use core::num::FpCategory;

use num_traits::Float;

use super::MultiFloat;

macro_rules! inherent {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(self $(, $argument: $type)*) -> $result {
            MultiFloat::$name(self $(, $argument)*)
        }
    )*};
}

impl<const N: usize> Float for MultiFloat<N> {
    fn nan() -> Self {
        Self::NAN
    }

    fn infinity() -> Self {
        Self::INFINITY
    }

    fn neg_infinity() -> Self {
        Self::NEG_INFINITY
    }

    fn neg_zero() -> Self {
        -Self::ZERO
    }

    fn min_value() -> Self {
        Self::MIN
    }

    fn min_positive_value() -> Self {
        Self::MIN_POSITIVE
    }

    fn epsilon() -> Self {
        Self::EPSILON
    }

    fn max_value() -> Self {
        Self::MAX
    }

    inherent! {
        is_nan() -> bool;
        is_infinite() -> bool;
        is_finite() -> bool;
        is_sign_positive() -> bool;
        is_sign_negative() -> bool;
        classify() -> FpCategory;
        floor() -> Self;
        ceil() -> Self;
        round() -> Self;
        trunc() -> Self;
        fract() -> Self;
        abs() -> Self;
        signum() -> Self;
        copysign(sign: Self) -> Self;
        max(y: Self) -> Self;
        min(y: Self) -> Self;
        clamp(low: Self, high: Self) -> Self;
        mul_add(a: Self, b: Self) -> Self;
        recip() -> Self;
        powi(n: i32) -> Self;
        sqrt() -> Self;
        cbrt() -> Self;
        hypot(y: Self) -> Self;
        exp() -> Self;
        exp2() -> Self;
        exp_m1() -> Self;
        ln() -> Self;
        log2() -> Self;
        log10() -> Self;
        ln_1p() -> Self;
        sin() -> Self;
        cos() -> Self;
        tan() -> Self;
        sin_cos() -> (Self, Self);
        asin() -> Self;
        acos() -> Self;
        atan() -> Self;
        atan2(x: Self) -> Self;
        sinh() -> Self;
        cosh() -> Self;
        tanh() -> Self;
        asinh() -> Self;
        acosh() -> Self;
        atanh() -> Self;
    }

    fn is_normal(self) -> bool {
        self.classify() == FpCategory::Normal
    }

    fn powf(self, y: Self) -> Self {
        self.pow(y)
    }

    /// The quotient of two logarithms.
    fn log(self, base: Self) -> Self {
        MultiFloat::ln(self) / MultiFloat::ln(base)
    }

    fn to_degrees(self) -> Self {
        self * (Self::FRAC_1_PI * 180.0)
    }

    fn to_radians(self) -> Self {
        self * (Self::PI / 180.0)
    }

    fn abs_sub(self, y: Self) -> Self {
        if self <= y { Self::ZERO } else { self - y }
    }

    /// Of the nearest `f64`.
    fn integer_decode(self) -> (u64, i16, i8) {
        self.to_f64().integer_decode()
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Float;

    use crate::{Dd, Qd};

    fn distance<T: Float>(x: T, y: T) -> T {
        (x.powi(2) + y.powi(2)).sqrt()
    }

    #[test]
    fn generic_code_runs() {
        let three = Qd::from(3.0);
        assert_eq!(distance(three, Qd::from(4.0)), 5.0);
        assert!((Float::log(Qd::from(81.0), three) - 4.0).abs() <= Qd::EPSILON * 4.0);
        assert!((Float::to_degrees(Dd::FRAC_PI_2) - 90.0).abs() <= Dd::EPSILON * 90.0);
        assert!((Float::to_radians(Dd::from(180.0)) - Dd::PI).abs() <= Dd::EPSILON * 4.0);
        assert_eq!(Float::integer_decode(Dd::from(0.75)), 0.75.integer_decode());
        assert!(!Dd::from(1e-310).is_normal() && Dd::MIN_POSITIVE.is_normal());
        assert!(<Dd as Float>::neg_zero().is_sign_negative());
    }
}
