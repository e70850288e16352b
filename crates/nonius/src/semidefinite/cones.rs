//! Programs in the memory of a device, for work that is written once for every precision and device.

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::sparse::Values;
use nonius_linalg::sparse::matrix_market::Entry;
use nonius_linalg::{Error, mp};
use nonius_num::mp::{Bits, Mp};
use nonius_sdp::cone::Cone;
use nonius_sdp::cone::Program;
use nonius_sdp::cpu::{LimbCone, MpCone};
use nonius_sdp::cuda::CudaCone;
use nonius_sdp::{Problem, Reduced};

use crate::device::Engine;
use crate::{Dd, Qd, Td};

/// Work on a program with numbers `T`.
#[doc(hidden)]
pub trait ConeJob<T: ConeNumber> {
    /// What it yields.
    type Output;

    /// Does the work.
    ///
    /// # Errors
    /// What hindered it.
    fn run<C: Cone<Number = T> + 'static>(
        self,
        cone: C,
        format: T::Format,
    ) -> Result<Self::Output, Error>;
}

/// A problem, what is left of it to be computed with, and where.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "an engine")]
pub struct Placed<'a> {
    pub(super) problem: &'a Problem,
    pub(super) reduced: &'a Reduced,
    pub(super) engine: &'a Engine,
}

impl Placed<'_> {
    /// The program with the problem's numbers in a precision.
    pub(super) fn program<V: Values>(
        &self,
        format: <V::Item as Entry>::Format,
    ) -> Result<Program<V>, Error> {
        let numbers = self.problem.numbers().values::<V>(format)?;
        self.reduced.program(self.problem, &numbers)
    }
}

/// Numbers of programs.
#[doc(hidden)]
pub trait ConeNumber: Entry<Format: 'static> + 'static {
    /// Does work on a program with such numbers.
    ///
    /// # Errors
    /// What hindered it.
    fn on_cone<J: ConeJob<Self>>(
        placed: Placed<'_>,
        format: Self::Format,
        job: J,
    ) -> Result<J::Output, Error>;
}

macro_rules! limbs {
    ($($number:ty)*) => {$(
        impl ConeNumber for $number {
            fn on_cone<J: ConeJob<Self>>(
                placed: Placed<'_>,
                (): (),
                job: J,
            ) -> Result<J::Output, Error> {
                let program = placed.program::<Vec<Self>>(())?;
                match placed.engine {
                    Engine::Cpu => job.run(LimbCone::new(program, Cpu::default()), ()),
                    Engine::Cuda(gpu) => job.run(CudaCone::new(gpu, &program)?, ()),
                }
            }
        }
    )*};
}

limbs!(f64 Dd Td Qd);

impl ConeNumber for Mp {
    /// On the host.
    fn on_cone<J: ConeJob<Self>>(
        placed: Placed<'_>,
        bits: Bits,
        job: J,
    ) -> Result<J::Output, Error> {
        job.run(MpCone::new(placed.program::<mp::Numbers>(bits)?, Products::default()), bits)
    }
}
