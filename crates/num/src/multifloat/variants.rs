//! Named double-double algorithms of the literature, for comparison and for kernels that choose
//! speed over accuracy.
//!
//! The operators `+` and `*` use the networks of [`MultiFloat`](super); these are the variants that
//! the double-double matrix product of Nakata, Takao, Noda, Himeno (*A fast implementation of
//! matrix-matrix product in double-double precision on NVIDIA C2050 and application to semidefinite
//! programming*, 2012) chooses between. The additions are those of the QD library (Hida, Li,
//! Bailey, 2001).
//!
//! - [`add_ieee`]: 20; `(3u² + 13u³)·abs(a + b)`
//! - [`add_cray`]: 11; `(3u² + 7u³)·(abs(a) + abs(b))`
//! - [`mul_accurate`]: 9 (8 and a fused multiply-add); `5u²·abs(a·b)`
//! - [`mul_sloppy`]: 6 (4 and two fused multiply-adds); `(9u² + 50u³)·abs(a·b)`; limbs may overlap
//!   in the last bit
//!
//! Papers that count a fused multiply-add as two operations give 10 and 8 for the products.
//!
//! All work lane by lane on finite operands in normal form, and on results that neither overflow
//! nor underflow; specials and the signs of zeros are those of `+` and `*` only.

use super::MultiFloat;
use crate::Lane;
use crate::eft::{fast_two_sum, two_prod, two_sum};

/// Addition with a small relative error whatever the cancellation ("IEEE"): `AccurateDWPlusDW` of
/// Joldes, Muller, Popescu 2017 (Alg. 6), who prove `3u² + 13u³`. 20 operations.
#[inline(always)]
pub fn add_ieee<T: Lane>(a: MultiFloat<2, T>, b: MultiFloat<2, T>) -> MultiFloat<2, T> {
    let ([a_high, a_low], [b_high, b_low]) = (a.0, b.0);
    let (s, s_error) = two_sum(a_high, b_high);
    let (t, t_error) = two_sum(a_low, b_low);
    let (s, s_error) = fast_two_sum(s, s_error + t);
    MultiFloat(fast_two_sum(s, s_error + t_error).into())
}

/// Addition with a small error relative to `|a| + |b|` only ("Cray"): `SloppyDWPlusDW` of Joldes,
/// Muller, Popescu 2017 (Alg. 5). 11 operations.
///
/// The error of the first sum is at most `u·(|a| + |b|)` and so is `a_low + b_low`; rounding the
/// latter costs at most `u²`, their sum `2u²` of `|a| + |b|`, up to terms in `u³`. Operands of
/// opposite sign can cancel to a result without any correct digit.
///
/// ```
/// use nonius_num::Dd;
/// use nonius_num::multifloat::variants::{add_cray, add_ieee};
///
/// // The first limbs cancel: `add_ieee` keeps the lowest bit of the sum, `add_cray` loses it.
/// let a = Dd::from_limbs([1.0, 2.0_f64.powi(-54)]);
/// let b = Dd::from_limbs([-1.0, 2.0_f64.powi(-107)]);
/// assert_eq!(add_ieee(a, b) - add_cray(a, b), 2.0_f64.powi(-107));
/// ```
#[inline(always)]
pub fn add_cray<T: Lane>(a: MultiFloat<2, T>, b: MultiFloat<2, T>) -> MultiFloat<2, T> {
    let ([a_high, a_low], [b_high, b_low]) = (a.0, b.0);
    let (s, error) = two_sum(a_high, b_high);
    MultiFloat(fast_two_sum(s, error + (a_low + b_low)).into())
}

/// Multiplication: `DWTimesDW1` of Joldes, Muller, Popescu 2017 (Alg. 10), for which Muller and
/// Rideau (*Formalization of double-word arithmetic, and comments on "Tight and rigorous error
/// bounds for basic building blocks of double-word arithmetic"*, 2022) prove `5u²`. 9 operations,
/// one of them a fused multiply-add. The algorithm behind `*`.
#[inline(always)]
pub fn mul_accurate<T: Lane>(a: MultiFloat<2, T>, b: MultiFloat<2, T>) -> MultiFloat<2, T> {
    let ([a_high, a_low], [b_high, b_low]) = (a.0, b.0);
    let (p, error) = two_prod(a_high, b_high);
    let cross = a_high * b_low + a_low * b_high;
    MultiFloat(fast_two_sum(p, error + cross).into())
}

/// Multiplication without the final normalisation: 6 operations, two of them fused multiply-adds.
///
/// Relative to `|a_high·b_high|`: leaving out `a_low·b_low` costs `u²`; rounding the cross products
/// `u²` each and their sum `2u²`; the second fused multiply-add, of magnitude at most `3u`, `3u²`;
/// the last sum, of magnitude about `u`, `u²`. The lower limb can exceed half a unit of the higher
/// by these errors; [`MultiFloat::renormalize`] mends that.
#[inline(always)]
pub fn mul_sloppy<T: Lane>(a: MultiFloat<2, T>, b: MultiFloat<2, T>) -> MultiFloat<2, T> {
    let ([a_high, a_low], [b_high, b_low]) = (a.0, b.0);
    let cross = a_high * b_low + a_low * b_high;
    let high = a_high.mul_add(b_high, cross);
    let low = a_high.mul_add(b_high, -high) + cross;
    MultiFloat([high, low])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dd;

    #[test]
    fn cray_addition_loses_what_ieee_addition_keeps() {
        // An example of Joldes, Muller, Popescu: the exact sum is u².
        let u = 2_f64.powi(-53);
        let a = Dd::from_limbs([1.0 + 8.0 * u, -u]);
        let b = Dd::from_limbs([-1.0 - 6.0 * u, -u + u * u]);
        assert_eq!(add_ieee(a, b).limbs(), [u * u, 0.0]);
        assert_eq!((a + b).limbs(), [u * u, 0.0]);
        assert_eq!(add_cray(a, b).limbs(), [0.0, 0.0]);
    }

    #[test]
    fn products_agree_within_their_bounds() {
        let u = 2_f64.powi(-53);
        let a = Dd::from(2.0).sqrt();
        let b = Dd::from(3.0) / 7.0;
        let p = (a * b).to_f64();
        assert_eq!(mul_accurate(a, b).limbs(), (a * b).limbs());
        let [high, low] = mul_sloppy(a, b).limbs();
        assert!((MultiFloat::renormalize([high, low]) - a * b).abs() <= 15.0 * u * u * p);
    }
}
