//! Least squares and shortest solutions: what is claimed of them, by the normal equations without
//! rounding.

use nonius_linalg::dense::least_squares;
use nonius_linalg::{Error, Matrix, Scalar};
use nonius_num::{Qd, Td};
use nonius_testkit::{Random, random_cases};

use crate::random::exact::{self, Exact, Rows, Solved, distance};
use crate::random::inputs::{at_any_precision, matrix, rights};
use crate::random::solve::ALLOWANCE;

/// The solution without rounding; its determinant is zero where there is no single one.
fn best(a: &Rows, cols: usize, b: &Rows) -> Solved {
    let columns = exact::transposed(a, cols);
    if a.len() >= cols {
        let rights = exact::transposed(b, b.first().map_or(0, Vec::len));
        return exact::solve(
            &exact::product(&columns, &columns),
            &exact::product(&columns, &rights),
        );
    }
    let Solved { determinant, numerators } = exact::solve(&exact::product(a, a), b);
    if determinant.is_zero() {
        return Solved { determinant, numerators };
    }
    let of_rights = exact::transposed(&numerators, b.first().map_or(0, Vec::len));
    Solved { determinant, numerators: exact::product(&columns, &of_rights) }
}

#[test]
fn random_solutions_have_the_digits_claimed() {
    random_cases("least squares", 1000, |random| at_any_precision!(random, solutions));
}

fn solutions<T: Scalar>(random: &mut Random) {
    let (m, n) = (random.below(8), random.below(6));
    let a = matrix::<T>(random, m, n);
    let cols = 1 + random.below(2);
    let b = rights(random, &a, cols);
    check(&a, &b);
}

/// Whether roundings of a right-hand side may be as large in the unknown of a small column as no
/// number is: they are divided by the size of the column, and by the least singular value beside
/// columns of one size.
fn roundings_overflow<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>, column: usize) -> bool {
    let size = |column: &[T]| {
        column.iter().map(|x| Exact::of(*x).log2()).fold(f64::NEG_INFINITY, f64::max)
    };
    let smallest = (0..a.cols()).map(|k| size(a.col(k))).fold(f64::INFINITY, f64::min);
    size(b.col(column)) - smallest - least_singular_value(a) + T::UNIT_ROUNDOFF.log2() > 1015.0
}

fn check<T: Scalar>(a: &Matrix<T>, b: &Matrix<T>) {
    let (m, n) = a.shape();
    let solved = best(&exact::rows(a), n, &exact::rows(b));
    let (x, claimed) = match least_squares(a.view(), b.view()) {
        Ok(found) => (found.x, found.report.correct_digits()),
        Err(error) => {
            let justified = match error {
                Error::RankDeficient { .. } => solved.determinant.is_zero() || is_hopeless(a),
                Error::Overflow { operand: "x", column } => {
                    let largest = solved.numerators.iter().map(|row| row[column].log2());
                    let largest = largest.fold(f64::NEG_INFINITY, f64::max);
                    largest - solved.determinant.log2() > 1022.0
                        || is_hopeless(a)
                        || roundings_overflow(a, b, column)
                }
                _ => false,
            };
            assert!(justified, "{m} × {n} {}: {error}: {a:?} {b:?}", T::NAME);
            return;
        }
    };
    if m == 0 || n == 0 {
        return;
    }
    if solved.determinant.is_zero() {
        assert_eq!(claimed, 0.0, "a deficient rank: {a:?}");
        return;
    }
    for j in 0..x.cols() {
        let (error, size) = distance(&solved, j, |i| Exact::of(x[(i, j)]));
        if error == f64::NEG_INFINITY {
            continue;
        }
        let digits = (size - error) * std::f64::consts::LOG10_2;
        assert!(
            claimed <= digits.max(0.0) + ALLOWANCE,
            "{m} × {n} {}: {claimed} digits claimed, {digits} there: column {j} of {x:?} for {a:?} {b:?}",
            T::NAME
        );
    }
}

/// Whether rounding errors may make the rank deficient.
fn is_hopeless<T: Scalar>(a: &Matrix<T>) -> bool {
    let (m, n) = a.shape();
    // The condition by its estimate in the 1-norm, and the tolerance m·u.
    least_singular_value(a) <= (4.0 * (m * n) as f64 * T::UNIT_ROUNDOFF).log2()
}

/// The binary logarithm of a lower bound of the least singular value of the longer dimension's
/// vectors, scaled to size 1. Its square is at least `det(AᵀA)` over the product of the others,
/// which are at most `n`.
fn least_singular_value<T: Scalar>(a: &Matrix<T>) -> f64 {
    let (m, n) = a.shape();
    let short = m.min(n);
    let rows = exact::rows(a);
    let vectors = if m >= n { exact::transposed(&rows, n) } else { rows };
    let lengths: f64 = vectors.iter().map(|x| exact::dot(x, x).log2()).sum();
    let none: Rows = vec![Vec::new(); short];
    let gram = exact::solve(&exact::product(&vectors, &vectors), &none).determinant;
    // Of a correlation matrix: the determinant is at most e times the least eigenvalue.
    0.5 * (gram.log2() - lengths - 2.0)
}

/// A residual that is large beside the solution takes digits by the square of the condition.
#[test]
fn a_large_residual_takes_digits() {
    let a = Matrix::from_fn(3, 1, |i, _| [3.0, 5.0, 7.0][i]);
    let b = Matrix::from_fn(3, 1, |i, _| [12.0, -3.0, -3.0][i] + a[(i, 0)] * 2.0_f64.powi(-45));
    check(&a, &b);
    let found = least_squares(a.view(), b.view()).unwrap();
    assert!(found.report.correct_digits() < 3.0);
}

/// An unknown that is tiny beside the right-hand side is found, without a digit.
#[test]
fn right_sides_far_larger_than_solutions_are_judged() {
    let a = Matrix::from_fn(4, 1, |i, _| if i == 2 { 8.9e-293 } else { 0.0 });
    let b = Matrix::from_fn(4, 1, |i, _| [0.0, -0.32, 1.88e-314, -0.2][i]);
    check(&a, &b);
    assert_eq!(least_squares(a.view(), b.view()).unwrap().report.correct_digits(), 0.0);
}

/// Limbs of solutions next to the end of the range have few bits.
#[test]
fn limbs_below_the_range_are_not_claimed() {
    fn huge<T: Scalar>() {
        let a =
            Matrix::from_fn(3, 2, |i, j| T::from_f64([[3.0, 1.0], [5.0, 2.0], [7.0, 4.0]][i][j]));
        let a = a.map(|x| (x / T::from_f64(3.0)).ldexp(963));
        let b = Matrix::from_fn(3, 1, |i, _| T::from_f64(1.0 + i as f64) / T::from_f64(7.0));
        check(&a, &b);
        check(&a.transposed(), &b.view().block(0, 0, 2, 1).to_matrix());
        let found = least_squares(a.view(), b.view()).unwrap();
        assert!(found.report.correct_digits() < 35.0, "{}", T::NAME);
    }
    huge::<Td>();
    huge::<Qd>();
}
