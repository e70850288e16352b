//! Reading: the fast path against the exact one, the exact one against the standard library, and
//! fixed cases.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::scan::{LIMB_DIGITS, LIMB_WORDS, Number, Scanned, Significand, scan};
use super::testing::{Random, half_unit, power_of_two};
use super::{Decimal, ParseDecimalError, parse};
use crate::{Dd, Qd, Td};

type LimbSignificand = Significand<LIMB_WORDS, LIMB_DIGITS>;

fn qd(text: &str) -> [f64; 4] {
    Qd::from_decimal(text.as_bytes()).unwrap().limbs()
}

fn number<'a>(text: &'a str, significand: &'a mut LimbSignificand) -> Number<'a> {
    match scan(text.as_bytes(), significand) {
        Ok(Scanned::Finite(number)) => number,
        _ => panic!("{text}"),
    }
}

/// Texts of every shape: few and many digits, points anywhere, exponents that lead to any
/// magnitude.
fn random_text(random: &mut Random) -> String {
    let length = [1, 2, 5, 17, 20, 34, 50, 66, 76, 77, 78, 79, 100, 400][random.below(14) as usize];
    let integer = random.below(length + 1) as usize;
    let mut digits = random.digits(length as usize);
    if random.below(8) == 0 {
        // Long runs of zeros and nines lie close to rounding boundaries.
        let run = random.below(length) as usize;
        let digit = if random.below(2) == 0 { "0" } else { "9" };
        digits.replace_range(run.., &digit.repeat(length as usize - run));
    }
    let magnitude = match random.below(4) {
        0 => random.between(-20, 20),
        1 => random.between(-345, -230),
        _ => random.between(-330, 320),
    };
    let exponent = magnitude - integer as i32;
    format!("{}.{}e{exponent}", &digits[..integer], &digits[integer..])
}

#[test]
fn exact_single_limbs_agree_with_the_standard_parser() {
    let mut random = Random::new(10);
    for _ in 0..60_000 {
        let text = random_text(&mut random);
        let expected: f64 = text.parse().unwrap();
        let mut significand = LimbSignificand::new();
        let number = number(&text, &mut significand);
        assert_eq!(parse::limbs_of::<1>(&number), [expected], "{text}");
        if number.significand.digits > 0 && number.exponent.abs() < 500 {
            assert_eq!(parse::exact_limbs::<1>(&number), [expected], "{text}");
        }
        assert_eq!(f64::from_decimal(text.as_bytes()), Ok(expected));
        assert_eq!(f64::from_decimal(text.replace('e', "D").as_bytes()), Ok(expected));
    }
}

fn fast_agrees_with_exact<const N: usize>() {
    let mut random = Random::new(N as u64);
    for _ in 0..20_000 {
        let text = random_text(&mut random);
        let mut significand = LimbSignificand::new();
        let number = number(&text, &mut significand);
        let limbs = parse::limbs_of::<N>(&number);
        if limbs[0].is_finite() && limbs[0] != 0.0 {
            let exact = super::limbs::canonical(parse::exact_limbs::<N>(&number));
            assert_eq!(limbs, exact, "{text}");
        }
        let normal = limbs.windows(2).all(|pair| pair[1].abs() <= half_unit(pair[0]));
        assert!(normal || limbs[0].is_infinite(), "{text} {limbs:?}");
    }
}

#[test]
fn the_fast_path_agrees_with_the_exact_one() {
    fast_agrees_with_exact::<2>();
    fast_agrees_with_exact::<3>();
    fast_agrees_with_exact::<4>();
}

#[test]
fn known_expansions() {
    // π in four limbs, as published with the QD library (Hida, Li, Bailey 2001).
    let pi =
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803";
    let expected = [
        core::f64::consts::PI,
        1.2246467991473532e-16,
        -2.9947698097183397e-33,
        1.1124542208633653e-49,
    ];
    assert_eq!(qd(pi), expected);
    assert_eq!(Td::from_decimal(pi.as_bytes()).unwrap().limbs(), expected[..3]);
    assert_eq!(Dd::from_decimal(pi.as_bytes()).unwrap().limbs(), expected[..2]);
    // 1/10 has the period 1100 in binary, so each remainder is 2^-54 of the one before, with
    // alternating signs.
    let step = -(power_of_two(-54));
    assert_eq!(qd("0.1"), [0.1, 0.1 * step, 0.1 * step * step, 0.1 * step * step * step]);
    assert_eq!(qd("1"), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(qd("-00012.50"), [-12.5, 0.0, 0.0, 0.0]);
    assert_eq!(qd("123456789012345678901234567890e-30"), qd(".123456789012345678901234567890"));
    // Just under a tie, and a tie: 1 + 2^-52 + 2^-53 − 1e-40, and without the last term.
    let unit = f64::EPSILON;
    let text = "1.0000000000000003330669073875469621270895004272460937";
    let below = qd(&format!("{text}4999999999999999999999999999"));
    assert_eq!(below[..2], [1.0 + unit, unit / 2.0]);
    assert!(below[2] < 0.0);
    assert_eq!(qd(&format!("{text}5")), [1.0 + 2.0 * unit, -unit / 2.0, 0.0, 0.0]);
    // 10^90 needs 209 bits.
    assert_eq!(qd("1e90"), qd(&format!("1{}", "0".repeat(90))));
}

#[test]
fn every_spelling() {
    for text in
        ["15e-1", "1.5", "+1.5", "1.5e0", "1.5E+00", "0.15d1", ".15D+1", "150.e-2", "0001.500"]
    {
        assert_eq!(qd(text), [1.5, 0.0, 0.0, 0.0], "{text}");
        assert_eq!(f64::from_decimal(text.as_bytes()), Ok(1.5), "{text}");
    }
    for text in ["inf", "INF", "+Infinity", "iNfInItY"] {
        assert_eq!(text.parse(), Ok(Qd::INFINITY), "{text}");
        assert_eq!(f64::from_decimal(text.as_bytes()), Ok(f64::INFINITY), "{text}");
    }
    assert_eq!("-inf".parse(), Ok(Dd::NEG_INFINITY));
    for text in ["nan", "NaN", "-NAN", "+nan"] {
        assert!(text.parse::<Td>().unwrap().is_nan(), "{text}");
        assert!(f64::from_decimal(text.as_bytes()).unwrap().is_nan(), "{text}");
    }
}

#[test]
fn every_malformed_text_has_its_message() {
    let cases = [
        ("", "expected a number at byte 0, found the end of the text"),
        ("-", "expected a number at byte 1, found the end of the text"),
        ("+-1", "expected a number at byte 1, found '-'"),
        ("x", "expected a number at byte 0, found 'x'"),
        (" 1", "expected a number at byte 0, found ' '"),
        ("infx", "expected the end of the number at byte 3, found 'x'"),
        ("infinit", "expected the end of the number at byte 3, found 'i'"),
        ("nan1", "expected the end of the number at byte 3, found '1'"),
        (".", "expected a digit at byte 1, found the end of the text"),
        ("-.e5", "expected a digit at byte 2, found 'e'"),
        ("1e", "expected a digit of the exponent at byte 2, found the end of the text"),
        ("1.5e+", "expected a digit of the exponent at byte 5, found the end of the text"),
        ("1e-x", "expected a digit of the exponent at byte 3, found 'x'"),
        ("1.2.3", "expected the end of the number at byte 3, found '.'"),
        ("12 ", "expected the end of the number at byte 2, found ' '"),
        ("1e5e", "expected the end of the number at byte 3, found 'e'"),
        ("1,5", "expected the end of the number at byte 1, found ','"),
        ("1_000", "expected the end of the number at byte 1, found '_'"),
        ("0x10", "expected the end of the number at byte 1, found 'x'"),
        ("12345678\n", "expected the end of the number at byte 8, found '\\n'"),
    ];
    for (text, message) in cases {
        assert_eq!(text.parse::<Qd>().unwrap_err().to_string(), message, "{text:?}");
        assert_eq!(
            f64::from_decimal(text.as_bytes()).unwrap_err().to_string(),
            message,
            "{text:?}"
        );
    }
    let found = Some(0xff);
    assert_eq!(
        Dd::from_decimal(b"\xff").unwrap_err(),
        ParseDecimalError::ExpectedNumber { position: 0, found }
    );
}

#[test]
fn zeros_underflow_and_overflow() {
    let zero = |text: &str| {
        let limbs = qd(text);
        assert!(limbs == [0.0; 4] && limbs[1..].iter().all(|x| x.is_sign_positive()), "{text}");
        limbs[0].is_sign_negative()
    };
    for text in
        ["0", "0.000", "0e5", "0e99999999999999999999", "1e-400", "2e-324", "1e-99999999999"]
    {
        assert!(!zero(text));
        assert!(zero(&format!("-{text}")));
    }
    let least = f64::from_bits(1);
    assert_eq!(qd("2.5e-324"), [least, 0.0, 0.0, 0.0]);
    assert_eq!(qd("-4.9e-324"), [-least, 0.0, 0.0, 0.0]);
    assert_eq!(qd("7.4e-324"), [least, 0.0, 0.0, 0.0]);
    assert_eq!(qd("7.5e-324"), [2.0 * least, 0.0, 0.0, 0.0]);
    for text in ["1e309", "1.7976931348623159e308", "1e99999999999999999999"] {
        assert_eq!(qd(text), [f64::INFINITY, 0.0, 0.0, 0.0], "{text}");
        assert_eq!(qd(&format!("-{text}")), [f64::NEG_INFINITY, 0.0, 0.0, 0.0], "{text}");
    }
    // A wide number far below the normal range keeps the limbs that fit.
    let expected = [1.2345678901234568e-300, 3.231076e-317, 0.0, 0.0];
    assert_eq!(qd("1.23456789012345678901234567890e-300"), expected);
}

#[test]
fn rounding_beyond_the_greatest_number_is_infinite() {
    let [first, second] = Dd::MAX.limbs();
    assert_eq!(second, power_of_two(970) - power_of_two(917));
    let greatest = sum(&format!("{first:.0}"), second);
    assert_eq!(greatest.parse::<Dd>().unwrap().limbs(), [first, second]);
    assert_eq!(format!("-{greatest}.9").parse::<Dd>().unwrap().limbs(), [-first, -second]);
    // Halfway to the next number, which would be f64::MAX + 2^970; one less is still nearer to the
    // greatest.
    let tie = sum(&greatest, power_of_two(916));
    assert_eq!(tie.parse::<Dd>(), Ok(Dd::INFINITY));
    assert_eq!(format!("-{tie}").parse::<Dd>(), Ok(Dd::NEG_INFINITY));
    assert!(tie.ends_with('6'));
    let below = format!("{}5.9", &tie[..tie.len() - 1]);
    assert_eq!(below.parse::<Dd>().unwrap().limbs(), [first, second]);
    // Four limbs reach the same first two and go on.
    assert_eq!(below.parse::<Qd>(), Ok(Qd::INFINITY));
    assert_eq!(greatest.parse::<Qd>().unwrap().limbs(), [first, second, 0.0, 0.0]);
}

/// The digits of the sum of two integers, the longer one first.
fn sum(x: &str, y: f64) -> String {
    let y = format!("{y:.0}");
    let mut carry = 0;
    let mut sum = Vec::new();
    for i in 0..x.len() {
        let digit = |text: &str| text.bytes().rev().nth(i).map_or(0, |d| d - b'0');
        let total = digit(x) + digit(&y) + carry;
        sum.push(char::from(b'0' + total % 10));
        carry = total / 10;
    }
    sum.iter().rev().collect()
}
