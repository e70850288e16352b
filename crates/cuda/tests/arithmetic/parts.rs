//! What the operations are made of, and the named double-double algorithms.

use core::cmp::Ordering;

use nonius_linalg::Scalar;
use nonius_num::{Dd, MultiFloat, multifloat::variants};

use crate::library::Functions;

pub(crate) fn all<const N: usize>(library: &Functions, operands: &[Vec<MultiFloat<N>>; 3])
where
    MultiFloat<N>: Scalar,
{
    library.check("compare", operands, |[x, y, _]| {
        MultiFloat::from(match x.partial_cmp(&y) {
            Some(Ordering::Less) => -1,
            Some(Ordering::Equal) => 0,
            Some(Ordering::Greater) => 1,
            None => 2,
        })
    });
    library.check("mantissa", operands, |[x, _, _]| x.frexp().0);
    library.check("exponent", operands, |[x, _, _]| MultiFloat::from(x.frexp().1));

    let [x, y, _] = operands;
    // Limbs of several numbers, that overlap in all ways.
    let mixed = |i: usize| {
        MultiFloat::from_limbs(core::array::from_fn(|limb| {
            let from = if (i + limb).is_multiple_of(2) { x } else { y };
            let limbs = from[(i + limb / 2) % from.len()].limbs();
            let limb = limbs[(i + limb) % N];
            if limb.is_finite() && limb.abs() < 1e300 { limb } else { 1.0 }
        }))
    };
    let limbs: Vec<MultiFloat<N>> = (0..x.len()).map(mixed).collect();
    library.check("renormalize", &[limbs.clone(), limbs.clone(), limbs], |[x, _, _]| {
        MultiFloat::renormalize(x.limbs())
    });

    // Shifts of all sizes, and such that results come to lie at the ends of the range.
    let shift = |i: usize| {
        let random = (y[i].limbs()[0].to_bits() >> 3) as i32 % 2300;
        let exponent = x[i].exponent().unwrap_or(0);
        match i % 4 {
            0 => random,
            1 => random % 30,
            2 => 1024 - exponent - random % 3,
            _ => -1000 - exponent - random % 90,
        }
    };
    let shifts: Vec<_> = (0..x.len()).map(|i| MultiFloat::from(shift(i))).collect();
    library.check("ldexp", &[x.clone(), shifts.clone(), shifts], |[x, k, _]| x.ldexp(k.to_i32()));
}

/// Functions that linalg's table lacks, and the fused multiply-add.
pub(crate) fn functions<const N: usize>(library: &Functions, operands: &[Vec<MultiFloat<N>>; 3])
where
    MultiFloat<N>: Scalar,
{
    library.check("fma", operands, |[x, y, z]| x.mul_add(y, z));
    let [x, y, _] = operands;
    let power = |i: usize| {
        let random = (y[i].limbs()[0].to_bits() >> 7) as i32;
        [random % 8, random % 600, random % 100_000, random][i % 4]
    };
    let powers: Vec<_> = (0..x.len()).map(|i| MultiFloat::from(power(i))).collect();
    library.check("powi", &[x.clone(), powers.clone(), powers], |[x, n, _]| x.powi(n.to_i32()));
    library.check("sine_of_both", operands, |[x, _, _]| x.sin_cos().0);
    library.check("cosine_of_both", operands, |[x, _, _]| x.sin_cos().1);
}

/// Networks without a treatment of specials.
pub(crate) fn variants(library: &Functions, operands: &[Vec<Dd>; 3]) {
    type Variant = fn(Dd, Dd) -> Dd;
    let variants: [(&str, Variant); 4] = [
        ("add_ieee", variants::add_ieee),
        ("add_cray", variants::add_cray),
        ("mul_accurate", variants::mul_accurate),
        ("mul_sloppy", variants::mul_sloppy),
    ];
    for (name, variant) in variants {
        library.check(name, operands, |[x, y, _]| variant(x, y));
    }
}
