//! What the host's cones say of single blocks and columns.

use nonius_linalg::cpu::reduce;
use nonius_linalg::{Error, Numbers, SliceMut};

use super::blocks::Blocks;
use super::complement::Schur;
use super::cone::CpuCone;
use super::kernels::Kernels;
use super::maps;
use crate::cone::{Blockwise, Cone, zeros};

impl<T: Kernels> Blockwise for CpuCone<T> {
    fn inner_products(&self, a: &Blocks<T>, b: &Blocks<T>) -> Result<Numbers<T>, Error> {
        let mut products = Numbers::with_capacity(self.format(), a.squares.len() + 1);
        a.parts().zip(b.parts()).for_each(|(a, b)| products.push(reduce::dot(a, b)));
        Ok(products)
    }

    fn constant_products(&self, a: &Blocks<T>) -> Result<Numbers<T>, Error> {
        Ok(maps::constant_products(&self.program, &self.gathered, a))
    }

    fn products_of_blocks(&self, a: &Blocks<T>) -> Result<Vec<Numbers<T>>, Error> {
        Ok(maps::constraint_products(&self.program, &self.gathered, a))
    }

    fn add_products(&self, products: &[Numbers<T>], v: &mut Numbers<T>) -> Result<(), Error> {
        maps::add_products(&self.program, products, v.as_mut_slice());
        Ok(())
    }

    fn substitution(&self) -> usize {
        T::BLOCKING.substitution
    }

    fn sparse_columns(&self) -> Option<Vec<usize>> {
        let lower = self.sparsity()?.symbolic.lower();
        Some((0..lower.order()).map(|j| lower.column(j).len()).collect())
    }

    fn schur_columns(
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

    fn put_columns(&self, columns: &[Numbers<T>], b: &mut Schur<T>) -> Result<(), Error> {
        b.columns().into_iter().zip(columns).for_each(|((_, to), from)| {
            to.copy_from(from.as_slice());
        });
        Ok(())
    }
}
