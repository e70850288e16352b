//! The modules of products that are still to come.

use nonius_gpu::Source;
use nonius_linalg::dense::gemm::crt::{Plan, Target};

use super::engine::{engine_of, tables_of};
use super::matrices::{Lines, LongTask, Matrices, MpTask, Task};
use super::multiplier::Multiplier;
use super::tables::Tables;
use super::{convert, profile};
use crate::backend::Cuda;
use crate::kind::Kind;

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
    /// The modules that compute products of `k` terms by residues. Products with another number of
    /// terms may need others.
    pub(crate) fn sources_of_products(&self, kind: Kind, target: Target, k: usize) -> Vec<Source> {
        let plan = Plan::with_bits(k, target.least_bits, 1.0);
        match kind {
            Kind::Limbs(_) => self.modules_of::<Task>([kind; 2], plan, k),
            Kind::Mp(_) => self.modules_of::<MpTask>([kind; 2], plan, k),
        }
    }

    /// The modules of a product of matrices of limbs, of order `order`, with integers of `bits`
    /// bits and sums of any precision. `kinds` are those of the entries and of the sums.
    pub(crate) fn sources_of_long_products(
        &self,
        kinds: [Kind; 2],
        bits: u32,
        order: usize,
    ) -> Vec<Source> {
        let plan = Plan::with_bits(order, bits, 1.0);
        self.modules_of::<LongTask>(kinds, plan, order)
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
