//! Machines that programs are solved on.

use nonius_comm::dense::Ranks;
use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_num::Precision;

use crate::cone::{Cone, Program};
use crate::cpu::{CpuCone, Kernels, column_costs};
#[cfg(feature = "cuda")]
use crate::cuda::{self, CudaCone};
use crate::ranks::{self, Decide, Plan, RanksCone};

/// A machine that has cones of numbers of every kind.
pub trait Machine {
    /// Its cones.
    type Cone<T: Kernels>: Cone<Number = T> + 'static;

    /// Says in which precisions programs are to be solved, so that a device gets ready for them at
    /// once.
    fn prepare(&self, _precisions: &[Precision]) {}

    /// Lets `observe` decide whether a run goes on; it may ask for what `fetch` yields. Where
    /// several processes compute together, one of them decides for all.
    fn lead<S>(&self, fetch: &dyn Fn() -> Result<S, Error>, observe: &mut Decide<'_, S>) -> bool {
        observe(fetch)
    }

    /// A program in its memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn cone<T: Kernels>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error>;
}

impl Machine for Cpu {
    type Cone<T: Kernels> = CpuCone<T>;

    fn cone<T: Kernels>(&self, program: Program<T>) -> Result<CpuCone<T>, Error> {
        Ok(CpuCone::new(program, *self))
    }
}

impl Machine for Ranks<Cpu> {
    type Cone<T: Kernels> = RanksCone<CpuCone<T>, Cpu>;

    fn lead<S>(&self, fetch: &dyn Fn() -> Result<S, Error>, observe: &mut Decide<'_, S>) -> bool {
        ranks::lead(self, fetch, observe)
    }

    fn cone<T: Kernels>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error> {
        let plan = Plan {
            costs: column_costs(&program, T::COSTS),
            together: 1,
            groups: (0..=program.squares().len()).collect(),
            least_divided: usize::MAX,
            least_in_tiles: 0,
        };
        let place = |program| self.local().cone(program);
        RanksCone::new(
            self,
            program,
            &plan,
            |program, _| place(program),
            |program, _| place(program),
        )
    }
}

#[cfg(feature = "cuda")]
impl Machine for Ranks<nonius_cuda::Cuda> {
    type Cone<T: Kernels> = RanksCone<CudaCone<T>, nonius_cuda::Cuda>;

    fn prepare(&self, precisions: &[Precision]) {
        self.local().prepare(precisions);
    }

    fn lead<S>(&self, fetch: &dyn Fn() -> Result<S, Error>, observe: &mut Decide<'_, S>) -> bool {
        ranks::lead(self, fetch, observe)
    }

    fn cone<T: Kernels>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error> {
        let plan = cuda::plan(&program);
        CudaCone::on_ranks(self, program, &plan)
    }
}

#[cfg(feature = "cuda")]
impl Machine for nonius_cuda::Cuda {
    type Cone<T: Kernels> = CudaCone<T>;

    fn prepare(&self, precisions: &[Precision]) {
        cuda::prepare(self, precisions);
    }

    fn cone<T: Kernels>(&self, program: Program<T>) -> Result<CudaCone<T>, Error> {
        CudaCone::new(self, &program)
    }
}
