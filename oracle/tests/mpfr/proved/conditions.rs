//! Systems whose conditions are known or prescribed, from 1 to `10^300`.
//!
//! The solution is chosen: integers over 1001, which no number of any bits holds. So the matrix is
//! 1001 times integers, and the right-hand side integers.

use nonius::certified::Data;
use nonius::num::mp::Bits;
use nonius_oracle::integers::{Exact, integer, judge};
use nonius_testkit::Random;
use rug::ops::Pow;
use rug::{Float, Integer};

use super::{read, solved};

const DENOMINATOR: u32 = 1001;

fn text(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> Integer) -> String {
    let mut text = format!("%%MatrixMarket matrix array real general\n{rows} {cols}\n");
    (0..rows * cols).for_each(|k| text += &format!("{}\n", entry(k % rows, k / rows)));
    text
}

/// Solves for a solution of the kind and judges it; the estimated condition, as a power of ten.
fn check(name: &str, n: usize, digits: &[u32], entry: impl Fn(usize, usize) -> Integer) -> f64 {
    let mut random = Random::new(n as u64);
    let a: Vec<Vec<Integer>> =
        (0..n).map(|i| (0..n).map(|j| entry(i, j) * DENOMINATOR).collect()).collect();
    let numerators: Vec<Integer> =
        (0..n).map(|_| integer(&mut random, 40) * 2 * DENOMINATOR + 1).collect();
    let right = |i: usize| {
        let products = a[i].iter().zip(&numerators).map(|(a, x)| Integer::from(a * x));
        products.fold(Integer::new(), |sum, x| sum + x) / DENOMINATOR
    };
    let rights: Vec<Integer> = (0..n).map(right).collect();
    let wide = Bits::new(Bits::MOST).unwrap();
    let matrix: Data = read(&text(n, n, |i, j| a[i][j].clone()), wide);
    let rights = read(&text(n, 1, |i, _| rights[i].clone()), wide);
    assert!(matrix.is_exact() && rights.is_exact(), "{name}");
    let exact = Exact { numerators, determinant: DENOMINATOR.into() };
    let mut condition = 0.0;
    for &digits in digits {
        let start = std::time::Instant::now();
        let found = solved(&matrix, &rights, digits);
        let solution = found.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        judge(&solution, &exact, digits, name);
        condition = solution.condition.log10();
        println!(
            "{name}: condition 1e{condition:.0}, {:?} digits of {digits}, {} stages, {:.2?}",
            solution.digits,
            solution.route.len(),
            start.elapsed()
        );
    }
    condition
}

#[test]
fn hilbert_matrices() {
    for n in [80, 120, 160, 200] {
        // Times the least common multiple of the denominators.
        let multiple =
            (1..2 * n as u32).fold(Integer::from(1), |multiple, k| multiple.lcm(&k.into()));
        let entry = |i: usize, j: usize| Integer::from(&multiple / (i + j + 1) as u32);
        let condition = check(&format!("hilbert {n}"), n, &[30], entry);
        // (1 + √2)^(4n)/√n (J. Todd, The condition of the finite segments of the Hilbert matrix,
        // 1954).
        let expected = 4.0 * n as f64 * (1.0 + 2.0_f64.sqrt()).log10() - 0.5 * (n as f64).log10();
        assert!((condition - expected).abs() < 2.0, "{condition} {expected}");
    }
}

#[test]
fn vandermonde_matrices() {
    for n in [10, 20, 40] {
        let entry = |i: usize, j: usize| Integer::from(i + 1).pow(j as u32);
        check(&format!("vandermonde {n}"), n, &[15, 60], entry);
    }
}

#[test]
fn wilkinsons_matrices() {
    // Pivots grow to 2^(n − 1): J. H. Wilkinson, The Algebraic Eigenvalue Problem, 1965, p. 212.
    for n in [30, 60, 100] {
        let entry = |i: usize, j: usize| match () {
            () if i == j || j + 1 == n => 1.into(),
            () if i > j => (-1).into(),
            () => Integer::new(),
        };
        check(&format!("growth {n}"), n, &[15, 100], entry);
    }
    // W21+ without the multiple of the identity that makes it singular to many digits, p. 308; and
    // shifted to near an eigenvalue.
    for shift in [0, 10_746_194] {
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => Integer::from(i.abs_diff(10)) * 1_000_000 - shift,
            1 => 1_000_000.into(),
            _ => Integer::new(),
        };
        check(&format!("w21 {shift}"), 21, &[15, 100], entry);
    }
}

/// `H·D·K` for reflections `H`, `K` by random vectors, and `D` falling evenly in its exponent from
/// 1 to `10^-power`, in units of `2^-300`.
fn conditioned(n: usize, power: u32) -> Vec<Vec<Integer>> {
    let bits = 400;
    let mut random = Random::new(u64::from(power) + n as u64);
    let [u, v] = [(); 2].map(|()| {
        let x: Vec<Float> =
            (0..n).map(|_| Float::with_val(bits, integer(&mut random, 50))).collect();
        let square = x.iter().fold(Float::new(bits), |sum, x| sum + Float::with_val(bits, x * x));
        let norm = square.sqrt();
        x.into_iter().map(|x| x / &norm).collect::<Vec<Float>>()
    });
    let ten = Float::with_val(bits, 10);
    let d: Vec<Float> = (0..n)
        .map(|i| {
            let exponent = -f64::from(power) * i as f64 / (n - 1) as f64;
            Float::with_val(bits, ten.clone().pow(Float::with_val(bits, exponent)))
        })
        .collect();
    let product = |x: &Float, y: &Float, z: &Float| Float::with_val(bits, x * y) * z;
    let middle = (0..n).fold(Float::new(bits), |sum, i| sum + product(&u[i], &d[i], &v[i]));
    let entry = |i: usize, j: usize| {
        let diagonal = if i == j { d[i].clone() } else { Float::new(bits) };
        let sides = product(&u[i], &u[j], &d[j]) + product(&d[i], &v[i], &v[j]);
        let x: Float = diagonal - sides * 2u32 + product(&u[i], &middle, &v[j]) * 4u32;
        Float::with_val(bits, x << 300).to_integer().unwrap()
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

#[test]
fn prescribed_conditions() {
    for n in [10, 50, 100] {
        for power in [0, 15, 30, 45, 60] {
            let a = conditioned(n, power);
            let name = format!("1e{power}, n = {n}");
            let condition = check(&name, n, &[15, 50, 200], |i, j| a[i][j].clone());
            // That of the ∞-norm is at most n times that of the 2-norm.
            let least = f64::from(power) - (n as f64).log10() - 0.1;
            assert!((least..least + 3.0 * (n as f64).log10() + 0.2).contains(&condition));
        }
    }
}
