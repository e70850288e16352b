//! Solutions and inverses of square systems: what is claimed of them, and what is refused.

use nonius_linalg::dense::{Method, Report, inverse, relative_residual, solve};
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_testkit::{Random, random_cases};

use crate::exact::{self, Exact, Solved, distance};
use crate::inputs::{at_any_precision, matrix, rights, symmetric};

/// Digits by which a claim may exceed the truth: what is claimed is 1/3 of a bound as a rule, and for some matrices less
/// (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., section 15.2).
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
            largest > 1022.0 || is_hopeless(a)
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

fn is_definite<T: Scalar>(a: &Matrix<T>) -> bool {
    exact::count_above(&exact::rows(a), &Exact::zero()) == a.rows()
}

/// Whether a change by rounding errors makes the matrix singular: `‖|A⁻¹||A|‖·n·2^(n−1)·u` is not below 1/8, by rows and by
/// columns, 2^(n−1) being the most that elimination grows.
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
