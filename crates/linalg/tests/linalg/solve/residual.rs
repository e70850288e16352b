//! The residual in twice the precision.

use crate::every::at_every_level;
use crate::solve::common::{magnitudes, product, same_bits};
use nonius_linalg::dense::{relative_residual, residual};
use nonius_linalg::{Error, MatRef, Matrix, Scalar, cpu, reference};
use nonius_testkit::orthogonal::random_matrix;
use nonius_testkit::{Random, Sample};

/// The exact residual rounded, and `|B| + |A||X|`.
fn exact<T: Scalar + Sample>(
    a: &Matrix<T>,
    x: &Matrix<T>,
    b: &Matrix<T>,
) -> (Matrix<T>, Matrix<f64>) {
    let mut r = b.clone();
    reference::residual::residual(a.view(), x.view(), r.view_mut());
    let product = product(&magnitudes(a), &magnitudes(x));
    let size =
        Matrix::from_fn(b.rows(), b.cols(), |i, j| b[(i, j)].to_f64().abs() + product[(i, j)]);
    (r, size)
}

/// Within `n·u²` of the exact value relative to all terms, plus the final rounding of either.
fn assert_close<T: Scalar + Sample>(a: &Matrix<T>, x: &Matrix<T>, b: &Matrix<T>) {
    let (expected, size) = exact(a, x, b);
    let found = residual(a.view(), x.view(), b.view()).unwrap();
    for j in 0..b.cols() {
        for i in 0..b.rows() {
            let error = (found[(i, j)] - expected[(i, j)]).abs().to_f64();
            let u = T::UNIT_ROUNDOFF;
            let bound =
                a.cols() as f64 * u * u * size[(i, j)] + 8.0 * u * expected[(i, j)].to_f64().abs();
            assert!(
                error <= bound,
                "{} {:?} ({i}, {j}): {error:e} > {bound:e}",
                T::NAME,
                a.shape()
            );
        }
    }
}

fn close_to_the_exact_value<T: Scalar + Sample>() {
    for (m, n, p) in [(1, 1, 1), (7, 3, 2), (8, 4, 1), (9, 5, 3), (17, 33, 2), (40, 70, 1)] {
        let a = random_matrix::<T>((), m, n, 1);
        let x = random_matrix::<T>((), n, p, 2);
        assert_close(&a, &x, &random_matrix((), m, p, 3));
        // `B` the rounded product, so that all but the last bits cancel.
        let zero = Matrix::zeros(m, p);
        let b = residual(a.view(), x.view(), zero.view()).unwrap().map(|b| -b);
        assert_close(&a, &x, &b);
    }
}

#[test]
fn is_close_to_the_exact_value() {
    at_every_width!(close_to_the_exact_value);
}

/// Rows whose terms cancel in pairs but for one small product: every limb of the accumulator is
/// needed.
fn cancelling_terms_leave_nothing_behind<T: Scalar + Sample>() {
    let mut random = Random::new(5);
    let n = 41;
    let x = Matrix::from_fn(n, 1, |_, _| T::random((), &mut random));
    let tiny = T::ONE.ldexp(-40 * T::LIMBS as i32);
    let mut a = Matrix::from_fn(9, n, |_, _| T::random((), &mut random));
    let mut x_pairs = x.clone();
    for k in (0..n - 1).step_by(2) {
        x_pairs[(k + 1, 0)] = x[(k, 0)];
        for i in 0..9 {
            a[(i, k + 1)] = -a[(i, k)];
        }
    }
    for i in 0..9 {
        a[(i, n - 1)] = tiny;
    }
    x_pairs[(n - 1, 0)] = tiny;
    assert_close(&a, &x_pairs, &Matrix::zeros(9, 1));
}

#[test]
fn cancelling_terms() {
    at_every_width!(cancelling_terms_leave_nothing_behind);
}

fn extreme_exponents<T: Scalar + Sample>() {
    // Powers of two change nothing but the exponent of the result.
    let (a, x, b) = (
        random_matrix::<T>((), 9, 6, 1),
        random_matrix::<T>((), 6, 2, 2),
        random_matrix((), 9, 2, 3),
    );
    let expected = residual(a.view(), x.view(), b.view()).unwrap();
    for (of_a, of_x) in [(700, -690), (-700, 690), (500, 400), (-300, -310), (0, 900)] {
        let scaled = residual(
            a.map(|a| a.ldexp(of_a)).view(),
            x.map(|x| x.ldexp(of_x)).view(),
            b.map(|b| b.ldexp(of_a + of_x)).view(),
        );
        assert!(
            same_bits(&scaled.unwrap(), &expected.map(|r| r.ldexp(of_a + of_x))),
            "{of_a} {of_x}"
        );
    }
    // Where B alone is of moderate size, it is the residual.
    let small = a.map(|a| a.ldexp(-900));
    let r = residual(small.view(), x.map(|x| x.ldexp(-900)).view(), b.view()).unwrap();
    assert!(same_bits(&r, &b));
    let relative = relative_residual(
        a.map(|a| a.ldexp(1000)).view(),
        x.map(|x| x.ldexp(1000)).view(),
        b.view(),
    );
    assert!(relative.is_ok_and(|r| r <= 1.0));
}

#[test]
fn exponents_near_the_ends_of_the_range() {
    at_every_width!(extreme_exponents);
}

fn same_everywhere<T: Scalar + Sample>() {
    let (a, x) = (random_matrix::<T>((), 43, 29, 1), random_matrix::<T>((), 29, 3, 2));
    let b = random_matrix::<T>((), 43, 3, 3);
    let expected = residual(a.view(), x.view(), b.view()).unwrap();
    at_every_level(|level| {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| residual(a.view(), x.view(), b.view()).unwrap());
            assert!(same_bits(&found, &expected), "{} {level:?} {threads}", T::NAME);
        }
    });
}

#[test]
fn the_same_bits_with_any_registers_and_threads() {
    at_every_width!(same_everywhere);
}

#[test]
fn strides_and_empty_shapes() {
    let data: Vec<f64> = (0..60).map(f64::from).collect();
    let a = MatRef::from_parts(&data, 3, 4, 10);
    let x = Matrix::from_fn(4, 2, |i, j| (i + j) as f64);
    let b = Matrix::from_fn(3, 2, |i, j| (i * j) as f64);
    let strided = residual(a, x.view(), b.view()).unwrap();
    assert_eq!(strided, residual(a.to_matrix().view(), x.view(), b.view()).unwrap());
    assert_eq!(strided[(1, 0)], -(11.0 + 2.0 * 21.0 + 3.0 * 31.0));
    let none = Matrix::<f64>::zeros(3, 0);
    assert!(relative_residual(a, Matrix::zeros(4, 0).view(), none.view()).unwrap() == 0.0);
    assert_eq!(residual(none.view(), Matrix::zeros(0, 2).view(), b.view()), Ok(b));
}

#[test]
fn refuses_what_it_cannot_judge() {
    let (a, x) = (Matrix::<f64>::identity(3), Matrix::<f64>::zeros(2, 1));
    let b = Matrix::<f64>::zeros(3, 1);
    let shape = Error::Shape { operand: "x", expected: (3, 1), found: (2, 1) };
    assert_eq!(residual(a.view(), x.view(), b.view()), Err(shape));
    let mut x = b.clone();
    x[(2, 0)] = f64::NAN;
    let error = Error::NotFinite { operand: "x", row: 2, col: 0 };
    assert_eq!(relative_residual(a.view(), x.view(), b.view()), Err(error));
}

#[test]
fn the_kernel_takes_whatever_is_in_the_padding() {
    let mut r = Matrix::from_fn(5, 1, |i, _| i as f64);
    let a = Matrix::from_fn(5, 2, |_, _| 1.0);
    cpu::residual::residual(a.view(), Matrix::from_fn(2, 1, |_, _| 0.5).view(), r.view_mut());
    assert_eq!(r.as_slice(), [-1.0, 0.0, 1.0, 2.0, 3.0]);
}

/// The largest entries of residuals against the exact ones, within `n·2^-24·u` times the largest of
/// rows and columns.
fn largest_entries<T: Scalar + Sample>() {
    let near = |a: &Matrix<T>, x: &Matrix<T>, b: &Matrix<T>, what: &str| {
        let (expected, _) = exact(a, x, b);
        let found = cpu::backward_error::largest_residuals(a.view(), x.view(), b.view());
        let largest = |x: &[T]| x.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
        for (j, found) in found.into_iter().enumerate() {
            let largest_residual = largest(expected.col(j));
            let terms = a.cols() as f64 * largest(a.as_slice()) * largest(x.col(j));
            let bound =
                T::UNIT_ROUNDOFF * 2_f64.powi(-24) * terms + 8.0 * f64::EPSILON * largest_residual;
            let error = (found.to_f64() - largest_residual).abs();
            assert!(error <= bound, "{} {what} {:?}: {error:e} > {bound:e}", T::NAME, a.shape());
        }
    };
    // Around registers and lines, and beyond a block of inner columns.
    for (m, n, p) in [(1, 1, 1), (7, 3, 2), (8, 8, 1), (9, 5, 3), (17, 33, 2), (9, 600, 2)] {
        let a = random_matrix::<T>((), m, n, 1);
        let x = random_matrix::<T>((), n, p, 2);
        near(&a, &x, &random_matrix((), m, p, 3), "far");
        // `B` the rounded product, so that all but the last bits cancel.
        let b = residual(a.view(), x.view(), Matrix::zeros(m, p).view()).unwrap().map(|b| -b);
        near(&a, &x, &b, "rounded");
        // Rows and columns of their own magnitudes.
        let rows = Matrix::from_fn(m, n, |i, k| a[(i, k)].ldexp(90 * (i as i32 % 3) - 90));
        let columns = Matrix::from_fn(n, p, |k, j| x[(k, j)].ldexp(70 * j as i32 - 100));
        let zero = Matrix::zeros(m, p);
        let b = residual(rows.view(), columns.view(), zero.view()).unwrap().map(|b| -b);
        near(&rows, &columns, &b, "scaled");
        near(&rows, &columns, &zero, "scaled, no right-hand side");
    }
}

#[test]
fn largest_entries_are_close_to_the_exact_ones() {
    at_every_width!(largest_entries);
}

/// A change of `x` by a few unit roundoffs shows in the backward error to many digits, for one
/// column and for many.
fn tells_solutions_apart<T: Scalar + Sample>() {
    let n = 60;
    let a = random_matrix::<T>((), n, n, 4);
    for columns in [1, 12, 40] {
        let mut x = Matrix::from_fn(n, columns, |_, _| T::ONE);
        let zero = Matrix::zeros(n, columns);
        let b = residual(a.view(), x.view(), zero.view()).unwrap().map(|b| -b);
        let u = T::UNIT_ROUNDOFF;
        assert!(relative_residual(a.view(), x.view(), b.view()).unwrap() < u);
        x[(0, columns / 2)] = T::ONE - T::from_f64(64.0 * u);
        let found = relative_residual(a.view(), x.view(), b.view()).unwrap().to_f64();
        let (r, _) = exact(&a, &x, &b);
        let largest = |x: &Matrix<T>| magnitudes(x).as_slice().iter().fold(0.0, |m, &x| x.max(m));
        let row = |i: usize| (0..n).map(|k| a[(i, k)].to_f64().abs()).sum::<f64>();
        let norm = (0..n).map(row).fold(0.0, f64::max);
        let column = |b: &Matrix<T>| Matrix::from_fn(n, 1, |i, _| b[(i, columns / 2)]);
        let expected = largest(&r) / (norm * largest(&column(&x)) + largest(&column(&b)));
        let slack = n as f64 * (2_f64.powi(-24) * u + 4.0 * f64::EPSILON * expected);
        assert!((found - expected).abs() <= slack, "{} {found:e} {expected:e}", T::NAME);
    }
}

#[test]
fn small_changes_of_a_solution_show() {
    at_every_width!(tells_solutions_apart);
}

fn same_largest_entries<T: Scalar + Sample>() {
    let (a, x) = (random_matrix::<T>((), 43, 530, 1), random_matrix::<T>((), 530, 3, 2));
    let b = random_matrix::<T>((), 43, 3, 3);
    let expected = cpu::backward_error::largest_residuals(a.view(), x.view(), b.view());
    at_every_level(|level| {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool
                .install(|| cpu::backward_error::largest_residuals(a.view(), x.view(), b.view()));
            assert_eq!(found, expected, "{} {level:?} {threads}", T::NAME);
        }
    });
}

#[test]
fn the_same_largest_entries_with_any_registers_and_threads() {
    at_every_width!(same_largest_entries);
}
