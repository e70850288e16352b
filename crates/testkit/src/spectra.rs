//! Eigenvalues and singular values: what every backend has to find.

use nonius_linalg::Matrix;
use nonius_linalg::backend::{Diagonalize, Reading, Reflecting};
use nonius_linalg::dense::{Transpose, Vectors, eigen_on, eigenvalues, singular_values, svd_on};

use crate::orthogonal::{
    assert_orthonormal, difference, gamma, norm, product, random_matrix, random_symmetric, scaled,
};
use crate::{Sample, matrices};

/// `p(n)·u` of [`eigen`](nonius_linalg::dense::eigen): reflections from both sides, `n` of them,
/// and rotations, of which each of an entry's about `2n` passes errs by a sum of two products.
pub fn eigen_factor<T: Sample>(format: T::Format, n: usize) -> Reading {
    Reading::of(4.0) * gamma::<T>(format, n, n)
}

/// `p(m + n)·u` of [`svd`](nonius_linalg::dense::svd): reflections for `Q·R`, from both sides, and
/// rotations.
pub fn svd_factor<T: Sample>(format: T::Format, (m, n): (usize, usize)) -> Reading {
    Reading::of(6.0) * gamma::<T>(format, m.max(n), m.min(n))
}

/// Asserts that numbers are within a bound of what they should be.
pub fn assert_values<T: Sample>(found: &[T], expected: &[T], bound: Reading, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (&x, &y)) in found.iter().zip(expected).enumerate() {
        let (error, name) = ((x - y).magnitude(), T::name(x.format()));
        assert!(error <= bound, "{what} {name}: value {i}: {error:e} > {bound:e}");
    }
}

/// Residual, orthogonality and order of eigenvectors, and that the values are those which the host
/// finds without vectors. Returns these.
pub fn assert_eigen<T: Sample, B: Diagonalize<T>>(
    backend: &B,
    a: &Matrix<T>,
    what: &str,
) -> Vec<T> {
    let (n, format) = (a.rows(), a.format());
    let found = eigen_on(backend, a.view(), Vectors::Yes).unwrap();
    let v = found.vectors.unwrap();
    assert_eq!((found.values.len(), v.shape()), (n, (n, n)));
    assert!(found.values.windows(2).all(|pair| pair[0] <= pair[1]), "{what}: order");
    let factor = eigen_factor::<T>(format, n);
    assert_orthonormal(&v, Reading::of((n as f64).sqrt()) * factor, what);
    let image = product(Transpose::No, a, Transpose::No, &v);
    let right = Matrix::from_fn_in(format, n, n, |i, j| v.at(i, j) * found.values[j]);
    let (error, bound) = (norm(&difference(&image, &right)), factor * norm(a));
    assert!(error <= bound, "{what} {}: residual {error:e} > {bound:e}", T::name(format));
    let alone = eigenvalues(a.view()).unwrap();
    assert_values(&alone, &found.values, factor * norm(a), what);
    alone
}

/// `A = U·Σ·Vᵀ`, orthonormal columns, order, and that the values are those which the host finds
/// without vectors. Returns these.
pub fn assert_svd<T: Sample, B: Diagonalize<T> + Reflecting<T>>(
    backend: &B,
    a: &Matrix<T>,
    what: &str,
) -> Vec<T> {
    let ((m, n), format) = (a.shape(), a.format());
    let k = m.min(n);
    let found = svd_on(backend, a.view(), Vectors::Yes).unwrap();
    let (u, v) = found.vectors.unwrap();
    assert_eq!((found.values.len(), u.shape(), v.shape()), (k, (m, k), (n, k)));
    assert!(found.values.windows(2).all(|pair| pair[0] >= pair[1]), "{what}: order");
    assert!(found.values.iter().all(|&x| x >= T::ZERO), "{what}: signs");
    let factor = svd_factor::<T>(format, (m, n));
    let of_columns = Reading::of((k as f64).sqrt()) * factor;
    assert_orthonormal(&u, of_columns, what);
    assert_orthonormal(&v, of_columns, what);
    let left = Matrix::from_fn_in(format, m, k, |i, j| u.at(i, j) * found.values[j]);
    let back = product(Transpose::No, &left, Transpose::Yes, &v);
    let (error, bound) = (norm(&difference(&back, a)), factor * norm(a));
    assert!(error <= bound, "{what} {}: residual {error:e} > {bound:e}", T::name(format));
    let alone = singular_values(a.view()).unwrap();
    assert_values(&alone, &found.values, factor * norm(a), what);
    alone
}

/// `I − 2·v·vᵀ/vᵀv`: one eigenvalue −1, the others 1.
pub fn reflection<T: Sample>(format: T::Format, n: usize, seed: u64) -> Matrix<T> {
    let v = random_matrix::<T>(format, n, 1, seed);
    let square = (0..n).fold(T::ZERO, |sum, i| sum + v.at(i, 0) * v.at(i, 0));
    Matrix::from_fn_in(format, n, n, |i, j| {
        let unit = if i == j { T::ONE } else { T::ZERO };
        let (i, j) = (i.max(j), i.min(j));
        unit - T::from_f64(2.0) * v.at(i, 0) * v.at(j, 0) / square
    })
}

/// Wilkinson's `W₂₁⁺`: pairs of eigenvalues that agree to 15 digits, and not to 31.
pub fn wilkinson<T: Sample>(format: T::Format) -> Matrix<T> {
    Matrix::from_fn_in(format, 21, 21, |i, j| match i.abs_diff(j) {
        0 => T::from_f64((i as f64 - 10.0).abs()),
        1 => T::ONE,
        _ => T::ZERO,
    })
}

/// A symmetric matrix plus `2^-k` times another one, times `2^-k` a third, and so on: eigenvalues
/// that agree to more and more bits, where the first one is a multiple of the identity on all but a
/// few rows.
pub fn nested<T: Sample>(format: T::Format, n: usize, k: i32) -> Matrix<T> {
    let parts: Vec<Matrix<T>> = (0..4).map(|seed| random_symmetric(format, n, 40 + seed)).collect();
    let part = |level: usize, i: usize, j: usize| {
        // Only the rows after the first `level·n/4` are left.
        if i.min(j) >= level * n / 4 {
            parts[level].at(i, j).ldexp(-k * level as i32)
        } else {
            T::ZERO
        }
    };
    Matrix::from_fn_in(format, n, n, |i, j| {
        let unit = if i == j && i >= n / 4 { T::ONE } else { T::ZERO };
        let first = if i.max(j) < n / 4 { parts[0].at(i, j) } else { T::ZERO };
        (1..4).fold(unit + first, |sum, level| sum + part(level, i, j))
    })
}

/// An order, or a smaller one for numbers that cost much.
fn order(cost: usize, n: usize) -> usize {
    match cost {
        0..500 => n,
        500..5_000 => n.min(45),
        5_000..50_000 => n.min(24),
        _ => n.min(13),
    }
}

/// Symmetric matrices whose eigenvalues are close to each other, repeated, graded or zero.
pub fn symmetric_families<T: Sample>(format: T::Format) -> Vec<(&'static str, Matrix<T>)> {
    let order = |n| order(T::cost(format), n);
    let n = order(45);
    let fifth = n.div_ceil(5);
    let small = random_symmetric::<T>(format, fifth, 5);
    let random = random_symmetric::<T>(format, n, 6);
    let graded = |step: i32| scaled(&random, |i, j| step * (i + j) as i32 / 2);
    let of = |n, entry: &dyn Fn(usize, usize) -> T| Matrix::from_fn_in(format, n, n, entry);
    let blocks = of(n, &|i, j| {
        if i / fifth == j / fifth { small.at(i % fifth, j % fifth) } else { T::ZERO }
    });
    vec![
        ("random", random_symmetric::<T>(format, order(100), 7)),
        ("wilkinson", wilkinson(format)),
        ("reflection", reflection(format, n, 3)),
        ("ones", of(n, &|_, _| T::ONE)),
        ("zero", Matrix::zeros_in(format, n, n)),
        ("identity", Matrix::identity_in(format, n)),
        ("blocks", blocks),
        ("hilbert", of(order(70), &|i, j| matrices::hilbert(format, i, j))),
        ("graded up", graded(7)),
        ("graded down", graded(-7)),
        ("nested by 30 bits", nested(format, n, 30)),
        ("nested by 60 bits", nested(format, n, 60)),
    ]
}

/// Matrices of any shape whose singular values are close to each other, repeated, graded or zero.
pub fn rectangular_families<T: Sample>(format: T::Format) -> Vec<(&'static str, Matrix<T>)> {
    let order = |n| order(T::cost(format), n);
    let thin = |rows, cols, seed| random_matrix::<T>(format, rows, cols, seed);
    let graded = scaled(&thin(order(60), order(50), 6), |i, j| 4 * j as i32 - 3 * i as i32);
    let (no, n) = (Transpose::No, order(70));
    let low = product(no, &thin(n, 6, 1), no, &thin(6, n, 2));
    // Rows of a symmetric matrix the other way round: its eigenvalues, but for signs.
    let turned = |a: Matrix<T>| {
        Matrix::from_fn_in(format, a.rows(), a.cols(), |i, j| a.at(a.rows() - 1 - i, j))
    };
    let symmetric = symmetric_families::<T>(format);
    let turned = symmetric.into_iter().map(|(what, a)| (what, turned(a)));
    let others = [
        ("tall", thin(2 * order(45), order(40), 3)),
        ("wide", thin(order(40), 2 * order(45), 4)),
        ("square", thin(order(80), order(80), 5)),
        ("graded rows and columns", graded),
        ("low rank", low),
    ];
    turned.chain(others).collect()
}

/// Eigenvalues of [`symmetric_families`].
pub fn eigen_suite<T: Sample, B: Diagonalize<T>>(backend: &B, format: T::Format) {
    for (what, a) in symmetric_families::<T>(format) {
        assert_eigen(backend, &a, what);
    }
}

/// Singular values of [`rectangular_families`].
pub fn svd_suite<T: Sample, B: Diagonalize<T> + Reflecting<T>>(backend: &B, format: T::Format) {
    for (what, a) in rectangular_families::<T>(format) {
        assert_svd(backend, &a, what);
    }
}
