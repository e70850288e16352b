//! Trigonometric functions.

use rug::Float;

use crate::{Bound, Domain, Oracle};

/// Multiples of π/2 and of π/512 of all sizes, as four limbs.
fn multiples_of_pi() -> Vec<[f64; 4]> {
    let pi = Float::with_val(2000, rug::float::Constant::Pi);
    let mut points = Vec::new();
    for step in [2, 512] {
        for k in [1_u32, 2, 3, 4, 5, 7, 100, 101, 355, 1000, 12345, 65536, 1_000_003, 500_000_000] {
            points.push(Float::with_val(2000, &pi * k) / step);
        }
        for shift in [40_u32, 60, 100, 200, 300, 500, 700, 1000, 1020] {
            points.push((Float::with_val(2000, &pi * 3) << shift) / step);
        }
    }
    points.iter().map(|x| crate::value::nearest::<4>(x).limbs()).collect()
}

pub(super) fn run<const N: usize>(o: &mut Oracle<N>) {
    let all = || Domain::all().around(multiples_of_pi());
    let four = Bound::ulps(4.0);
    unary! { o:
        sin sin_ref four, all();
        cos cos_ref four, all();
        tan tan_ref four, all();
    }
}
