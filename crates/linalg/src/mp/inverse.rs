//! The inverse by elimination.
//!
//! Crout's form of `P·A = L·U` with partial pivoting: every entry of the factors, and of what substitution with them finds, is one sum of products
//! ([`Dot`]), a difference and for some a quotient, each rounded once. The factors are exact for a matrix within `3·2^-bits·|L||U|` of `P·A`, entrywise, however many terms
//! sums have (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 9.3, with sums rounded once). Work grows with the cube of the order without the help of products of matrices:
//! for orders up to some hundreds.

use nonius_num::mp::{Dot, Mp, MpRef};
use rayon::prelude::*;

use super::{Matrix, Slice};
use crate::Error;

/// `A^-1` for a square matrix.
///
/// # Errors
/// [`Error::NotSquare`]; [`Error::Singular`] where no pivot other than zero is left, which includes columns that are not finite.
pub fn inverse(a: &Matrix) -> Result<Matrix, Error> {
    let factors = Factors::new(a)?;
    let (n, bits) = (a.rows(), a.bits());
    let columns: Vec<Matrix> =
        (0..n).into_par_iter().map(|j| factors.column_of_inverse(j)).collect();
    let mut inverse = Matrix::try_zeros(bits, n, n)?;
    for (j, column) in columns.iter().enumerate() {
        (0..n).for_each(|i| inverse.set(i, j, column.at(i, 0)));
    }
    Ok(inverse)
}

/// `P·A = L·U` with the diagonal of `L` other than one, that of `U` ones.
struct Factors {
    /// Its columns are the rows of `L`.
    lower: Matrix,
    /// Its columns are the rows of `U`.
    upper: Matrix,
    /// Row `i` of `P·A` is row `order[i]` of `A`.
    order: Vec<usize>,
}

/// `b − Σ x_k·y_k`, the sum and the difference rounded once each.
fn remainder(b: MpRef<'_>, x: Slice<'_>, y: Slice<'_>, dot: &mut Dot) -> Mp {
    let mut sum = Mp::zero(b.bits());
    sum.set_dot(dot, (x.heads(), x.words()), (y.heads(), y.words()));
    b - sum.view()
}

impl Factors {
    fn new(a: &Matrix) -> Result<Self, Error> {
        Error::check_square(a.shape())?;
        let (n, bits) = (a.rows(), a.bits());
        let zeros = || Matrix::try_zeros(bits, n, n);
        let (mut lower, mut upper, mut columns) = (zeros()?, zeros()?, zeros()?);
        let mut order: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let (rows, right) = (&lower, columns.col(k).range(0..k));
            let found: Vec<Mp> = (k..n)
                .into_par_iter()
                .map_init(
                    || Dot::new(bits),
                    |dot, i| remainder(a.at(order[i], k), rows.col(i).range(0..k), right, dot),
                )
                .collect();
            let usable = |x: &Mp| x.is_finite() && !x.is_zero();
            let larger = |best: usize, i: usize| {
                let order = found[i].view().compare_magnitudes(found[best].view());
                if order.is_gt() { i } else { best }
            };
            let pivot = (0..found.len()).fold(0, larger);
            if !found.iter().all(Mp::is_finite) || !usable(&found[pivot]) {
                return Err(Error::Singular { column: k });
            }
            for (i, x) in found.iter().enumerate() {
                lower.set(k, k + i, x.view());
            }
            swap_columns(&mut lower, k, k + pivot, k + 1);
            order.swap(k, k + pivot);
            let (rows, above) = (lower.col(k), &columns);
            let line: Vec<Mp> = (k + 1..n)
                .into_par_iter()
                .map_init(
                    || Dot::new(bits),
                    |dot, j| {
                        let left = rows.range(0..k);
                        let rest =
                            remainder(a.at(order[k], j), left, above.col(j).range(0..k), dot);
                        rest.view() / rows.at(k)
                    },
                )
                .collect();
            for (j, x) in (k + 1..n).zip(&line) {
                columns.set(k, j, x.view());
                upper.set(j, k, x.view());
            }
        }
        Ok(Self { lower, upper, order })
    }

    fn column_of_inverse(&self, j: usize) -> Matrix {
        let (n, bits) = (self.order.len(), self.lower.bits());
        let mut dot = Dot::new(bits);
        let mut x = Matrix::zeros(bits, n, 1);
        let (zero, one) = (Mp::zero(bits), Mp::one(bits));
        let first = self.order.iter().position(|&row| row == j).unwrap_or(n);
        for i in first..n {
            let right = if i == first { one.view() } else { zero.view() };
            let (left, found) = (self.lower.col(i), x.col(0));
            let rest = remainder(right, left.range(first..i), found.range(first..i), &mut dot);
            x.set(i, 0, (rest.view() / left.at(i)).view());
        }
        for i in (0..n).rev() {
            let (left, found) = (self.upper.col(i).range(i + 1..n), x.col(0).range(i + 1..n));
            let value = remainder(x.at(i, 0), left, found, &mut dot);
            x.set(i, 0, value.view());
        }
        x
    }
}

/// Exchanges the first entries of two columns.
fn swap_columns(a: &mut Matrix, j: usize, k: usize, count: usize) {
    if j == k {
        return;
    }
    for i in 0..count {
        let (x, y) = (a.at(i, j).to_mp(a.bits()), a.at(i, k).to_mp(a.bits()));
        a.set(i, j, y.view());
        a.set(i, k, x.view());
    }
}
