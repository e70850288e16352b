//! Triangular systems, which need no inverse.

use nonius_linalg::certified::{By, Data, Datum, DigitsIn, Failure, Options, Solution};
use nonius_linalg::mp::{Matrix, Mp};
use nonius_linalg::sparse::matrix_market::read_as;

use crate::certified::common::{
    Random, bits, check, compare, failure, matrix, number, options, product, solved,
};

/// A triangle of `f(i, j)`, with the larger index first.
fn triangle(n: usize, lower: bool, f: impl Fn(usize, usize) -> Mp) -> Matrix {
    matrix(n, n, |i, j| match (i >= j, i <= j) {
        (true, _) if lower => f(i, j),
        (_, true) if !lower => f(j, i),
        _ => number(0.0),
    })
}

fn by_substitution(solution: &Solution) {
    assert_eq!((solution.route.len(), solution.route[0].by), (1, By::Substitution));
}

#[test]
fn random_triangles() {
    let mut random = Random::new(41);
    for (n, columns) in [(1, 1), (2, 3), (17, 1), (60, 2), (60, 16)] {
        let numbers = random.numbers(n, n);
        for lower in [true, false] {
            // With ones on the diagonal the condition grows like 1.2^n, and its bound like 1.5^n.
            let entry = |i: usize, j: usize| match i == j {
                true => number(1.0),
                false => numbers.entry(i, j).to_mp(bits(64)),
            };
            let (a, x) = (triangle(n, lower, entry), random.numbers(n, columns));
            for digits in [5, 30, 200] {
                by_substitution(&check(&a, &x, digits));
            }
        }
    }
}

#[test]
fn conditions_and_scales() {
    let mut random = Random::new(42);
    // Kahan's: ones and −2/3 above, whose inverse grows as (5/3)^n.
    let n = 70;
    let entry = |i: usize, j: usize| number(if i == j { 3.0 } else { -2.0 });
    let solution = check(&triangle(n, false, entry), &random.numbers(n, 1), 40);
    by_substitution(&solution);
    // ‖A‖ = 2n + 1, ‖A^-1‖ = (5/3)^(n − 1)/3.
    let expected = (141.0 / 3.0_f64).log10() + 69.0 * (5.0 / 3.0_f64).log10();
    assert!((solution.condition.log10() - expected).abs() < 0.5, "{}", solution.condition);
    // The same, graded beyond the range of f64.
    let graded = |i: usize, j: usize| entry(i, j).ldexp(40 * i as i32 - 60 * j as i32);
    let x = random.numbers(n, 2);
    let x = matrix(n, 2, |i, j| x.entry(i, j).to_mp(bits(64)).ldexp(60 * i as i32));
    by_substitution(&check(&triangle(n, true, graded), &x, 20));
}

#[test]
fn zeros_integers_and_fractions() {
    let n = 30;
    let entry = |i: usize, j: usize| number(((i * 7 + j * 5) % 11 + 1) as f64);
    let a = triangle(n, true, entry);
    // Integers, a zero among them, are found exactly.
    let x = matrix(n, 1, |i, _| number((i % 3) as f64 - 1.0));
    assert_eq!(check(&a, &x, 30).digits, None);
    // Zeros before the first right-hand side that is not, and one by cancellation.
    let b = matrix(3, 1, |i, _| number([0.0, 1.0, 2.0][i]));
    let a = matrix(3, 3, |i, j| number([[7.0, 0.0, 0.0], [1.0, 3.0, 0.0], [5.0, 6.0, 7.0]][i][j]));
    let solution = solved(&Data::exact(a), &Data::exact(b), options(30)).unwrap();
    by_substitution(&solution);
    compare(&solution, &matrix(3, 1, |i, _| number([0.0, 1.0, 0.0][i]) / number(3.0)));
}

#[test]
fn decimals() {
    let read = |p: u32, text: &str| {
        read_as::<Datum>(bits(p).into(), text.as_bytes()).unwrap().into_dense().unwrap()
    };
    let text = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.7\n0\n-0.3\n";
    let right = "%%MatrixMarket matrix array real general\n2 1\n0.2\n1.3\n";
    // x = (2, (1.3 − 1.4)/−0.3)
    let exact = matrix(2, 1, |i, _| number([6.0, 1.0][i]) / number(3.0));
    for p in [192, 256, 1024] {
        let solution = solved(&read(p, text), &read(p, right), options(30)).unwrap();
        by_substitution(&solution);
        compare(&solution, &exact);
    }
    assert_eq!(failure(&read(64, text), &read(64, right), 30), Failure::Data { bits: bits(64) });
    let in_norm = Options { digits_in: DigitsIn::Norm, ..options(15) };
    compare(&solved(&read(64, text), &read(64, right), in_norm).unwrap(), &exact);
}

#[test]
fn a_zero_on_the_diagonal() {
    let a = triangle(4, false, |i, j| number(if (i, j) == (2, 2) { 0.0 } else { 1.0 }));
    let b = Data::exact(matrix(4, 1, |_, _| number(1.0)));
    assert_eq!(failure(&Data::exact(a), &b, 10), Failure::ZeroDiagonal { index: 2 });
}

/// Where bounds grow far beyond errors, an inverse does with fewer bits than substitution would
/// take.
#[test]
fn coarse_bounds() {
    let n = 300;
    // (1 + z + z²)^-1 = (1 − z)/(1 − z³) has coefficients 0 and ±1, (1 − z − z²)^-1 those that grow
    // as 1.618^n.
    let entry = |i: usize, j: usize| number(if i - j <= 2 { 1.0 } else { 0.0 });
    let a = triangle(n, true, entry);
    let x = matrix(n, 1, |i, _| number(1.0 + i as f64) / number(3.0));
    let b = product(&a, &x);
    let asked = Options { most_bits: bits(128), ..options(10) };
    let solution = solved(&Data::exact(a.clone()), &Data::exact(b), asked).unwrap();
    let ways: Vec<By> = solution.route.iter().map(|stage| stage.by).collect();
    assert_eq!(ways, [By::Substitution, By::Inverse]);
    compare(&solution, &x);
    by_substitution(&check(&a, &x, 10));
}
