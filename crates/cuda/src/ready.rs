//! Getting ready for a task: its modules are compiled on all processors, where a machine has not
//! compiled them yet.

use nonius_gpu::Source;
use nonius_linalg::backend::{Prepare, Task};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::{BinaryOp, Scalar, TernaryOp};

use crate::backend::Cuda;
use crate::{
    certified, cusolver, diagonalize, elementwise, gemm, gemv, judge, panel, reduce, reflect,
    transfer, trsm,
};

/// The modules of a task with numbers of so many limbs, and products of matrices in an arithmetic.
pub fn sources_of(task: Task, limbs: usize, arithmetic: Arithmetic) -> Vec<Source> {
    let mut sources = transfer::sources(limbs);
    if task != Task::Combine {
        sources.push(gemm::source(arithmetic, limbs));
    }
    match task {
        Task::Eliminate => {
            sources.extend(panel::sources(limbs));
            sources.extend(trsm::sources(limbs));
        }
        Task::Reflect => {
            sources.extend(reflect::sources(limbs));
            sources.extend(trsm::sources(limbs));
        }
        Task::Diagonalize => {
            // Vectors are refined from those in `f64`.
            sources.extend((limbs > 1).then(|| transfer::sources(1)).into_iter().flatten());
            sources.extend(diagonalize::sources(limbs));
        }
        Task::Prove => {
            sources.push(certified::matrix_source());
            sources.push(cusolver::source());
            sources.extend(gemv::sources(limbs));
        }
        Task::Combine => {
            sources.push(elementwise::source(BinaryOp::Mul, limbs));
            sources.push(elementwise::source(TernaryOp::MulAdd, limbs));
            sources.extend(reduce::sources(limbs));
        }
    }
    sources
}

impl<T: Scalar> Prepare<T> for Cuda {
    fn prepare(&self, task: Task, order: usize, columns: usize) {
        let mut sources = sources_of(task, T::LIMBS, self.products().arithmetic);
        sources.extend(self.sources_of_products::<T>(order));
        if task == Task::Eliminate {
            sources.extend(judge::sources_for::<T>(self, order, columns));
        }
        self.device().prepare(&sources);
    }
}
