//! Cholesky factors, and what follows from them.

use nonius_linalg::backend::{Cpu, Reading, Reference};
use nonius_linalg::dense::{Cholesky, Lu, Triangle, norm_one};
use nonius_linalg::{Error, Matrix};
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Sample, matrices, order};

use crate::solve::common::{
    affordable, assert_residual, gamma, magnitudes, product, random_definite, same_bits, units,
};
use crate::solve::lu::{Host, SIZES_OF_CPU, SIZES_OF_REFERENCE};

/// `|A − L·Lᵀ| <= γ_{n+1}·|L||Lᵀ|` (Higham, Theorem 10.3), solutions within `γ_{3n+1}·|L||Lᵀ||X|`
/// (Theorem 10.4).
fn assert_backward_stable<T: Sample, B: Host<T>>(backend: B, a: &Matrix<T>, what: &str) {
    let (n, format) = (a.rows(), a.format());
    // What stands above the diagonal is not read.
    let lower =
        Matrix::from_fn_in(
            format,
            n,
            n,
            |i, j| if i >= j { a.at(i, j) } else { T::from_f64(f64::NAN) },
        );
    let cholesky = Cholesky::new(backend, lower).unwrap();
    let l = cholesky.lower().unwrap();
    let size = product(&magnitudes(&l), &magnitudes(&l.transposed()));
    let bound = size.map(|x| gamma::<T>(n + 1) * x);
    assert_residual(l.view(), l.transposed().view(), a.view(), &bound, what);

    let b = random_matrix::<T>(format, n, 4, 5);
    let x = cholesky.solve(b.view()).unwrap();
    let bound = product(&size, &magnitudes(&x)).map(|x| gamma::<T>(3 * n + 1) * x);
    assert_residual(a.view(), x.view(), b.view(), &bound, what);
}

fn definite_matrices<T: Sample>(format: T::Format) {
    for n in affordable::<T, _>(format, SIZES_OF_CPU) {
        assert_backward_stable(
            Cpu::default(),
            &random_definite::<T>(format, n, n as u64),
            &format!("cpu {n}"),
        );
    }
    for n in SIZES_OF_REFERENCE {
        assert_backward_stable(
            Reference,
            &random_definite::<T>(format, n, n as u64),
            &format!("reference {n}"),
        );
    }
    let n = order::<T>(format, 70);
    let a = random_definite::<T>(format, n, 8);
    let graded = scaled(&a, |i, j| -3 * (i + j) as i32);
    assert_backward_stable(Cpu::default(), &graded, "graded");
    assert_backward_stable(
        Cpu::default(),
        &Matrix::from_fn_in(format, 10, 10, |i, j| matrices::hilbert::<T>(format, i, j)),
        "hilbert",
    );
}

#[test]
fn factors_and_solutions_are_backward_stable() {
    at_every_precision!(definite_matrices);
}

fn triangles<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 70);
    let a = random_definite::<T>(format, n, 3);
    let half = |triangle: Triangle| {
        let entry = |i, j| if triangle.contains(i, j) { a.at(i, j) } else { T::from_f64(f64::NAN) };
        Matrix::from_fn_in(format, n, n, entry)
    };
    let [lower, upper] = [Triangle::Lower, Triangle::Upper]
        .map(|t| Cholesky::factor(t, half(t).view()).unwrap().lower().unwrap());
    assert!(same_bits(&lower, &upper));
}

#[test]
fn either_triangle_gives_the_same_factor() {
    at_every_precision!(triangles);
}

fn indefinite<T: Sample>(format: T::Format) {
    // Definite but for one diagonal entry, which decides at its own step.
    for n in affordable::<T, _>(format, [1, 2, 15, 16, 17, 33, 64, 65, 90]) {
        for index in [0, n / 3, n - 1] {
            let mut a = random_definite::<T>(format, n, 2);
            a.set(index, index, -a.at(index, index));
            for result in [
                Cholesky::factor(Triangle::Lower, a.view()).err(),
                Cholesky::new(Reference, a.clone()).err(),
            ] {
                match result {
                    Some(Error::NotPositiveDefinite { index: found, pivot }) => {
                        assert_eq!(found, index);
                        assert!(pivot < 0.0);
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    // Semidefinite, exactly: the pivot is zero.
    let a = Matrix::from_fn_in(format, 3, 3, |i, j| {
        T::from_f64([[4.0, 2.0, 2.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]][i][j])
    });
    let error = Error::NotPositiveDefinite { index: 2, pivot: 0.0 };
    assert_eq!(Cholesky::factor(Triangle::Lower, a.view()).err(), Some(error));
}

#[test]
fn an_indefinite_matrix_is_an_error_that_says_where() {
    at_every_precision!(indefinite);
}

fn refusals<T: Sample>(format: T::Format) {
    let mut a = random_definite::<T>(format, 5, 1);
    a.set(1, 3, T::from_f64(f64::NAN));
    assert!(Cholesky::factor(Triangle::Lower, a.view()).is_ok());
    let error = Error::NotFinite { operand: "a", row: 1, col: 3 };
    assert_eq!(Cholesky::factor(Triangle::Upper, a.view()).err(), Some(error));
    let error = Error::NotSquare { rows: 2, cols: 3 };
    assert_eq!(
        Cholesky::factor(Triangle::Lower, Matrix::<T>::zeros_in(format, 2, 3).view()).err(),
        Some(error)
    );
    let cholesky =
        Cholesky::factor(Triangle::Lower, Matrix::<T>::identity_in(format, 3).view()).unwrap();
    let error = Error::Shape { operand: "b", expected: (3, 1), found: (4, 1) };
    assert_eq!(cholesky.solve(Matrix::zeros_in(format, 4, 1).view()), Err(error));
}

#[test]
fn refuses_what_does_not_fit() {
    at_every_precision!(refusals);
}

fn agreement_with_lu<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 50);
    let a = random_definite::<T>(format, n, 4);
    let cholesky = Cholesky::factor(Triangle::Lower, a.view()).unwrap();
    let lu = Lu::factor(a.view()).unwrap();
    let norm = norm_one(a.view());
    let (x, y) = (cholesky.condition_estimate(norm), lu.condition_estimate(norm));
    assert!((x - y).abs() <= Reading::of(1e3 * f64::EPSILON) * y, "{x:e} {y:e}");
    let condition = y.to_f64();
    let (x, y) = (cholesky.determinant().unwrap(), lu.determinant().unwrap());
    let (ratio, shift) = (x.mantissa / y.mantissa, (x.exponent - y.exponent) as i32);
    let error = units::<T>(format, (ratio.ldexp(shift) - T::ONE).magnitude());
    // The relative perturbation of a determinant is at most n times the condition times that of the
    // matrix.
    let bound = 2.0 * n as f64 * condition * gamma::<T>(n) * n as f64;
    assert!(error <= bound, "{error:e} > {bound:e}");
    let inverse = cholesky.inverse().unwrap();
    let l = cholesky.lower().unwrap();
    let size = product(&magnitudes(&l), &magnitudes(&l.transposed()));
    let bound = product(&size, &magnitudes(&inverse)).map(|x| gamma::<T>(3 * n + 1) * x);
    assert_residual(
        a.view(),
        inverse.view(),
        Matrix::identity_in(format, n).view(),
        &bound,
        "inverse",
    );
}

#[test]
fn condition_determinant_and_inverse_agree_with_those_of_lu() {
    at_every_precision!(agreement_with_lu);
}
