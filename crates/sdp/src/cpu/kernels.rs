//! What each kind of numbers does in its own way: sums over entries of sparse matrices, parts of
//! the Schur complement's columns, and congruences with vectors.
//!
//! Limbs are added term by term with the operators, or in registers. A sum of numbers of any
//! precision is rounded once.

use nonius_comm::dense::Cargo;
use nonius_linalg::{Matrix, Number, Slice, SliceMut};

use crate::cone::{Diagonal, Square};

/// Places in two lines of numbers.
pub(super) type Pair = (usize, usize);

/// A square, and the symmetric matrices `U` and `V` in `Fᵢ•(U·Fⱼ·V)`.
#[derive(Debug)]
pub struct Factors<'a, T: Number> {
    pub(super) square: &'a Square<T>,
    pub(super) u: &'a Matrix<T>,
    pub(super) v: &'a Matrix<T>,
}

impl<T: Number> Clone for Factors<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Number> Copy for Factors<'_, T> {}

/// Numbers that programs on the host have.
pub trait Kernels: Cargo {
    /// For how many limbs the costs of formulas are those of these numbers.
    const COSTS: usize;
    /// Terms of sums that are worth a thread.
    const TERMS: usize;

    /// The number at `to` becomes `Σ x[i]·y[j]` over the pairs `(i, j)`.
    fn gather(to: SliceMut<'_, Self>, x: Slice<'_, Self>, y: Slice<'_, Self>, pairs: &[Pair]);

    /// The number at `to` becomes `Σ weights[k]·a[places[k]]`.
    fn weigh(
        to: SliceMut<'_, Self>,
        weights: Slice<'_, Self>,
        a: Slice<'_, Self>,
        places: &[usize],
    );

    /// Adds number `j` of `x` to number `i`.
    fn add_to(to: &mut SliceMut<'_, Self>, i: usize, x: Slice<'_, Self>, j: usize);

    /// `w ← M·A·Mᵀ·q` for a lower triangular `M` and a symmetric `A`, rounded to `f64` at the end.
    fn congruence(m: &Matrix<Self>, a: &Matrix<Self>, q: &[f64], w: &mut [f64]);

    /// `G ← F·V` for the matrix `F` with these rows, columns and numbers of values.
    fn entries_times(
        entries: &[(usize, usize, usize)],
        values: Slice<'_, Self>,
        v: &Matrix<Self>,
        g: &mut Matrix<Self>,
    );

    /// What the diagonal block contributes to a column of the Schur complement, which is zero: that
    /// of the constraint with these entries, each beside its row, where `uv` are the products of
    /// the diagonals. `place` says where in the column a row is, beyond the end where nowhere.
    fn add_diagonal(
        diagonal: &Diagonal<Self>,
        own: &[Pair],
        uv: Slice<'_, Self>,
        column: &mut SliceMut<'_, Self>,
        place: impl FnMut(usize) -> usize,
    );

    /// Adds `Fᵢ•(U·G)` to the column for the constraints of the square from number `k` on; of `U`
    /// the rows that `G` has.
    fn add_half(
        square: &Square<Self>,
        k: usize,
        u: &Matrix<Self>,
        g: &Matrix<Self>,
        column: &mut SliceMut<'_, Self>,
        place: impl FnMut(usize) -> usize,
    );

    /// Adds `Fᵢ•(U·Fₖ·V)` likewise, entry by entry.
    fn add_sparse(
        factors: Factors<'_, Self>,
        k: usize,
        column: &mut SliceMut<'_, Self>,
        place: impl FnMut(usize) -> usize,
    );
}
