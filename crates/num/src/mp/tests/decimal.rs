use num_bigint::{BigInt, BigUint};

use super::*;

/// The exact value of the digits `d·10^e`.
fn decimal(d: &BigInt, e: i64) -> Exact {
    let power = BigUint::from(10_u32).pow(e.unsigned_abs() as u32);
    if e >= 0 {
        let numerator = d * BigInt::from(power);
        Exact { numerator, denominator: 1_u32.into(), exponent: 0 }
    } else {
        Exact { numerator: d.clone(), denominator: power, exponent: 0 }
    }
}

#[test]
fn decimal_text_is_rounded_once() {
    let mut random = Random::new(4);
    for p in PRECISIONS {
        for round in 0..60 {
            let digits = 1 + random.below(u64::from(p)) as usize;
            let text = random.digits(digits);
            let e = random.between(-[20, 400, 2000][round % 3], [20, 400, 2000][round % 3]);
            let d: BigInt = text.parse().unwrap();
            let x = Mp::from_decimal(bits(p), format!("-{text}e{e}").as_bytes()).unwrap();
            check(&x, &decimal(&-d, e.into()), &text);
        }
        // Ties, and what lies just beside them.
        for _ in 0..20 {
            let x = number(&mut random, bits(p), 40).abs();
            let half = Mp::one(bits(p)).ldexp(x.head.code() - p as i32 - 1);
            let (a, b) = (Exact::of(&x), Exact::of(&half));
            let tie = a.add(&b);
            // tie·2^exponent as a decimal fraction.
            let places = (-tie.exponent).max(0);
            let d = (tie.numerator << tie.exponent.max(0) as usize)
                * BigInt::from(BigUint::from(5_u32).pow(places as u32));
            for (add, more) in [(0, 0), (1, 600), (-1, 600)] {
                let d = &d * BigInt::from(BigUint::from(10_u32).pow(more)) + add;
                let e = -places - i64::from(more);
                let y = Mp::from_decimal(bits(p), format!("{d}e{e}").as_bytes()).unwrap();
                check(&y, &decimal(&d, e), "near a tie");
            }
        }
    }
    let huge = Mp::from_decimal(bits(424), b"1e-3000000").unwrap();
    let back = Mp::from_decimal(bits(424), huge.to_string().as_bytes()).unwrap();
    assert_eq!(huge.to_string(), "1e-3000000");
    assert_eq!(huge, back);
    let p = bits(64);
    for (text, value) in
        [("1e80807125", "inf"), ("-1e99999999999999", "-inf"), ("1e-80807130", "0"), ("-0.0", "-0")]
    {
        assert_eq!(Mp::from_decimal(p, text.as_bytes()).unwrap().to_string(), value, "{text}");
    }
    assert_eq!(Mp::from_decimal(p, b"1e80807124").unwrap().to_string(), "1e80807124");
    assert!(Mp::from_decimal(p, b"nan").unwrap().is_nan());
    let error = Mp::from_decimal(p, b"1.5x").unwrap_err();
    assert_eq!(error.to_string(), "expected the end of the number at byte 3, found 'x'");
}

#[test]
fn shortest_text_reads_back() {
    let mut random = Random::new(5);
    for p in PRECISIONS {
        for round in 0..60 {
            let range = [10, p as i32, 2000, 100_000][round % 4];
            let x = number(&mut random, bits(p), range);
            let text = x.to_string();
            let back = Mp::from_decimal(bits(p), text.as_bytes()).unwrap();
            assert_eq!(x, back, "{text}");
            let (mantissa, _) = text.split_once('e').unwrap_or((&text, ""));
            let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
            // An integer below 10^16 may end in zeros, a small one begin so.
            let most = (f64::from(p) * core::f64::consts::LOG10_2).ceil() as usize + 1;
            assert!(digits <= most + 5, "{text}");
        }
        for text in ["0.1", "0.3", "1e-300", "123456.789", "5e22", "1.7976931348623157e308"] {
            let x = Mp::from_decimal(bits(p), text.as_bytes()).unwrap();
            assert_eq!(x.to_string(), text);
            assert_eq!((-x).to_string(), format!("-{text}"));
        }
        assert_eq!(Mp::one(bits(p)).to_string(), "1");
    }
    // As f64 would with as many bits: the shortest digits, and of those the nearest.
    let two_to = |k: i32| Mp::one(bits(64)).ldexp(k).to_string();
    assert_eq!(two_to(-1074), "4.940656458412465442e-324");
    assert_eq!(two_to(100), "1.2676506002282294015e30");
}

/// Texts with one digit less do not read back, and of those with as many none is nearer.
#[test]
fn no_shorter_text_reads_back() {
    let mut random = Random::new(6);
    for p in [64, 106, 424] {
        for _ in 0..100 {
            let x = number(&mut random, bits(p), 300).abs();
            let text = x.to_string();
            let (mantissa, e) = text.split_once('e').unwrap_or((&text, "0"));
            let places = mantissa.split_once('.').map_or(0, |(_, f)| f.len()) as i64;
            let d: BigInt = mantissa.replace('.', "").parse().unwrap();
            let e = e.parse::<i64>().unwrap() - places;
            let reads = |d: &BigInt, e: i64| {
                Mp::from_decimal(bits(p), format!("{d}e{e}").as_bytes()).unwrap() == x
            };
            assert!(reads(&d, e));
            if d.magnitude().bits() > 4 && &d % 10 != BigInt::ZERO {
                let cut: BigInt = &d / 10;
                assert!(!reads(&cut, e + 1) && !reads(&(cut + 1), e + 1), "{text}");
            }
            let distance = |d: &BigInt| {
                let (a, b) = (Exact::of(&x), decimal(d, e));
                let scale = BigInt::from(b.denominator);
                let exact = |n: BigInt, exponent| Exact {
                    numerator: n,
                    denominator: 1_u32.into(),
                    exponent,
                };
                exact(a.numerator * &scale, a.exponent).add(&exact(-b.numerator, 0))
            };
            for other in [&d - 1, &d + 1] {
                if reads(&other, e) {
                    let (near, far) = (distance(&d), distance(&other));
                    let size = |x: &Exact| x.numerator.magnitude().clone();
                    let (near, far) = (
                        near.add(&Exact::zero(far.exponent)),
                        far.add(&Exact::zero(near.exponent)),
                    );
                    assert!(size(&near) <= size(&far), "{text}");
                }
            }
        }
    }
}

#[test]
fn reading_says_whether_it_rounded() {
    let p = bits(100);
    let exact = |text: &str| Mp::from_decimal_shifted(p, text.as_bytes(), 0).unwrap().exact;
    let large = BigUint::from(3_u32) << 900_usize;
    for text in ["0", "-0.000", "1", "-12.5", "1e30", "0.1875e-3000001", &large.to_string()] {
        let simple = !text.contains("e-3");
        assert_eq!(exact(text), simple, "{text}");
    }
    let most = (BigUint::from(1_u32) << 100_usize) - 1_u32;
    assert!(exact(&most.to_string()));
    assert!(exact(&(most.clone() * 2_u32).to_string()));
    for text in ["0.1", "1e-1", "1e90000000", "1e-90000000", &(most * 2_u32 + 1_u32).to_string()] {
        assert!(!exact(text), "{text}");
    }
    // Ten to a negative power times a power of five that makes it a power of two.
    let five = BigUint::from(5_u32).pow(300);
    assert!(exact(&format!("{five}e-300")));
    assert!(!exact(&format!("{five}e-301")));
}

#[test]
fn decimals_times_powers_of_ten() {
    let p = Bits::new(64).unwrap();
    let read = |text: &str, shift| Mp::from_decimal_shifted(p, text.as_bytes(), shift).unwrap();
    for (text, places) in [
        ("0.1", 1),
        ("-12.3400", 2),
        ("1500e-2", 0),
        ("1500e-3", 1),
        ("1.25e1", 1),
        ("1.25e2", 0),
        ("7e-5", 5),
        ("0.000", 0),
        ("12", 0),
        ("nan", 0),
    ] {
        assert_eq!(read(text, 0).places, places, "{text}");
        let shifted = read(text, places);
        assert!(shifted.exact && shifted.places == places, "{text}");
    }
    assert!(!read("0.1", 0).exact);
    assert_eq!(read("-12.3400", 2).value, Mp::from_f64(p, -1234.0));
    assert_eq!(read("7e-5", 7).value, Mp::from_f64(p, 700.0));
}

#[test]
fn text_times_a_power_of_ten_has_the_same_digits() {
    let x = Mp::from_decimal(bits(200), b"-123.456").unwrap();
    for (shift, text) in [
        (0, "-123.456"),
        (-3, "-0.123456"),
        (3, "-123456"),
        (-400, "-1.23456e-398"),
        (1_000_000_000_000, "-1.23456e1000000000002"),
    ] {
        let mut out = Vec::new();
        x.view().append_decimal_shifted(shift, &mut out);
        assert_eq!(core::str::from_utf8(&out), Ok(text));
    }
    let mut out = Vec::new();
    Mp::zero(bits(64)).view().append_decimal_shifted(5, &mut out);
    assert_eq!(out, b"0");
}
