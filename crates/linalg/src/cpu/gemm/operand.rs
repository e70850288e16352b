//! Operands, factors and parts of products.

use core::ops::Range;

use nonius_num::{Element, Lane, Real};

use crate::Scalar;
use crate::dense::gemm::Places;
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
pub(in crate::cpu) enum Part<'a> {
    All,
    Only(Triangle),
    /// What is in a triangle of a larger matrix, of which these are some rows and columns.
    Within(Triangle, Places<'a>),
}

impl Part<'_> {
    /// Whether it has all entries of the rectangle.
    pub(in crate::cpu) fn covers(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.start + 1 >= columns.end,
            Part::Only(Triangle::Upper) => columns.start + 1 >= rows.end,
            Part::Within(triangle, places) => {
                let [lesser, greater] = places.ordered(triangle, rows, columns);
                lesser.last().zip(greater.first()).is_none_or(|(x, y)| x <= y)
            }
        }
    }

    /// Whether it has entries in the rectangle.
    pub(in crate::cpu) fn meets(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.end > columns.start,
            Part::Only(Triangle::Upper) => columns.end > rows.start,
            Part::Within(triangle, places) => {
                let [lesser, greater] = places.ordered(triangle, rows, columns);
                lesser.first().zip(greater.last()).is_some_and(|(x, y)| x <= y)
            }
        }
    }

    /// Those of the given rows of a column that belong to it.
    #[inline(always)]
    pub(in crate::cpu) fn of(self, rows: Range<usize>, column: usize) -> Range<usize> {
        match self {
            Part::All => rows,
            Part::Only(Triangle::Lower) => rows.start.max(column).min(rows.end)..rows.end,
            Part::Only(Triangle::Upper) => rows.start..rows.end.min(column + 1).max(rows.start),
            Part::Within(triangle, places) => places.of(triangle, rows, column),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all rectangles within one, counted entry by entry.
    #[test]
    fn parts_know_what_they_have() {
        let (all, rows, columns) = ([0, 1, 2, 3, 4], [2, 3, 7, 8, 12], [0, 3, 4, 8, 9]);
        let own = Places { rows: &all, columns: &all };
        let others = Places { rows: &rows, columns: &columns };
        for triangle in [Triangle::Lower, Triangle::Upper] {
            let parts = [
                (Part::Only(triangle), own),
                (Part::Within(triangle, own), own),
                (Part::Within(triangle, others), others),
            ];
            for (part, Places { rows, columns }) in parts {
                let has = |i: usize, j: usize| match triangle {
                    Triangle::Lower => rows[i] >= columns[j],
                    Triangle::Upper => rows[i] <= columns[j],
                };
                // Tiles of registers may end behind the last line.
                let ranges = || (0..=5).flat_map(|start| (start..=7).map(move |end| start..end));
                for (r, c) in ranges().flat_map(|r| ranges().map(move |c| (r.clone(), c))) {
                    let [rows_there, columns_there] =
                        [&r, &c].map(|x| x.start.min(5)..x.end.min(5));
                    let expected: Vec<_> = columns_there
                        .flat_map(|j| rows_there.clone().map(move |i| (i, j)))
                        .filter(|&(i, j)| has(i, j))
                        .collect();
                    let (some, meets) = (!expected.is_empty(), part.meets(r.clone(), c.clone()));
                    assert!(meets || !some, "{part:?} {r:?} {c:?}");
                    if r.end > 5 || c.end > 5 || r.is_empty() || c.is_empty() {
                        continue;
                    }
                    let found = c.clone().flat_map(|j| part.of(r.clone(), j).map(move |i| (i, j)));
                    assert!(found.eq(expected.iter().copied()), "{part:?} {r:?} {c:?}");
                    assert_eq!(meets, some, "{part:?} {r:?} {c:?}");
                    let all = expected.len() == r.len() * c.len();
                    assert_eq!(part.covers(r.clone(), c.clone()), all, "{part:?} {r:?} {c:?}");
                }
            }
        }
    }
}
