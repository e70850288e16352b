//! Factors of a matrix of any precision, and inverses of their triangles.

#[cfg(test)]
mod tests;

use nonius_num::mp::Bits;

use crate::Error;
use crate::backend::Cpu;
use crate::dense::{Diagonal, Lu, invert_columns};
use crate::mp::Matrix;

/// `P·A = L·U` on the host: [`Lu`], whose error is `|P·A − L·U| <= (2.1·n + 8)·u·|L||U|` there.
pub(super) struct Factors {
    /// `L` below the diagonal, without its ones, and `U`.
    packed: Matrix,
    /// Row `i` of `P·A` is row `rows[i]` of `A`.
    rows: Vec<usize>,
    odd: bool,
}

impl Factors {
    /// Factors a square matrix.
    ///
    /// # Errors
    /// [`Error::Singular`] where no pivot other than zero is left.
    pub(super) fn of(a: Matrix) -> Result<Self, Error> {
        let lu = Lu::new(Cpu::default(), a)?;
        let mut rows: Vec<usize> = (0..lu.order()).collect();
        lu.pivots().iter().enumerate().for_each(|(j, &row)| rows.swap(j, row));
        let odd = lu.is_odd();
        Ok(Self { packed: lu.into_packed(), rows, odd })
    }

    pub(super) fn order(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn packed(&self) -> &Matrix {
        &self.packed
    }

    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Whether the permutation is odd, so that its determinant is −1.
    pub(super) fn is_odd(&self) -> bool {
        self.odd
    }

    /// Approximate inverses of `L` and of `Uᵀ`, with `bits` bits:
    /// `|L·Y − I| <= (2.1·n + 10)·u·|L||Y|`, and the same for `Uᵀ`. The bound includes the rounding
    /// of the factors to `bits` bits.
    pub(super) fn inverse_triangles(&self, bits: Bits) -> [Matrix; 2] {
        let (n, rounded) = (self.order(), self.packed.with_bits(bits));
        let inverse = |l: &Matrix, diagonal| {
            let mut y = Matrix::identity_in(bits, n);
            invert_columns(&Cpu::default(), diagonal, l.view(), y.view_mut());
            y
        };
        [inverse(&rounded, Diagonal::Unit), inverse(&rounded.transposed(), Diagonal::NonUnit)]
    }
}
