//! Texts with places: against integers of any size, and against those of limbs.

use alloc::format;
use alloc::string::{String, ToString};

use num_bigint::BigUint;

use super::tests::precisions;
use crate::Dd;
use crate::decimal::testing::Random;
use crate::mp::tests::{bits, number};
use crate::mp::{Bits, Head, Mp};

/// `|x|/10^k` rounded to an integer, ties to even.
fn rounded_quotient(x: &Mp, k: i64) -> BigUint {
    let words = x.words().iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
    let ten = |n: i64| BigUint::from(10_u32).pow(n.max(0) as u32);
    let two = |n: i64| BigUint::from(1_u32) << n.max(0) as usize;
    let e = x.view().unit();
    let numerator = BigUint::new(words) * ten(-k) * two(e);
    let denominator = ten(k) * two(-e);
    let rounded = (&numerator * 2_u32 + &denominator) / (&denominator * 2_u32);
    let is_tie = &numerator * 2_u32 + &denominator == &denominator * 2_u32 * &rounded;
    if is_tie && rounded.bit(0) { rounded - 1_u32 } else { rounded }
}

/// The integer with a point before its last `places` digits.
fn with_point(integer: &BigUint, places: usize) -> String {
    let mut text = integer.to_string();
    if text.len() <= places {
        text = "0".repeat(places + 1 - text.len()) + &text;
    }
    if places > 0 {
        text.insert(text.len() - places, '.');
    }
    text
}

fn scientific(x: &Mp, places: usize) -> String {
    let mut k = (f64::from(x.head.code()) * 0.301).floor() as i64 - 2 - places as i64;
    let least = BigUint::from(10_u32).pow(places as u32);
    loop {
        let integer = rounded_quotient(x, k);
        if integer < &least * 10_u32 {
            assert!(integer >= least);
            return format!("{}e{}", with_point(&integer, places), k + places as i64);
        }
        k += 1;
    }
}

#[test]
fn places_are_those_of_the_number_correctly_rounded() {
    let mut random = Random::new(31);
    for p in precisions() {
        for round in 0..40 {
            let range = [3, p.get() as i32, 900, 5000][round % 4];
            let x = number(&mut random, p, range);
            let sign = if x.head.is_negative() { "-" } else { "" };
            let places = random.below([4, 40, u64::from(p.get()), 1500][round / 4 % 4]) as usize;
            assert_eq!(format!("{x:.places$e}"), sign.to_string() + &scientific(&x, places));
            if x.head.code() <= 1024 {
                let integer = rounded_quotient(&x, -(places as i64));
                let text = with_point(&integer, places);
                assert_eq!(format!("{x:.places$}"), sign.to_string() + &text, "{x:e} {places}");
            } else {
                assert_eq!(format!("{x:.places$}"), format!("{x:.places$e}"));
            }
        }
    }
}

#[test]
fn the_same_texts_as_those_of_limbs() {
    let mut random = Random::new(32);
    for round in 0..400 {
        let range = [3, 60, 300, 900][round % 4];
        let exponent = random.between(-range, range);
        let limbs = Dd::from_limbs(random.limbs::<2>(exponent));
        let x = Mp::from_multifloat(bits(2200), limbs);
        let places = random.below(90) as usize;
        assert_eq!(format!("{x:.places$}"), format!("{limbs:.places$}"));
        assert_eq!(format!("{x:.places$e}"), format!("{limbs:.places$e}"));
        assert_eq!(format!("{x:+045.3e}"), format!("{limbs:+045.3e}"));
        assert_eq!(format!("{x:>400.1}"), format!("{limbs:>400.1}"));
    }
}

#[test]
fn ties_go_to_the_even_digit() {
    let show = |text: &str, places: usize| {
        let x = Mp::from_decimal(bits(106), text.as_bytes()).unwrap();
        format!("{x:.places$} {x:.places$e}")
    };
    assert_eq!(show("0.5", 0), "0 5e-1");
    assert_eq!(show("1.5", 0), "2 2e0");
    assert_eq!(show("-2.5", 0), "-2 -2e0");
    assert_eq!(show("0.125", 2), "0.12 1.25e-1");
    assert_eq!(show("0.375", 2), "0.38 3.75e-1");
    assert_eq!(show("9.5", 0), "10 1e1");
    assert_eq!(show("999.5", 2), "999.50 1.00e3");
    assert_eq!(show("8.5e20", 0), "850000000000000000000 8e20");
    assert_eq!(show("9.96875", 4), "9.9688 9.9688e0");
    assert_eq!(show("0", 2), "0.00 0.00e0");
    assert_eq!(show("-0", 1), "-0.0 -0.0e0");
    assert_eq!(show("1e-9", 3), "0.000 1.000e-9");
    assert_eq!(show("-inf", 3), "-inf -inf");
    assert_eq!(show("nan", 3), "NaN NaN");
}

#[test]
fn texts_without_places_read_back() {
    let mut random = Random::new(33);
    for p in precisions() {
        for round in 0..20 {
            let x = number(&mut random, p, [3, 900, 100_000][round % 3]);
            for text in [format!("{x}"), format!("{x:e}"), format!("{x:E}"), format!("{x:>9}")] {
                assert_eq!(Mp::from_decimal(p, text.trim().as_bytes()), Ok(x), "{text}");
            }
        }
    }
    let x = Mp::from_decimal(bits(64), b"-1.5").unwrap();
    assert_eq!(
        format!("[{x:>8}] [{x:<8}] [{x:08}] [{:+}]", x.abs()),
        "[    -1.5] [-1.5    ] [-00001.5] [+1.5]"
    );
}

/// Powers of ten of a hundred million digits are not multiplied out.
#[test]
fn the_ends_of_the_range_take_few_words() {
    for p in [64, 424].map(Bits::internal) {
        let least = Mp::one(p).ldexp(Head::LEAST_EXPONENT - 1);
        let greatest = Mp::one(p).ldexp(Head::GREATEST_EXPONENT - 1);
        assert_eq!(format!("{least:.3}"), "0.000");
        for x in [least, greatest] {
            let (all, rounded) = (format!("{x:e}"), format!("{x:.4e}"));
            let (all, exponent) = all.split_once('e').unwrap();
            let (rounded, its_exponent) = rounded.split_once('e').unwrap();
            assert_eq!(its_exponent, exponent);
            // The last place may be rounded up.
            assert!(rounded.len() == 6 && rounded[..5] == all[..5], "{rounded} {all}");
        }
        assert_eq!(format!("{greatest:.4}"), format!("{greatest:.4e}"));
    }
}
