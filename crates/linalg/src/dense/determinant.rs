//! Determinants, whose exponents exceed those of the numbers they are computed from.

use core::ops::Neg;

use crate::Scalar;
use crate::scalar::exponent;

/// The number `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Determinant<T> {
    /// Zero, or of magnitude between 1/2 and 1.
    pub mantissa: T,
    /// The power of two.
    pub exponent: i64,
}

impl<T: Scalar> Determinant<T> {
    /// The product of finite numbers; no intermediate result overflows or underflows.
    pub fn product(factors: impl IntoIterator<Item = T>) -> Self {
        let one = Self { mantissa: T::ONE, exponent: 0 }.normalized();
        factors.into_iter().fold(one, |product, factor| {
            let factor = Self { mantissa: factor, exponent: 0 }.normalized();
            Self {
                mantissa: product.mantissa * factor.mantissa,
                exponent: product.exponent + factor.exponent,
            }
            .normalized()
        })
    }

    fn normalized(self) -> Self {
        match exponent(self.mantissa.limb(0)) {
            Some(e) => Self {
                mantissa: self.mantissa.ldexp(-e - 1),
                exponent: self.exponent + i64::from(e) + 1,
            },
            None => Self { mantissa: self.mantissa, exponent: 0 },
        }
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i32 {
        let first = self.mantissa.limb(0);
        i32::from(first > 0.0) - i32::from(first < 0.0)
    }

    /// The number itself; infinite or zero where its exponent is out of range.
    pub fn value(&self) -> T {
        let limit = 1 << 20;
        self.mantissa.ldexp(self.exponent.clamp(-limit, limit) as i32)
    }

    /// `log2 |det|`, −∞ for zero.
    pub fn log2_abs(&self) -> f64 {
        self.exponent as f64 + self.mantissa.to_f64().abs().log2()
    }
}

impl<T: Scalar> Neg for Determinant<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }
}
