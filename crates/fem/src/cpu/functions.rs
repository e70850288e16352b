//! Logarithms, exponentials and powers of `f64`, the same bits on registers of any width.
//!
//! Both are within some units of the last place of the exact function, which is what laws of
//! materials are known to many times over.

use nonius_num::Lane;

/// `ln x` of a normal positive number.
#[inline(always)]
pub(super) fn ln<L: Lane>(x: L) -> L {
    /// `ln 2` in two parts, of which the first has no more than 33 bits.
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    let exponent = x.exponent();
    let m = x * L::exp2_integer(-exponent);
    // Between √½ and √2.
    let is_large = L::less(L::splat(core::f64::consts::SQRT_2), m);
    let m = L::select(is_large, L::splat(0.5) * m, m);
    let exponent = L::select(is_large, exponent + L::splat(1.0), exponent);
    // ln m = 2·artanh((m − 1)/(m + 1)).
    let s = (m - L::splat(1.0)) / (m + L::splat(1.0));
    let z = s * s;
    let mut sum = L::splat(2.0 / 23.0);
    for k in (1..11).rev() {
        sum = sum.mul_add(z, L::splat(2.0 / (2 * k + 1) as f64));
    }
    let series = (s * z).mul_add(sum, s + s);
    exponent.mul_add(L::splat(LN_2[0]), exponent.mul_add(L::splat(LN_2[1]), series))
}

/// `eˣ`; zero below −700, and above 700 as at 700.
#[inline(always)]
pub(super) fn exp<L: Lane>(x: L) -> L {
    const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
    let (low, high) = (L::splat(-700.0), L::splat(700.0));
    let is_tiny = L::less(x, low);
    let x = L::select(is_tiny, low, x);
    let x = L::select(L::less(high, x), high, x);
    let k = (x * L::splat(core::f64::consts::LOG2_E)).round_small();
    let r = (-k).mul_add(L::splat(LN_2[1]), (-k).mul_add(L::splat(LN_2[0]), x));
    let mut sum = L::splat(1.0);
    for i in (1..15).rev() {
        sum = (sum * r).mul_add(L::splat(1.0 / f64::from(i)), L::splat(1.0));
    }
    L::select(is_tiny, L::splat(0.0), sum * L::exp2_integer(k))
}

/// `xⁿ` of a normal positive number.
#[inline(always)]
pub(super) fn power<L: Lane>(x: L, n: f64) -> L {
    exp(L::splat(n) * ln(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unit roundoff. Each function is a few roundings off, and the standard library's about one. A
    /// power magnifies the relative error of its logarithm by the size of the logarithm.
    const U: f64 = f64::EPSILON / 2.0;

    #[test]
    fn near_the_exact_functions() {
        let mut x = 1e-270;
        while x < 1e270 {
            assert!((ln(x) - x.ln()).abs() <= 3.5 * U * x.ln().abs().max(0.25), "{x}");
            for n in [0.168, 1.1, -1.0 / 3.0, 0.5] {
                let near = (power(x, n) / x.powf(n) - 1.0).abs();
                assert!(near < 8.0 * U * (1.0 + x.ln().abs()), "{x}: {near}");
            }
            x *= 1.37;
        }
        for i in -6990..6990 {
            let x = 0.1 * f64::from(i);
            assert!((exp(x) / x.exp() - 1.0).abs() < 8.0 * U, "{x}");
        }
        assert_eq!(exp(-1e9), 0.0);
    }
}
