//! Solutions and inverses of square systems: what is claimed of them, and what is refused.

use nonius_linalg::dense::{Method, Report, inverse, relative_residual, solve};
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::{Random, random_cases};

use crate::random::exact::{self, Exact, Solved, distance};
use crate::random::inputs::{at_any_precision, matrix, rights, symmetric};

/// Digits by which a claim may exceed the truth: what is claimed is 1/3 of a bound as a rule, and
/// for some matrices less (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
/// section 15.2).
pub(crate) const ALLOWANCE: f64 = 1.0;

fn square<T: Scalar>(random: &mut Random, n: usize) -> Matrix<T> {
    if random.below(3) == 0 { symmetric(random, n) } else { matrix(random, n, n) }
}

#[test]
fn random_systems_have_the_digits_claimed() {
    random_cases("random systems", 1000, |random| at_any_precision!(random, systems));
}

fn systems<T: Scalar>(random: &mut Random) {
    let n = random.below(8);
    let a = square::<T>(random, n);
    let cols = [1, 1, 2, 9][random.below(4)];
    let b = rights(random, &a, cols);
    let method = Method::ALL[random.below(4)];
    let solved = exact::solve(&exact::rows(&a), &exact::rows(&b));
    match solve(a.view(), b.view(), method) {
        Ok(found) => {
            judge(&solved, &found.x, &found.report, &a);
            let residual = relative_residual(a.view(), found.x.view(), b.view()).unwrap();
            assert_eq!(found.report.relative_residual, residual, "{a:?}");
        }
        Err(error) => refused(&a, &b, &solved, &error, method),
    }
}

/// Asserts that no column has fewer digits than claimed.
fn judge<T: Scalar>(solved: &Solved, x: &Matrix<T>, report: &Report, a: &Matrix<T>) {
    let claimed = report.correct_digits();
    if solved.determinant.is_zero() {
        assert!(claimed == 0.0 || x.rows() == 0, "{claimed} digits of a singular system: {a:?}");
        return;
    }
    for j in 0..x.cols() {
        let (error, size) = distance(solved, j, |i| Exact::of(x[(i, j)]));
        if error == f64::NEG_INFINITY {
            continue;
        }
        let digits = (size - error) * std::f64::consts::LOG10_2;
        assert!(
            claimed <= digits.max(0.0) + ALLOWANCE,
            "{}: {claimed} digits claimed, {digits} there: column {j} of {x:?} for {a:?}",
            T::NAME
        );
    }
}

/// Asserts that a refusal is one of a system that this precision cannot solve.
fn refused<T: Scalar>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    solved: &Solved,
    error: &Error,
    method: Method,
) {
    let n = a.rows();
    let justified = match error {
        Error::Overflow { operand: "x", column } => {
            let largest = solved.numerators.iter().map(|row| row[*column].log2());
            let largest = largest.fold(f64::NEG_INFINITY, f64::max) - solved.determinant.log2();
            largest > 1022.0 || is_hopeless(a) || roundings_overflow(a, solved, *column)
        }
        Error::Singular { .. } => solved.determinant.is_zero() || is_hopeless(a),
        Error::NotSymmetric { .. } => method == Method::Cholesky,
        Error::NotPositiveDefinite { .. } => {
            method == Method::Cholesky && (!is_definite(a) || is_hopeless(a))
        }
        _ => false,
    };
    assert!(justified, "{method}, {} of order {n}: {error}: {a:?} {b:?}", T::NAME);
}

/// Whether roundings of elimination may change an unknown by more than numbers can be, that is by
/// `n·u·|A⁻¹||L||U||x|`. No entry of `|L||U|` is larger than the largest entry of `A` in its
/// column, times `n·2^(n−1)`.
fn roundings_overflow<T: Scalar>(a: &Matrix<T>, solved: &Solved, column: usize) -> bool {
    let n = a.rows();
    let determinant = solved.determinant.log2();
    let of_column = |j: usize| {
        let sizes = a.col(j).iter().map(|&x| Exact::of(x).log2());
        sizes.fold(f64::NEG_INFINITY, f64::max) + solved.numerators[j][column].log2()
    };
    let products = (0..n).map(of_column).fold(f64::NEG_INFINITY, f64::max) - determinant;
    let identity = exact::rows(&Matrix::<f64>::identity(n));
    let inverse = exact::solve(&exact::rows(a), &identity).numerators;
    let sizes = inverse.iter().flatten().map(Exact::log2);
    let inverse = sizes.fold(f64::NEG_INFINITY, f64::max) - determinant;
    let growth = 3.0 * (n as f64).log2() + n as f64 - 1.0;
    inverse + products + growth + T::UNIT_ROUNDOFF.log2() > 1020.0
}

fn is_definite<T: Scalar>(a: &Matrix<T>) -> bool {
    exact::count_above(&exact::rows(a), &Exact::zero()) == a.rows()
}

/// Whether a change by rounding errors makes the matrix singular: `‖|A⁻¹||A|‖·n·2^(n−1)·u` is not
/// below 1/8, by rows and by columns, 2^(n−1) being the most that elimination grows.
fn is_hopeless<T: Scalar>(a: &Matrix<T>) -> bool {
    let n = a.rows();
    let rows = exact::rows(a);
    let solved = exact::solve(&rows, &exact::rows(&Matrix::<f64>::identity(n)));
    if solved.determinant.is_zero() {
        return true;
    }
    let absolute = |rows: &exact::Rows| -> exact::Rows {
        rows.iter().map(|row| row.iter().map(Exact::abs).collect()).collect()
    };
    let inverse = absolute(&solved.numerators);
    let size = absolute(&rows);
    let norm = |left: &exact::Rows, right: &exact::Rows| {
        let products = exact::product(left, &exact::transposed(right, n));
        let sum =
            |row: &Vec<Exact>| row.iter().fold(Exact::zero(), |sum, x| sum + x.clone()).log2();
        products.iter().map(sum).fold(f64::NEG_INFINITY, f64::max) - solved.determinant.log2()
    };
    let condition = norm(&inverse, &size).min(norm(&size, &inverse));
    condition + (n as f64).log2() + n as f64 - 1.0 + T::UNIT_ROUNDOFF.log2() >= -3.0
}

/// A row of numbers so large that those of other rows would be lost in multiples of it.
#[test]
fn large_rows_leave_matrices_regular() {
    fn invert<T: Scalar>() {
        let large = T::ONE.ldexp(70 * T::LIMBS as i32);
        let [zero, one] = [T::ZERO, T::ONE];
        let number = T::from_f64;
        let rows = [
            [number(2.0), zero, number(3.0)],
            [number(4.0), -large, -large.ldexp(2)],
            [one, zero, number(5.0)],
        ];
        let a = Matrix::from_fn(3, 3, |i, j| rows[i][j]);
        let found = inverse(a.view()).unwrap();
        let solved = exact::solve(&exact::rows(&a), &exact::rows(&Matrix::<f64>::identity(3)));
        judge(&solved, &found.x, &found.report, &a);
        for method in [Method::GaussJordan, Method::Lu] {
            let found = solve(a.view(), Matrix::identity(3).view(), method).unwrap();
            judge(&solved, &found.x, &found.report, &a);
        }
    }
    invert::<f64>();
    invert::<Dd>();
    invert::<Td>();
    invert::<Qd>();
}

/// An unknown that is zero, and could be far larger than the others, hides none of their errors.
#[test]
fn zeros_hide_no_errors() {
    let entries = [
        [0.0, 0.0, 2.762438195434716e203],
        [5.8032381664539605e-43, 0.0, 2.566890820316697e50],
        [6.470708532094534e-142, -9.406386859153487e-66, -3.4044234929294983e-49],
    ];
    let a = Matrix::from_fn(3, 3, |i, j| entries[i][j]);
    let x = [-9.921595108487878e-237, -2.241147404112671e-86];
    let b = Matrix::from_fn(3, 2, |i, j| if i == 2 { entries[2][1] * x[j] } else { 0.0 });
    let found = solve(a.view(), b.view(), Method::Lu).unwrap();
    let digits = found.report.correct_digits();
    assert!((14.0..16.5).contains(&digits), "{digits}");
}

/// A symmetric matrix of huge numbers whose diagonal is far smaller.
#[test]
fn huge_matrices_that_are_not_definite_are_named_so() {
    let a = Matrix::from_fn(2, 2, |i, j| if i == j { 1e100 } else { 1e300 });
    let error = solve(a.view(), a.view(), Method::Cholesky).unwrap_err();
    assert!(matches!(error, Error::NotPositiveDefinite { index: 1, .. }), "{error}");
}

#[test]
fn random_inverses_have_the_digits_claimed() {
    random_cases("random inverses", 1000, |random| at_any_precision!(random, inverses));
}

fn inverses<T: Scalar>(random: &mut Random) {
    let n = random.below(7);
    let a = square::<T>(random, n);
    let identity = Matrix::identity(n);
    let solved = exact::solve(&exact::rows(&a), &exact::rows(&identity));
    match inverse(a.view()) {
        Ok(found) => judge(&solved, &found.x, &found.report, &a),
        Err(error) => refused(&a, &identity, &solved, &error, Method::Auto),
    }
}

/// What is not finite is refused, and says where.
#[test]
fn random_entries_that_are_not_finite() {
    random_cases("not finite", 1000, |random| {
        let n = 1 + random.below(5);
        let mut a = matrix::<f64>(random, n, n);
        let (row, col) = (random.below(n), random.below(n));
        a[(row, col)] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][random.below(3)];
        let error = Some(Error::NotFinite { operand: "a", row, col });
        let method = Method::ALL[random.below(4)];
        assert_eq!(solve(a.view(), Matrix::identity(n).view(), method).err(), error);
        assert_eq!(inverse(a.view()).err(), error);
    });
}
