//! Machines that programs are solved on.

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_num::Precision;

use crate::cone::{Cone, Program};
use crate::cpu::{CpuCone, Kernels};
#[cfg(feature = "cuda")]
use crate::cuda::{self, CudaCone};

/// A machine that has cones of numbers of every kind.
pub trait Machine {
    /// Its cones.
    type Cone<T: Kernels>: Cone<Number = T> + 'static;

    /// Says in which precisions programs are to be solved, so that a device gets ready for them at
    /// once.
    fn prepare(&self, _precisions: &[Precision]) {}

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
