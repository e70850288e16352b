mod decimal;
mod dot;
mod upper;
mod vectors;

use alloc::vec::Vec;

use num_bigint::{BigInt, BigUint, Sign};

use super::*;
use crate::decimal::testing::Random;

pub(super) const PRECISIONS: [u32; 11] = [64, 65, 106, 107, 127, 128, 129, 212, 424, 1000, 2048];

pub(super) fn bits(n: u32) -> Bits {
    Bits::new(n).unwrap()
}

/// `numerator / denominator · 2^exponent`, exactly.
struct Exact {
    numerator: BigInt,
    denominator: BigUint,
    exponent: i64,
}

impl Exact {
    fn of(x: &Mp) -> Self {
        let words = x.words().iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
        let sign = if x.head.is_negative() { Sign::Minus } else { Sign::Plus };
        let numerator = BigInt::from_biguint(sign, BigUint::new(words));
        let e = x.head.exponent().map_or(0, i64::from);
        Self { numerator, denominator: 1_u32.into(), exponent: e - 64 * x.words().len() as i64 }
    }

    fn zero(exponent: i64) -> Self {
        Self { numerator: BigInt::ZERO, denominator: 1_u32.into(), exponent }
    }

    fn add(&self, y: &Self) -> Self {
        let base = self.exponent.min(y.exponent);
        let up = |x: &Self| &x.numerator << (x.exponent - base) as usize;
        Self { numerator: up(self) + up(y), denominator: 1_u32.into(), exponent: base }
    }

    fn mul(&self, y: &Self) -> Self {
        let numerator = &self.numerator * &y.numerator;
        Self { numerator, denominator: 1_u32.into(), exponent: self.exponent + y.exponent }
    }

    fn divided_by(&self, y: &Self) -> Self {
        let sign = y.numerator.sign();
        let numerator = &self.numerator * BigInt::from_biguint(sign, 1_u32.into());
        let denominator = y.numerator.magnitude().clone();
        Self { numerator, denominator, exponent: self.exponent - y.exponent }
    }

    /// The significand of `p` bits and its exponent, rounded to nearest, ties to even; not for
    /// zero.
    fn rounded(&self, p: u32) -> (BigUint, i64) {
        let shift = u64::from(p) + 2 + self.denominator.bits();
        let scaled = self.numerator.magnitude() << shift as usize;
        let (quotient, rest) = (&scaled / &self.denominator, &scaled % &self.denominator);
        let exact = rest == BigUint::ZERO;
        let drop = quotient.bits() - u64::from(p);
        let half = BigUint::from(1_u32) << (drop - 1) as usize;
        let (mut significand, low) = (
            &quotient >> drop as usize,
            &quotient & ((BigUint::from(1_u32) << drop as usize) - 1_u32),
        );
        let up = low > half || low == half && (!exact || significand.bit(0));
        if up {
            significand += 1_u32;
        }
        let mut exponent = self.exponent + drop as i64 - shift as i64;
        if significand.bits() > u64::from(p) {
            significand >>= 1;
            exponent += 1;
        }
        (significand, exponent)
    }
}

/// `found` is the exact number, rounded.
fn check(found: &Mp, exact: &Exact, what: &str) {
    if exact.numerator == BigInt::ZERO {
        return assert!(found.is_zero(), "{what}: {found:?} is not zero");
    }
    let p = found.bits.get();
    let (significand, exponent) = exact.rounded(p);
    let e = exponent + i64::from(p);
    assert_eq!(found.head.exponent().map(i64::from), Some(e), "{what}: exponent");
    assert_eq!(found.head.is_negative(), exact.numerator.sign() == Sign::Minus, "{what}: sign");
    let mut words: Vec<u64> = (significand << found.bits.padding() as usize).to_u64_digits();
    words.resize(found.words().len(), 0);
    assert_eq!(found.words(), words, "{what}: significand");
}

/// A number with random bits, long runs of zeros or ones, or few bits.
pub(super) fn number(random: &mut Random, p: Bits, range: i32) -> Mp {
    let mut words: Vec<u64> = (0..p.words())
        .map(|_| match random.below(6) {
            0 => 0,
            1 => u64::MAX,
            _ => random.next(),
        })
        .collect();
    match random.below(8) {
        0 => words.fill(0),
        1 => words.fill(u64::MAX),
        2 => words[..p.words() - 1].fill(0),
        _ => {}
    }
    let last = words.len() - 1;
    words[last] |= 1 << 63;
    words[0] &= u64::MAX << p.padding();
    let head = Head::finite(random.below(2) == 0, random.between(-range, range).into());
    MpRef::new(p, head, &words).to_mp(p)
}

#[test]
fn sums_products_and_quotients_are_rounded_once() {
    let mut random = Random::new(1);
    for p in PRECISIONS {
        for q in [p, 64, 150, 424] {
            for round in 0..60 {
                let range = [3, 70, 2 * p as i32][round % 3];
                let x = number(&mut random, bits(p), range);
                let mut y = number(&mut random, bits(q), range);
                if round % 10 == 0 {
                    // Almost cancels.
                    y = -x.view().to_mp(bits(q));
                }
                let mut z = Mp::zero(bits([p, q, 64, 300][round % 4]));
                let (a, b) = (Exact::of(&x), Exact::of(&y));
                z.set_sum(x.view(), y.view());
                check(&z, &a.add(&b), "sum");
                z.set_product(x.view(), y.view());
                check(&z, &a.mul(&b), "product");
                z.set_quotient(x.view(), y.view());
                check(&z, &a.divided_by(&b), "quotient");
                let square = x.abs();
                z.set_root(square.view());
                let r = Exact::of(&z);
                check_root(&r, &Exact::of(&square), z.bits.get());
            }
        }
    }
}

/// `|r² − x|` is as small as that of a rounded root: between the squares of `r ± half a unit`.
fn check_root(r: &Exact, x: &Exact, p: u32) {
    let words = r.numerator.magnitude().bits();
    let half = BigInt::from(1) << (words - u64::from(p)) as usize;
    let twice = &r.numerator * 2;
    let (low, high) = (&twice - &half, &twice + &half);
    let square = |n: BigInt| Exact {
        numerator: -(&n * &n),
        denominator: 1_u32.into(),
        exponent: 2 * (r.exponent - 1),
    };
    assert!(x.add(&square(low)).numerator >= BigInt::ZERO);
    assert!(x.add(&square(high)).numerator <= BigInt::ZERO);
}

#[test]
fn ties_go_to_even() {
    for p in PRECISIONS {
        let one = Mp::one(bits(p));
        let half_unit = one.ldexp(-(p as i32));
        let unit = one.ldexp(1 - p as i32);
        assert_eq!(one + half_unit, one);
        let odd = one + unit;
        assert_eq!(odd + half_unit, one + unit.ldexp(1));
        // A bit far below decides.
        let above = half_unit + half_unit.ldexp(1 - p as i32);
        assert_eq!(one + above, odd);
        assert_eq!(one - half_unit.ldexp(-1), one);
        let wide = bits((p + 1).min(Bits::MOST));
        let mut tie = Mp::zero(wide);
        tie.set_sum(odd.view(), half_unit.view());
        assert_eq!(tie.view().to_mp(bits(p)), one + unit.ldexp(1));
    }
}

#[test]
fn specials() {
    let p = bits(100);
    let (zero, one, inf) = (Mp::zero(p), Mp::one(p), Mp::infinity(p, false));
    let minus = -inf;
    assert!((inf + minus).is_nan() && (inf * zero).is_nan() && (zero / zero).is_nan());
    assert!((inf / inf).is_nan() && (Mp::nan(p) + one).is_nan() && (-one).sqrt().is_nan());
    assert_eq!(inf + one, inf);
    assert_eq!(one / -zero, minus);
    assert_eq!(one / minus, zero);
    assert!((one / minus).head.is_negative() && (-zero).sqrt().head.is_negative());
    assert!(!(one - one).head.is_negative() && !(-zero + zero).head.is_negative());
    assert!((-zero + -zero).head.is_negative());
    assert!(Mp::nan(p) != Mp::nan(p) && -zero == zero);
    assert!(minus < -one && -one < zero && zero < one && one < inf);
    let largest = one.ldexp(Head::GREATEST_EXPONENT - 1);
    assert!(largest.is_finite());
    assert_eq!(largest + largest, inf);
    assert_eq!(-largest.ldexp(1), minus);
    let least = one.ldexp(Head::LEAST_EXPONENT - 1);
    assert!(!least.is_zero());
    let none = -least * one.ldexp(-1);
    assert!(none.is_zero() && none.head.is_negative() && none.words().iter().all(|&w| w == 0));
    assert!(least.ldexp(i32::MIN).is_zero());
    assert_eq!(Bits::new(63), Err(BitsError { bits: 63 }));
    assert_eq!(
        Bits::new(4097).unwrap_err().to_string(),
        "expected bits from 64 to 4096, found 4097"
    );
}

#[test]
fn conversions() {
    let mut random = Random::new(3);
    for p in PRECISIONS {
        for _ in 0..300 {
            let exponent = random.between(-600, 900);
            let limbs = random.limbs::<4>(exponent);
            let mut sum = limbs.map(|x| Exact::of(&Mp::from_f64(bits(64), x)));
            let exact = sum.iter_mut().fold(None, |all: Option<Exact>, x| match all {
                Some(all) => Some(all.add(x)),
                None => Some(x.add(x)).map(|x| Exact { exponent: x.exponent - 1, ..x }),
            });
            let x = Mp::from_limbs(bits(p), &limbs);
            check(&x, &exact.unwrap(), "limbs");
            assert_eq!(x.to_f64(), crate::Qd::from_limbs(x.view().to_limbs()).to_f64());
            if p >= 1000 && limbs[3].abs() > limbs[0].abs() * 1e-100 {
                let back: [f64; 4] = x.view().to_limbs();
                assert_eq!(crate::Qd::from_limbs(back), crate::Qd::from_limbs(limbs));
            }
        }
        for x in [0.0, -0.0, 1.0, -1.5, 5e-324, -1e-310, f64::MAX, f64::INFINITY, f64::NEG_INFINITY]
        {
            assert_eq!(Mp::from_f64(bits(p), x).to_f64().to_bits(), x.to_bits());
        }
        assert!(Mp::from_f64(bits(p), f64::NAN).to_f64().is_nan());
        let one = Mp::one(bits(p));
        assert_eq!(one.ldexp(1024).to_f64(), f64::INFINITY);
        assert_eq!((-one.ldexp(100_000)).to_f64(), f64::NEG_INFINITY);
        assert_eq!((-one).ldexp(-100_000).to_f64().to_bits(), (-0.0_f64).to_bits());
        // Just below 2^1024 rounds to infinity, half the least number to zero.
        let almost = one.ldexp(1024) - one.ldexp(1024 - 54);
        assert_eq!(almost.to_f64(), f64::INFINITY);
        assert_eq!(one.ldexp(-1075).to_f64(), 0.0);
        let more = one.ldexp(-1075) + one.ldexp(-1100);
        assert_eq!(more.to_f64(), 5e-324);
    }
}
