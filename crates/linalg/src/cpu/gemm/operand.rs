//! Operands, factors and parts of products.

use core::ops::Range;

use nonius_num::{Element, Lane, Real};

use crate::Scalar;
use crate::dense::{MatRef, Transpose, Triangle};
use crate::scalar::Pack;

/// `op(A)`.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct Operand<'a, T: Element> {
    pub(in crate::cpu) transpose: Transpose,
    pub(in crate::cpu) matrix: MatRef<'a, T>,
}

impl<'a, T: Element> Operand<'a, T> {
    pub(in crate::cpu) fn new(transpose: Transpose, matrix: MatRef<'a, T>) -> Self {
        Self { transpose, matrix }
    }

    /// `op(A)ᵀ`.
    pub(super) fn transposed(self) -> Self {
        Self { transpose: self.transpose.flipped(), ..self }
    }

    /// Whether its rows are known to be the first ones of another operand: they lie in the same
    /// memory, and there are some.
    pub(super) fn begins(self, other: Self) -> bool {
        let ((rows, cols), (most, other_cols)) = (self.shape(), other.shape());
        if rows == 0 || cols == 0 || most == 0 || other_cols == 0 {
            return false;
        }
        let (x, y) = (self.matrix, other.matrix);
        let same_memory = x.column(0).is_at(y.column(0)) && x.ld() == y.ld();
        same_memory && self.transpose == other.transpose && rows <= most && cols == other_cols
    }

    pub(in crate::cpu) fn shape(&self) -> (usize, usize) {
        self.transpose.shape(self.matrix.shape())
    }

    /// Number of columns of `op(A)`.
    pub(in crate::cpu) fn inner(&self) -> usize {
        self.shape().1
    }
}

/// The part of `C` that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Part {
    All,
    Only(Triangle),
}

impl Part {
    /// Whether it has all entries of the rectangle.
    pub(in crate::cpu) fn covers(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.start + 1 >= columns.end,
            Part::Only(Triangle::Upper) => columns.start + 1 >= rows.end,
        }
    }

    /// Whether it has entries in the rectangle.
    pub(in crate::cpu) fn meets(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.end > columns.start,
            Part::Only(Triangle::Upper) => columns.end > rows.start,
        }
    }

    /// Those of the given rows of a column that belong to it.
    #[inline(always)]
    pub(in crate::cpu) fn of(self, rows: Range<usize>, column: usize) -> Range<usize> {
        match self {
            Part::All => rows,
            Part::Only(Triangle::Lower) => rows.start.max(column).min(rows.end)..rows.end,
            Part::Only(Triangle::Upper) => rows.start..rows.end.min(column + 1).max(rows.start),
        }
    }
}

/// `α` and `β`.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct Factors<T> {
    pub(in crate::cpu) alpha: T,
    pub(in crate::cpu) beta: T,
}

impl<T: Real> Factors<T> {
    /// Both rounded to a format.
    pub(super) fn in_format(self, format: T::Format) -> Self {
        Self { alpha: self.alpha.to_format(format), beta: self.beta.to_format(format) }
    }
}

impl<T: Scalar> Factors<T> {
    #[inline(always)]
    pub(super) fn times_alpha<L: Lane>(&self, sum: T::Pack<L>) -> T::Pack<L> {
        if self.alpha == T::ONE {
            sum
        } else if self.alpha == -T::ONE {
            -sum
        } else {
            splat::<T, L>(self.alpha) * sum
        }
    }

    #[inline(always)]
    pub(super) fn add_beta<L: Lane>(&self, product: T::Pack<L>, c: T::Pack<L>) -> T::Pack<L> {
        if self.beta == T::ONE { c + product } else { splat::<T, L>(self.beta) * c + product }
    }
}

#[inline(always)]
fn splat<T: Scalar, L: Lane>(x: T) -> T::Pack<L> {
    T::Pack::<L>::from_limbs(|l| L::splat(x.limb(l)))
}
