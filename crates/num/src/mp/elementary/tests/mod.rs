mod exact;
mod known;
mod specials;

use alloc::vec;
use alloc::vec::Vec;

use crate::decimal::testing::Random;
use crate::mp::tests::bits;
use crate::mp::{Bits, Head, Mp, MpRef};

type Unary = fn(&Mp) -> Mp;
type Constant = fn(Bits) -> Mp;

const ALL: [(&str, Unary); 20] = [
    ("exp", Mp::exp),
    ("exp2", Mp::exp2),
    ("exp_m1", Mp::exp_m1),
    ("ln", Mp::ln),
    ("log2", Mp::log2),
    ("log10", Mp::log10),
    ("ln_1p", Mp::ln_1p),
    ("cbrt", Mp::cbrt),
    ("sin", Mp::sin),
    ("cos", Mp::cos),
    ("tan", Mp::tan),
    ("asin", Mp::asin),
    ("acos", Mp::acos),
    ("atan", Mp::atan),
    ("sinh", Mp::sinh),
    ("cosh", Mp::cosh),
    ("tanh", Mp::tanh),
    ("asinh", Mp::asinh),
    ("acosh", Mp::acosh),
    ("atanh", Mp::atanh),
];

fn same(x: &Mp, y: &Mp) -> bool {
    x.is_nan() && y.is_nan() || x == y && x.head().is_negative() == y.head().is_negative()
}

fn number(random: &mut Random, p: u32, exponent: i32) -> Mp {
    let p = bits(p);
    let mut words: Vec<u64> = (0..p.words()).map(|_| random.next()).collect();
    let last = words.len() - 1;
    words[last] |= 1 << 63;
    words[0] &= u64::MAX << p.padding();
    let head = Head::finite(random.below(2) == 0, exponent.into());
    MpRef::new(p, head, &words).to_mp(p)
}

/// Arguments near zeros, poles, exact values and the sizes at which series end.
fn arguments(random: &mut Random, p: u32) -> Vec<Mp> {
    let one = Mp::one(bits(p));
    let unit = one.ldexp(1 - p as i32);
    let mut all = vec![one, one + unit, one - unit.ldexp(-1), one.ldexp(2), one.ldexp(-1) + unit];
    for exponent in [0, 1, 4, 12, -3, -(p as i32) / 3, -(p as i32) / 2, 1 - p as i32] {
        all.push(number(random, p, exponent));
        all.push(one + number(random, p, exponent.min(-1)));
        all.push(one.ldexp(exponent));
    }
    for k in [1, 3, 1000] {
        all.push(Mp::pi(bits(p)).ldexp(-1) * Mp::from_f64(bits(p), f64::from(k)));
    }
    all
}

#[test]
fn results_are_those_of_twice_the_bits_rounded() {
    let mut random = Random::new(1);
    for p in [64, 65, 106, 128, 212, 424, 1000] {
        for x in arguments(&mut random, p) {
            let wide = x.view().to_mp(bits(2 * p + 37));
            for (name, function) in ALL {
                let (found, expected) = (function(&x), function(&wide).view().to_mp(bits(p)));
                assert!(same(&found, &expected), "{name} at {p} bits of {x}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn results_of_two_are_those_of_twice_the_bits_rounded() {
    let mut random = Random::new(2);
    for p in [64, 106, 300] {
        let (xs, ys) = (arguments(&mut random, p), arguments(&mut random, 64));
        for (x, y) in xs.iter().flat_map(|x| ys.iter().step_by(3).map(move |y| (x, y))) {
            let wide = x.view().to_mp(bits(2 * p + 37));
            for function in [Mp::pow, Mp::hypot, Mp::atan2] {
                let (found, expected) = (function(x, y), function(&wide, y).view().to_mp(bits(p)));
                assert!(same(&found, &expected), "{p} bits of {x}, {y}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn constants_are_those_of_twice_the_bits_and_of_f64() {
    use core::f64::consts;
    let constants: [(Constant, f64); 12] = [
        (Mp::pi, consts::PI),
        (Mp::tau, consts::TAU),
        (Mp::frac_pi_2, consts::FRAC_PI_2),
        (Mp::frac_pi_4, consts::FRAC_PI_4),
        (Mp::frac_1_pi, consts::FRAC_1_PI),
        (Mp::e, consts::E),
        (Mp::ln_2, consts::LN_2),
        (Mp::ln_10, consts::LN_10),
        (Mp::log2_e, consts::LOG2_E),
        (Mp::log10_e, consts::LOG10_E),
        (Mp::sqrt_2, consts::SQRT_2),
        (Mp::frac_1_sqrt_2, consts::FRAC_1_SQRT_2),
    ];
    for (constant, nearest) in constants {
        assert_eq!(constant(bits(64)).to_f64(), nearest);
        for p in [64, 100, 128, 1000, 2048] {
            assert_eq!(constant(bits(p)), constant(bits(2 * p)).view().to_mp(bits(p)));
        }
    }
}

#[test]
fn huge_angles_are_reduced() {
    let mut random = Random::new(3);
    for exponent in [100, 3000, 9000, 40_000] {
        let x = number(&mut random, 64, exponent);
        let wide = x.view().to_mp(bits(180));
        for function in [Mp::sin, Mp::cos, Mp::tan] {
            assert_eq!(function(&x), function(&wide).view().to_mp(bits(64)), "2^{exponent}");
        }
        let (sine, cosine) = x.sin_cos();
        assert_eq!((sine, cosine), (x.sin(), x.cos()));
    }
}
