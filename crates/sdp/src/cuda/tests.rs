//! Cones of semidefinite matrices: the suite of every backend, with each way to form a Schur complement.

use core::marker::PhantomData;

use nonius_cuda::{Cuda, Device};
use nonius_gpu::Error;
use nonius_linalg::Scalar;
use nonius_linalg::backend::Memory;
use nonius_linalg::mp::Mp;
use nonius_num::{Dd, Qd, Td};

use super::cone::counted;
use super::{CudaCone, CudaSchurFormula};
use crate::cone::Cone;
use crate::cone::tests::suite::{Data, Limbs, Suite, nearest, suite, widened};
use crate::cpu::Kernels;

/// A GPU, and how the columns of a Schur complement are computed there.
struct OnGpu<T> {
    gpu: Cuda,
    formula: Option<CudaSchurFormula>,
    host: Limbs<T>,
    number: PhantomData<T>,
}

impl<T: Scalar + Kernels> Suite for OnGpu<T> {
    type Cone = CudaCone<T>;

    fn cone(&self, data: &Data) -> CudaCone<T> {
        let program = data.program(());
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

    fn schur(&self, b: &<CudaCone<T> as Cone>::Schur) -> Vec<T> {
        self.gpu.download(b.as_ref()).unwrap().into_columns()
    }
}

fn gpu() -> Cuda {
    Cuda::new(&Device::new(0).expect("a GPU")).expect("a stream")
}

fn by<T: Scalar + Kernels>(formula: Option<CudaSchurFormula>) {
    suite(&OnGpu::<T> { gpu: gpu(), formula, host: Limbs::default(), number: PhantomData });
}

fn by_each_formula<T: Scalar + Kernels>() {
    by::<T>(None);
    by::<T>(Some(CudaSchurFormula::Full));
    by::<T>(Some(CudaSchurFormula::Sparse));
}

#[test]
#[ignore = "needs a GPU"]
fn f64() {
    by_each_formula::<f64>();
}

#[test]
#[ignore = "needs a GPU"]
fn dd() {
    by_each_formula::<Dd>();
}

#[test]
#[ignore = "needs a GPU"]
fn td() {
    by_each_formula::<Td>();
}

#[test]
#[ignore = "needs a GPU"]
fn qd() {
    by_each_formula::<Qd>();
}

#[test]
fn every_module_compiles() {
    nonius_testkit::cuda::every_module_compiles(|_| super::sources());
}

#[test]
fn what_kernels_cannot_count_is_refused() {
    let most = u32::MAX as usize - 1;
    assert_eq!(counted([most - 7, 7].into_iter()), Ok(()));
    for counts in [[most - 7, 8], [usize::MAX, 1], [1 << 32, 0]] {
        let error = counted(counts.into_iter()).unwrap_err();
        assert!(matches!(error, Error::TooManyRows { rows, .. } if rows > most), "{counts:?}");
    }
}
