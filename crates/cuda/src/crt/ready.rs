//! The modules of products that are still to come.

use nonius_gpu::Source;
use nonius_linalg::Scalar;
use nonius_linalg::dense::gemm::crt::Plan;

use super::engine::{engine_of, tables_of};
use super::matrices::{Kind, Lines, LongTask, Matrices, Task};
use super::multiplier::Multiplier;
use super::tables::Tables;
use super::{convert, profile};
use crate::backend::Cuda;

/// The modules of products of operands and results of such numbers, with these tables.
pub(super) fn modules<M: Matrices>(
    multiplier: &Multiplier,
    [operand, result]: [Kind; 2],
    tables: &Tables,
) -> Vec<Source> {
    let mut sources = vec![profile::source::<<M::Lines as Lines>::Numbers>(operand)];
    sources.push(multiplier.source());
    sources.extend(convert::sources_of::<M>([operand, result], tables));
    sources
}

impl Cuda {
    /// The modules that compute products inside a factorisation of that order by residues, if these
    /// are chosen. Products of other lengths may need others.
    pub(crate) fn sources_of_products<T: Scalar>(&self, order: usize) -> Vec<Source> {
        let k = order / 2;
        let Some(target) = self.target(None, T::ONE, [k; 3], 2 * k) else { return Vec::new() };
        let plan = Plan::with_bits(k, target.least_bits, 1.0);
        self.modules_of::<Task<T>>([Kind::Limbs(T::LIMBS); 2], plan, k)
    }

    /// The modules of a product of matrices of limbs of that order, with integers of so many bits
    /// and sums of any precision.
    pub(crate) fn sources_of_long_products(
        &self,
        limbs: usize,
        bits: u32,
        order: usize,
    ) -> Vec<Source> {
        let plan = Plan::with_bits(order, bits, 1.0);
        self.modules_of::<LongTask>([Kind::Limbs(limbs), Kind::Mp], plan, order)
    }

    fn modules_of<M: Matrices>(&self, kinds: [Kind; 2], plan: Plan, lines: usize) -> Vec<Source> {
        let engine = engine_of(self, [lines]);
        let found = engine.as_ref().and_then(|engine| {
            let tables = tables_of(self, plan, kinds[0])?;
            Some(modules::<M>(engine.multiplier()?, kinds, &tables))
        });
        found.unwrap_or_default()
    }
}
