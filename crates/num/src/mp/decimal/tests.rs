//! The paths through a few words against those through integers of any size.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::*;
use crate::decimal::scan::Number;
use crate::decimal::shortest::append_digits;
use crate::decimal::testing::Random;
use crate::mp::tests::{PRECISIONS, bits, number};

/// Precisions of numbers, and of the formats that are narrower than a word.
pub(super) fn precisions() -> impl Iterator<Item = Bits> {
    let narrow = [2, 5, 24, 53].map(Bits::internal);
    narrow.into_iter().chain(PRECISIONS.map(bits)).chain([1024, 1025, 4096].map(bits))
}

/// Reads by both paths, which have to agree; whether a few words decided.
fn read_both_ways(p: Bits, text: &str) -> bool {
    if p.get() <= FEW_BITS {
        read_within_both::<FEW_WORDS, FEW_DIGITS>(p, text)
    } else {
        read_within_both::<MANY_WORDS, MANY_DIGITS>(p, text)
    }
}

fn read_within_both<const W: usize, const D: usize>(p: Bits, text: &str) -> bool {
    let mut significand = Significand::new();
    let number: Number<'_, W, D> = match scan(text.as_bytes(), &mut significand) {
        Ok(Scanned::Finite(number)) if number.significand.digits > 0 => number,
        _ => panic!("{text}"),
    };
    let garbage = vec![u64::MAX; p.words()];
    let (mut found, mut exactly) = (garbage.clone(), garbage);
    let decided = read::decided(p, &number, &mut found);
    if let Some(decided) = decided {
        let expected = exact::read(p, number.negative, number.written, &mut exactly);
        assert_eq!((decided, found), (expected, exactly), "{p} {text}");
    }
    decided.is_some()
}

/// Digits and exponent from the path taken, which has to agree with integers of any size; whether a
/// few words decided.
fn write_both_ways(x: &Mp) -> bool {
    if x.bits().get() <= FEW_BITS {
        write_within_both::<FEW_WORDS>(x)
    } else {
        write_within_both::<MANY_WORDS>(x)
    }
}

fn write_within_both<const W: usize>(x: &Mp) -> bool {
    let x = x.view();
    let neighbours = write::neighbours(x);
    let k = neighbours.floor_log10(x.quarter_unit());
    let (mut found, mut exactly) = (Vec::new(), Vec::new());
    let exponent = write::append_shortest::<W>(x, &mut found);
    let mut chunks = [0; W];
    if let Some((length, e)) = write::whole(x, k, &mut chunks) {
        // The shortest digits are those of the number itself.
        let mut text = Vec::new();
        assert_eq!(append_digits(&chunks[..length], e, &mut text), exponent);
        let text = format!(
            "{}e{}",
            core::str::from_utf8(&text).unwrap(),
            exponent + 1 - text.len() as i64
        );
        let read = Mp::from_decimal_shifted(x.bits(), text.as_bytes(), 0).unwrap();
        assert!(read.exact && read.value == x.to_mp(x.bits()).abs(), "{text}");
        return true;
    }
    let expected = exact::append_shortest(x, &neighbours, k, &mut exactly);
    assert_eq!((exponent, found), (expected, exactly), "{x:?}");
    write::decided(x, &neighbours, k, &mut chunks).is_some()
}

/// The digits of `n·2^e`.
fn text_of(n: &BigUint, e: i64) -> String {
    let q = (-e).max(0);
    let digits = (n << e.max(0) as usize) * BigUint::from(5_u32).pow(q as u32);
    format!("{digits}e-{q}")
}

fn random_integer(random: &mut Random, bits: u32) -> BigUint {
    let words = (0..bits.div_ceil(32)).map(|_| random.next() as u32).collect();
    (BigUint::new(words) & ((BigUint::from(1_u32) << bits as usize) - 1_u32))
        | (BigUint::from(1_u32) << (bits - 1) as usize)
}

#[test]
fn random_texts_are_decided_by_a_few_words_as_exactly() {
    let mut random = Random::new(11);
    for p in precisions() {
        for round in 0..120 {
            let most = [20, u64::from(p.get()) / 3 + 3, 400, 2000][round % 4];
            let digits = 1 + random.below(most) as usize;
            let range = [5, 300, 2000, 100_000][round / 4 % 4];
            let e = random.between(-range, range) - digits as i32;
            let point = random.below(digits as u64 + 1) as usize;
            let digits = random.digits(digits) + "7";
            let text = format!("{}.{}e{e}", &digits[..point], &digits[point..]);
            assert!(read_both_ways(p, &text), "{p} {text}");
        }
    }
}

#[test]
fn texts_at_and_beside_rounding_boundaries() {
    let mut random = Random::new(12);
    for p in precisions() {
        let few = if p.get() > 1000 { 1 } else { 4 };
        for round in 0..few {
            // A number or a midpoint as an integer of p + 1 bits; the greatest one is beside a
            // power of two.
            let one = BigUint::from(1_u32);
            let boundary = match round {
                3 => (&one << (p.get() + 1) as usize) - &one,
                2 => &one << p.get() as usize,
                _ => random_integer(&mut random, p.get() + 1),
            };
            let e = i64::from(random.between(-150, 60)) - i64::from(p.get());
            let text = text_of(&boundary, e);
            // An exact division decides, unless digits are left out.
            let all = if p.get() <= FEW_BITS { FEW_DIGITS } else { MANY_DIGITS };
            let digits = text.split_once('e').unwrap().0.len();
            assert!(read_both_ways(p, &text) || digits > all, "{p} {text}");
            for s in (1..20).chain(44..54).chain((60..140).step_by(7)) {
                let scaled = &boundary << s as usize;
                for near in [&scaled + &one, &scaled - &one] {
                    let text = text_of(&near, e - s);
                    read_both_ways(p, &text);
                    // The same without its last digits is no dyadic fraction.
                    let (digits, q) = text.split_once("e-").unwrap();
                    let kept = digits.len() - digits.len() / 4;
                    let q = q.parse::<i64>().unwrap() - (digits.len() - kept) as i64;
                    read_both_ways(p, &format!("{}e{}", &digits[..kept], -q));
                }
            }
        }
    }
}

#[test]
fn digits_far_out_decide_a_tie() {
    let mut random = Random::new(13);
    for p in [64, 212, 1000, 4096].map(bits) {
        let tie = (random_integer(&mut random, p.get()) << 1_usize) + 1_u32;
        let text = text_of(&tie, -i64::from(p.get()));
        let (digits, q) = text.split_once("e-").unwrap();
        let read = |text: &str| Mp::from_decimal_shifted(p, text.as_bytes(), 0).unwrap();
        let even = read(&text);
        for zeros in [1, 40, 700, 3000] {
            let q = q.parse::<usize>().unwrap() + zeros + 1;
            let above = read(&format!("{digits}{}1e-{q}", "0".repeat(zeros)));
            let below = BigUint::parse_bytes(digits.as_bytes(), 10).unwrap() - 1_u32;
            let below = read(&format!("{below}{}e-{q}", "9".repeat(zeros + 1)));
            assert!(!above.exact && !below.exact && below.value < above.value);
            assert!(even.value == above.value || even.value == below.value);
            let same = read(&format!("{digits}{}e-{q}", "0".repeat(zeros + 1)));
            assert!(same.value == even.value && !same.exact);
        }
    }
}

/// A million zeros or nines before the digit that decides: as quick as a million others.
#[test]
fn digits_beyond_those_of_boundaries_are_not_multiplied() {
    let long = 1_000_000;
    let (zeros, nines) = ("0".repeat(long), "9".repeat(long));
    for (p, e) in [(64, 0), (212, 1300), (4096, -900)] {
        let p = bits(p);
        let number = Mp::one(p).ldexp(e);
        // The number itself, and the tie above it.
        let odd = (BigUint::from(1_u32) << p.get() as usize) + 1_u32;
        for (integer, f, above) in [
            (BigUint::from(1_u32), i64::from(e), number),
            (odd, i64::from(e) - i64::from(p.get()), number + number.ldexp(1 - p.get() as i32)),
        ] {
            let text = text_of(&integer, f);
            let (digits, q) = text.split_once("e-").unwrap();
            let q = q.parse::<usize>().unwrap() + long + 1;
            let below = BigUint::parse_bytes(digits.as_bytes(), 10).unwrap() - 1_u32;
            for (text, value) in [
                (format!("{digits}{zeros}1e-{q}"), above),
                (format!("{below}{nines}9e-{q}"), number),
            ] {
                let read = Mp::from_decimal_shifted(p, text.as_bytes(), 0).unwrap();
                assert!(read.value == value && !read.exact, "{p} 2^{e}");
            }
        }
    }
}

#[test]
fn the_check_leaves_boundaries_and_their_surroundings_undecided() {
    for p in [2, 64, 106, 128, 212].map(Bits::internal) {
        for cell in 49..=114_u32 {
            let length = (p.get() + 1 + cell) as usize;
            let high = |low: u128| {
                let value = (BigUint::from(1_u32) << (length - 1)) + low;
                let mut words = value.to_u64_digits();
                words.push(0);
                words
            };
            let size = 1_u128 << cell;
            let decides = |low| read::decides(p, &high(low));
            assert!(!decides(0) && decides(1) && decides(size / 2));
            assert!(decides(size - read::ERROR) && !decides(size - read::ERROR + 1));
            assert!(!decides(size - 1));
        }
    }
}

#[test]
fn random_numbers_are_written_as_exactly() {
    let mut random = Random::new(14);
    for p in precisions() {
        for round in 0..100 {
            let range = [3, p.get() as i32, 2000, 100_000][round % 4];
            write_both_ways(&number(&mut random, p, range));
            // Numbers of few decimal digits, and integers with many zeros at their end.
            let count = 1 + random.below(u64::from(p.get()) * 3 / 10 + 1) as usize;
            let e = random.between(-range, range);
            let text = format!("1{}e{e}", random.digits(count));
            let x = Mp::from_decimal(p, text.as_bytes()).unwrap();
            // Numbers whose last bit is worth about 1 can be ties, and in narrow formats there are
            // more.
            let distance = (x.head.code() - p.get() as i32).abs();
            let ties = p.get() < 64 || distance < 60;
            assert!(write_both_ways(&x) || ties, "{p} {text}");
        }
    }
}

#[test]
fn powers_of_two_and_their_neighbours_are_written_as_exactly() {
    for p in precisions() {
        let few = if p.get() > 1000 { 40 } else { 3 };
        for e in (-320..320).step_by(few) {
            let x = Mp::one(p).ldexp(e);
            let unit = x.ldexp(1 - p.get() as i32);
            for x in [x, x + unit, x - unit.ldexp(-1)] {
                write_both_ways(&x);
            }
        }
    }
}

#[test]
fn the_ends_of_the_range() {
    for p in [64, 107, 424].map(bits) {
        let least = Mp::one(p).ldexp(Head::LEAST_EXPONENT - 1);
        let above = least + least.ldexp(1 - p.get() as i32);
        let greatest = Mp::one(p).ldexp(Head::GREATEST_EXPONENT - 1);
        let greatest = greatest + (greatest - greatest.ldexp(1 - p.get() as i32));
        for x in [least, above, greatest] {
            assert!(write_both_ways(&x));
            let text = x.to_string();
            assert!(read_both_ways(p, &text), "{text}");
            assert_eq!(Mp::from_decimal(p, text.as_bytes()), Ok(x));
        }
    }
}
