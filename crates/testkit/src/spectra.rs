//! Eigenvalues and singular values: what every backend has to find.

use nonius_linalg::backend::{Diagonalize, Reflecting};
use nonius_linalg::dense::{Transpose, Vectors, eigen_on, eigenvalues, singular_values, svd_on};
use nonius_linalg::{Matrix, Scalar};

use crate::matrices;
use crate::orthogonal::{
    assert_orthonormal, difference, gamma, norm, product, random_matrix, random_symmetric,
};

/// `p(n)·u` of [`eigen`](nonius_linalg::dense::eigen): reflections from both sides, `n` of them, and rotations, of which each of an entry's about `2n` passes errs by a sum of two
/// products.
pub fn eigen_factor<T: Scalar>(n: usize) -> f64 {
    4.0 * gamma::<T>(n, n)
}

/// `p(m + n)·u` of [`svd`](nonius_linalg::dense::svd): reflections for `Q·R`, from both sides, and rotations.
pub fn svd_factor<T: Scalar>((m, n): (usize, usize)) -> f64 {
    6.0 * gamma::<T>(m.max(n), m.min(n))
}

/// Asserts that numbers are within a bound of what they should be.
pub fn assert_values<T: Scalar>(found: &[T], expected: &[T], bound: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (&x, &y)) in found.iter().zip(expected).enumerate() {
        let error = (x - y).abs().to_f64();
        assert!(error <= bound, "{what} {}: value {i}: {error:e} > {bound:e}", T::NAME);
    }
}

/// Residual, orthogonality and order of eigenvectors, and that the values are those which the host finds without vectors. Returns these.
pub fn assert_eigen<T: Scalar, B: Diagonalize<T>>(
    backend: &B,
    a: &Matrix<T>,
    what: &str,
) -> Vec<T> {
    let n = a.rows();
    let found = eigen_on(backend, a.view(), Vectors::Yes).unwrap();
    let v = found.vectors.unwrap();
    assert_eq!((found.values.len(), v.shape()), (n, (n, n)));
    assert!(found.values.windows(2).all(|pair| pair[0] <= pair[1]), "{what}: order");
    assert_orthonormal(&v, (n as f64).sqrt() * eigen_factor::<T>(n), what);
    let image = product(Transpose::No, a, Transpose::No, &v);
    let scaled = Matrix::from_fn(n, n, |i, j| v[(i, j)] * found.values[j]);
    let (error, bound) = (norm(&difference(&image, &scaled)), eigen_factor::<T>(n) * norm(a));
    assert!(error <= bound, "{what} {}: residual {error:e} > {bound:e}", T::NAME);
    let alone = eigenvalues(a.view()).unwrap();
    assert_values(&alone, &found.values, eigen_factor::<T>(n) * norm(a), what);
    alone
}

/// `A = U·Σ·Vᵀ`, orthonormal columns, order, and that the values are those which the host finds without vectors. Returns these.
pub fn assert_svd<T: Scalar, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: &Matrix<T>,
    what: &str,
) -> Vec<T> {
    let (m, n) = a.shape();
    let k = m.min(n);
    let found = svd_on(backend, a.view(), Vectors::Yes).unwrap();
    let (u, v) = found.vectors.unwrap();
    assert_eq!((found.values.len(), u.shape(), v.shape()), (k, (m, k), (n, k)));
    assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]), "{what}: order");
    assert!(found.values.iter().all(|&x| x >= T::ZERO), "{what}: signs");
    let factor = svd_factor::<T>((m, n));
    assert_orthonormal(&u, (k as f64).sqrt() * factor, what);
    assert_orthonormal(&v, (k as f64).sqrt() * factor, what);
    let scaled = Matrix::from_fn(m, k, |i, j| u[(i, j)] * found.values[j]);
    let back = product(Transpose::No, &scaled, Transpose::Yes, &v);
    let (error, bound) = (norm(&difference(&back, a)), factor * norm(a));
    assert!(error <= bound, "{what} {}: residual {error:e} > {bound:e}", T::NAME);
    let alone = singular_values(a.view()).unwrap();
    assert_values(&alone, &found.values, factor * norm(a), what);
    alone
}

/// `I − 2·v·vᵀ/vᵀv`: one eigenvalue −1, the others 1.
pub fn reflection<T: Scalar>(n: usize, seed: u64) -> Matrix<T> {
    let v = random_matrix::<T>(n, 1, seed);
    let square = (0..n).fold(T::ZERO, |sum, i| sum + v[(i, 0)] * v[(i, 0)]);
    Matrix::from_fn(n, n, |i, j| {
        let unit = if i == j { T::ONE } else { T::ZERO };
        let (i, j) = (i.max(j), i.min(j));
        unit - T::from_f64(2.0) * v[(i, 0)] * v[(j, 0)] / square
    })
}

/// Wilkinson's `W₂₁⁺`: pairs of eigenvalues that agree to 15 digits, and not to 31.
pub fn wilkinson<T: Scalar>() -> Matrix<T> {
    Matrix::from_fn(21, 21, |i, j| match i.abs_diff(j) {
        0 => T::from_f64((i as f64 - 10.0).abs()),
        1 => T::ONE,
        _ => T::ZERO,
    })
}

/// A symmetric matrix plus `2^-k` times another one, times `2^-k` a third, and so on: eigenvalues that agree to more and more bits, where the first one is a
/// multiple of the identity on all but a few rows.
pub fn nested<T: Scalar>(n: usize, k: i32) -> Matrix<T> {
    let parts: Vec<Matrix<T>> = (0..4).map(|seed| random_symmetric(n, 40 + seed)).collect();
    let part = |level: usize, i: usize, j: usize| {
        // Only the rows after the first `level·n/4` are left.
        if i.min(j) >= level * n / 4 {
            parts[level][(i, j)].ldexp(-k * level as i32)
        } else {
            T::ZERO
        }
    };
    Matrix::from_fn(n, n, |i, j| {
        let unit = if i == j && i >= n / 4 { T::ONE } else { T::ZERO };
        let first = if i.max(j) < n / 4 { parts[0][(i, j)] } else { T::ZERO };
        (1..4).fold(unit + first, |sum, level| sum + part(level, i, j))
    })
}

/// Symmetric matrices whose eigenvalues are close to each other, repeated, graded or zero.
pub fn symmetric_families<T: Scalar>() -> Vec<(&'static str, Matrix<T>)> {
    let n = 45;
    let small = random_symmetric::<T>(9, 5);
    let random = random_symmetric::<T>(n, 6);
    let graded =
        |step: i32| Matrix::from_fn(n, n, |i, j| random[(i, j)].ldexp(step * (i + j) as i32 / 2));
    let blocks =
        Matrix::from_fn(n, n, |i, j| if i / 9 == j / 9 { small[(i % 9, j % 9)] } else { T::ZERO });
    vec![
        ("random", random_symmetric::<T>(100, 7)),
        ("wilkinson", wilkinson()),
        ("reflection", reflection(n, 3)),
        ("ones", Matrix::from_fn(n, n, |_, _| T::ONE)),
        ("zero", Matrix::zeros(n, n)),
        ("identity", Matrix::identity(n)),
        ("blocks", blocks),
        ("hilbert", Matrix::from_fn(70, 70, matrices::hilbert::<T>)),
        ("graded up", graded(7)),
        ("graded down", graded(-7)),
        ("nested by 30 bits", nested(n, 30)),
        ("nested by 60 bits", nested(n, 60)),
    ]
}

/// Matrices of any shape whose singular values are close to each other, repeated, graded or zero.
pub fn rectangular_families<T: Scalar>() -> Vec<(&'static str, Matrix<T>)> {
    let random = random_matrix::<T>(60, 50, 6);
    let graded = Matrix::from_fn(60, 50, |i, j| random[(i, j)].ldexp(4 * j as i32 - 3 * i as i32));
    let thin = |rows, cols, seed| random_matrix::<T>(rows, cols, seed);
    let low = product(Transpose::No, &thin(70, 6, 1), Transpose::No, &thin(6, 70, 2));
    // Rows of a symmetric matrix the other way round: its eigenvalues, but for signs.
    let turned =
        |a: Matrix<T>| Matrix::from_fn(a.rows(), a.cols(), |i, j| a[(a.rows() - 1 - i, j)]);
    let symmetric = symmetric_families::<T>();
    let turned = symmetric.into_iter().map(|(what, a)| (what, turned(a)));
    let others = [
        ("tall", thin(90, 40, 3)),
        ("wide", thin(40, 90, 4)),
        ("square", thin(80, 80, 5)),
        ("graded rows and columns", graded),
        ("low rank", low),
    ];
    turned.chain(others).collect()
}

/// Eigenvalues of [`symmetric_families`].
pub fn eigen_suite<T: Scalar, B: Diagonalize<T>>(backend: &B) {
    for (what, a) in symmetric_families::<T>() {
        assert_eigen(backend, &a, what);
    }
}

/// Singular values of [`rectangular_families`].
pub fn svd_suite<T: Scalar, B: Diagonalize<T> + Reflecting<T>>(backend: &B) {
    for (what, a) in rectangular_families::<T>() {
        assert_svd(backend, &a, what);
    }
}
