//! Machines that programs are solved on.

use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_num::Precision;

use crate::cone::{Cone, Program};
use crate::cpu::{CpuCone, Kernels};
#[cfg(feature = "cuda")]
use crate::cuda::{self, OnCuda};

/// Numbers of which every machine has programs.
#[cfg(feature = "cuda")]
pub trait ConeNumber: Kernels + OnCuda {}

#[cfg(feature = "cuda")]
impl<T: Kernels + OnCuda> ConeNumber for T {}

/// Numbers of which every machine has programs.
#[cfg(not(feature = "cuda"))]
pub trait ConeNumber: Kernels {}

#[cfg(not(feature = "cuda"))]
impl<T: Kernels> ConeNumber for T {}

/// A machine that has cones of numbers of every kind.
pub trait Machine {
    /// Its cones.
    type Cone<T: ConeNumber>: Cone<Number = T> + 'static;

    /// Says in which precisions programs are to be solved, so that a device gets ready for them at
    /// once.
    fn prepare(&self, _precisions: &[Precision]) {}

    /// A program in its memory.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn cone<T: ConeNumber>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error>;
}

impl Machine for Cpu {
    type Cone<T: ConeNumber> = CpuCone<T>;

    fn cone<T: ConeNumber>(&self, program: Program<T>) -> Result<CpuCone<T>, Error> {
        Ok(CpuCone::new(program, *self))
    }
}

#[cfg(feature = "cuda")]
impl Machine for nonius_cuda::Cuda {
    type Cone<T: ConeNumber> = <T as OnCuda>::Cone;

    fn prepare(&self, precisions: &[Precision]) {
        cuda::prepare(self, precisions);
    }

    fn cone<T: ConeNumber>(&self, program: Program<T>) -> Result<Self::Cone<T>, Error> {
        T::cone(self, program)
    }
}
