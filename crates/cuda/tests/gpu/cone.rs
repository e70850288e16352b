//! Cones of semidefinite matrices: the suite of every backend, with each way to form a Schur complement.

use core::marker::PhantomData;

use nonius_cuda::{Cuda, CudaCone, CudaSchurFormula};
use nonius_linalg::Scalar;
use nonius_linalg::backend::Memory;
use nonius_linalg::mp::Mp;
use nonius_num::Decimal;
use nonius_testkit::cone::{Data, Limbs, Suite, nearest, suite, widened};

use crate::gpu;

/// A GPU, and how the columns of a Schur complement are computed there.
struct OnGpu<T> {
    gpu: Cuda,
    formula: Option<CudaSchurFormula>,
    host: Limbs<T>,
    number: PhantomData<T>,
}

impl<T: Scalar + Decimal> Suite for OnGpu<T> {
    type Cone = CudaCone<T>;

    fn cone(&self, data: &Data) -> CudaCone<T> {
        let program = data.program(|count| Some(vec![T::ZERO; count]), T::from_f64);
        match self.formula {
            Some(formula) => CudaCone::with_formula(&self.gpu, &program, formula),
            None => CudaCone::new(&self.gpu, &program),
        }
        .unwrap()
    }

    fn number(&self, x: &Mp) -> T {
        nearest(x)
    }

    fn exact(&self, x: &T) -> Mp {
        widened(*x)
    }

    /// That of the host, with the additions of 256 threads' sums.
    fn sum(&self, terms: usize) -> f64 {
        self.host.sum(terms) + 16.0
    }

    fn elimination(&self, terms: usize) -> f64 {
        self.host.elimination(terms) + 16.0
    }

    fn schur(&self, b: &<CudaCone<T> as nonius_linalg::backend::Cone>::Schur) -> Vec<T> {
        self.gpu.download(b.as_ref()).unwrap().into_columns()
    }
}

fn with<T: Scalar + Decimal>(formula: Option<CudaSchurFormula>) {
    let gpu = gpu();
    suite(&OnGpu::<T> { gpu, formula, host: Limbs::default(), number: PhantomData });
}

fn chosen<T: Scalar + Decimal>() {
    with::<T>(None);
}

fn full<T: Scalar + Decimal>() {
    with::<T>(Some(CudaSchurFormula::Full));
}

fn sparse<T: Scalar + Decimal>() {
    with::<T>(Some(CudaSchurFormula::Sparse));
}

at_every_precision!(chosen);
at_every_precision!(full);
at_every_precision!(sparse);
