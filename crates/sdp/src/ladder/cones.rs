//! Programs in the memory of a machine, for work that is written once for every precision and machine.

use nonius_linalg::Error as LinalgError;
use nonius_linalg::Number;
use nonius_linalg::dense::gemm::Products;
use nonius_num::mp::{Bits, Mp};
use nonius_num::{Dd, Qd, Td};

use crate::cone::{Cone, Machine, Program};
use crate::cpu::MpCone;
use crate::{Problem, Reduced};

/// Work on a program with numbers `T`.
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
    ) -> Result<Self::Output, LinalgError>;
}

/// A problem, what is left of it to be computed with, and where.
#[derive(Debug)]
pub struct Placed<'a, M> {
    pub(super) problem: &'a Problem,
    pub(super) reduced: &'a Reduced,
    pub(super) machine: &'a M,
}

impl<M> Clone for Placed<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Placed<'_, M> {}

/// The program that is left, with the problem's numbers in a precision.
pub(super) fn program<T: Number>(
    problem: &Problem,
    reduced: &Reduced,
    format: T::Format,
) -> Result<Program<T>, LinalgError> {
    reduced.program(problem, &problem.numbers().values(format)?)
}

/// Numbers of programs.
pub trait ConeNumber: Number {
    /// Does work on a program with such numbers.
    ///
    /// # Errors
    /// What hindered it.
    fn on_cone<M: Machine, J: ConeJob<Self>>(
        placed: Placed<'_, M>,
        format: Self::Format,
        job: J,
    ) -> Result<J::Output, LinalgError>;
}

macro_rules! limbs {
    ($($number:ty)*) => {$(
        impl ConeNumber for $number {
            fn on_cone<M: Machine, J: ConeJob<Self>>(
                placed: Placed<'_, M>,
                (): (),
                job: J,
            ) -> Result<J::Output, LinalgError> {
                let program = program::<Self>(placed.problem, placed.reduced, ())?;
                job.run(placed.machine.cone(program)?, ())
            }
        }
    )*};
}

limbs!(f64 Dd Td Qd);

impl ConeNumber for Mp {
    /// On the host.
    fn on_cone<M: Machine, J: ConeJob<Self>>(
        placed: Placed<'_, M>,
        bits: Bits,
        job: J,
    ) -> Result<J::Output, LinalgError> {
        let program = program::<Self>(placed.problem, placed.reduced, bits)?;
        job.run(MpCone::new(program, Products::default()), bits)
    }
}
