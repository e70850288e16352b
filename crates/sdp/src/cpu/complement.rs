//! Memory for Schur complements and their factors.

use std::sync::Arc;

use nonius_linalg::sparse::cholesky::{Factor, Kernels, Symbolic};
use nonius_linalg::{Element, Error, Matrix, Number, Numbers, SliceMut};

use super::sparsity::Sparsity;

/// A Schur complement or its Cholesky factor: dense or sparse by the pattern of the program.
#[derive(Clone, Debug)]
pub enum Schur<T: Element> {
    /// The lower triangle, or the factor.
    Dense(Matrix<T>),
    /// Entries that are not zero by the pattern.
    Sparse(SparseSchur<T>),
}

impl<T: Number> Schur<T> {
    /// The columns of the lower triangle with their numbers, each from the diagonal down; of a
    /// sparse one, the entries that it has.
    pub(super) fn columns(&mut self) -> Vec<(usize, SliceMut<'_, T>)> {
        match self {
            Self::Dense(b) => {
                let m = b.rows();
                let columns = b.numbers_mut().pieces(m.max(1)).into_iter().enumerate();
                columns.map(|(j, column)| (j, column.range(j..m))).collect()
            }
            Self::Sparse(b) => {
                let lower = b.sparsity.symbolic.lower();
                let mut rest = b.entries.as_mut_slice();
                let mut columns = Vec::with_capacity(lower.order());
                for j in 0..lower.order() {
                    let (column, others) = rest.split_at(lower.column(j).len());
                    columns.push((j, column));
                    rest = others;
                }
                columns
            }
        }
    }
}

/// A sparse Schur complement and memory for its factor.
#[derive(Clone, Debug)]
pub struct SparseSchur<T: Element> {
    sparsity: Arc<Sparsity>,
    entries: Numbers<T>,
    factor: Factor<T>,
}

impl<T: Number> SparseSchur<T> {
    /// Zeros.
    pub(super) fn new(format: T::Format, sparsity: Arc<Sparsity>) -> Result<Self, Error> {
        let count = sparsity.symbolic.lower().entries();
        let entries = Numbers::try_zeros(format, count);
        let entries = entries.ok_or(Error::TooLarge { rows: count, cols: 1 })?;
        let factor = Factor::new(format, &sparsity.symbolic)?;
        Ok(Self { sparsity, entries, factor })
    }

    /// How many rows there are.
    pub fn order(&self) -> usize {
        self.symbolic().lower().order()
    }

    /// Row, column and value of each entry of the lower triangle, column by column; of the matrix,
    /// whether factored or not.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, T)> {
        let lower = self.symbolic().lower();
        (0..lower.order()).flat_map(move |j| {
            let rows = lower.column(j).iter().zip(lower.range(j));
            rows.map(move |(&i, number)| (i as usize, j, self.entries.at(number)))
        })
    }

    /// Adds numbers to the diagonal, or none.
    pub(super) fn shift(&mut self, shifts: impl Iterator<Item = T>) {
        for (at, shift) in self.sparsity.symbolic.diagonal().zip(shifts) {
            self.entries.set(at, self.entries.at(at) + shift);
        }
    }

    fn symbolic(&self) -> &Symbolic {
        &self.sparsity.symbolic
    }

    /// Whether the matrix has a factor, which is put beside it.
    pub(super) fn factor(&mut self, kernels: &impl Kernels<T>) -> Result<bool, Error> {
        self.factor.factor(kernels, &self.sparsity.symbolic, &self.entries)
    }

    /// `x ← B⁻¹·x`
    pub(super) fn solve(&self, kernels: &impl Kernels<T>, x: &mut Numbers<T>) {
        let mut work = x.clone();
        self.factor.solve(kernels, self.symbolic(), x, &mut work);
    }
}
