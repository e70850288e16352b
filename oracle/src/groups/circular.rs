//! Trigonometric functions.

use rug::float::Constant;
use rug::{Float, Integer};

use crate::value::nearest;
use crate::{Bound, Domain, Oracle};

/// Multiples of π/2 and of π/512 of all sizes, as four limbs.
fn multiples_of_pi() -> Vec<[f64; 4]> {
    let pi = Float::with_val(2000, Constant::Pi);
    let mut points = Vec::new();
    for step in [2, 512] {
        for k in [1_u32, 2, 3, 4, 5, 7, 100, 101, 355, 1000, 12345, 65536, 1_000_003, 500_000_000] {
            points.push(Float::with_val(2000, &pi * k) / step);
        }
        for shift in [40_u32, 60, 100, 200, 300, 500, 700, 1000, 1020] {
            points.push((Float::with_val(2000, &pi * 3) << shift) / step);
        }
    }
    points.iter().map(|x| nearest::<4>(x).limbs()).collect()
}

/// Numbers `q·2^e` of at most `bits` bits that come extraordinarily close to multiples of `π/2`:
/// `q` is the largest denominator of a convergent of `2^e·2/π` that has them.
fn closest_to_multiples(bits: u32) -> Vec<[f64; 4]> {
    let precision = 3000;
    let quarter_turns = 2 / Float::with_val(precision, Constant::Pi);
    let exponents = [-40_i32, 0, 11, 64, 120, 333, 500, 701, 800];
    let close = exponents.map(|e| {
        let (mut q, mut before) = (Integer::from(1), Integer::new());
        let mut rest = Float::with_val(precision, &quarter_turns << e).fract();
        loop {
            let inverse = rest.recip();
            let (whole, fraction) = inverse.trunc_fract(Float::new(precision));
            let next = whole.to_integer().unwrap_or_default() * &q + &before;
            if next.significant_bits() > bits {
                return Float::with_val(precision, &q) << e;
            }
            before = std::mem::replace(&mut q, next);
            rest = fraction;
        }
    });
    close.iter().map(|x| nearest::<4>(x).limbs()).collect()
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let points: Vec<_> =
        multiples_of_pi().into_iter().chain(closest_to_multiples(52 * N as u32)).collect();
    let all = || Domain::all().around(points.iter().copied());
    let four = Bound::ulps(4.0);
    unary! { o:
        sin sin_ref four, all();
        cos cos_ref four, all();
        tan tan_ref four, all();
    }
}
