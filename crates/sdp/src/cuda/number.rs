//! Where the programs of each kind of numbers are.

use nonius_cuda::Cuda;
use nonius_linalg::backend::Cpu;
use nonius_linalg::{Error, Number};
use nonius_num::{Dd, Mp, Qd, Td};

use super::cone::CudaCone;
use crate::cone::{Cone, Program};
use crate::cpu::CpuCone;

/// Numbers of programs for a machine with a GPU.
pub trait OnCuda: Number {
    /// The cone of such numbers: on the GPU, or on the host where there are no kernels for them.
    type Cone: Cone<Number = Self> + 'static;

    /// A program in the cone's memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn cone(gpu: &Cuda, program: Program<Self>) -> Result<Self::Cone, Error>;
}

macro_rules! on_gpu {
    ($($number:ty)*) => {$(
        impl OnCuda for $number {
            type Cone = CudaCone<Self>;

            fn cone(gpu: &Cuda, program: Program<Self>) -> Result<CudaCone<Self>, Error> {
                CudaCone::new(gpu, &program)
            }
        }
    )*};
}

on_gpu!(f64 Dd Td Qd);

impl OnCuda for Mp {
    type Cone = CpuCone<Self>;

    fn cone(_: &Cuda, program: Program<Self>) -> Result<CpuCone<Self>, Error> {
        Ok(CpuCone::new(program, Cpu::default()))
    }
}
