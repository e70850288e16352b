//! Getting ready for a task: its modules are compiled on all processors, where a machine has not
//! compiled them yet.

use nonius_gpu::Source;
use nonius_linalg::backend::{Prepare, Task};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::{BinaryOp, Number, TernaryOp};

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::multiplication::Multiplication;
use crate::{
    blocks, certified, diagonalize, elementwise, gemm, gemv, judge, panel, reduce, reflect,
    transfer, triangle_inverse, trsm,
};

/// The modules of a task with such numbers, and products of matrices in an arithmetic.
pub fn sources_of(task: Task, kind: Kind, arithmetic: Arithmetic) -> Vec<Source> {
    let mut sources = transfer::sources(kind.lanes());
    if task != Task::Combine {
        sources.push(gemm::source(arithmetic, kind));
    }
    match task {
        Task::Eliminate => {
            sources.extend(panel::sources(kind));
            sources.extend(trsm::sources(kind));
            if let Kind::Mp(_) = kind {
                sources.extend(blocks::sources(kind));
                sources.push(gemm::source(arithmetic, Kind::Limbs(1)));
                sources.extend(sources_of(task, Kind::Limbs(2), arithmetic));
            }
        }
        Task::Reflect => {
            sources.extend(reflect::sources(kind));
            sources.extend(trsm::sources(kind));
            if let Kind::Mp(_) = kind {
                // Columns that are reflected one by one.
                sources.push(elementwise::source(BinaryOp::Mul, kind));
                sources.extend(reduce::sources(kind));
            }
        }
        Task::Diagonalize => {
            // Vectors are refined from those in `f64`.
            sources.extend((kind.lanes() > 1).then(|| transfer::sources(1)).into_iter().flatten());
            sources.extend(diagonalize::sources(kind));
        }
        Task::Prove => {
            sources.push(certified::matrix_source());
            sources.push(triangle_inverse::source(1));
            if let Kind::Limbs(limbs) = kind {
                sources.extend(gemv::sources(limbs));
            }
        }
        Task::Combine => {
            sources.push(elementwise::source(BinaryOp::Mul, kind));
            sources.push(elementwise::source(TernaryOp::MulAdd, kind));
            sources.extend(reduce::sources(kind));
        }
    }
    sources
}

impl<T: Number> Prepare<T> for Cuda {
    fn prepare(&self, task: Task, format: T::Format, order: usize, columns: usize) {
        let kind = Kind::of::<T>(format);
        let mut sources = sources_of(task, kind, self.products().arithmetic);
        if kind == Kind::Limbs(1) && self.packs() {
            sources.push(gemm::packed::source());
        }
        // Products inside a factorisation.
        let k = order / 2;
        let product = Multiplication::<T>::plain_square(format, k);
        if let Some(target) = self.target(&product, 2 * k, false) {
            sources.extend(self.sources_of_products(kind, target, k));
        }
        if task == Task::Eliminate {
            sources.extend(judge::sources_for::<T>(self, format, order, columns));
        }
        self.device().prepare(&sources);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_reflected_find_their_modules() {
        let kind = Kind::usual().find(|kind| matches!(kind, Kind::Mp(_))).expect("a kind");
        let sources = sources_of(Task::Reflect, kind, Arithmetic::Delayed);
        let takes = [elementwise::source(BinaryOp::Mul, kind)].into_iter();
        for taken in takes.chain(reduce::sources(kind)) {
            assert!(sources.iter().any(|source| source.name() == taken.name()), "{}", taken.name());
        }
    }
}
