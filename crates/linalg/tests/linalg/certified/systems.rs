//! Systems that have solutions.

use std::cmp::Ordering;

use nonius_linalg::certified::{Data, DigitsIn, Options};
use nonius_linalg::mp::{Matrix, Mp};

use crate::certified::common::{
    Random, bits, check, compare, matrix, number, options, product, solved,
};

#[test]
fn random_matrices_at_many_digits() {
    let mut random = Random::new(1);
    for n in [1, 2, 3, 7, 20, 65, 130] {
        let (a, x) = (random.numbers(n, n), random.numbers(n, 2));
        for digits in [1, 15, 30, 100] {
            let solution = check(&a, &x, digits);
            assert_eq!(solution.route.len(), 1, "f64 does for a random matrix");
        }
    }
    let (a, x) = (random.numbers(12, 12), random.numbers(12, 1));
    check(&a, &x, 600);
}

/// The Hilbert matrix times the least common multiple of its denominators.
fn hilbert(n: usize) -> Matrix {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let wide = bits(4096);
    // The product of the highest powers of primes below 2n.
    let mut multiple = Mp::one(wide);
    for p in 2..2 * n as u64 {
        if (2..p).all(|d| gcd(d, p) == 1) {
            let mut power = p;
            while power * p < 2 * n as u64 {
                power *= p;
            }
            multiple *= Mp::from_f64(wide, power as f64);
        }
    }
    matrix(n, n, |i, j| multiple / number((i + j + 1) as f64))
}

#[test]
fn hilbert_matrices() {
    let mut random = Random::new(2);
    for (n, digits) in [(5, 20), (10, 30), (13, 50), (25, 30), (40, 15), (60, 40)] {
        let solution = check(&hilbert(n), &random.numbers(n, 1), digits);
        // Known: κ grows by e^(3.5 n), which is 33.97 to the n.
        let digits_of_condition = solution.condition.log10();
        assert!((digits_of_condition - 1.531 * n as f64).abs() < 4.0, "{n}: {digits_of_condition}");
    }
}

#[test]
fn vandermonde_matrices() {
    let mut random = Random::new(3);
    for n in [4, 12, 24] {
        let power =
            |i: usize, j: usize| (0..j).fold(number(1.0), |p, _| p * number((i + 1) as f64));
        check(&matrix(n, n, power), &random.numbers(n, 1), 25);
    }
}

#[test]
fn wilkinsons_matrices() {
    let mut random = Random::new(4);
    // Growth of 2^(n−1) in elimination with partial pivoting.
    let growth = |i: usize, j: usize, n: usize| match () {
        () if j == n - 1 || i == j => 1.0,
        () if i > j => -1.0,
        () => 0.0,
    };
    for n in [10, 60, 90] {
        check(&matrix(n, n, |i, j| number(growth(i, j, n))), &random.numbers(n, 1), 30);
    }
    // W21+, tridiagonal.
    let tridiagonal = |i: usize, j: usize| match i.abs_diff(j) {
        0 => i.abs_diff(10) as f64,
        1 => 1.0,
        _ => 0.0,
    };
    check(&matrix(21, 21, |i, j| number(tridiagonal(i, j))), &random.numbers(21, 1), 30);
}

/// A product of triangles with `2^-k` and powers between on the second diagonal: a condition of
/// about `2^k` and more.
fn conditioned(random: &mut Random, n: usize, k: i32) -> Matrix {
    let integer = |random: &mut Random| (random.unit() * 8.0).round();
    let mut triangle = |lower: bool| {
        let mut entries = vec![vec![0.0; n]; n];
        for (i, row) in entries.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = match j.cmp(&i) {
                    Ordering::Equal => 8.0,
                    side if (side == Ordering::Less) == lower => integer(random),
                    _ => 0.0,
                };
            }
        }
        entries
    };
    let (l, u) = (triangle(true), triangle(false));
    let l = matrix(n, n, |i, j| number(l[i][j]));
    let u = matrix(n, n, |i, j| number(u[i][j]).ldexp(-(k * i as i32) / (n as i32 - 1)));
    product(&l, &u)
}

#[test]
fn prescribed_conditions() {
    let mut random = Random::new(5);
    for k in [0, 33, 50, 66, 100, 133, 166, 200] {
        let a = conditioned(&mut random, 16, k);
        let solution = check(&a, &random.numbers(16, 2), 20);
        assert!(solution.condition.log10() > 0.3 * f64::from(k) - 1.0);
    }
}

#[test]
fn graded_scales_are_no_obstacle() {
    let mut random = Random::new(6);
    let (n, a) = (20, random.numbers(20, 20));
    let rows: Vec<i32> = (0..n).map(|_| (random.unit() * 300.0) as i32).collect();
    let columns: Vec<i32> = (0..n).map(|_| (random.unit() * 300.0) as i32).collect();
    let scaled = matrix(n, n, |i, j| a.entry(i, j).to_mp(bits(64)).ldexp(rows[i] + columns[j]));
    let x = random.numbers(n, 1);
    let solution = check(&scaled, &x, 30);
    assert_eq!(solution.route.len(), 1);
    // Beyond the range of f64.
    let scaled =
        matrix(n, n, |i, j| a.entry(i, j).to_mp(bits(64)).ldexp(7 * (rows[i] + columns[j])));
    check(&scaled, &matrix(n, 1, |i, _| x.entry(i, 0).to_mp(bits(64)).ldexp(-7 * columns[i])), 30);
}

#[test]
fn integers_are_found_exactly() {
    let mut random = Random::new(7);
    for n in [1, 3, 10, 40] {
        let integer = |random: &mut Random| number((random.unit() * 100.0).round());
        let mut entries = |m: usize| {
            let all: Vec<Mp> = (0..n * m).map(|_| integer(&mut random)).collect();
            matrix(n, m, |i, j| all[i * m + j])
        };
        let (a, mut x) = (entries(n), entries(2));
        x.put(n / 2, 0, number(0.0).view());
        let solution = check(&a, &x, 10);
        assert_eq!(solution.digits, None);
    }
    // Zero for zero.
    let a = matrix(4, 4, |i, j| number(if i == j { 3.0 } else { 1.0 }));
    assert_eq!(check(&a, &matrix(4, 2, |_, _| number(0.0)), 30).digits, None);
}

#[test]
fn zeros_among_fractions_are_proved() {
    let a = matrix(2, 2, |i, j| number([[3.0, 1.0], [6.0, 5.0]][i][j]));
    let b = matrix(2, 1, |i, _| number([1.0, 2.0][i]));
    let solution = solved(&Data::exact(a), &Data::exact(b), options(10)).unwrap();
    compare(&solution, &matrix(2, 1, |i, _| number([1.0, 0.0][i]) / number(3.0)));
    // Block triangular: the first half of the solution is zero.
    let mut random = Random::new(8);
    let n = 12;
    let entries: Vec<f64> = (0..n * n).map(|_| (random.unit() * 50.0).round()).collect();
    let block = |i: usize, j: usize| if i < n / 2 && j >= n / 2 { 0.0 } else { entries[i * n + j] };
    let a = Data::exact(matrix(n, n, |i, j| number(block(i, j))));
    let b = Data::exact(matrix(n, 1, |i, _| number(if i < n / 2 { 0.0 } else { 1.0 + i as f64 })));
    let solution = solved(&a, &b, options(30)).unwrap();
    assert!(solution.digits.is_some_and(|digits| digits >= 30));
    assert!((0..n).all(|i| solution.x.at(i, 0).head().is_zero() == (i < n / 2)));
}

#[test]
fn decimals_are_solved_as_written() {
    // 0.1 is no number of any bits.
    let tenth = |p: u32| Mp::from_decimal(bits(p), b"0.1").unwrap();
    let text = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.7\n0.3\n-0.2\n";
    let read = |p: u32| {
        let stored = nonius_linalg::sparse::matrix_market::read_as::<nonius_linalg::certified::Datum>(
            bits(p).into(),
            text.as_bytes(),
        );
        stored.unwrap().into_dense().unwrap()
    };
    let a = read(256);
    assert_eq!(a.relative_error(), Some(-256));
    assert_eq!(a.values().entry(0, 0), tenth(256).view());
    // Column sums are 0.8 and 0.1, row sums 0.4 and 0.5.
    let b = Data::exact(matrix(2, 1, |i, _| number([0.5, 1.0][i])));
    let solution = solved(&a, &b, options(30)).unwrap();
    // By Cramer's rule: the determinant is −0.23, x = (−0.1 − 0.3, 0.1 − 0.35)/−0.23.
    let exact = matrix(2, 1, |i, _| number([40.0, 25.0][i]) / number(23.0));
    compare(&solution, &exact);
    assert!(solution.digits.unwrap() >= 30);
}

#[test]
fn sums_of_decimals_that_cancel() {
    let text = "%%MatrixMarket matrix array real symmetric\n3 3\n0.3\n-0.1\n-0.2\n0.7\n0.4\n0.2\n";
    let stored = nonius_linalg::sparse::matrix_market::read_as::<nonius_linalg::certified::Datum>(
        bits(256).into(),
        text.as_bytes(),
    );
    let a = stored.unwrap().into_dense().unwrap();
    let b = a.row_sums();
    assert!(!b.is_exact());
    let solution = solved(&a, &b, options(30)).unwrap();
    compare(&solution, &matrix(3, 1, |_, _| number(1.0)));
    let integers = Data::exact(matrix(3, 3, |i, j| number((i + 3 * j) as f64 - 5.0)));
    assert!(integers.row_sums().is_exact());
}

#[test]
fn digits_in_norm() {
    // The second entry is 2^-200 beside the first, and the third is zero but not by integers.
    let a = matrix(3, 3, |i, j| number([[3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 7.0]][i][j]));
    let third = |x: f64| number(x) / number(3.0);
    let x = matrix(3, 1, |i, _| [third(1.0), third(1.0).ldexp(-200), number(0.0)][i]);
    let b = product(&a, &x);
    let asked = Options { digits_in: DigitsIn::Norm, ..options(30) };
    let solution = solved(&Data::exact(a), &Data::exact(b), asked).unwrap();
    assert!(solution.digits.unwrap() >= 30);
    let (found, unit) = (solution.x.entry(1, 0).to_mp(bits(256)), solution.error_bound);
    assert!(found.to_f64().abs() <= 2.0 * unit.to_f64());
}

/// More right-hand sides than are refined one after the other.
#[test]
fn many_right_hand_sides() {
    let mut random = Random::new(31);
    let (a, x) = (random.numbers(37, 37), random.numbers(37, 40));
    for digits in [10, 30, 100] {
        check(&a, &x, digits);
    }
    for (n, digits) in [(8, 30), (20, 25), (30, 40)] {
        check(&hilbert(n), &random.numbers(n, 20), digits);
    }
}

/// Columns that are zero or of few bits, with entries of zero among others, and with sizes far
/// apart.
#[test]
fn many_right_hand_sides_of_all_kinds() {
    let mut random = Random::new(32);
    let n = 23;
    let (a, numbers) = (random.numbers(n, n), random.numbers(n, 30));
    let x = matrix(n, 30, |i, j| match j % 6 {
        0 => number(0.0),
        1 => number((i * j) as f64 - 7.5),
        2 if i % 3 == 0 => number(0.0),
        3 => numbers.entry(i, j).to_mp(bits(4096)).ldexp(40 * i as i32 - 400),
        _ => numbers.entry(i, j).to_mp(bits(4096)),
    });
    check(&a, &x, 30);
    let short = matrix(n, 18, |i, j| number((i * j) as f64 - 100.0));
    let b = product(&a, &short);
    let exact = solved(&Data::exact(a.clone()), &Data::exact(b), options(20)).unwrap();
    assert_eq!(exact.digits, None);
    compare(&exact, &short);
    let in_norm = Options { digits_in: DigitsIn::Norm, ..options(20) };
    let b = product(&a, &x);
    let solution = solved(&Data::exact(a), &Data::exact(b), in_norm).unwrap();
    assert!(solution.digits.is_some_and(|digits| digits >= 20));
}
