//! LU factorisation with partial pivoting, and what follows from it.

mod factor;
mod solve;

pub use factor::factor_in_place;
pub(crate) use factor::{exchange_on_the_left, factor_panel, solve_unit_lower, subtract_product};

use super::packed::Packed;
use crate::backend::{Cpu, Dense, Panel, View, ViewMut};
use crate::{Error, MatRef, Matrix, Number};

/// LU factors with partial pivoting, `P·A = L·U`: row exchanges, a unit lower triangle and an upper
/// triangle.
///
/// Error (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Theorem 9.3): the
/// computed factors are exact for a matrix within `c·n·u·|L||U|` of `P·A`, entrywise, where `c·u`
/// bounds the error of one multiplication and addition. For numbers of any precision on the host
/// they are exact for one within `(2.1·n + 8)·u·|L||U|`: an entry is what is left after sums of `k`
/// products each, within `(k + 3)·u`, are subtracted, of which none has more than half of all
/// products or 32, and there are not more than one for 16 products and a few; a difference is
/// rounded once, a quotient twice. What falls below the range adds at most
/// `(n + 8)·2^-(2^28)·max(1, |U|)`. Blocks of columns that a GPU factors by products alone keep to
/// the same, but for `2^-40·u` times the greatest entries of a row of `|L|` and a column of `|U|`.
///
/// Factors serve many right-hand sides:
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::Lu;
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Qd::from([[0.0, 2.0], [4.0, 1.0]][i][j]));
/// let lu = Lu::factor(a.view())?;
/// assert_eq!(lu.pivots(), [1, 1]); // rows were exchanged
/// for right in [[2.0, 5.0], [0.0, 4.0]] {
///     let b = Matrix::from_fn(2, 1, |i, _| Qd::from(right[i]));
///     let x = lu.solve(b.view())?;
///     assert_eq!(x[(1, 0)] * 2.0, right[0]);
/// }
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lu<T: Number, B: Panel<T> = Cpu> {
    backend: B,
    /// `L` below the diagonal, `U` on and above it.
    factors: Packed<T, B::Matrix>,
    /// Row `j` was exchanged with row `pivots[j]`.
    pivots: Vec<usize>,
    /// What solves systems with the triangles of each block of columns; of some backends.
    inverses: Vec<B::Inverse>,
}

impl<T: Number> Lu<T, Cpu> {
    /// Factors a square matrix on the host.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::NotFinite`], [`Error::Singular`] where no pivot is left,
    /// [`Error::Overflow`] where one is not finite.
    pub fn factor(a: MatRef<'_, T>) -> Result<Self, Error> {
        Error::check_square(a.shape())?;
        Error::check_finite("a", a)?;
        Lu::new(Cpu::default(), a.to_matrix())
    }
}

impl<T: Number, B: Dense<T>> Lu<T, B> {
    /// Factors a square matrix of a backend, in its place.
    ///
    /// # Errors
    /// As [`factor`](Lu::factor), though entries are not searched for one that is not finite; and
    /// [`Error::NoArithmetic`] where numbers of this type do not have the backend's arithmetic.
    pub fn new(backend: B, mut a: B::Matrix) -> Result<Self, Error> {
        Error::check_square(backend.view(&a).shape())?;
        backend.check_products()?;
        let view = backend.view_mut(&mut a);
        let mut pivots = vec![0; view.shape().1];
        let inverses = backend
            .run(|| factor::factor_in_place(&backend, view, &mut pivots))
            .map_err(Error::no_lu)?;
        Ok(Self { backend, factors: Packed::new(a), pivots, inverses })
    }

    /// `L` below the diagonal, `U` on and above it.
    pub(crate) fn into_packed(self) -> B::Matrix {
        self.factors.matrix
    }

    /// Factors that were found by other means, in the layout of this type.
    pub(crate) fn from_parts(backend: B, factors: B::Matrix, pivots: Vec<usize>) -> Self {
        Self { backend, factors: Packed::new(factors), pivots, inverses: Vec::new() }
    }

    /// Order of the matrix.
    pub fn order(&self) -> usize {
        self.pivots.len()
    }

    /// Row `j` was exchanged with row `pivots()[j]`, for `j` from the first to the last.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// `L` and `U` as host matrices.
    ///
    /// # Errors
    /// [`Error::Device`] where the backend failed.
    pub fn triangles(&self) -> Result<(Matrix<T>, Matrix<T>), Error> {
        let n = self.order();
        let packed = self.packed()?;
        let lower = Matrix::from_fn_in(packed.format(), n, n, |i, j| match i.cmp(&j) {
            core::cmp::Ordering::Less => T::ZERO,
            core::cmp::Ordering::Equal => T::ONE,
            core::cmp::Ordering::Greater => packed.at(i, j),
        });
        let upper = |i, j| if i <= j { packed.at(i, j) } else { T::ZERO };
        let upper = Matrix::from_fn_in(packed.format(), n, n, upper);
        Ok((lower, upper))
    }

    /// `L` below the diagonal, `U` on and above it, as a host matrix.
    pub(crate) fn packed(&self) -> Result<Matrix<T>, Error> {
        self.backend.download(self.backend.view(&self.factors.matrix))
    }

    /// Whether the permutation is odd, so that its determinant is −1.
    pub fn is_odd(&self) -> bool {
        let exchanges = self.pivots.iter().enumerate().filter(|&(j, &pivot)| j != pivot).count();
        exchanges % 2 == 1
    }
}
