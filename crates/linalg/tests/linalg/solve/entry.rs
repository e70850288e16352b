//! The entry point: which method, which error, what it reports.

use crate::every::at_every_level;
use nonius_linalg::backend::{Reading, Reference};
use nonius_linalg::dense::{Lu, Method, Report, norm_one, solve, solve_on};
use nonius_linalg::{Error, Matrix};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::orthogonal::{random_matrix, scaled};
use nonius_testkit::{Sample, matrices, order};

use crate::solve::common::{gamma, magnitudes, product, random_definite, same_bits, units};

fn report<T: Sample>(a: &Matrix<T>, b: &Matrix<T>, method: Method) -> Result<Report, Error> {
    solve(a.view(), b.view(), method).map(|solution| solution.report)
}

fn choice<T: Sample>(format: T::Format) {
    let n = 20;
    let b = random_matrix::<T>(format, n, 2, 1);
    let definite = random_definite::<T>(format, n, 2);
    let mut indefinite = definite.clone();
    indefinite.set(7, 3, T::from_f64(40.0));
    indefinite.set(3, 7, indefinite.at(7, 3));
    let negative = Matrix::from_fn_in(format, n, n, |i, j| -definite.at(i, j));
    let general = random_matrix::<T>(format, n, n, 3);
    for (a, method) in [
        (&definite, Method::Cholesky),
        (&indefinite, Method::Lu),
        (&general, Method::Lu),
        (&negative, Method::Lu),
    ] {
        let report = report(a, &b, Method::Auto).unwrap();
        assert_eq!(report.method, method);
        assert!(units::<T>(format, report.relative_residual) <= gamma::<T>(n));
        let rejected = core::ptr::eq(a, &indefinite);
        assert_eq!(matches!(report.rejected, Some(Error::NotPositiveDefinite { .. })), rejected);
    }
    for method in [Method::GaussJordan, Method::Lu, Method::Cholesky] {
        let report = report(&definite, &b, method).unwrap();
        assert_eq!((report.method, report.rejected), (method, None));
    }
    assert!(matches!(
        report(&indefinite, &b, Method::Cholesky),
        Err(Error::NotPositiveDefinite { index: 7, .. })
    ));
    let mut lopsided = definite.clone();
    lopsided.set(9, 4, lopsided.at(9, 4) + T::ONE);
    let error = Error::NotSymmetric { row: 9, col: 4 };
    assert_eq!(report(&lopsided, &b, Method::Cholesky), Err(error));
}

#[test]
fn auto_takes_cholesky_where_it_works() {
    at_every_precision!(choice);
}

fn errors<T: Sample>(format: T::Format) {
    let (a, b) = (Matrix::<T>::identity_in(format, 3), Matrix::<T>::zeros_in(format, 3, 1));
    let all = [Method::Auto, Method::GaussJordan, Method::Lu, Method::Cholesky];
    for method in all {
        let rectangular = Matrix::zeros_in(format, 3, 2);
        assert_eq!(report(&rectangular, &b, method), Err(Error::NotSquare { rows: 3, cols: 2 }));
        let error = Error::Shape { operand: "b", expected: (3, 2), found: (2, 2) };
        assert_eq!(report(&a, &Matrix::zeros_in(format, 2, 2), method), Err(error));
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut input = a.clone();
            input.set(2, 1, T::from_f64(bad));
            let error = Error::NotFinite { operand: "a", row: 2, col: 1 };
            assert_eq!(report(&input, &b, method), Err(error));
            let mut input = b.clone();
            input.set(1, 0, T::from_f64(bad));
            let error = Error::NotFinite { operand: "b", row: 1, col: 0 };
            assert_eq!(report(&a, &input, method), Err(error));
        }
        // For limbs 1 / 2^-1000 · 2^100.
        let tiny = scaled(&a, |_, _| T::LEAST_EXPONENT + 74);
        let large = Matrix::from_fn_in(format, 3, 1, |_, _| T::ONE.ldexp(100));
        let error = Error::Overflow { operand: "x", column: 0 };
        assert_eq!(report(&tiny, &large, method), Err(error));
        let empty =
            report(&Matrix::<T>::zeros_in(format, 0, 0), &Matrix::zeros_in(format, 0, 2), method)
                .unwrap();
        assert!(empty.relative_residual == 0.0 && empty.condition_estimate == 0.0);
        let none = solve(a.view(), Matrix::zeros_in(format, 3, 0).view(), method).unwrap();
        assert_eq!(none.x.shape(), (3, 0));
        let one = solve(a.view().block(0, 0, 1, 1), b.view().block(0, 0, 1, 1), method);
        assert!(one.is_ok());
    }
    let singular = Matrix::from_fn_in(format, 2, 2, |_, _| T::ONE);
    for method in [Method::Auto, Method::GaussJordan, Method::Lu] {
        let error = report(&singular, &Matrix::zeros_in(format, 2, 1), method);
        assert_eq!(error, Err(Error::Singular { column: 1 }));
    }
}

#[test]
fn every_bad_input_is_an_error_that_says_where() {
    at_every_precision!(errors);
}

/// The forward error bound of Theorem 9.4 with the known inverse:
/// `|x̂ − x| <= 3γ_n·|H⁻¹|·Pᵀ|L||U||x̂|`, and `|H⁻¹|·u·|b|` for the rounding of `b` and as much
/// again for that of `H`.
fn hilbert<T: Sample>(format: T::Format, n: usize) {
    let a = Matrix::from_fn_in(format, n, n, |i, j| matrices::hilbert::<T>(format, i, j));
    let b =
        Matrix::from_fn_in(format, n, 1, |i, _| (0..n).fold(T::ZERO, |sum, j| sum + a.at(i, j)));
    let inverse = Matrix::from_fn(n, n, |i, j| matrices::hilbert_inverse(n, i, j).abs());
    for method in [Method::GaussJordan, Method::Lu, Method::Cholesky] {
        let solution = solve(a.view(), b.view(), method).unwrap();
        let x = &solution.x;
        let errors = x.numbers().as_slice().iter().map(|x| (x - T::ONE).magnitude());
        let error = errors.fold(Reading::ZERO, Reading::max);
        let of_unit = units::<T>(format, error);
        // |L||U| <= n·max|H| for these, whose elements do not grow in elimination.
        let sizes = Matrix::from_fn(n, 1, |_, _| n as f64);
        let unit = product(&product(&inverse, &Matrix::from_fn(n, n, |_, _| 1.0)), &magnitudes(x));
        let rounding = product(&inverse, &sizes);
        let bound =
            (0..n).map(|i| 3.0 * gamma::<T>(n) * unit[(i, 0)] + 3.0 * n as f64 * rounding[(i, 0)]);
        let bound = bound.fold(0.0, f64::max);
        let name = T::name(format);
        assert!(of_unit <= bound, "{name} {n} {method}: {of_unit:e} > {bound:e} units");
        // The estimate is no more optimistic than a factor 10 · n, and the digits follow from it.
        let estimate = solution.report.forward_error_estimate;
        let ten = Reading::of(10.0 * n as f64);
        assert!(error <= ten * estimate, "{n} {method}: {error:e} {estimate:e}");
        let digits = solution.report.correct_digits();
        assert_eq!(digits, (-estimate.log10()).max(0.0));
        // A condition is estimated well where the factors have at least three digits.
        const REGULAR: f64 = 1e-3;
        let norm = norm_one(a.view());
        let condition = norm * norm_one(inverse.view());
        if condition * T::units(format, 1.0) < REGULAR {
            let estimate = solution.report.condition_estimate;
            let ratio = (estimate / condition).to_f64();
            assert!((0.3..1.01).contains(&ratio), "{n} {method}: {ratio}");
        }
    }
}

#[test]
fn hilbert_systems() {
    hilbert::<f64>((), 8);
    hilbert::<Dd>((), 20);
    hilbert::<Td>((), 20);
    hilbert::<Td>((), 30);
    hilbert::<Qd>((), 20);
    hilbert::<Qd>((), 40);
    for (bits, n) in [(106, 20), (424, 20), (424, 40), (1000, 40), (2048, 30)] {
        hilbert::<Mp>(Bits::new(bits).unwrap(), n);
    }
}

#[test]
fn hilbert_60_in_quad_double_promises_no_digits() {
    // Its condition, about 10^90, is beyond what 62 digits resolve.
    let n = 60;
    let a = Matrix::from_fn(n, n, |i, j| matrices::hilbert::<Qd>((), i, j));
    let report = report(&a, &Matrix::from_fn(n, 1, |_, _| Qd::ONE), Method::Lu).unwrap();
    assert!(report.condition_estimate > 1e60);
    assert_eq!(report.correct_digits(), 0.0);
}

fn same_everywhere<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 100);
    let b = random_matrix::<T>(format, n, 17, 1);
    for (a, method) in [
        (random_matrix::<T>(format, n, n, 2), Method::GaussJordan),
        (random_matrix::<T>(format, n, n, 2), Method::Lu),
        (random_definite::<T>(format, n, 2), Method::Cholesky),
    ] {
        let expected = solve(a.view(), b.view(), method).unwrap();
        at_every_level(|level| {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| solve(a.view(), b.view(), method).unwrap());
                assert!(same_bits(&found.x, &expected.x), "{} {method} {level:?}", T::name(format));
                let numbers = |r: &Report| (r.relative_residual, r.condition_estimate);
                assert_eq!(numbers(&found.report), numbers(&expected.report));
            }
        });
    }
}

#[test]
fn the_same_bits_with_any_registers_and_threads() {
    at_every_precision!(same_everywhere);
}

fn backends<T: Sample>(format: T::Format) {
    let n = order::<T>(format, 40);
    let (a, b) = (random_matrix::<T>(format, n, n, 2), random_matrix::<T>(format, n, 3, 1));
    let fast = solve(a.view(), b.view(), Method::Lu).unwrap();
    let textbook = solve_on(Reference, a.view(), b.view(), Method::Lu).unwrap();
    let lu = Lu::factor(a.view()).unwrap();
    let (l, u) = lu.triangles().unwrap();
    // Both within 3γ_n|A⁻¹|Pᵀ|L||U||x| of the solution.
    let mut pl = product(&magnitudes(&l), &magnitudes(&u));
    for (i, &row) in lu.pivots().iter().enumerate().rev() {
        pl.view_mut().swap_rows(i, row);
    }
    let size = product(&magnitudes(&lu.inverse().unwrap()), &product(&pl, &magnitudes(&fast.x)));
    for j in 0..3 {
        for i in 0..n {
            let difference = (fast.x.at(i, j) - textbook.x.at(i, j)).magnitude();
            assert!(units::<T>(format, difference) <= 6.0 * gamma::<T>(n) * size[(i, j)]);
        }
    }
}

#[test]
fn both_backends_find_the_same_solution() {
    at_every_precision!(backends);
}

#[test]
fn methods_are_spelled_one_way() {
    for method in Method::ALL {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
    let error = "qr".parse::<Method>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no method is called \"qr\"; known are auto gauss-jordan lu cholesky"
    );
}

#[test]
fn any_number_of_columns_without_entries() {
    let a = Matrix::<Dd>::zeros(0, 0);
    let b = Matrix::<Dd>::zeros(0, usize::MAX);
    for method in Method::ALL {
        let solution = solve(a.view(), b.view(), method).unwrap();
        assert_eq!(solution.x.shape(), (0, usize::MAX));
        assert_eq!(solution.report.relative_residual, 0.0);
    }
}
