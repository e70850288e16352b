//! `C ← α·op(A)·op(B) + β·C`, and on a triangle of `C`: the engines that compute it, and the choice among them.
//!
//! `direct` carries out every multiply-add in the element's own arithmetic, `crt` multiplies integers modulo many numbers. Either's
//! result depends on the operands alone.

mod choice;
pub(super) mod crt;
mod direct;
mod entries;
pub(crate) mod mp;

pub(crate) use self::crt::Converted;

use core::ops::Range;

use nonius_num::Lane;

use self::entries::Entries;

use crate::Scalar;
use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report};
use crate::dense::{MatMut, MatRef, Side, Transpose, Triangle};
use crate::reference::gemm::scale_entry;
use crate::scalar::Pack;

/// Bytes for residues unless the caller says otherwise: 512 MiB.
const WORKSPACE: usize = 512 << 20;

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B` are not.
///
/// Panics when the shapes do not fit or [`Products::check`] says no.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm<T: Scalar>(
    products: Products,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    gemm_of(products, alpha, [(transpose_a, a), (transpose_b, b)], [None; 2], beta, c)
}

/// [`gemm`] with operands of which some are converted.
pub(crate) fn gemm_of<T: Scalar>(
    products: Products,
    alpha: T,
    operands: [(Transpose, MatRef<'_, T>); 2],
    converted: [Option<&Converted>; 2],
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    let operands = operands.map(|(transpose, matrix)| Operand::new(transpose, matrix));
    multiply(products, operands, converted, Factors { alpha, beta }, Part::All, c)
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(crate) fn convert<T: Scalar>(
    side: Side,
    transpose: Transpose,
    a: MatRef<'_, T>,
    bits: u32,
) -> Result<Converted, Fallback> {
    T::convert(side, Operand::new(transpose, a), bits)
}

/// [`gemm`] on a part of `C`; the rest is neither read nor written.
pub(super) fn multiply<T: Scalar>(
    products: Products,
    operands: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part,
    mut c: MatMut<'_, T>,
) -> Report {
    let [(m, k), (k_b, n)] = operands.map(|operand| operand.shape());
    assert_eq!(k, k_b, "inner dimensions");
    assert_eq!(c.shape(), (m, n), "shape of C");
    let check = products.check::<T>();
    assert!(check.is_ok(), "{check:?}");
    if m == 0 || n == 0 {
        return Report::direct();
    }
    if k == 0 || factors.alpha == T::ZERO {
        for j in 0..n {
            for x in &mut c.col_mut(j)[part.of(0..m, j)] {
                scale_entry(factors.beta, x);
            }
        }
        return Report::direct();
    }
    T::multiply(products, operands, converted, factors, part, c)
}

/// [`multiply`] where there is something to multiply.
pub(super) fn multiply_by_engine<T: Scalar>(
    products: Products,
    [a, b]: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part,
    mut c: MatMut<'_, T>,
) -> Report {
    let ((m, k), (_, n)) = (a.shape(), b.shape());
    let mut fallback = None;
    // Shared lines are converted once.
    let columns = if b.transposed().begins(a) { 0 } else { n };
    let lines = [(m, converted[0]), (columns, converted[1])]
        .map(|(lines, converted)| if converted.is_some() { 0 } else { lines });
    let advantage = || choice::advantage::<T>(part, [m, n, k], lines);
    if let Some(most_bits) = products.most_bits::<T>(advantage) {
        let options = crt::Options {
            unit: crt::Kind::best(),
            most_bits,
            accuracy: products.accuracy,
            workspace: products.workspace.unwrap_or(WORKSPACE),
        };
        match crt::multiply(options, [a, b], converted, factors, part, c.reborrow()) {
            Ok(report) => return report,
            Err(reason) => fallback = Some(reason),
        }
    }
    direct::multiply(products.arithmetic, a, b, factors, part, c);
    Report { fallback, ..Report::direct() }
}

/// `op(A)`.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a, T> {
    pub(super) transpose: Transpose,
    pub(super) matrix: MatRef<'a, T>,
}

impl<'a, T> Operand<'a, T> {
    pub(super) fn new(transpose: Transpose, matrix: MatRef<'a, T>) -> Self {
        Self { transpose, matrix }
    }

    /// `op(A)ᵀ`.
    fn transposed(self) -> Self {
        Self { transpose: self.transpose.flipped(), ..self }
    }

    /// Whether its rows are known to be the first ones of another operand: they lie in the same memory. For operands with entries.
    fn begins(self, other: Self) -> bool {
        let ((rows, cols), (most, other_cols)) = (self.shape(), other.shape());
        let (x, y) = (self.matrix, other.matrix);
        let same_memory = x.col(0).as_ptr() == y.col(0).as_ptr() && x.ld() == y.ld();
        same_memory && self.transpose == other.transpose && rows <= most && cols == other_cols
    }

    pub(super) fn shape(&self) -> (usize, usize) {
        self.transpose.shape(self.matrix.shape())
    }

    /// Number of columns of `op(A)`.
    pub(super) fn inner(&self) -> usize {
        self.shape().1
    }
}

/// The part of `C` that is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    All,
    Only(Triangle),
}

impl Part {
    /// Whether it has all entries of the rectangle.
    pub(super) fn covers(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.start + 1 >= columns.end,
            Part::Only(Triangle::Upper) => columns.start + 1 >= rows.end,
        }
    }

    /// Whether it has entries in the rectangle.
    pub(super) fn meets(self, rows: Range<usize>, columns: Range<usize>) -> bool {
        match self {
            Part::All => true,
            Part::Only(Triangle::Lower) => rows.end > columns.start,
            Part::Only(Triangle::Upper) => columns.end > rows.start,
        }
    }

    /// Those of the given rows of a column that belong to it.
    #[inline(always)]
    pub(super) fn of(self, rows: Range<usize>, column: usize) -> Range<usize> {
        match self {
            Part::All => rows,
            Part::Only(Triangle::Lower) => rows.start.max(column).min(rows.end)..rows.end,
            Part::Only(Triangle::Upper) => rows.start..rows.end.min(column + 1).max(rows.start),
        }
    }
}

/// `α` and `β`.
#[derive(Clone, Copy)]
pub(super) struct Factors<T> {
    pub(super) alpha: T,
    pub(super) beta: T,
}

impl<T: Scalar> Factors<T> {
    #[inline(always)]
    fn times_alpha<L: Lane>(&self, sum: T::Pack<L>) -> T::Pack<L> {
        if self.alpha == T::ONE {
            sum
        } else if self.alpha == -T::ONE {
            -sum
        } else {
            splat::<T, L>(self.alpha) * sum
        }
    }

    #[inline(always)]
    fn add_beta<L: Lane>(&self, product: T::Pack<L>, c: T::Pack<L>) -> T::Pack<L> {
        if self.beta == T::ONE { c + product } else { splat::<T, L>(self.beta) * c + product }
    }
}

#[inline(always)]
fn splat<T: Scalar, L: Lane>(x: T) -> T::Pack<L> {
    T::Pack::<L>::from_limbs(|l| L::splat(x.limb(l)))
}
