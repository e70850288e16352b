//! Determinants against closed forms and against elimination without fractions (E. H. Bareiss,
//! *Sylvester's identity and multistep integer-preserving Gaussian elimination*, Math. Comp. 22,
//! 1968).

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{
    Data, Datum, Determinant, Failure, MOST_DIGITS, Options, Reading, determinant,
};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::{Bits, Matrix, Mp};
use nonius_linalg::sparse::matrix_market::read_as;

use crate::certified::common::{Random, bits, matrix, number, options};

fn found(a: &Data, options: Options) -> Result<Determinant, Failure> {
    let found = determinant(&Cpu::new(Products::direct()), a, options, &mut |_| {});
    found.map_err(|refusal| refusal.failure)
}

fn failure(a: &Data, digits: u32) -> Failure {
    found(a, options(digits)).map(|_| ()).unwrap_err()
}

/// Checks the digits promised, at least those asked for, of the decimal text against a number that
/// is exact or nearly so.
fn check(a: &Data, exact: &Mp, digits: u32) -> Determinant {
    let determinant = found(a, options(digits)).unwrap_or_else(|failure| panic!("{failure}"));
    let text = Mp::from_decimal(exact.bits(), determinant.value.to_string().as_bytes()).unwrap();
    let promised = determinant.digits.unwrap_or(MOST_DIGITS);
    assert!(promised >= digits, "{promised} of {digits}");
    if determinant.digits.is_none() {
        // To the rounding of the number that is compared with.
        let difference = (&determinant.value - exact).abs();
        let allowed = (*exact).abs().ldexp(8 - exact.bits().get() as i32);
        assert!(difference <= allowed, "{text}, not {exact}");
    } else {
        let unit = Mp::from_decimal(exact.bits(), format!("0.5e-{promised}").as_bytes()).unwrap();
        let difference = (&text - exact).abs();
        assert!(difference <= unit * (*exact).abs(), "{text} to {promised}, not {exact}");
    }
    determinant
}

/// The determinant of integers, which with all intermediate ones fit into the most bits.
fn bareiss(a: &Matrix) -> Mp {
    let n = a.rows();
    let wide = bits(Bits::MOST);
    let mut rows: Vec<Vec<Mp>> =
        (0..n).map(|i| (0..n).map(|j| a.entry(i, j).to_mp(wide)).collect()).collect();
    let (mut before, mut negative) = (number(1.0), false);
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| !rows[i][k].is_zero()) else { return number(0.0) };
        negative ^= pivot != k;
        rows.swap(k, pivot);
        for i in k + 1..n {
            for j in k + 1..n {
                let difference = (rows[i][j] * rows[k][k]) - (rows[i][k] * rows[k][j]);
                rows[i][j] = difference / before;
            }
        }
        before = rows[k][k];
    }
    if negative { -before } else { before }
}

fn integers(n: usize, size: f64, random: &mut Random) -> Matrix {
    let all: Vec<f64> = (0..n * n).map(|_| (random.unit() * size).round()).collect();
    matrix(n, n, |i, j| number(all[i * n + j]))
}

#[test]
fn integers_exactly() {
    let mut random = Random::new(21);
    for n in [1, 2, 3, 5, 8, 31, 32, 33, 65] {
        for size in [1.0, 9.0, 1e6].into_iter().take(if n > 40 { 2 } else { 3 }) {
            let a = integers(n, size, &mut random);
            let exact = bareiss(&a);
            // Beyond these digits there is nothing that would have to be exact.
            let few = exact.view().head().exponent().is_none_or(|e| e < 100);
            let determinant = check(&Data::exact(a), &exact, 30);
            assert!(determinant.digits.is_none() || !few, "{n} {size}");
        }
    }
}

#[test]
fn random_numbers_of_all_conditions() {
    let mut random = Random::new(22);
    for n in [4, 20, 50] {
        for power in [0, 20, 60, 200, 700] {
            // The last row next to a combination of the others.
            let a = random.numbers(n, n);
            let combined: Vec<f64> = (0..n).map(|_| random.unit()).collect();
            let row = |j: usize| {
                let sum = |sum: Mp, i: usize| {
                    sum + (number(combined[i]) * a.entry(i, j).to_mp(bits(4096)))
                };
                (0..n - 1).fold(a.entry(n - 1, j).to_mp(bits(4096)).ldexp(-power), sum)
            };
            let last: Vec<Mp> = (0..n).map(row).collect();
            let near =
                matrix(
                    n,
                    n,
                    |i, j| if i + 1 < n { a.entry(i, j).to_mp(bits(4096)) } else { last[j] },
                );
            // Integers times 2^-52.
            let whole = matrix(n, n, |i, j| a.entry(i, j).to_mp(bits(4096)).ldexp(52));
            let exact = bareiss(&whole).ldexp(-52 * n as i32 - power);
            for digits in [1, 15, 50] {
                check(&Data::exact(near.clone()), &exact, digits);
            }
        }
    }
}

/// `1/Π_{k<n} (2k + 1)·C(2k, k)²` (D. Hilbert, Acta Math. 18, 1894).
fn hilbert(n: usize) -> Mp {
    let (mut central, mut inverse) = (number(1.0), number(1.0));
    for k in 1..n {
        // C(2k, k) = C(2k − 2, k − 1)·2·(2k − 1)/k
        central = (central * number(4.0 * k as f64 - 2.0)) / number(k as f64);
        inverse = (inverse * number(2.0 * k as f64 + 1.0)) * (central * central);
    }
    number(1.0) / inverse
}

#[test]
fn hilbert_matrices() {
    let greatest_common = |mut a: u128, mut b: u128| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    for n in [2, 10, 20, 30] {
        // Times the least common multiple of the denominators.
        let multiple = (1..2 * n as u128).fold(1_u128, |m, k| m / greatest_common(m, k) * k);
        let scale = Mp::from_decimal(bits(4096), multiple.to_string().as_bytes()).unwrap();
        let a = matrix(n, n, |i, j| scale / number((i + j + 1) as f64));
        let exact = (0..n).fold(hilbert(n), |product, _| product * scale);
        for digits in [10, 100] {
            check(&Data::exact(a.clone()), &exact, digits);
        }
    }
    // Decimals, rounded as they are read.
    for n in [10, 40, 60] {
        let entry = |i: usize, j: usize| {
            (Mp::one(bits(2048)) / Mp::from_f64(bits(2048), (i + j + 1) as f64)).to_string()
        };
        let mut text = format!("%%MatrixMarket matrix array real general\n{n} {n}\n");
        (0..n * n).for_each(|k| text += &format!("{}\n", entry(k % n, k / n)));
        let a = read(&text, Reading::from(bits(1024)));
        assert!(!a.is_exact());
        assert!(check(&a, &hilbert(n), 40).condition.log10() > 1.3 * n as f64);
    }
}

fn read(text: &str, reading: Reading) -> Data {
    read_as::<Datum>(reading, text.as_bytes()).unwrap().into_dense().unwrap()
}

#[test]
fn vandermonde_matrices() {
    for n in [3, 12, 40] {
        let node = |i: usize| number(1.0 + i as f64 / 8.0);
        let power = |i: usize, j: usize| (0..j).fold(number(1.0), |x, _| x * node(i));
        let a = matrix(n, n, power);
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let exact = pairs.fold(number(1.0), |x, (i, j)| x * (node(j) - node(i)));
        check(&Data::exact(a), &exact, 60);
    }
}

#[test]
fn signs_of_permutations() {
    let mut random = Random::new(23);
    for n in [1, 2, 7, 33, 64, 100] {
        let mut order: Vec<usize> = (0..n).collect();
        let mut sign = 1.0;
        for i in (1..n).rev() {
            let j = (random.next() % (i as u64 + 1)) as usize;
            order.swap(i, j);
            sign = if i == j { sign } else { -sign };
        }
        let a = matrix(n, n, |i, j| number(f64::from(u8::from(order[i] == j))));
        assert_eq!(check(&Data::exact(a), &number(sign), 20).digits, None);
    }
}

#[test]
fn graded_scales() {
    let mut random = Random::new(24);
    let n = 24;
    let a = random.numbers(n, n);
    let exact = bareiss(&matrix(n, n, |i, j| a.entry(i, j).to_mp(bits(4096)).ldexp(52)));
    for size in [300.0, 1e5] {
        let rows: Vec<i32> = (0..n).map(|_| (random.unit() * size) as i32).collect();
        let columns: Vec<i32> = (0..n).map(|_| (random.unit() * size) as i32).collect();
        let scaled = matrix(n, n, |i, j| a.entry(i, j).to_mp(bits(64)).ldexp(rows[i] + columns[j]));
        let shift = rows.iter().chain(&columns).sum::<i32>() - 52 * n as i32;
        let found = check(&Data::exact(scaled), &exact.ldexp(shift), 30);
        assert_eq!(found.route.len(), 1);
    }
    // Within the range of entries, beyond that of determinants.
    let huge =
        Data::exact(matrix(
            n,
            n,
            |i, j| {
                if i == j { number(1.0).ldexp(1 << 24) } else { number(0.0) }
            },
        ));
    assert_eq!(failure(&huge, 10), Failure::Range((24 << 24) + 1));
}

#[test]
fn wilkinson_growth() {
    // 1 on the diagonal and in the last column, −1 below: pivots grow to 2^(n − 1), and L^-1 does.
    for n in [10, 100, 300] {
        let a = matrix(n, n, |i, j| {
            number(if i == j || j + 1 == n {
                1.0
            } else if i > j {
                -1.0
            } else {
                0.0
            })
        });
        let exact = number(1.0).ldexp(n as i32 - 1);
        check(&Data::exact(a), &exact, 30);
    }
}

#[test]
fn singular_matrices() {
    let counting = matrix(3, 3, |i, j| number((3 * i + j + 1) as f64));
    let zero = found(&Data::exact(counting), options(10)).unwrap();
    assert!(zero.value.is_zero() && zero.digits.is_none() && zero.error_bound.is_zero());
    for (row, column) in [(2, 9), (9, 1)] {
        let a = matrix(4, 4, |i, j| {
            number(if i == row || j == column { 0.0 } else { (i * i + 3 * j + 1) as f64 })
        });
        let zero = found(&Data::exact(a), options(10)).unwrap();
        assert!(zero.value.is_zero() && zero.digits.is_none());
    }
    // Many primes prove that.
    let mut random = Random::new(25);
    let mut a = integers(30, 1e6, &mut random);
    (0..30).for_each(|j| {
        let sum = a.at(0, j) + a.at(1, j);
        a.put(2, j, sum.view());
    });
    let zero = found(&Data::exact(a), options(10)).unwrap();
    assert!(zero.value.is_zero() && zero.digits.is_none() && zero.error_bound.is_zero());
}

#[test]
fn decimals() {
    let text = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.7\n0.3\n-0.2\n";
    let a = read(text, Reading::from(bits(256)));
    let exact = Mp::from_decimal(bits(4096), b"-0.23").unwrap();
    let found = check(&a, &exact, 30);
    assert!(found.digits.is_some_and(|digits| digits < 80));
    assert_eq!(failure(&read(text, Reading::from(bits(64))), 40), Failure::Data { bits: bits(64) });
    let whole = read(text, Reading { bits: bits(64), shift: 1 });
    assert_eq!(check(&whole, &number(-23.0), 30).digits, None);
    let singular = "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.3\n0.2\n0.6\n";
    let near = read(singular, Reading::from(bits(640)));
    assert_eq!(failure(&near, 5), Failure::Data { bits: bits(640) });
    let lost = "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 0.1\n1 1 -0.1\n";
    let lost = read(lost, Reading::from(bits(64)));
    assert_eq!(failure(&lost, 5), Failure::Data { bits: bits(64) });
}

#[test]
fn limits_and_input() {
    let none = found(&Data::exact(matrix(0, 0, |_, _| number(1.0))), options(10)).unwrap();
    assert!(none.value == number(1.0) && none.digits.is_none());
    let wide = Data::exact(matrix(2, 3, |_, _| number(1.0)));
    assert_eq!(failure(&wide, 10), Failure::Input(Error::NotSquare { rows: 2, cols: 3 }));
    let nan = Data::exact(matrix(2, 2, |i, j| if i > j { Mp::nan(bits(64)) } else { number(1.0) }));
    let error = Error::NotFinite { operand: "a", row: 1, col: 0 };
    assert_eq!(failure(&nan, 10), Failure::Input(error));
    let third = Data::exact(matrix(1, 1, |_, _| number(1.0) / number(3.0)));
    assert_eq!(failure(&third, MOST_DIGITS + 1), Failure::TooManyDigits(MOST_DIGITS + 1));
    check(&third, &(number(1.0) / number(3.0)), MOST_DIGITS);
    let near = Data::exact(matrix(2, 2, |i, j| {
        if (i, j) == (0, 0) { number(1.0) + number(1.0).ldexp(-900) } else { number(1.0) }
    }));
    let asked = Options { most_bits: bits(512), ..options(10) };
    let refused = found(&near, asked).map(|_| ()).unwrap_err();
    assert_eq!(refused, Failure::Precision { most: bits(512), nonsingular: false });
    assert_eq!(check(&near, &number(1.0).ldexp(-900), 10).digits, None);
}
