//! Between `MultiFloat` and MPFR's `Float`, without rounding; and the one rounding to limbs there
//! is.

use nonius_num::MultiFloat;
use rug::Float;

/// The exponent of the lowest bit set in `x`, which is finite and not zero.
fn lowest_bit(x: f64) -> i32 {
    let bits = x.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let significand = if field == 0 { fraction } else { fraction | (1 << 52) };
    field.max(1) - 1075 + significand.trailing_zeros() as i32
}

/// The sum of the limbs, exactly. The precision is what that takes, and 64 at the least.
pub fn exact<const N: usize>(x: MultiFloat<N>) -> Float {
    exact_sum(&x.limbs())
}

/// `Σ limbs`, exactly, for limbs of which none is larger than the first; a first limb that is not
/// finite stands for the sum.
pub fn exact_sum(limbs: &[f64]) -> Float {
    let first = limbs[0];
    if !first.is_finite() || first == 0.0 {
        return Float::with_val(64, first);
    }
    let lowest = limbs.iter().filter(|x| **x != 0.0).map(|&x| lowest_bit(x)).min().unwrap_or(0);
    let highest = Float::with_val(53, first).get_exp().unwrap_or(0) + limbs.len() as i32;
    let mut sum = Float::with_val((highest - lowest).max(64) as u32, first);
    for &limb in limbs[1..].iter().filter(|x| **x != 0.0) {
        sum += limb;
    }
    sum
}

/// The number of `N` limbs nearest to `x`: each limb is what is left, rounded to nearest, ties to
/// even.
pub fn nearest<const N: usize>(x: &Float) -> MultiFloat<N> {
    let mut limbs = [0.0; N];
    let mut rest = x.clone();
    for limb in &mut limbs {
        *limb = rest.to_f64();
        if !limb.is_finite() || *limb == 0.0 {
            break;
        }
        rest -= *limb; // exact: what is left has no bit that `x` has not
    }
    MultiFloat::from_limbs(limbs)
}
