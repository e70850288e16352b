//! What the host's cones say of single blocks and columns.

use nonius_linalg::cpu::reduce;
use nonius_linalg::{Error, Matrix, Numbers, SliceMut};

use super::blocks::Blocks;
use super::complement::Schur;
use super::cone::CpuCone;
use super::kernels::Kernels;
use super::maps;
use crate::cone::{Blockwise, Cone, Magnitudes, zeros};

impl<T: Kernels> Blockwise for CpuCone<T> {
    fn inner_products(&self, a: &Blocks<T>, b: &Blocks<T>) -> Result<Numbers<T>, Error> {
        let mut products = Numbers::with_capacity(self.format(), a.squares.len() + 1);
        a.parts().zip(b.parts()).for_each(|(a, b)| products.push(reduce::dot(a, b)));
        Ok(products)
    }

    fn constant_products(&self, a: &Blocks<T>) -> Result<Numbers<T>, Error> {
        Ok(maps::constant_products(&self.program, &self.gathered, a))
    }

    fn product_counts(&self) -> Vec<usize> {
        let squares = self.program.squares().iter().map(|square| square.constraints.len());
        squares.chain([self.constraints()]).collect()
    }

    fn products_of_blocks(&self, a: &Blocks<T>) -> Result<Vec<Numbers<T>>, Error> {
        Ok(maps::constraint_products(&self.program, &self.gathered, a))
    }

    fn add_products(&self, products: &[Numbers<T>], v: &mut Numbers<T>) -> Result<(), Error> {
        maps::add_products(&self.program, products, v.as_mut_slice());
        Ok(())
    }

    fn diagonals(&self, a: &Blocks<T>) -> Result<Vec<Vec<f64>>, Error> {
        let of_square = |a: &Matrix<T>| (0..a.cols()).map(|i| a.at(i, i).to_f64()).collect();
        let last = a.diagonal.as_slice().iter().map(T::to_f64).collect();
        Ok(a.squares.iter().map(of_square).chain([last]).collect())
    }

    fn sizes_of_schur(&self, u: &[Vec<f64>], v: &[Vec<f64>]) -> Vec<f64> {
        self.magnitudes.get_or_init(|| Magnitudes::new(&self.program)).of_schur(u, v)
    }
}

/// The Schur complement column by column.
impl<T: Kernels> CpuCone<T> {
    /// How many entries each column of the lower triangle has, where it is sparse; `None` where
    /// all.
    pub(super) fn sparse_columns(&self) -> Option<Vec<usize>> {
        let lower = self.sparsity()?.symbolic.lower();
        Some((0..lower.order()).map(|j| lower.column(j).len()).collect())
    }

    /// Some columns, each from the diagonal down; where it is sparse, the entries that it has.
    pub(super) fn schur_columns(
        &self,
        u: &Blocks<T>,
        v: &Blocks<T>,
        columns: &[usize],
    ) -> Result<Vec<Numbers<T>>, Error> {
        let (m, lower) = (self.constraints(), self.sparsity().map(|s| s.symbolic.lower()));
        let entries = |j: usize| lower.map_or(m - j, |lower| lower.column(j).len());
        let column = |&j: &usize| zeros(self.format(), entries(j));
        let mut found = columns.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let to = found.iter_mut().map(Numbers::as_mut_slice);
        let mut to: Vec<(usize, SliceMut<'_, T>)> = columns.iter().copied().zip(to).collect();
        match self.sparsity() {
            None => self.prepared().form((u, v), &mut to),
            Some(sparsity) => self.prepared().form_sparse((u, v), sparsity, &mut to),
        }
        Ok(found)
    }

    /// Puts all columns into a Schur complement.
    pub(super) fn put_columns(&self, columns: &[Numbers<T>], b: &mut Schur<T>) {
        b.columns().into_iter().zip(columns).for_each(|((_, to), from)| {
            to.copy_from(from.as_slice());
        });
    }
}
