//! LU factorisation with partial pivoting, by halves of columns (S. Toledo, *Locality of reference in LU decomposition with partial pivoting*, SIAM J. Matrix
//! Anal. Appl. 18, 1997): nearly all work is in products of matrices.
//!
//! **Error.** `|P·A − L·U| <= (2.1·n + 8)·u·|L||U|`, entrywise, `u = 2^-bits`: every entry is what is left of one of `P·A` after sums of products are subtracted, as in
//! [triangular systems](super::triangle) (N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 9.3). What falls below the range of
//! exponents adds at most `(n + 8)·2^-(2^28)·max(1, |U|)`.

use nonius_num::mp::{Bits, Dot, Mp};

use super::Matrix;
use super::triangle::{WIDTH, half, inverse_lower, remainder, solve_lower, subtract_product};
use crate::Error;
use crate::threads::{Grain, map_with};

/// `P·A = L·U`: row exchanges, a lower triangular matrix with unit diagonal, an upper triangular one.
#[derive(Clone, Debug)]
pub struct Lu {
    /// `L` below the diagonal, `U` on and above it.
    factors: Matrix,
    /// Row `i` of `P·A` is row `order[i]` of `A`.
    order: Vec<usize>,
    /// Whether the exchanges are an odd permutation.
    odd: bool,
}

impl Lu {
    /// Factors a square matrix.
    ///
    /// # Errors
    /// [`Error::NotSquare`]; [`Error::Singular`] where no pivot other than zero is left, which includes columns that are not finite.
    pub fn new(a: &Matrix) -> Result<Self, Error> {
        Error::check_square(a.shape())?;
        factor(a, 0)
    }

    /// Order of the matrix.
    pub fn order(&self) -> usize {
        self.order.len()
    }

    /// `L` below the diagonal, without the ones of its own, `U` on and above it.
    pub fn factors(&self) -> &Matrix {
        &self.factors
    }

    /// Row `i` of `P·A` is row `rows()[i]` of `A`.
    pub fn rows(&self) -> &[usize] {
        &self.order
    }

    /// Whether the permutation is odd, so that its determinant is −1.
    pub fn is_odd(&self) -> bool {
        self.odd
    }

    /// Approximate inverses of `L` and of `Uᵀ`, with so many bits: `|L·Y − I| <= (2.1·n + 10)·u·|L||Y|`, and the same for `Uᵀ`; the rounding of the factors to these bits is
    /// part of that.
    ///
    /// # Errors
    /// Those of products of matrices.
    pub fn inverse_triangles(&self, bits: Bits) -> Result<[Matrix; 2], Error> {
        let rounded = self.factors.with_bits(bits);
        let upper = rounded.transposed();
        let one = Mp::one(bits);
        let reciprocals: Vec<Mp> = (0..self.order()).map(|i| one.view() / upper.at(i, i)).collect();
        Ok([inverse_lower(&rounded, None)?, inverse_lower(&upper, Some(&reciprocals))?])
    }
}

/// Factors a matrix that has no more columns than rows, of which `column` are to its left.
fn factor(a: &Matrix, column: usize) -> Result<Lu, Error> {
    let (m, n) = a.shape();
    if n <= WIDTH {
        return panel(a, column);
    }
    let h = half(n);
    let mut left = factor(&a.block(0..m, 0..h), column)?;
    let right = a.block(0..m, h..n).with_rows(&left.order);
    let triangle = left.factors.block(0..h, 0..h);
    let top = solve_lower(&triangle, None, right.block(0..h, 0..n - h))?;
    let mut rest = right.block(h..m, 0..n - h);
    let below = left.factors.block(h..m, 0..h);
    subtract_product(&below, &top, &mut rest)?;
    let low = factor(&rest, column + h)?;
    let mut factors = Matrix::try_zeros(a.bits(), m, n)?;
    factors.set_block(0, 0, &left.factors.block(0..h, 0..h));
    factors.set_block(h, 0, &below.with_rows(&low.order));
    factors.set_block(0, h, &top);
    factors.set_block(h, h, &low.factors);
    let moved: Vec<usize> = low.order.iter().map(|&i| left.order[h + i]).collect();
    left.order.truncate(h);
    left.order.extend(moved);
    Ok(Lu { factors, order: left.order, odd: left.odd != low.odd })
}

/// Column by column.
fn panel(a: &Matrix, column: usize) -> Result<Lu, Error> {
    let ((m, n), bits) = (a.shape(), a.bits());
    // Rows of the factors are its columns.
    let mut rows = a.transposed();
    let mut order: Vec<usize> = (0..m).collect();
    let mut odd = false;
    for k in 0..n {
        let mut above = Matrix::zeros(bits, n, 1);
        let mut dot = Dot::new(bits);
        for i in 0..k {
            let (left, found) = (rows.col(i).range(0..i), above.col(0).range(0..i));
            let x = remainder(rows.at(k, i), left, found, &mut dot);
            above.set(i, 0, x.view());
            rows.set(k, i, x.view());
        }
        let (left, found) = (&rows, above.col(0).range(0..k));
        let rest = |dot: &mut Dot, i: usize| {
            remainder(left.at(k, k + i), left.col(k + i).range(0..k), found, dot)
        };
        let below: Vec<Mp> = map_with(m - k, Grain::AtLeast(16), || Dot::new(bits), rest);
        let larger = |best: usize, i: usize| {
            let order = below[i].view().compare_magnitudes(below[best].view());
            if order.is_gt() { i } else { best }
        };
        let pivot = (0..below.len()).fold(0, larger);
        let reciprocal = Mp::one(bits).view() / below[pivot].view();
        let usable = !below[pivot].is_zero() && reciprocal.is_finite();
        if !usable || !below.iter().all(Mp::is_finite) {
            return Err(Error::Singular { column: column + k });
        }
        for (i, x) in below.iter().enumerate() {
            if i == pivot {
                rows.set(k, k + i, x.view());
            } else {
                rows.set(k, k + i, (x.view() * reciprocal.view()).view());
            }
        }
        if pivot > 0 {
            let [upper, lower] = [k, k + pivot].map(|i| rows.block(0..n, i..i + 1));
            rows.set_block(0, k, &lower);
            rows.set_block(0, k + pivot, &upper);
            order.swap(k, k + pivot);
            odd = !odd;
        }
    }
    Ok(Lu { factors: rows.transposed(), order, odd })
}
