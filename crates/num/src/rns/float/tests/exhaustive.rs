//! All significands of small formats, against integers.

use alloc::vec;

use super::*;

/// Numbers of up to 9 bits with exponents near 0 are exact in `f64`, and so are their sums and
/// products; quotients and roots are never so near to the middle of two numbers that `f64` could
/// not tell.
fn rounded(x: f64, bits: u32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // x = s·2^e with 2^(bits − 1) <= s < 2^bits
    let e = x.abs().log2().floor() as i32 + 1 - bits as i32;
    (x * 2_f64.powi(-e)).round_ties_even() * 2_f64.powi(e)
}

fn check(found: &RnsFloat, expected: f64, bits: u32, what: &str) {
    sound(found);
    let expected = rounded(expected, bits);
    let value = found.to_f64();
    assert_eq!(value.to_bits(), expected.to_bits(), "{what}: {value} for {expected}");
}

fn formats() -> Vec<Format> {
    let sets = [vec![3, 5, 7, 11, 13], vec![1023, 1025], vec![63, 65, 31], vec![5, 7, 9, 11]];
    let mut formats: Vec<Format> = sets.iter().map(|set| Format::new(set).unwrap()).collect();
    formats.push(Format::with_bits(4).unwrap());
    formats.push(Format::with_bits(6).unwrap());
    formats
}

#[test]
fn sums_products_and_quotients_of_all_significands() {
    for format in formats() {
        let p = format.bits();
        let all: Vec<f64> = (1_u32 << (p - 1)..1 << p).map(f64::from).collect();
        let numbers: Vec<RnsFloat> = all.iter().map(|&x| RnsFloat::from_f64(&format, x)).collect();
        for (x, &a) in numbers.iter().zip(&all) {
            check(x, a, p, "conversion");
            for (y, &b) in numbers.iter().zip(&all) {
                check(&(x * y), a * b, p, &format!("{a} · {b}"));
                check(&(x / y), a / b, p, &format!("{a} / {b}"));
                for k in 0..=p as i32 + 4 {
                    let (y, b) = (y.clone().ldexp(-k), b * 2_f64.powi(-k));
                    check(&(x + &y), a + b, p, &format!("{a} + {b}"));
                    check(&(x - &y), a - b, p, &format!("{a} − {b}"));
                    check(&(&y - x), b - a, p, &format!("{b} − {a}"));
                    assert_eq!(x.partial_cmp(&y), a.partial_cmp(&b), "{a}, {b}");
                    assert_eq!((-y).partial_cmp(x), (-b).partial_cmp(&a), "{a}, {b}");
                }
            }
            for k in 0..2 {
                let x = x.clone().ldexp(k);
                check(&x.sqrt(), (a * 2_f64.powi(k)).sqrt(), p, &format!("√{a}"));
            }
        }
    }
}

#[test]
fn moduli_that_make_no_format_are_refused() {
    let refused = |set: &[u32]| Format::new(set).unwrap_err();
    assert_eq!(refused(&[]), FormatError::TooFewBits);
    assert_eq!(refused(&[31, 29]), FormatError::TooFewBits);
    assert_eq!(refused(&[1 << 20, 3]), FormatError::Modulus { modulus: 1 << 20 });
    assert_eq!(refused(&[(1 << 31) + 1]), FormatError::Modulus { modulus: (1 << 31) + 1 });
    assert_eq!(refused(&[1]), FormatError::Modulus { modulus: 1 });
    let error = refused(&[1001, 1003, 143]);
    assert_eq!(error, FormatError::NotCoprime { first: 1001, second: 143 });
    assert_eq!(refused(&[3; 200]), FormatError::TooMany { moduli: 200 });
    assert_eq!(Format::with_bits(3), Err(FormatError::Bits { bits: 3 }));
    assert_eq!(Format::with_bits(1901), Err(FormatError::Bits { bits: 1901 }));
}

#[test]
fn formats_have_the_bits_of_their_moduli() {
    for bits in Format::PREDEFINED {
        let format = Format::with_bits(bits).unwrap();
        assert_eq!(format.bits(), bits);
        let all = Format::new(format.moduli()).unwrap();
        assert!(all.bits() >= bits && all.bits() < bits + 24, "{bits}");
        assert_eq!(format == all, all.bits() == bits);
    }
    let most = Format::with_bits(Format::MOST_BITS).unwrap();
    assert!(most.moduli().len() <= Format::MOST_MODULI);
    // √(3·5·7·11·13) = 122.5
    assert_eq!(Format::new(&[3, 5, 7, 11, 13]).unwrap().bits(), 5);
}
