//! Writing: round trips and brevity over random limbs, the standard library as the measure for one
//! limb and for the formatter's flags, halfway cases in both directions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::shortest::{self, append_shortest};
use super::testing::{Random, half_unit, power_of_two};
use super::{Decimal, format, parse, scan};
use crate::{Dd, MultiFloat, Qd};

fn appended<T: Decimal>(x: T) -> String {
    let mut out = b"before ".to_vec();
    x.append_decimal(&mut out);
    String::from_utf8(out).unwrap().split_off(7)
}

fn read<const N: usize>(text: &str) -> [f64; N] {
    match scan::scan(text.as_bytes(), &mut scan::Significand::new()) {
        Ok(scan::Scanned::Finite(number)) => parse::limbs_of(&number),
        _ => panic!("{text}"),
    }
}

/// Digits and exponent of the first, from the fast path and from the exact one.
fn both_ways<const N: usize>(limbs: [f64; N]) -> (String, i32) {
    let mut digits = Vec::new();
    let exponent = append_shortest(limbs, &mut digits);
    let mut by_integers = Vec::new();
    assert_eq!(shortest::append_exactly(limbs, &mut by_integers), exponent, "{limbs:?}");
    assert_eq!(by_integers, digits, "{limbs:?}");
    (String::from_utf8(digits).unwrap(), exponent as i32)
}

#[test]
fn single_limbs_are_written_as_the_standard_library_does() {
    let mut random = Random::new(20);
    for round in 0..100_000 {
        let exponent = match round % 4 {
            0 => random.between(-1074, -1000),
            1 => random.between(-80, 80),
            _ => random.between(-1074, 1023),
        };
        let x = random.magnitude(exponent);
        let (digits, exponent) = both_ways([x]);
        let point = if digits.len() > 1 { "." } else { "" };
        let text = format!("{}{point}{}e{exponent}", &digits[..1], &digits[1..]);
        // Where two texts are equally short and near, the standard library takes the greater one.
        let even = format!("{x:.*e}", digits.len() - 1);
        assert!(text == format!("{x:e}") || (text == even && text.parse() == Ok(x)), "{text}");
        assert_eq!(appended(x).parse(), Ok(x));
    }
    for x in [1.0, 100.0, 123456.5, 1e15, 1e16, 1e-4, 1.5e-4, 9.9e-5, 1.7e-300] {
        let debug = format!("{x:?}");
        assert_eq!(appended(x), debug.strip_suffix(".0").unwrap_or(&debug));
    }
}

/// The value of the digits cut to one fewer, and of the next number of that length.
fn shorter(digits: &str, exponent: i32) -> [String; 2] {
    let last_place = exponent - digits.len() as i32 + 2;
    let cut = &digits[..digits.len() - 1];
    let mut next: Vec<u8> = cut.bytes().collect();
    match next.iter().rposition(|&digit| digit != b'9') {
        Some(i) => {
            next[i] += 1;
            next[i + 1..].fill(b'0');
        }
        None => {
            next.fill(b'0');
            next.insert(0, b'1');
        }
    }
    [format!("{cut}e{last_place}"), format!("{}e{last_place}", String::from_utf8(next).unwrap())]
}

fn shortest_round_trips<const N: usize>() {
    let mut random = Random::new(20 + N as u64);
    for round in 0..12_000 {
        let exponent = match round % 4 {
            0 => random.between(-1074, -800),
            1 => random.between(-1000, 1022),
            _ => random.between(-80, 80),
        };
        let limbs = random.limbs::<N>(exponent);
        let x = MultiFloat(limbs);
        let (digits, exponent) = both_ways(limbs);
        assert!(!digits.starts_with('0') && !digits.ends_with('0'), "{limbs:?} {digits}");
        for text in [appended(x), x.to_string(), format!("{x:e}")] {
            let back = MultiFloat(read::<N>(&text));
            assert!(back == x, "{limbs:?} {text} {back:?}");
            assert_eq!(appended(-x), format!("-{}", appended(x)));
        }
        for text in shorter(&digits, exponent) {
            if digits.len() > 1 {
                assert!(MultiFloat(read::<N>(&text)) != x, "{limbs:?} {text}");
            }
        }
    }
}

#[test]
fn the_shortest_text_reads_back_and_no_shorter_one_does() {
    shortest_round_trips::<2>();
    shortest_round_trips::<3>();
    shortest_round_trips::<4>();
}

fn halfway<const N: usize>() {
    let mut random = Random::new(40 + N as u64);
    let mut tried = 0;
    while tried < 1500 {
        let limbs: [f64; N] =
            read(&appended(MultiFloat(random.limbs::<N>(random_exponent(tried)))));
        let last = limbs[N - 1];
        let half = half_unit(last).copysign(last);
        if last == 0.0 || half == 0.0 || last.to_bits() << 12 == 0 {
            continue;
        }
        tried += 1;
        let (x, mut neighbour) = (MultiFloat(limbs), MultiFloat(limbs));
        neighbour.0[N - 1] += 2.0 * half;
        let even = if last.to_bits().is_multiple_of(2) { x } else { neighbour };
        let mut midpoint = limbs.to_vec();
        midpoint.push(half);
        let text = format::all_digits(&midpoint);
        let mantissa = text.split('e').next().unwrap();
        let exponent = &text[mantissa.len()..];
        assert!(MultiFloat(read::<N>(&text)) == even, "{limbs:?} {text}");
        let (lower, upper) = if half > 0.0 { (x, neighbour) } else { (neighbour, x) };
        for zeros in [0, 3, 40, 2000] {
            let zeros = "0".repeat(zeros);
            let above = format!("{mantissa}{zeros}1{exponent}");
            assert!(MultiFloat(read::<N>(&above)) == upper, "{limbs:?} {above}");
            let (head, last_digit) = mantissa.split_at(mantissa.len() - 1);
            let digit = last_digit.as_bytes()[0] - b'1';
            let below = format!("{head}{digit}{}9{exponent}", zeros.replace('0', "9"));
            assert!(MultiFloat(read::<N>(&below)) == lower, "{limbs:?} {below}");
        }
    }
}

fn random_exponent(round: i32) -> i32 {
    [0, 1, 60, -60, 300, -300, 1000, -800][round as usize % 8]
}

#[test]
fn halfway_texts_round_to_even_and_a_digit_far_out_decides() {
    halfway::<2>();
    halfway::<3>();
    halfway::<4>();
}

#[test]
fn extremes_gaps_and_short_forms() {
    let gap = Qd::from_limbs([1.0, power_of_two(-1000), 0.0, 0.0]);
    let text = appended(gap);
    assert!(text.len() > 300, "{text}");
    assert!(text.parse::<Qd>() == Ok(gap));
    for text in [
        "0.1",
        "0.3",
        "1e90",
        "1.5",
        "123456789012345680000",
        "5e-324",
        "1e-5",
        "0.0001",
        "1e23",
        "3",
    ] {
        let expected = text.replace("123456789012345680000", "1.2345678901234568e20");
        assert_eq!(appended(text.parse::<Qd>().unwrap()), expected);
        assert_eq!(appended(text.parse::<Dd>().unwrap()), expected);
    }
    assert_eq!(appended(Qd::from(0.1)), format!("{:.55}", 0.1_f64));
    assert_eq!(appended("-9999999999999999".parse::<Qd>().unwrap()), "-9999999999999999");
    assert_eq!(appended("10000000000000000".parse::<Qd>().unwrap()), "1e16");
    for x in [Dd::MAX, Dd::MIN, Dd::MIN_POSITIVE, Dd::EPSILON, Dd::from(f64::from_bits(1))] {
        assert!(appended(x).parse::<Dd>() == Ok(x), "{x:?}");
    }
    for x in [Qd::MAX, Qd::MIN, Qd::MIN_POSITIVE, Qd::EPSILON, Qd::from(f64::from_bits(3))] {
        assert!(appended(x).parse::<Qd>() == Ok(x), "{x:?}");
    }
    assert_eq!(appended(-Qd::ZERO), "-0");
    assert_eq!(appended(Qd::NEG_INFINITY), "-inf");
    assert_eq!(appended(-Qd::NAN), "NaN");
    assert_eq!(appended(-0.0), "-0");
    assert_eq!(appended(f64::NAN), "NaN");
}

#[test]
fn limbs_out_of_normal_form_do_not_panic() {
    let odd = [
        [1.0, f64::NAN],
        [1.0, f64::INFINITY],
        [1.0, -1.0],
        [1.0, -5.0],
        [f64::MAX, f64::MAX],
        [f64::MAX, power_of_two(970)],
        [0.0, 1.0],
        [1e-300, 1e300],
    ];
    for limbs in odd {
        let x = Dd::from_limbs(limbs);
        let _ = (appended(x), x.to_string(), format!("{x:.3e}"), format!("{x:.3}"));
    }
}

#[test]
fn the_formatters_flags_work_as_for_f64() {
    macro_rules! same {
        ($x:expr, $($format:literal)*) => {$(
            assert_eq!(format!($format, Qd::from($x)), format!($format, $x), "{} {}", $format, $x);
        )*};
    }
    let fixed = [0.5, 1.5, 2.5, 0.25, 0.125, 9.5, 9.96875, 99.5, 0.0625, 1e21, 1.0, 123456.0];
    let special = [0.0, f64::INFINITY, f64::NAN, 5e-324, f64::MAX, 1e-7, 0.1, 12345.678];
    for x in fixed.into_iter().chain(special).flat_map(|x| [x, -x]) {
        same!(x, "{:.0}" "{:.1}" "{:.3}" "{:+.2}" "{:10.2}" "{:<10.2}|" "{:*^12.1}" "{:012.3}" "{:+012.3}");
        same!(x, "{:.0e}" "{:.1e}" "{:.3E}" "{:+.2e}" "{:14.2e}" "{:<14.2e}|" "{:014.3e}" "{:.60}" "{:.60e}");
    }
    // Without precision one limb's shortest digits may differ, but not for short dyadic numbers.
    for x in fixed.into_iter().flat_map(|x| [x, -x]) {
        same!(x, "{}" "{:+}" "{:12}" "{:<12}|" "{:012}" "{:e}" "{:E}" "{:+e}" "{:^16e}");
    }
}

#[test]
fn precision_rounds_the_exact_value() {
    let mut random = Random::new(50);
    for round in 0..4000 {
        let x = {
            let exponent = random.between(-70, 70);
            random.magnitude(exponent)
        };
        let places = round % 40;
        assert_eq!(format!("{:.places$}", Qd::from(x)), format!("{x:.places$}"));
        assert_eq!(format!("{:.places$e}", Dd::from(x)), format!("{x:.places$e}"));
    }
    let third = "0.".to_string() + &"3".repeat(80);
    let third: Qd = third.parse().unwrap();
    assert_eq!(format!("{third:.30}"), "0.333333333333333333333333333333");
    assert_eq!(format!("{third:.20e}"), "3.33333333333333333333e-1");
    // A tail far below decides what would be a tie.
    let tie = Qd::from_limbs([2.5, power_of_two(-900), 0.0, 0.0]);
    assert_eq!(format!("{tie:.0}"), "3");
    assert_eq!(format!("{:.0}", -tie), "-3");
    let tie = Qd::from_limbs([3.5, -(power_of_two(-900)), 0.0, 0.0]);
    assert_eq!(format!("{tie:.0} {tie:.0e}"), "3 3e0");
    let carry: Dd = "999.9999999999999999999999".parse().unwrap();
    assert_eq!(format!("{carry:.3} {carry:.3e} {carry:.0}"), "1000.000 1.000e3 1000");
}

#[test]
fn display_has_no_exponent() {
    let long: Qd = "-1.25e40".parse().unwrap();
    assert_eq!(long.to_string(), format!("-125{}", "0".repeat(38)));
    let short: Qd = "1.25e-40".parse().unwrap();
    assert_eq!(short.to_string(), format!("0.{}125", "0".repeat(39)));
    assert_eq!(format!("{short:e} {short:E}"), "1.25e-40 1.25E-40");
}
