//! Eigenvalues, singular values and least squares against MPFR.

use nonius::Matrix;
use nonius::num::MultiFloat;
use nonius_linalg::Scalar;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::{eigen, eigenvalues, least_squares, singular_values, svd};
use nonius_oracle::symmetric::{self, Rows};
use nonius_oracle::value::exact;
use nonius_testkit::{Random, matrices};
use rug::Float;

const BITS: u32 = 1000;

/// `p(n)·u` of the bounds in nonius-linalg: `n` reflections from both sides, each with sums of `n`
/// terms, and the rotations.
fn factor<const N: usize>(n: usize) -> f64
where
    MultiFloat<N>: Scalar,
{
    let error = Arithmetic::Delayed.error::<MultiFloat<N>>(n + 4);
    4.0 * n as f64 * error * MultiFloat::<N>::UNIT_ROUNDOFF
}

fn random<const N: usize>(rows: usize, cols: usize, seed: u64) -> Matrix<MultiFloat<N>> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| MultiFloat::from_limbs(random.limbs::<N>()))
}

fn rows<const N: usize>(a: &Matrix<MultiFloat<N>>) -> Rows {
    let entry = |i, j| Float::with_val(BITS, exact(a[(i, j)]));
    (0..a.rows()).map(|i| (0..a.cols()).map(|j| entry(i, j)).collect()).collect()
}

/// The largest `|x − y|`.
fn error<const N: usize>(found: &[MultiFloat<N>], expected: &[Float]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let errors = found.iter().zip(expected).map(|(&x, y)| Float::with_val(BITS, exact(x) - y));
    errors.map(|x| x.to_f64().abs()).fold(0.0, f64::max)
}

fn norm<const N: usize>(a: &Matrix<MultiFloat<N>>) -> f64 {
    a.as_slice().iter().map(|x| x.to_f64().powi(2)).sum::<f64>().sqrt()
}

/// Random, graded and ill-conditioned ones.
fn inputs<const N: usize>(n: usize) -> Vec<Matrix<MultiFloat<N>>>
where
    MultiFloat<N>: Scalar,
{
    let a = random::<N>(n, n, 1);
    let graded = Matrix::from_fn(n, n, |i, j| a[(i, j)].ldexp(-7 * (i + j) as i32));
    vec![a, graded, Matrix::from_fn(n, n, |i, j| matrices::hilbert((), i, j))]
}

fn symmetric_matrices<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let n = 12;
    for a in inputs::<N>(n) {
        let a = Matrix::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))]);
        let (expected, _) = symmetric::eigen(rows(&a), BITS);
        let bound = factor::<N>(n) * norm(&a);
        for values in [eigenvalues(a.view()).unwrap(), eigen(a.view()).unwrap().values] {
            let error = error(&values, &expected);
            println!("eigenvalues, {N} limbs: {error:e} of {bound:e}");
            assert!(error <= bound, "{error:e} > {bound:e}");
        }
    }
}

#[test]
fn eigenvalues_against_mpfr() {
    symmetric_matrices::<2>();
    symmetric_matrices::<3>();
    symmetric_matrices::<4>();
}

/// The eigenvalues of `[0 A; Aᵀ 0]` are the singular values of `A` with either sign.
fn singular<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let n = 8;
    for a in inputs::<N>(n) {
        let zero = MultiFloat::ZERO;
        let both = Matrix::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
            (true, false) => a[(i, j - n)],
            (false, true) => a[(j, i - n)],
            _ => zero,
        });
        let (mut expected, _) = symmetric::eigen(rows(&both), BITS);
        expected.drain(..n);
        expected.reverse();
        let bound = factor::<N>(2 * n) * norm(&a);
        for values in [singular_values(a.view()).unwrap(), svd(a.view()).unwrap().values] {
            let error = error(&values, &expected);
            println!("singular values, {N} limbs: {error:e} of {bound:e}");
            assert!(error <= bound, "{error:e} > {bound:e}");
        }
    }
}

#[test]
fn singular_values_against_mpfr() {
    singular::<2>();
    singular::<3>();
    singular::<4>();
}

/// `x = V·Λ⁻¹·VᵀAᵀb` with the eigenvalues of `AᵀA`, of which 1000 bits can be squared. The error is
/// what the report says, times `p(m)`.
fn best_solutions<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let (m, n) = (14, 6);
    for seed in 0..3 {
        let a = random::<N>(m, n, seed);
        let a = Matrix::from_fn(m, n, |i, j| a[(i, j)].ldexp(-(seed as i32 * j as i32)));
        let b = random::<N>(m, 1, 100 + seed);
        let found = least_squares(a.view(), b.view()).unwrap();
        let (rows_a, rows_b) = (rows(&a), rows(&b));
        let sum = |terms: &mut dyn Iterator<Item = Float>| {
            terms.fold(Float::new(BITS), |sum, term| sum + term)
        };
        let product = |x: &Float, y: &Float| Float::with_val(BITS, x * y);
        let gram =
            |i: usize, j: usize| sum(&mut rows_a.iter().map(|row| product(&row[i], &row[j])));
        let square = (0..n).map(|i| (0..n).map(|j| gram(i, j)).collect()).collect();
        let (values, vectors) = symmetric::eigen(square, BITS);
        let pairs = || rows_a.iter().zip(&rows_b);
        let right: Vec<Float> =
            (0..n).map(|j| sum(&mut pairs().map(|(a, b)| product(&a[j], &b[0])))).collect();
        let along: Vec<Float> = (0..n)
            .map(|k| {
                let terms = &mut vectors[k].iter().zip(&right).map(|(v, r)| product(v, r));
                sum(terms) / &values[k]
            })
            .collect();
        let expected: Vec<Float> =
            (0..n).map(|j| sum(&mut (0..n).map(|k| product(&along[k], &vectors[k][j])))).collect();
        let size = expected.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
        let relative = error(found.x.as_slice(), &expected) / size;
        let bound = factor::<N>(m) / MultiFloat::<N>::UNIT_ROUNDOFF
            * found.report.forward_error_estimate.to_f64();
        println!("least squares, {N} limbs: {relative:e} of {bound:e}");
        assert!(relative <= bound, "{relative:e} > {bound:e}");
        let residuals = pairs().map(|(a, b)| {
            let product = sum(&mut a.iter().zip(&expected).map(|(a, x)| product(a, x)));
            Float::with_val(BITS, &b[0] - product).to_f64().powi(2)
        });
        let norm = residuals.sum::<f64>().sqrt();
        // A sum of m squares in `f64` errs by γₘ (Higham, *Accuracy and Stability of Numerical
        // Algorithms*, 2nd ed., (3.5)). The root halves the error of each of two norms.
        let rounding = (m as f64 + 8.0) * f64::EPSILON / 2.0;
        assert!((norm - found.report.residual_norms[0].to_f64()).abs() <= rounding * norm);
    }
}

#[test]
fn least_squares_against_mpfr() {
    best_solutions::<2>();
    best_solutions::<3>();
    best_solutions::<4>();
}
