//! Factorisations by reflections: one suite for every backend, and what tests of them share.

use nonius_linalg::backend::Reflecting;
use nonius_linalg::dense::gemm::{Arithmetic, gemm};
use nonius_linalg::dense::{Qr, Transpose, nrm2};
use nonius_linalg::{MatRef, Matrix, Scalar};

use crate::{Random, matrices};

/// `c·m·n·u` of the theorems on reflections for `n` columns of `m` entries: each of `n` reflections takes a sum of `m` terms, whose bound holds
/// the constant, and a few operations that the constant of an empty sum covers.
pub fn gamma<T: Scalar>(m: usize, n: usize) -> f64 {
    n as f64 * Arithmetic::Delayed.error::<T>(m + 4) * T::UNIT_ROUNDOFF
}

/// Entries in (−1, 1), some with gaps between limbs or fewer limbs.
pub fn random_matrix<T: Scalar>(rows: usize, cols: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    Matrix::from_fn(rows, cols, |_, _| {
        let limbs = random.limbs::<4>();
        T::from_limbs(|i| limbs[i])
    })
}

/// `op(A)·op(B)`.
pub fn product<T: Scalar>(
    op_a: Transpose,
    a: &Matrix<T>,
    op_b: Transpose,
    b: &Matrix<T>,
) -> Matrix<T> {
    let (m, n) = (op_a.shape(a.shape()).0, op_b.shape(b.shape()).1);
    let mut c = Matrix::zeros(m, n);
    gemm(op_a, op_b, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut()).unwrap();
    c
}

/// The 2-norm of a vector, the Frobenius norm of a matrix.
pub fn norm<'a, T: Scalar>(a: impl Into<MatRef<'a, T>>) -> f64 {
    nrm2(a).to_f64()
}

/// `A − B`.
pub fn difference<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    assert_eq!(a.shape(), b.shape());
    Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(i, j)] - b[(i, j)])
}

/// Asserts `‖QᵀQ − I‖_F <= bound`.
pub fn assert_orthonormal<T: Scalar>(q: &Matrix<T>, bound: f64, what: &str) {
    let gram = product(Transpose::Yes, q, Transpose::No, q);
    let error = norm(&difference(&gram, &Matrix::identity(q.cols())));
    assert!(error <= bound, "{what} {}: QᵀQ off by {error:e} > {bound:e}", T::NAME);
}

/// [`random_matrix`] with its lower triangle mirrored.
pub fn random_symmetric<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let a = random_matrix::<T>(n, n, seed);
    Matrix::from_fn(n, n, |i, j| a[(i.max(j), i.min(j))])
}

/// `A·P = Q·R` column by column, `Q` orthonormal, `R` triangular.
pub fn assert_factors<T: Scalar, B: Reflecting<T>>(qr: &Qr<T, B>, a: &Matrix<T>, what: &str) {
    let (m, n) = a.shape();
    let (q, r) = (qr.q().unwrap(), qr.r().unwrap());
    assert_eq!((q.shape(), r.shape()), ((m, n), (n, n)));
    let gamma = gamma::<T>(m, n);
    assert_orthonormal(&q, (n as f64).sqrt() * 2.0 * gamma, what);
    let back = product(Transpose::No, &q, Transpose::No, &r);
    for (j, &place) in qr.order().iter().enumerate() {
        assert!((j + 1..n).all(|i| r[(i, j)] == T::ZERO));
        let column = Matrix::from_fn(m, 1, |i, _| back[(i, j)] - a[(i, place)]);
        let (error, bound) = (norm(&column), 2.0 * gamma * norm(a.col(place)));
        assert!(error <= bound, "{what} {}: column {j}: {error:e} > {bound:e}", T::NAME);
    }
}

/// Sizes of matrices: blocks, halves of blocks, panels and their neighbours.
pub const SHAPES: [(usize, usize); 14] = [
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

/// Factors matrices of random entries.
pub fn qr_of_random_matrices<T: Scalar, B: Reflecting<T>>(backend: &B) {
    for (m, n) in SHAPES {
        let a = random_matrix::<T>(m, n, (m + n) as u64);
        let qr = Qr::factor_on(backend.clone(), a.view()).unwrap();
        assert_factors(&qr, &a, &format!("{m} × {n}"));
    }
}

/// Matrices whose columns are zeros, depend on each other or differ in size, which `factor` factors.
pub fn qr_of_special_matrices<T: Scalar, B: Reflecting<T>>(
    factor: impl Fn(MatRef<'_, T>) -> Result<Qr<T, B>, nonius_linalg::Error>,
) {
    let n = 36;
    let power = |e: i32| T::ONE.ldexp(e);
    let random = random_matrix::<T>(n, n, 3);
    let all = [
        ("zero", Matrix::zeros(n, n)),
        ("identity", Matrix::identity(n)),
        ("ones", Matrix::from_fn(n, n, |_, _| T::ONE)),
        ("hilbert", Matrix::from_fn(n, n, matrices::hilbert::<T>)),
        (
            "graded columns",
            Matrix::from_fn(n, n, |i, j| random[(i, j)] * power(18 * (j as i32 - 18))),
        ),
        ("graded rows", Matrix::from_fn(n, n, |i, j| random[(i, j)] * power(-6 * i as i32))),
        ("huge", random.map(|x| x.ldexp(1000))),
        ("tiny", random.map(|x| x.ldexp(-700))),
    ];
    for (what, a) in all {
        // Norms by powers of two near 1.
        let e = if what == "huge" {
            -1000
        } else if what == "tiny" {
            700
        } else {
            0
        };
        let qr = factor(a.view()).unwrap();
        if e == 0 {
            assert_factors(&qr, &a, what);
        }
        let (q, r) = (qr.q().unwrap(), qr.r().unwrap().map(|x| x.ldexp(e)));
        assert_orthonormal(&q, 12.0 * gamma::<T>(n, n), what);
        let back = product(Transpose::No, &q, Transpose::No, &r);
        let a = Matrix::from_fn(n, n, |i, j| a[(i, qr.order()[j])].ldexp(e));
        let error = norm(&difference(&back, &a));
        assert!(error <= 2.0 * gamma::<T>(n, n) * norm(&a), "{what}: {error:e}");
    }
}
