//! All precisions against `Mp`, and 53 bits against `f64`.

use super::*;
use crate::Mp;
use crate::decimal::testing::Random;

pub(super) fn formats() -> Vec<Format> {
    let mut formats: Vec<Format> =
        Format::PREDEFINED.iter().map(|&bits| Format::with_bits(bits).unwrap()).collect();
    for bits in [60, 61, 62, 63, 64, 65, 127, 128, 1000] {
        formats.push(Format::with_bits(bits).unwrap());
    }
    // Moduli of all sizes.
    let primes = [3, 5, 7, 11, 257, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
    formats.push(Format::new(&primes).unwrap());
    let odd: Vec<u32> = (3..400).step_by(2).filter(|m| (3..*m).all(|d| m % d != 0)).collect();
    formats.push(Format::new(&odd[..70]).unwrap());
    formats
}

/// Random bits, or long runs of zeros and ones.
pub(super) fn number(format: &Format, range: i32, random: &mut Random) -> RnsFloat {
    let bits = Bits::internal(format.bits());
    let kind = random.below(5);
    let words: Vec<u64> = (0..bits.words())
        .map(|_| match (kind, random.below(3)) {
            (0, 0) => 0,
            (0, 1) | (1, _) => u64::MAX,
            _ => random.next(),
        })
        .collect();
    let words = if kind == 4 { vec![1 << random.below(64)] } else { words };
    let exponent = i64::from(random.between(-range, range)) - 64 * words.len() as i64;
    let x = Mp::rounded(bits, random.below(2) == 0, &words, exponent, false);
    RnsFloat::from_mp(format, x.view())
}

#[test]
fn arithmetic_is_that_of_mp() {
    let mut random = Random::new(11);
    for format in formats() {
        let p = format.bits();
        let bits = Bits::internal(p);
        for round in 0..if p < 500 { 1500 } else { 300 } {
            let range = [1, p as i32 / 2, p as i32 + 2, 1000][round % 4];
            let x = number(&format, range, &mut random);
            let mut y = number(&format, range, &mut random);
            if round % 8 == 0 {
                // Cancels, but for some bits.
                let tiny = x.clone().ldexp(-random.between(0, p as i32 + 4));
                y = &tiny - &x;
            }
            let (a, b) = (x.view().to_mp_of(bits), y.view().to_mp_of(bits));
            for z in [&x, &y] {
                sound(z);
            }
            let mut c = Mp::zero(bits);
            let check = |z: RnsFloat, c: &Mp, what: &str| {
                sound(&z);
                assert!(same(&z, c), "{p} bits of {a} {what} {b}: {z} for {c}");
            };
            c.set_sum(a.view(), b.view());
            check(&x + &y, &c, "+");
            c.set_difference(a.view(), b.view());
            check(&x - &y, &c, "−");
            c.set_product(a.view(), b.view());
            check(&x * &y, &c, "·");
            c.set_quotient(a.view(), b.view());
            check(&x / &y, &c, "/");
            c.set_root(a.view());
            check(x.sqrt(), &c, "√");
            assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b));
            assert_eq!(x.to_f64().to_bits(), a.to_f64().to_bits());
        }
    }
}

#[test]
fn long_computations_keep_their_bounds_sound() {
    // Powers and sums of them widen the intervals until they are found anew.
    for format in formats() {
        let bits = Bits::internal(format.bits());
        let mut x = RnsFloat::from_decimal(&format, b"1.00000000000000012345").unwrap();
        let mut a = x.view().to_mp_of(bits);
        let (third, mut sum) = (RnsFloat::from_decimal(&format, b"0.333").unwrap(), x.clone());
        let (b, mut total) = (third.view().to_mp_of(bits), a);
        for round in 0..200 {
            x = if round % 3 == 0 { &x * &third } else { &x * &x };
            a = if round % 3 == 0 { a * b } else { a * a };
            sum = &(&sum + &x) - &third;
            total = (total + a) - b;
            sound(&x);
            sound(&sum);
            assert!(same(&x, &a) && same(&sum, &total), "{round}");
            if x.head.exponent().is_none_or(|e| e.abs() > 1 << 20) {
                x = third.clone();
                a = b;
            }
        }
    }
}

#[test]
fn specials_are_those_of_mp() {
    let format = Format::with_bits(106).unwrap();
    let specials = [0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for a in specials {
        let x = RnsFloat::from_f64(&format, a);
        let a = x.to_mp();
        assert!(same(&x.sqrt(), &a.sqrt()), "√{a}");
        for b in specials {
            let y = RnsFloat::from_f64(&format, b);
            let b = y.to_mp();
            assert!(same(&(&x + &y), &(a + b)), "{a} + {b}");
            assert!(same(&(&x - &y), &(a - b)), "{a} − {b}");
            assert!(same(&(&x * &y), &(a * b)), "{a} · {b}");
            assert!(same(&(&x / &y), &(a / b)), "{a} / {b}");
            assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b), "{a}, {b}");
            assert_eq!(x == y, a == b);
        }
    }
    // Beyond the range.
    let huge = RnsFloat::one(&format).ldexp((1 << 28) - 1);
    assert!(same(&(&huge + &huge), &(huge.to_mp() + huge.to_mp())));
    assert!(!(&huge * &huge).is_finite());
    let tiny = RnsFloat::one(&format).ldexp(-(1 << 28));
    assert!((&tiny * &tiny).is_zero());
    assert!((&tiny - &tiny.clone().ldexp(1)).ldexp(-2).is_zero());
    for z in [&huge + &huge, &tiny * &tiny, RnsFloat::nan(&format), huge.clone().ldexp(5)] {
        sound(&z);
    }
}

#[test]
fn fifty_three_bits_are_f64() {
    let mut random = Random::new(12);
    let format = Format::with_bits(53).unwrap();
    for _ in 0..5000 {
        let mut next = || random.magnitude(0) * if random.below(2) == 0 { 1.0 } else { -0.75 };
        let (a, b) = (next(), next());
        let (x, y) = (RnsFloat::from_f64(&format, a), RnsFloat::from_f64(&format, b));
        let check = |z: RnsFloat, c: f64| assert_eq!(z.to_f64().to_bits(), c.to_bits());
        check(&x + &y, a + b);
        check(&x - &y, a - b);
        check(&x * &y, a * b);
        check(&x / &y, a / b);
        check(x.clone().abs().sqrt(), a.abs().sqrt());
    }
}

#[test]
fn operands_of_other_formats_are_rounded() {
    let (short, long) = (Format::with_bits(106).unwrap(), Format::with_bits(424).unwrap());
    let x = RnsFloat::from_decimal(&short, b"0.1").unwrap();
    let y = RnsFloat::from_decimal(&long, b"0.3").unwrap();
    let sum = &x + &y;
    assert_eq!(*sum.format(), long);
    assert!(same(&sum, &(x.to_mp() + y.to_mp())));
    assert!(x < y && x != y);
    let mut z = RnsFloat::zero(&short);
    z.set_product(x.view(), y.view());
    assert!(same(&z, &(x.to_mp() * y.to_mp().view().to_mp(Bits::new(106).unwrap()))));
    let mut total = x.clone();
    total += y;
    assert_eq!(*total.format(), long);
    assert_eq!(total, sum);
    assert_eq!(-(-x.clone()), x);
    assert_eq!(x.to_multifloat::<4>().limbs()[0], 0.1);
    assert_eq!(RnsFloat::from_multifloat(&long, x.to_multifloat::<4>()), x);
}
