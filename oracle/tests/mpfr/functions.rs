//! Elementary functions of numbers of any precision against MPFR, whose results are correctly
//! rounded too.

use nonius_num::mp::{Bits, Head, Mp};
use nonius_oracle::mp::{float, nearest, number, same};
use nonius_testkit::Random;
use rug::Float;
use rug::float::Constant;
use rug::ops::Pow;

/// Precisions, and rounds of arguments at each.
const PRECISIONS: [(u32, usize); 10] = [
    (64, 12),
    (65, 4),
    (106, 10),
    (107, 4),
    (128, 4),
    (212, 5),
    (424, 4),
    (1000, 2),
    (2048, 1),
    (4096, 1),
];

type Unary = (&'static str, fn(&Mp) -> Mp, fn(u32, &Float) -> Float);

macro_rules! unary {
    ($($name:ident $reference:ident),*) => {
        [$((stringify!($name), Mp::$name, |p, x| Float::with_val(p, x.$reference()))),*]
    };
}

const EXPONENTIAL: [Unary; 6] = unary! {
    exp exp_ref, exp2 exp2_ref, exp_m1 exp_m1_ref, sinh sinh_ref, cosh cosh_ref, tanh tanh_ref
};
const LOGARITHMIC: [Unary; 6] = unary! {
    ln ln_ref, log2 log2_ref, log10 log10_ref, ln_1p ln_1p_ref, asinh asinh_ref, acosh acosh_ref
};
const CIRCULAR: [Unary; 3] = unary! { sin sin_ref, cos cos_ref, tan tan_ref };
const ARC: [Unary; 4] = unary! { atan atan_ref, asin asin_ref, acos acos_ref, atanh atanh_ref };
const CUBE_ROOT: [Unary; 1] = unary! { cbrt cbrt_ref };

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

/// MPFR's exponents reach further: infinite or zero beyond those of `Mp`.
fn within_range(x: Float) -> Float {
    let p = x.prec();
    let limit = match x.get_exp() {
        Some(e) if e > Head::GREATEST_EXPONENT => f64::INFINITY,
        Some(e) if e < Head::LEAST_EXPONENT => 0.0,
        _ => return x,
    };
    Float::with_val(p, if x.is_sign_negative() { -limit } else { limit })
}

fn check(functions: &[Unary], p: u32, x: &Mp) {
    let a = float(x.view());
    for (name, function, reference) in functions {
        let (found, expected) = (function(x), within_range(reference(p, &a)));
        let text = || format!("{name} at {p} bits of {a:?}: {found} instead of {expected:?}");
        assert!(same(found.view(), &expected), "{}", text());
    }
}

fn neighbours(x: &Mp) -> [Mp; 3] {
    let unit = Mp::one(x.bits()).ldexp(x.head().code() - x.bits().get() as i32);
    [*x, *x + unit, *x - unit]
}

/// Arguments that suit all functions: of all sizes, with few bits, near 0, ±1, small integers and
/// the sizes at which series end.
fn common(p: u32, random: &mut Random) -> Vec<Mp> {
    let one = Mp::one(bits(p));
    let below = |random: &mut Random, n: u32| random.below(n as usize) as i32;
    let mut all = vec![number(bits(p), 0, random), number(bits(p), 4, random)];
    all.push(number(bits(p), 40, random));
    all.push(number(bits(p), 2 * p as i32, random));
    // A few bits.
    let few = Mp::from_f64(bits(p), f64::from(below(random, 512) + 1));
    all.push(few.ldexp(-below(random, 12)));
    // Near ±1 and near small integers.
    let k = below(random, p - 1) + 1;
    let tiny = number(bits(p), 1, random).ldexp(-k);
    all.extend([one + tiny, tiny - one, few + tiny, one + one.ldexp(-k), one - one.ldexp(-k)]);
    // Near the sizes at which all but one term, or two, of a series cease to matter.
    for size in [p / 2, p, p / 3] {
        all.push(number(bits(p), 2, random).ldexp(-(size as i32)));
        all.push(one.ldexp(2 - below(random, 5) - size as i32));
    }
    all
}

/// Arguments whose results are near the middle between two numbers.
fn near_ties(p: u32, inverse: fn(u32, &Float) -> Float, random: &mut Random) -> Vec<Mp> {
    let mut tie = float(number(bits(p), 3, random).view());
    tie.set_prec(p + 1);
    let half = Float::with_val(p + 1, 1) << (tie.get_exp().unwrap_or(0) - p as i32 - 1);
    tie += half;
    let x = inverse(2 * p + 64, &tie);
    if x.is_normal() { neighbours(&nearest(bits(p), &x)).to_vec() } else { Vec::new() }
}

fn rounds() -> impl Iterator<Item = u32> {
    PRECISIONS.into_iter().flat_map(|(p, rounds)| (0..rounds).map(move |_| p))
}

#[test]
fn exponential_functions_are_those_of_mpfr() {
    let mut random = Random::new(11);
    for p in rounds() {
        let mut all = common(p, &mut random);
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.ln_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.log2_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.asinh_ref()), &mut random));
        // Both ends of the exponents.
        for size in [186_065_279.0, 268_435_456.0, 372_130_559.0] {
            let end = Mp::from_f64(bits(p), size);
            all.extend([end, -end, end + number(bits(p), 2, &mut random)]);
        }
        all.iter().for_each(|x| check(&EXPONENTIAL, p, x));
    }
}

#[test]
fn logarithms_are_those_of_mpfr() {
    let mut random = Random::new(12);
    for p in rounds() {
        let mut all = common(p, &mut random);
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.exp_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.cosh_ref()), &mut random));
        all.push(number(bits(p), Head::GREATEST_EXPONENT, &mut random));
        for k in [1, 2, 5, 22, 27, 28, random.below(1700) as u32] {
            let ten = Float::with_val(8000, Float::i_pow_u(10, k));
            all.extend(neighbours(&nearest(bits(p), &ten)));
        }
        all.push(Mp::one(bits(p)).ldexp(random.below(1 << 20) as i32 - (1 << 19)));
        all.iter().map(Mp::clone).for_each(|x| check(&LOGARITHMIC, p, &x.abs()));
        all.iter().for_each(|x| check(&LOGARITHMIC, p, x));
    }
}

#[test]
fn circular_functions_are_those_of_mpfr() {
    let mut random = Random::new(13);
    for p in rounds() {
        let mut all = common(p, &mut random);
        for exponent in [3, 20, 200, p] {
            // Near multiples of π/4.
            let size = random.below(exponent as usize) as u32 + 1;
            let k = Float::with_val(p + 64, float(number(bits(64), 0, &mut random).view()) << size);
            let multiple = Float::with_val(2 * p + 900, Constant::Pi) / 4 * k.round();
            all.extend(neighbours(&nearest(bits(p), &multiple)));
        }
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.atan_ref()), &mut random));
        all.push(number(bits(p), 20_000, &mut random));
        for x in &all {
            check(&CIRCULAR, p, x);
            let (sine, cosine) = x.sin_cos();
            assert!(sine == x.sin() && cosine == x.cos());
        }
    }
    for e in [100_000, 1_000_000] {
        check(&CIRCULAR, 106, &number(bits(106), 3, &mut random).ldexp(e));
    }
}

#[test]
fn inverse_functions_are_those_of_mpfr() {
    let mut random = Random::new(14);
    for p in rounds() {
        let mut all = common(p, &mut random);
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.tan_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.sin_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.cos_ref()), &mut random));
        all.extend(near_ties(p, |p, x| Float::with_val(p, x.tanh_ref()), &mut random));
        all.push(number(bits(p), Head::GREATEST_EXPONENT, &mut random));
        all.iter().for_each(|x| check(&ARC, p, x));
    }
}

#[test]
fn cube_roots_are_those_of_mpfr() {
    let mut random = Random::new(15);
    for p in rounds() {
        let mut all = common(p, &mut random);
        all.extend(near_ties(p, |p, x| Float::with_val(p, x * x.clone().square()), &mut random));
        let root = number(bits(64), 5, &mut random).view().to_mp(bits(p));
        all.extend(neighbours(&(root * root * root)));
        all.push(number(bits(p), Head::GREATEST_EXPONENT, &mut random));
        all.iter().for_each(|x| check(&CUBE_ROOT, p, x));
    }
}

type Binary = (&'static str, fn(&Mp, &Mp) -> Mp, fn(u32, &Float, &Float) -> Float);

fn check_two(function: Binary, x: &Mp, y: &Mp) {
    let p = x.bits().max(y.bits()).get();
    let (a, b) = (float(x.view()), float(y.view()));
    let (name, ours, reference) = function;
    let (found, expected) = (ours(x, y), within_range(reference(p, &a, &b)));
    let same = same(found.view(), &expected);
    assert!(same, "{name} at {p} bits of {a:?} and {b:?}: {found} instead of {expected:?}");
}

const POW: Binary = ("pow", Mp::pow, |p, x, y| Float::with_val(p, x.pow(y)));
const HYPOT: Binary = ("hypot", Mp::hypot, |p, x, y| Float::with_val(p, x.hypot_ref(y)));
const ATAN2: Binary = ("atan2", Mp::atan2, |p, x, y| Float::with_val(p, x.atan2_ref(y)));

#[test]
fn powers_are_those_of_mpfr() {
    let mut random = Random::new(16);
    for p in rounds() {
        let q = PRECISIONS[random.below(7)].0.min(p);
        let (xs, ys) = (common(p, &mut random), common(q, &mut random));
        for x in &xs {
            for y in ys.iter().step_by(3) {
                check_two(POW, x, y);
            }
            let n = random.below(3000) as i32 - 1500;
            check_two(("powi", Mp::pow, POW.2), x, &Mp::from_f64(bits(64), n.into()));
            check_two(POW, x, &Mp::from_f64(bits(64), random.below(9) as f64 - 4.0));
        }
        // Exact powers and ties, and their neighbours.
        for _ in 0..12 {
            let (degree, c) = (random.below(4) as u32, random.below(12) as u32 + 1);
            let size = random.below(9) + 1;
            let odd = 2 * random.below(1 << size) as u32 + 3;
            let base = nearest(bits(p), &Float::with_val(p, Float::u_pow_u(odd, 1 << degree)));
            let base = base.ldexp((random.below(9) as i32 - 4) << degree);
            let y = Mp::from_f64(bits(64), f64::from(c)).ldexp(-(degree as i32));
            for x in neighbours(&base) {
                neighbours(&y).iter().for_each(|y| check_two(POW, &x, y));
            }
        }
        let ends = Mp::one(bits(p)).ldexp(20) + number(bits(p), 2, &mut random);
        for n in [13_421_772.0, -13_421_772.5, 13_421_773.0] {
            check_two(POW, &ends.abs(), &Mp::from_f64(bits(64), n));
        }
    }
}

#[test]
fn lengths_and_angles_are_those_of_mpfr() {
    let mut random = Random::new(17);
    for p in rounds() {
        let q = PRECISIONS[random.below(7)].0.min(p);
        let (xs, ys) = (common(p, &mut random), common(q, &mut random));
        for (i, x) in xs.iter().enumerate() {
            for y in ys.iter().skip(i % 2).step_by(2) {
                check_two(HYPOT, x, y);
                check_two(ATAN2, x, y);
            }
            // Almost, or exactly, the larger number, or a quotient.
            let far = random.below(2 * p as usize) as i32;
            check_two(HYPOT, x, &x.ldexp(-far));
            check_two(ATAN2, &x.ldexp(-far), &Mp::from_f64(bits(p), 3.0));
            check_two(ATAN2, &(*x * Mp::from_f64(bits(p), 3.0)).ldexp(-far), x);
        }
        // Pythagorean triples.
        for _ in 0..8 {
            let (m, n) = (random.below(1 << 20) as f64 + 1.0, random.below(1 << 20) as f64 + 1.0);
            let (x, y) = (Mp::from_f64(bits(p), m * m - n * n), Mp::from_f64(bits(p), 2.0 * m * n));
            for x in neighbours(&x) {
                check_two(HYPOT, &x, &y);
            }
        }
        let huge = Mp::one(bits(p)).ldexp(Head::GREATEST_EXPONENT - 1);
        let least = Mp::one(bits(p)).ldexp(Head::LEAST_EXPONENT - 1);
        for (x, y) in [(huge, huge), (huge, least), (least, huge), (least, least)] {
            check_two(HYPOT, &x, &y);
            check_two(ATAN2, &x, &y);
        }
    }
}

#[test]
fn specials_are_those_of_mpfr() {
    let values = [0.0, 0.5, 1.0, 2.0, 3.0, 1e300, f64::INFINITY];
    let p = 100;
    let all: Vec<Mp> = values
        .iter()
        .flat_map(|&x| [x, -x])
        .chain([f64::NAN])
        .map(|x| Mp::from_f64(bits(p), x))
        .collect();
    for x in &all {
        for functions in [&EXPONENTIAL[..], &LOGARITHMIC, &CIRCULAR, &ARC, &CUBE_ROOT] {
            check(functions, p, x);
        }
        for y in &all {
            for function in [POW, HYPOT, ATAN2] {
                check_two(function, x, y);
            }
        }
    }
}

type Constants = (fn(Bits) -> Mp, fn(u32) -> Float);

#[test]
fn constants_are_those_of_mpfr() {
    let constants: [Constants; 12] = [
        (Mp::pi, |p| Float::with_val(p, Constant::Pi)),
        (Mp::tau, |p| Float::with_val(p, Constant::Pi) * 2),
        (Mp::frac_pi_2, |p| Float::with_val(p, Constant::Pi) / 2),
        (Mp::frac_pi_4, |p| Float::with_val(p, Constant::Pi) / 4),
        (Mp::frac_1_pi, |p| Float::with_val(p, 1 / Float::with_val(2 * p, Constant::Pi))),
        (Mp::e, |p| Float::with_val(p, 1).exp()),
        (Mp::ln_2, |p| Float::with_val(p, Constant::Log2)),
        (Mp::ln_10, |p| Float::with_val(p, 10).ln()),
        (Mp::log2_e, |p| Float::with_val(p, 1 / Float::with_val(2 * p, Constant::Log2))),
        (Mp::log10_e, |p| Float::with_val(p, 1 / Float::with_val(2 * p, 10).ln())),
        (Mp::sqrt_2, |p| Float::with_val(p, 2).sqrt()),
        (Mp::frac_1_sqrt_2, |p| Float::with_val(p, 2).sqrt() / 2),
    ];
    for p in (64..=4096).step_by(37).chain([4096]) {
        for (ours, reference) in constants {
            assert!(same(ours(bits(p)).view(), &reference(p)), "{p} bits of {}", reference(64));
        }
    }
}
