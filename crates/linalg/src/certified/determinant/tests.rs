//! Both ways to the determinant: each is a test of the other.

use nonius_num::mp::{Bits, Mp};

use super::*;
use crate::certified::host::cpu;
use crate::certified::target::DigitsIn;

fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

fn number(x: f64) -> Mp {
    Mp::from_f64(bits(2048), x)
}

fn data(n: usize, f: impl Fn(usize, usize) -> Mp) -> Data {
    Data::exact(mp::Matrix::from_fn_in(bits(2048), n, n, f))
}

fn random() -> impl FnMut() -> f64 {
    let mut state = 0x1234_5678_9ABC_DEF1_u64;
    move || {
        // xorshift (Marsaglia 2003)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn numbers(n: usize) -> Vec<f64> {
    let mut random = random();
    (0..n * n).map(|_| random()).collect()
}

fn found(a: &Data, digits: u32, elimination: f64) -> Result<Determinant, Failure> {
    let options = Options { digits, digits_in: DigitsIn::Entry, most_bits: bits(Bits::MOST) };
    let found = find(&cpu(), a, options, elimination, &mut |_| {});
    found.map_err(|refusal| refusal.failure)
}

/// The determinant by products, after it was compared with that by elimination.
fn check(name: &str, a: &Data, digits: u32) -> Determinant {
    let by_products = found(a, digits, f64::INFINITY).unwrap_or_else(|e| panic!("{name}: {e}"));
    let expected = found(a, digits, 0.0).unwrap_or_else(|e| panic!("{name}: {e}"));
    // A triangle is not eliminated either way.
    let by = |stage: &Stage| matches!(stage.by, By::Lu | By::Substitution);
    assert!(expected.route.iter().all(by), "{name}");
    for one in [&by_products, &expected] {
        assert!(one.digits.is_none_or(|proved| proved >= digits), "{name}, {digits}");
    }
    let (x, y) = (by_products.value.view(), expected.value.view());
    let error = Magnitude::above((x - y).view());
    let bounds = by_products.error_bound.plus(expected.error_bound).shifted(1);
    assert!(!bounds.times(Magnitude::above(y)).less(error), "{name}, {digits}: {x} and {y}");
    // Estimates, of matrices that are not scaled alike.
    let ratio = by_products.condition.log10() - expected.condition.log10();
    assert!(ratio.abs() < 1.0, "{name}: {} and {}", by_products.condition, expected.condition);
    by_products
}

fn steps(found: &Determinant) -> usize {
    assert!(found.route.iter().all(|stage| stage.by == By::Preconditioning));
    found.route[found.route.len() - 1].steps
}

#[test]
fn conditions_of_whole_blocks() {
    conditions(64, &[0, 40, 60, 200, 700]);
}

#[test]
fn conditions_of_one_row_more() {
    conditions(65, &[0, 60, 700]);
}

#[test]
fn conditions_of_half_a_block_more() {
    conditions(100, &[0, 40, 200]);
}

fn conditions(n: usize, all_down: &[i32]) {
    let all = numbers(n);
    for &down in all_down {
        // The last row next to a combination of three others.
        let a = data(n, |i, j| {
            let x = number(all[i + n * j]);
            let rows = [1.0, -2.0, 0.5].into_iter().zip([0, n / 2, n - 2]);
            match i + 1 < n {
                true => x,
                false => rows
                    .fold(x.ldexp(-down), |sum, (w, k)| sum + (number(w) * number(all[k + n * j]))),
            }
        });
        for digits in [1, 30, 200] {
            let found = check(&format!("{n}, 2^{down}"), &a, digits);
            // Forty bits a step at least, and one more where that takes less time than the
            // series.
            assert!(steps(&found) <= 2 + down as usize / 40, "{n} {down}: {:?}", found.route);
            assert!(found.route.len() <= 1 + down as usize / 60, "{n} {down}: {:?}", found.route);
        }
    }
}

#[test]
fn hilbert_and_graded_matrices() {
    let n = 66;
    let hilbert = data(n, |i, j| {
        (number(1.0).view() / number((i + j + 1) as f64).view()).view().to_mp(bits(512))
    });
    let found = check("hilbert", &hilbert, 50);
    assert!(steps(&found) > 4 && found.condition.log10() > 95.0);
    let all = numbers(n);
    for spread in [1, 40, 3000, 100_000] {
        let exponent = |i: usize| (i * i * 7919 % 101) as i32 * spread - 50 * spread;
        let graded = data(n, |i, j| number(all[i + n * j]).ldexp(exponent(i) - exponent(j + 3)));
        assert_eq!(check("graded", &graded, 40).route.len(), 1);
    }
}

#[test]
fn exact_determinants() {
    let n = 70;
    let mut random = random();
    let integers: Vec<f64> = (0..n * n).map(|_| (random() * 3.0).round()).collect();
    let found = check("integers", &data(n, |i, j| number(integers[i + n * j])), 100);
    assert_eq!(found.digits, None);
    let sign = |i: usize, j: usize| number(f64::from(u8::from((i * 9 + 4) % n == j)));
    assert_eq!(check("permutation", &data(n, sign), 10).value.to_f64().abs(), 1.0);
    let triangle =
        |i: usize, j: usize| number(if i <= j { integers[i + n * j] + 4.0 } else { 0.0 });
    assert_eq!(check("triangle", &data(n, triangle), 300).digits, None);
    // Pivots grow to 2^(n − 1), and so does the inverse of L.
    let wilkinson = |i: usize, j: usize| {
        number(if i == j || j + 1 == n {
            1.0
        } else if i > j {
            -1.0
        } else {
            0.0
        })
    };
    let found = check("wilkinson", &data(n, wilkinson), 30);
    assert!(found.digits.is_none() && found.value == number(1.0).ldexp(n as i32 - 1));
}

/// Inverses of the triangles leave the range of `f64`: with numbers next to these it does or
/// elimination does.
#[test]
fn beyond_the_range() {
    let n = 64;
    let a = data(n, |i, j| match j.checked_sub(i) {
        Some(0) => number(1.0).ldexp(-20),
        Some(1) => number(1.0),
        _ => number(0.0),
    });
    let exact = number(1.0).ldexp(-20 * n as i32);
    let found = found(&a, 30, f64::INFINITY).unwrap();
    assert!(found.value == exact && found.digits.is_none(), "{}", found.value);
}

#[test]
fn refusals() {
    let n = 64;
    let all = numbers(n);
    let mut singular = mp::Matrix::from_fn_in(bits(128), n, n, |i, j| {
        Mp::from_f64(bits(128), (all[i + n * j] * 1e6).round())
    });
    for j in 0..n {
        let sum = singular.entry(0, j) + singular.entry(1, j);
        singular.put(2, j, sum.view());
    }
    let zero = found(&Data::exact(singular), 10, f64::INFINITY).unwrap();
    assert!(zero.value.is_zero() && zero.digits.is_none());
    // Numbers that were rounded.
    let mut rounded = data(n, |i, j| number(all[i + n * j]));
    rounded.error = Some(-100);
    let refused = found(&rounded, 40, f64::INFINITY).map(|_| ());
    assert_eq!(refused, Err(Failure::Data { bits: bits(2048) }));
    check("rounded", &rounded, 15);
    // A limit that is too low for the condition, and one that is too low for the digits.
    let near = data(n, |i, j| {
        let x = number(all[if i + 1 < n { i } else { 0 } + n * j]);
        if i + 1 == n && j == 3 { x + number(1.0).ldexp(-900) } else { x }
    });
    for (most, digits, nonsingular) in [(512, 10, false), (1024, 300, true)] {
        let most_bits = bits(most);
        let options = Options { digits, digits_in: DigitsIn::Entry, most_bits };
        let refused = find(&cpu(), &near, options, f64::INFINITY, &mut |_| {}).unwrap_err();
        assert_eq!(refused.failure, Failure::Precision { most: most_bits, nonsingular });
    }
    check("near", &near, 30);
}
