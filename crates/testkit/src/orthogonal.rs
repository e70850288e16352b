//! Factorisations by reflections: one suite for every backend, and what tests of them share.

use nonius_linalg::backend::{Reading, Reflecting};
use nonius_linalg::dense::gemm::gemm;
use nonius_linalg::dense::{Qr, Transpose, nrm2};
use nonius_linalg::{MatRef, Matrix};

use crate::{Random, Sample, affordable, matrices, order};

/// `c·m·n·u` of the theorems on reflections for `n` columns of `m` entries: each of `n` reflections
/// takes a sum of `m` terms, whose bound holds the constant, and a few operations that the constant
/// of an empty sum covers.
pub fn gamma<T: Sample>(format: T::Format, m: usize, n: usize) -> Reading {
    T::units(format, n as f64 * T::sum_error(m + 4))
}

/// Entries in (−1, 1), some with gaps between limbs or fewer limbs.
pub fn random_matrix<T: Sample>(
    format: T::Format,
    rows: usize,
    cols: usize,
    seed: u64,
) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn_in(format, rows, cols, |_, _| T::random(format, &mut random))
}

/// `op(A)·op(B)`.
pub fn product<T: Sample>(
    op_a: Transpose,
    a: &Matrix<T>,
    op_b: Transpose,
    b: &Matrix<T>,
) -> Matrix<T> {
    let (m, n) = (op_a.shape(a.shape()).0, op_b.shape(b.shape()).1);
    let mut c = Matrix::zeros_in(a.format(), m, n);
    gemm(op_a, op_b, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut()).unwrap();
    c
}

/// The 2-norm of a vector, the Frobenius norm of a matrix.
pub fn norm<'a, T: Sample>(a: impl Into<MatRef<'a, T>>) -> Reading {
    nrm2(a).magnitude()
}

/// `A − B`.
pub fn difference<T: Sample>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    assert_eq!(a.shape(), b.shape());
    Matrix::from_fn_in(a.format(), a.rows(), a.cols(), |i, j| a.at(i, j) - b.at(i, j))
}

/// The matrix with entry `(i, j)` times `2^exponent(i, j)`.
pub fn scaled<T: Sample>(a: &Matrix<T>, exponent: impl Fn(usize, usize) -> i32) -> Matrix<T> {
    let (rows, cols) = a.shape();
    Matrix::from_fn_in(a.format(), rows, cols, |i, j| a.at(i, j).ldexp(exponent(i, j)))
}

/// Asserts `‖QᵀQ − I‖_F <= bound`.
pub fn assert_orthonormal<T: Sample>(q: &Matrix<T>, bound: Reading, what: &str) {
    let gram = product(Transpose::Yes, q, Transpose::No, q);
    let error = norm(&difference(&gram, &Matrix::identity_in(q.format(), q.cols())));
    let name = T::name(q.format());
    assert!(error <= bound, "{what} {name}: QᵀQ off by {error:e} > {bound:e}");
}

/// [`random_matrix`] with its lower triangle mirrored.
pub fn random_symmetric<T: Sample>(format: T::Format, n: usize, seed: u64) -> Matrix<T> {
    let a = random_matrix::<T>(format, n, n, seed);
    Matrix::from_fn_in(format, n, n, |i, j| a.at(i.max(j), i.min(j)))
}

/// `A·P = Q·R` column by column, `Q` orthonormal, `R` triangular.
pub fn assert_factors<T: Sample, B: Reflecting<T>>(qr: &Qr<T, B>, a: &Matrix<T>, what: &str) {
    let ((m, n), format) = (a.shape(), a.format());
    let (q, r) = (qr.q().unwrap(), qr.r().unwrap());
    assert_eq!((q.shape(), r.shape()), ((m, n), (n, n)));
    let twice = Reading::of(2.0) * gamma::<T>(format, m, n);
    assert_orthonormal(&q, Reading::of((n as f64).sqrt()) * twice, what);
    let back = product(Transpose::No, &q, Transpose::No, &r);
    for (j, &place) in qr.order().iter().enumerate() {
        assert!((j + 1..n).all(|i| r.at(i, j) == T::ZERO));
        let column = Matrix::from_fn_in(format, m, 1, |i, _| back.at(i, j) - a.at(i, place));
        let (error, bound) = (norm(&column), twice * norm(a.column(place)));
        let name = T::name(format);
        assert!(error <= bound, "{what} {name}: column {j}: {error:e} > {bound:e}");
    }
}

/// Sizes of matrices: blocks, halves of blocks, panels and their neighbours.
pub fn shapes<T: Sample>(format: T::Format) -> impl Iterator<Item = (usize, usize)> {
    let all = [
        (0, 0),
        (3, 0),
        (1, 1),
        (5, 1),
        (7, 7),
        (16, 15),
        (17, 17),
        (40, 33),
        (64, 64),
        (65, 65),
        (129, 63),
        (131, 128),
        (140, 129),
        (300, 20),
    ];
    all.into_iter().filter(move |&(m, n)| affordable::<T>(format, m * n * n))
}

/// Factors matrices of random entries.
pub fn qr_of_random_matrices<T: Sample, B: Reflecting<T>>(backend: &B, format: T::Format) {
    for (m, n) in shapes::<T>(format) {
        let a = random_matrix::<T>(format, m, n, (m + n) as u64);
        let qr = Qr::factor_on(backend.clone(), a.view()).unwrap();
        assert_factors(&qr, &a, &format!("{m} × {n}"));
    }
}

/// Matrices whose columns are zeros, depend on each other or differ in size, which `factor`
/// factors.
pub fn qr_of_special_matrices<T: Sample, B: Reflecting<T>>(
    format: T::Format,
    factor: impl Fn(MatRef<'_, T>) -> Result<Qr<T, B>, nonius_linalg::Error>,
) {
    let n = order::<T>(format, 72) / 2;
    let random = random_matrix::<T>(format, n, n, 3);
    let [huge, tiny] = [-T::LEAST_EXPONENT - 74, T::LEAST_EXPONENT / 3 * 2];
    let all = [
        ("zero", 0, Matrix::zeros_in(format, n, n)),
        ("identity", 0, Matrix::identity_in(format, n)),
        ("ones", 0, Matrix::from_fn_in(format, n, n, |_, _| T::ONE)),
        ("hilbert", 0, Matrix::from_fn_in(format, n, n, |i, j| matrices::hilbert(format, i, j))),
        ("graded columns", 0, scaled(&random, |_, j| 18 * (j as i32 - 18))),
        ("graded rows", 0, scaled(&random, |i, _| -6 * i as i32)),
        ("huge", huge, scaled(&random, |_, _| huge)),
        ("tiny", tiny, scaled(&random, |_, _| tiny)),
    ];
    for (what, e, a) in all {
        let qr = factor(a.view()).unwrap();
        if e == 0 {
            assert_factors(&qr, &a, what);
        }
        // Norms by powers of two near 1.
        let (q, r) = (qr.q().unwrap(), scaled(&qr.r().unwrap(), |_, _| -e));
        let gamma = gamma::<T>(format, n, n);
        assert_orthonormal(&q, Reading::of(12.0) * gamma, what);
        let back = product(Transpose::No, &q, Transpose::No, &r);
        let a = Matrix::from_fn_in(format, n, n, |i, j| a.at(i, qr.order()[j]).ldexp(-e));
        let error = norm(&difference(&back, &a));
        assert!(error <= Reading::of(2.0) * gamma * norm(&a), "{what}: {error:e}");
    }
}
