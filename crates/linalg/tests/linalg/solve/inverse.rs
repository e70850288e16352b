use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::dense::{
    Diagonal, Lu, Method, Transpose, Triangle, inverse, inverse_on, inverse_triangular,
    solve_triangular,
};
use nonius_linalg::{Error, Matrix};
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Sample, matrices, order};

use crate::solve::common::{
    affordable, assert_residual, gamma, magnitudes, permuted, product, random_definite, units,
};

/// Right residuals by the bound of the factors.
fn general<T: Sample>(format: T::Format) {
    for n in affordable::<T, _>(format, [1, 2, 17, 33, 70]) {
        let a = random_matrix::<T>(format, n, n, n as u64);
        let found = [inverse_on(Reference, a.view()), inverse_on(Cpu::default(), a.view())];
        for found in found.into_iter().take(if n < 20 { 2 } else { 1 }) {
            let found = found.unwrap();
            assert!(found.report.method == Method::Lu || n == 1);
            let lu = Lu::factor(a.view()).unwrap();
            let (l, u) = lu.triangles().unwrap();
            // P·A = L·U, so that |A| is bounded by rows in the order of P.
            let size = product(&product(&magnitudes(&l), &magnitudes(&u)), &magnitudes(&found.x));
            let bound = size.map(|x| 4.0 * gamma::<T>(3 * n + 1) * x);
            let rows = permuted(&a, lu.pivots());
            let identity = permuted(&Matrix::identity_in(format, n), lu.pivots());
            assert_residual(rows.view(), found.x.view(), identity.view(), &bound, "inverse");
        }
    }
}

#[test]
fn inverses_of_general_matrices() {
    at_every_precision!(general);
}

fn definite<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 60);
    let a = random_definite::<T>(format, n, 2);
    let found = inverse(a.view()).unwrap();
    assert_eq!(found.report.method, Method::Cholesky);
    assert_eq!(found.x, found.x.transposed());
    // ‖|L||Lᵀ|‖ <= n‖A‖, and either triangle of the inverse may stand for the other: its error
    // enters through A once more.
    let condition = found.report.condition_estimate.to_f64();
    let size = 3.0 * n as f64 * gamma::<T>(3 * n + 1) * condition;
    let bound = Matrix::from_fn(n, n, |_, _| size);
    assert_residual(
        a.view(),
        found.x.view(),
        Matrix::identity_in(format, n).view(),
        &bound,
        "definite",
    );
    let hilbert = Matrix::from_fn_in(format, 6, 6, |i, j| matrices::hilbert::<T>(format, i, j));
    let found = inverse(hilbert.view()).unwrap();
    let condition = found.report.condition_estimate.to_f64();
    for j in 0..6 {
        for i in 0..6 {
            let exact = matrices::hilbert_inverse(6, i, j);
            let error = (found.x.at(i, j) - T::from_f64(exact)).magnitude();
            let error = units::<T>(format, error);
            let bound = 36.0 * gamma::<T>(19) * condition * 5e6;
            assert!(error <= bound, "({i}, {j}): {error:e} > {bound:e}");
        }
    }
}

#[test]
fn inverses_of_definite_matrices() {
    at_every_precision!(definite);
}

fn triangles<T: Sample>(format: T::Format) {
    for n in [1, 5, 40, 150].map(|n| order::<T>(format, n)) {
        let mut a = scaled(&random_matrix::<T>(format, n, n, 4), |_, _| -5);
        for i in 0..n {
            a.set(i, i, a.at(i, i) + T::ONE);
        }
        for triangle in [Triangle::Lower, Triangle::Upper] {
            for diagonal in [Diagonal::NonUnit, Diagonal::Unit] {
                let kept = |i: usize, j: usize| match triangle.contains(i, j) {
                    true if i == j && diagonal == Diagonal::Unit => T::ONE,
                    true => a.at(i, j),
                    false => T::ZERO,
                };
                let t = Matrix::from_fn_in(format, n, n, kept);
                // What is not to be read.
                let given = Matrix::from_fn_in(format, n, n, |i, j| {
                    let read = triangle.contains(i, j);
                    let read = read && (i != j || diagonal == Diagonal::NonUnit);
                    if read { a.at(i, j) } else { T::from_f64(f64::NAN) }
                });
                let x = inverse_triangular(triangle, diagonal, given.view()).unwrap();
                for j in 0..n {
                    assert!((0..n).all(|i| triangle.contains(i, j) || x.at(i, j) == T::ZERO));
                }
                let bound = product(&magnitudes(&t), &magnitudes(&x)).map(|x| gamma::<T>(n) * x);
                let identity = Matrix::identity_in(format, n);
                assert_residual(t.view(), x.view(), identity.view(), &bound, "triangle");
                let b = random_matrix::<T>(format, n, 3, 6);
                let y =
                    solve_triangular(triangle, Transpose::Yes, diagonal, given.view(), b.view());
                let (y, t) = (y.unwrap(), t.transposed());
                let bound = product(&magnitudes(&t), &magnitudes(&y)).map(|x| gamma::<T>(n) * x);
                assert_residual(t.view(), y.view(), b.view(), &bound, "transposed");
            }
        }
    }
}

#[test]
fn triangular_systems() {
    at_every_precision!(triangles);
}

#[test]
fn what_has_no_inverse() {
    let singular = Matrix::<f64>::from_fn(3, 3, |i, j| (i + j) as f64);
    assert!(matches!(inverse(singular.view()), Err(Error::Singular { .. })));
    let error = Error::NotSquare { rows: 2, cols: 3 };
    assert_eq!(inverse(Matrix::<f64>::zeros(2, 3).view()).err(), Some(error));
    assert_eq!(inverse(Matrix::<f64>::zeros(0, 0).view()).unwrap().x.shape(), (0, 0));
    let mut a = Matrix::<f64>::identity(3);
    a[(1, 1)] = 0.0;
    let triangle =
        |a: &Matrix<f64>| inverse_triangular(Triangle::Lower, Diagonal::NonUnit, a.view());
    assert_eq!(triangle(&a).err(), Some(Error::Singular { column: 1 }));
    a[(2, 1)] = f64::NAN;
    a[(1, 1)] = 1e-310;
    let error = Error::NotFinite { operand: "a", row: 2, col: 1 };
    assert_eq!(triangle(&a).err(), Some(error.clone()));
    assert_eq!(inverse(a.view()).err(), Some(error));
    a[(2, 1)] = 0.0;
    let error = Error::Overflow { operand: "x", column: 1 };
    assert_eq!(triangle(&a).err(), Some(error.clone()));
    assert_eq!(inverse(a.view()).err(), Some(error));
}
