//! Files of Matrix Market: numbers are the nearest to their decimals, and what is written is read
//! as the same.

use std::fmt::Write;

use nonius_linalg::sparse::matrix_market::{Style, Symmetry, read, write_coordinate, write_dense};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::{Random, random_cases};
use num_bigint::BigInt;

use crate::random::exact::Exact;

#[test]
fn random_files_keep_their_numbers() {
    random_cases("files", 1000, |random| match random.below(4) {
        0 => check::<f64>(random),
        1 => check::<Dd>(random),
        2 => check::<Td>(random),
        _ => check::<Qd>(random),
    });
}

/// `digits·10^exponent`
struct Decimals {
    digits: BigInt,
    exponent: i64,
}

impl Decimals {
    /// Below the largest number of all formats; far below the smallest too.
    fn random(random: &mut Random) -> Self {
        let most = [3, 17, 40, 90][random.below(4)];
        let count = 1 + random.below(most);
        let digit = |_| char::from(b'0' + random.below(10) as u8);
        let digits: String = (0..count).map(digit).collect();
        let reach = [3, 30, 300][random.below(3)];
        let order = (random.below(2 * reach) as i64 - reach as i64).min(306);
        let digits: BigInt = digits.parse().expect("digits");
        let sign = if random.below(2) == 0 { 1 } else { -1 };
        Self { digits: digits * sign, exponent: order - count as i64 }
    }

    /// One of the ways to write it.
    fn text(&self, random: &mut Random) -> String {
        let letter = ["e", "E"][random.below(2)];
        let (digits, exponent) = (self.digits.to_string(), self.exponent);
        match random.below(4) {
            0 if exponent == 0 => digits,
            1 => format!("{digits}.{letter}{exponent}"),
            2 => format!("{digits}.0{letter}{exponent:+}"),
            _ => format!("{digits}{letter}{exponent}"),
        }
    }

    /// Whether a number is as near as the nearest is: half a unit of its last place, or of the
    /// smallest number.
    fn is_nearest<T: Scalar>(&self, x: T) -> bool {
        let power = |k: i64| Exact::new(BigInt::from(10).pow(k.max(0) as u32), 0);
        let (value, under) =
            (&Exact::new(self.digits.clone(), 0) * &power(self.exponent), power(-self.exponent));
        let error = (&(&Exact::of(x) * &under) - &value).abs();
        let bound = &Exact::of_f64(T::UNIT_ROUNDOFF) * &value.abs();
        !(bound + &Exact::power(-1075) * &under).less(&error)
    }
}

fn check<T: Scalar>(random: &mut Random) {
    let symmetries = [Symmetry::General, Symmetry::Symmetric, Symmetry::SkewSymmetric];
    let symmetry = symmetries[random.below(3)];
    let rows = random.below(6);
    let cols = if symmetry == Symmetry::General { random.below(6) } else { rows };
    // Places that a file has entries of, column by column.
    let first = |j: usize| match symmetry {
        Symmetry::General => 0,
        Symmetry::Symmetric => j,
        _ => j + 1,
    };
    let places: Vec<_> = (0..cols).flat_map(|j| (first(j)..rows).map(move |i| (i, j))).collect();
    let is_array = random.below(2) == 0;
    let mut entries: Vec<_> = places
        .into_iter()
        .filter(|_| is_array || random.below(3) > 0)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|place| (place, Decimals::random(random)))
        .collect();
    if !is_array {
        for k in (1..entries.len()).rev() {
            entries.swap(k, random.below(k + 1));
        }
    }
    let format = if is_array { "array" } else { "coordinate" };
    let mut text = format!("%%MatrixMarket matrix {format} real {}\n", symmetry.name());
    match is_array {
        true => writeln!(text, "{rows} {cols}"),
        false => writeln!(text, "{rows} {cols} {}", entries.len()),
    }
    .expect("a string");
    for ((i, j), decimals) in &entries {
        let number = decimals.text(random);
        match is_array {
            true => writeln!(text, "{number}"),
            false => writeln!(text, "{} {} {number}", i + 1, j + 1),
        }
        .expect("a string");
    }

    let dense = |text: &[u8]| -> Matrix<T> {
        read::<T>(text).expect("a matrix").into_dense().expect("memory")
    };
    let found = dense(text.as_bytes());
    assert_eq!(found.shape(), (rows, cols), "{text}");
    for ((i, j), decimals) in &entries {
        let x = found[(*i, *j)];
        assert!(decimals.is_nearest(x), "{x:?} in row {i}, column {j} of\n{text}");
        match symmetry {
            Symmetry::Symmetric => assert!(found[(*j, *i)] == x, "{text}"),
            Symmetry::SkewSymmetric => assert!(found[(*j, *i)] == -x, "{text}"),
            Symmetry::General => {}
        }
    }
    let count = |a: &Matrix<T>| a.as_slice().iter().filter(|x| **x != T::ZERO).count();
    assert!(count(&found) <= 2 * entries.len(), "{text}");

    for symmetry in [symmetry, Symmetry::General] {
        let style = Style { symmetry, comment: String::new() };
        let (mut array, mut coordinate) = (Vec::new(), Vec::new());
        write_dense(&mut array, &found, &style).expect("memory takes it");
        let sparse = read::<T>(text.as_bytes()).expect("a matrix").into_coo().expect("memory");
        write_coordinate(&mut coordinate, sparse, &style).expect("memory takes it");
        assert!(dense(&array) == found && dense(&coordinate) == found, "{text}");
    }
}
