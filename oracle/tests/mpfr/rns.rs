//! Numbers in residues, against MPFR.

use nonius_num::RnsFloat;
use nonius_num::mp::{Bits, Mp};
use nonius_num::rns::float::{Dot, Format};
use nonius_oracle::mp::{float, number};
use nonius_testkit::Random;
use rug::Float;
use rug::float::Special;

/// The same number in residues and in MPFR.
fn pair(format: &Format, range: i32, random: &mut Random) -> (RnsFloat, Float) {
    let x = number(Bits::new(format.bits().max(64)).unwrap(), range, random);
    let x = RnsFloat::from_mp(format, x.view());
    let a = exact(&x);
    (x, a)
}

fn exact(x: &RnsFloat) -> Float {
    Float::with_val(x.format().bits(), float(x.to_mp().view()))
}

/// Whether both are the same number, signs of zeros included, or both NaN.
fn same(x: &RnsFloat, y: &Float) -> bool {
    let x = exact(x);
    x.is_nan() && y.is_nan() || x == *y && x.is_sign_negative() == y.is_sign_negative()
}

fn formats() -> impl Iterator<Item = Format> {
    let chosen = [64, 107, 1000, 1900].iter();
    let sets =
        Format::PREDEFINED.iter().chain(chosen).map(|&bits| Format::with_bits(bits).unwrap());
    // Precisions that moduli give, small ones among them.
    let odd: Vec<u32> = (3..700).step_by(2).filter(|m| (3..*m).all(|d| m % d != 0)).collect();
    let primes = [3, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
    sets.chain([Format::new(&odd[..90]).unwrap(), Format::new(&primes).unwrap()])
}

#[test]
fn arithmetic_is_rounded_as_mpfr_rounds() {
    let mut random = Random::new(21);
    for format in formats() {
        let p = format.bits();
        for round in 0..if p < 500 { 10_000 } else { 1500 } {
            let range = [1, p as i32 / 2, p as i32 + 2, 1_000_000][round % 4];
            let (x, a) = pair(&format, range, &mut random);
            let (mut y, mut b) = pair(&format, range, &mut random);
            if round % 8 == 0 {
                // Cancels, but for some bits.
                let tiny = x.clone().ldexp(-(random.below(p as usize + 4) as i32));
                y = &tiny - &x;
                b = exact(&y);
            }
            if round % 8 == 1 {
                // A quotient or a product next to the middle of two numbers.
                y = &RnsFloat::one(&format) / &x;
                b = exact(&y);
            }
            let what = || format!("{p} bits of {a} and {b}");
            assert!(same(&(&x + &y), &Float::with_val(p, &a + &b)), "sum, {}", what());
            assert!(same(&(&x - &y), &Float::with_val(p, &a - &b)), "difference, {}", what());
            assert!(same(&(&x * &y), &Float::with_val(p, &a * &b)), "product, {}", what());
            assert!(same(&(&x / &y), &Float::with_val(p, &a / &b)), "quotient, {}", what());
            let square = &x * &x;
            let root = Float::with_val(p, exact(&square).sqrt_ref());
            assert!(same(&square.sqrt(), &root), "root, {}", what());
            assert!(same(&x.sqrt(), &Float::with_val(p, a.sqrt_ref())), "root, {}", what());
            assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b), "{}", what());
            assert_eq!(x.to_f64().to_bits(), a.to_f64().to_bits(), "{}", what());
        }
    }
}

#[test]
fn long_computations_are_those_of_mpfr() {
    let mut random = Random::new(22);
    for format in formats() {
        let p = format.bits();
        let mut state: Vec<(RnsFloat, Float)> =
            (0..4).map(|_| pair(&format, 2, &mut random)).collect();
        for round in 0..600 {
            let (i, j) = (random.below(4), random.below(4));
            let ((x, a), (y, b)) = (state[i].clone(), state[j].clone());
            let (z, c) = match random.below(7) {
                0 | 1 => (&x + &y, Float::with_val(p, &a + &b)),
                2 => (&x - &y, Float::with_val(p, &a - &b)),
                3 | 4 => (&x * &y, Float::with_val(p, &a * &b)),
                5 => (&x / &y, Float::with_val(p, &a / &b)),
                _ => (x.clone().abs().sqrt(), Float::with_val(p, a.clone().abs().sqrt_ref())),
            };
            assert!(same(&z, &c), "{p} bits, step {round} of {a} and {b}: {z} for {c}");
            let tame = c.get_exp().is_some_and(|e| e.abs() < 1000);
            state[random.below(4)] = if tame { (z, c) } else { pair(&format, 2, &mut random) };
        }
    }
}

#[test]
fn sums_of_products_keep_their_bound() {
    let mut random = Random::new(25);
    for format in formats() {
        let p = format.bits();
        let Some(mut sums) = Dot::new(&format) else { continue };
        for round in 0..if p < 500 { 60 } else { 10 } {
            let n = [1, 7, 100, 700][round % 4];
            let range = [1, 20, p as i32, 100_000][round / 4 % 4];
            let mut line = || -> Vec<(RnsFloat, Float)> {
                (0..n).map(|_| pair(&format, range, &mut random)).collect()
            };
            let (x, y) = (line(), line());
            let found = exact(&sums.of(x.iter().zip(&y).map(|(x, y)| (x.0.view(), y.0.view()))));
            let wide = 4 * p + 1000;
            let terms = x.iter().zip(&y).map(|(x, y)| (&x.1, &y.1));
            let sum = Float::with_val(wide, Float::dot(terms));
            let sizes: Vec<(Float, Float)> =
                x.iter().zip(&y).map(|(x, y)| (x.1.clone().abs(), y.1.clone().abs())).collect();
            let size = Float::with_val(wide, Float::dot(sizes.iter().map(|(x, y)| (x, y))));
            let c = (n as f64).log2().ceil() as u32;
            let bound = Float::with_val(wide, &size >> p) + (size >> (2 * p - 2 * c - 4));
            let error = Float::with_val(wide, &found - &sum).abs();
            assert!(error <= bound, "{p} bits, {n} terms, {range}: {found} for {sum}");
        }
    }
}

#[test]
fn decimal_text_is_read_and_written_as_mpfr_would() {
    let mut random = Random::new(23);
    for format in formats() {
        let p = format.bits();
        for _ in 0..200 {
            let most = [3, p as usize / 3, p as usize][random.below(3)];
            let length = 1 + random.below(most);
            let digits: String =
                (0..length).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
            let text = format!("{digits}e{}", random.below(2001) as i64 - 1000);
            let x = RnsFloat::from_decimal(&format, text.as_bytes()).unwrap();
            let expected = Float::with_val(p, Float::parse(&text).unwrap());
            assert!(same(&x, &expected), "{p} bits of {text}");
            let written = x.to_string();
            let back = Float::with_val(p, Float::parse(&written).unwrap());
            assert!(same(&x, &back), "{p} bits, {written}");
        }
    }
}

#[test]
fn numbers_come_from_and_go_to_binary() {
    let mut random = Random::new(24);
    for format in formats() {
        let p = format.bits();
        for q in [64, 106, 424, 2048] {
            for _ in 0..100 {
                let x = number(Bits::new(q).unwrap(), 500, &mut random);
                let rounded = RnsFloat::from_mp(&format, x.view());
                assert!(same(&rounded, &Float::with_val(p, &float(x.view()))), "{q} to {p} bits");
            }
        }
        for special in [Special::Zero, Special::NegZero, Special::Infinity, Special::Nan] {
            let a = Float::with_val(53, special);
            assert!(same(&RnsFloat::from_f64(&format, a.to_f64()), &a));
        }
        let one = Mp::one(Bits::new(64).unwrap());
        assert_eq!(RnsFloat::from_mp(&format, one.view()), RnsFloat::one(&format));
    }
}
