//! Products of matrices, entry by entry within the bounds that are stated of them.

use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Accuracy, Arithmetic, Engine, Products, Report, gemm_on};
use nonius_linalg::mp::{self, Bits};
use nonius_testkit::{Random, random_cases};

use crate::random::exact::{self, Exact, Rows};
use crate::random::inputs::{at_any_precision, matrix};

/// A bound of the error of a sum of up to eight rounded logarithms to base two, each below 2²⁰.
const OF_LOGARITHMS: f64 = 8.0 * (1 << 20) as f64 * f64::EPSILON / 2.0;
/// Where terms beyond are left out: their sums may overflow.
const LARGEST: f64 = 1015.0;
/// Roundings by factors and sums beside those of a product, in units of roundoff: a product of `qd`
/// numbers has a few.
const FACTORS: f64 = 16.0;
/// A product of limbs that falls below the range loses less than that many times the least number.
const LOST: f64 = 64.0;

fn transpose(random: &mut Random) -> Transpose {
    if random.below(2) == 0 { Transpose::No } else { Transpose::Yes }
}

fn sizes(random: &mut Random) -> [usize; 3] {
    match random.below(12) {
        0 => [1 + random.below(3), 1 + random.below(3), 1 + random.below(200)],
        1 => [1 + random.below(40), 1 + random.below(20), 1 + random.below(10)],
        _ => [(); 3].map(|()| random.below(8)),
    }
}

/// `op(A)` by rows and `op(B)` by columns.
fn operands([a, b]: [Rows; 2], transposes: [Transpose; 2], [m, n, k]: [usize; 3]) -> [Rows; 2] {
    let left = if transposes[0] == Transpose::No { a } else { exact::transposed(&a, m) };
    let right = if transposes[1] == Transpose::Yes { b } else { exact::transposed(&b, n) };
    assert!(left.iter().chain(&right).all(|line| line.len() == k));
    [left, right]
}

fn magnitudes(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().map(Exact::abs).collect()).collect()
}

/// The logarithm of a sum of powers of two, rounded up.
fn sum_of_powers(terms: &[f64]) -> f64 {
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + terms.iter().map(|term| (term - most).exp2()).sum::<f64>().log2() + OF_LOGARITHMS
}

/// The logarithm of the bound for a product of lines: `c·u·|a|·|b|` with this logarithm of `c·u`,
/// or by norms where only these are promised.
fn bound(report: &Report, accuracy: Accuracy, factor: f64, [a, b]: [&[Exact]; 2]) -> f64 {
    let largest = |line: &[Exact]| line.iter().map(Exact::log2).fold(f64::NEG_INFINITY, f64::max);
    match (report.bits, accuracy) {
        (Some(bits), Accuracy::Normwise) => {
            (a.len() as f64).log2() + 2.0 - f64::from(bits) + largest(a) + largest(b)
        }
        _ => {
            let magnitudes = |line: &[Exact]| line.iter().map(Exact::abs).collect::<Vec<_>>();
            factor + exact::dot(&magnitudes(a), &magnitudes(b)).log2()
        }
    }
}

#[test]
fn random_products_are_within_their_bound() {
    random_cases("products", 1000, |random| at_any_precision!(random, limbs));
}

fn limbs<T: Scalar>(random: &mut Random) {
    let [m, n, k] = sizes(random);
    let transposes = [transpose(random), transpose(random)];
    let (rows, cols) = transposes[0].shape((m, k));
    let a = matrix::<T>(random, rows, cols);
    let (rows, cols) = transposes[1].shape((k, n));
    let b = matrix::<T>(random, rows, cols);
    let c = matrix::<T>(random, m, n);
    let number = |random: &mut Random| {
        let limbs = random.limbs::<4>();
        [T::ONE, -T::ONE, T::ZERO, T::from_limbs(|l| limbs[l])][random.below(4)]
    };
    let (alpha, beta) = (number(random), number(random));
    let arithmetics: &[Arithmetic] = match T::LIMBS {
        2 => &Arithmetic::ALL,
        _ => &[Arithmetic::Delayed, Arithmetic::Ieee],
    };
    let engine = [None, Some(Engine::Direct), Some(Engine::Crt)][random.below(3)];
    let arithmetic = match engine {
        Some(Engine::Crt) => Arithmetic::Delayed,
        _ => arithmetics[random.below(arithmetics.len())],
    };
    let accuracy = Accuracy::ALL[random.below(2)];
    let products = Products { engine, arithmetic, accuracy, ..Products::default() };
    let mut found = c.clone();
    let (of_a, of_b) = (a.view(), b.view());
    let report = gemm_on(
        &Cpu::new(products),
        transposes[0],
        transposes[1],
        alpha,
        of_a,
        of_b,
        beta,
        found.view_mut(),
    )
    .unwrap();

    let u = T::UNIT_ROUNDOFF.log2();
    let factor = arithmetic.error::<T>(k).log2();
    let lines = operands([exact::rows(&a), exact::rows(&b)], transposes, [m, n, k]);
    let terms = exact::product(&magnitudes(&lines[0]), &magnitudes(&lines[1]));
    let (alpha, beta) = (Exact::of(alpha), Exact::of(beta));
    for i in 0..m {
        for j in 0..n {
            let [x, y] = [&lines[0][i][..], &lines[1][j][..]];
            let (product, old) = (exact::dot(x, y), Exact::of(c[(i, j)]));
            let want = &alpha * &product + &beta * &old;
            let [size, of_old] = [&terms[i][j] * &alpha, &old * &beta].map(|x| x.log2());
            if size.max(of_old).max(terms[i][j].log2()) > LARGEST {
                continue;
            }
            let of_product = bound(&report, accuracy, u + factor, [x, y]) + alpha.log2();
            let of_factors = u + FACTORS.log2() + sum_of_powers(&[size, of_old]);
            let lost = -1074.0 + (LOST * (k as f64 + 2.0)).log2() + alpha.log2().max(0.0);
            let allowed = sum_of_powers(&[of_product, of_factors, lost]);
            let error = (&Exact::of(found[(i, j)]) - &want).log2();
            assert!(
                error <= allowed,
                "{} {products:?} {report:?} {transposes:?}: error 2^{error:.1} above 2^{allowed:.1} at ({i}, {j}): \
                 {alpha:?} {a:?} {b:?} {beta:?} {c:?}",
                T::NAME
            );
        }
    }
}

#[test]
fn random_products_of_any_bits_are_within_their_bound() {
    random_cases("products of any bits", 500, any_bits);
}

fn any_bits(random: &mut Random) {
    let [m, n, k] = sizes(random);
    let digits = 64 + random.below(300) as u32;
    let bits = Bits::new(digits).expect("64 and more");
    let transposes = [transpose(random), transpose(random)];
    let numbers = |random: &mut Random, shape: (usize, usize)| {
        // Sums fill more words than a `qd` number has, and exponents leave the range of `f64`.
        let [high, low] = [(); 2].map(|()| matrix::<nonius_num::Qd>(random, shape.0, shape.1));
        let shift = [0, 0, 3000, -5000][random.below(4)];
        let [high, low] = [high, low].map(|x| mp::Matrix::from_limbs(bits, x.view()));
        mp::Matrix::from_fn_in(bits, shape.0, shape.1, |i, j| {
            let [x, y] = [&high, &low].map(|x| x.entry(i, j).to_mp(bits));
            (x.ldexp(shift) + y.ldexp(-low_shift(i, j))).ldexp(shift / 2)
        })
    };
    let a = numbers(random, transposes[0].shape((m, k)));
    let b = numbers(random, transposes[1].shape((k, n)));
    let engine = [None, Some(Engine::Direct), Some(Engine::Crt)][random.below(3)];
    let products = Products { engine, ..Products::default() };
    let mut found = mp::Matrix::zeros_in(bits, m, n);
    let (one, zero) = (mp::Mp::one(bits), mp::Mp::zero(bits));
    let report = gemm_on(
        &Cpu::new(products),
        transposes[0],
        transposes[1],
        one,
        a.view(),
        b.view(),
        zero,
        found.view_mut(),
    )
    .unwrap();
    let rows = |x: &mp::Matrix| -> Rows {
        let (rows, cols) = x.shape();
        (0..rows).map(|i| (0..cols).map(|j| Exact::of_mp(x.entry(i, j))).collect()).collect()
    };
    let lines = operands([rows(&a), rows(&b)], transposes, [m, n, k]);
    let factor = match report.engine {
        Engine::Direct => 1.0 + 2.0_f64.powi(-40),
        Engine::Crt => k as f64 + 3.0,
    };
    for i in 0..m {
        for j in 0..n {
            let [x, y] = [&lines[0][i][..], &lines[1][j][..]];
            let error = (&Exact::of_mp(found.entry(i, j)) - &exact::dot(x, y)).log2();
            let factor = factor.log2() - f64::from(digits);
            let allowed = bound(&report, Accuracy::Entrywise, factor, [x, y]);
            let of_zero = error == f64::NEG_INFINITY;
            assert!(
                of_zero || error <= allowed + OF_LOGARITHMS,
                "{digits} bits, {report:?} {transposes:?}: error 2^{error:.1} above 2^{allowed:.1} at ({i}, {j})"
            );
        }
    }
}

/// How far the second number of a sum lies below the first.
fn low_shift(i: usize, j: usize) -> i32 {
    60 + 37 * (i as i32 + 3 * j as i32)
}
