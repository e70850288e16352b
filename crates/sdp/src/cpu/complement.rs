//! Memory for Schur complements and their factors.

use std::sync::Arc;

use nonius_linalg::Error;
use nonius_linalg::sparse::Values;
use nonius_linalg::sparse::cholesky::{Factor, Kernels, Symbolic};

use super::sparsity::Sparsity;

/// A Schur complement or its Cholesky factor, with storage `V` for numbers and `D` for dense matrices: dense or sparse by the pattern of the program.
#[derive(Clone, Debug)]
pub enum Schur<V, D> {
    /// The lower triangle, or the factor.
    Dense(D),
    /// Entries that are not zero by the pattern.
    Sparse(SparseSchur<V, D>),
}

/// A sparse Schur complement and memory for its factor.
#[derive(Clone, Debug)]
pub struct SparseSchur<V, D> {
    sparsity: Arc<Sparsity>,
    entries: V,
    factor: Factor<D>,
}

impl<V: Values, D: Send + Sync> SparseSchur<V, D> {
    /// Zeros.
    pub(super) fn new(
        kernels: &impl Kernels<V, Panel = D>,
        sparsity: Arc<Sparsity>,
        zeros: impl FnOnce(usize) -> Result<V, Error>,
    ) -> Result<Self, Error> {
        let entries = zeros(sparsity.symbolic.lower().entries())?;
        let factor = Factor::new(kernels, &sparsity.symbolic)?;
        Ok(Self { sparsity, entries, factor })
    }

    /// How many rows there are.
    pub fn order(&self) -> usize {
        self.symbolic().lower().order()
    }

    /// Row, column and value of each entry of the lower triangle, column by column; of the matrix, whether factored or not.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, V::Item)> {
        let lower = self.symbolic().lower();
        (0..lower.order()).flat_map(move |j| {
            let rows = lower.column(j).iter().zip(lower.range(j));
            rows.map(move |(&i, number)| (i as usize, j, self.entries.value(number)))
        })
    }

    /// The pattern, and the entries to be changed.
    pub(super) fn parts(&mut self) -> (&Sparsity, &mut V) {
        (&self.sparsity, &mut self.entries)
    }

    fn symbolic(&self) -> &Symbolic {
        &self.sparsity.symbolic
    }

    /// Whether the matrix has a factor, which is put beside it.
    pub(super) fn factor(&mut self, kernels: &impl Kernels<V, Panel = D>) -> Result<bool, Error> {
        self.factor.factor(kernels, &self.sparsity.symbolic, &self.entries)
    }

    /// `x ← B⁻¹·x`
    pub(super) fn solve(&self, kernels: &impl Kernels<V, Panel = D>, x: &mut V) {
        let mut work = x.clone();
        self.factor.solve(kernels, self.symbolic(), x, &mut work);
    }
}
