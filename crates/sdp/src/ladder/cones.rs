//! Programs in the memory of a machine.

use nonius_linalg::{Error, Number};

use crate::cone::Program;
use crate::cpu::Kernels;
use crate::machine::Machine;
use crate::{Problem, Reduced};

/// A problem, what is left of it to be computed with, and where.
#[derive(Debug)]
pub(super) struct Placed<'a, M> {
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

impl<M: Machine> Placed<'_, M> {
    /// The program that is left, in the machine's memory.
    pub(super) fn cone<T: Kernels>(self, format: T::Format) -> Result<M::Cone<T>, Error> {
        self.machine.cone(program(self.problem, self.reduced, format)?)
    }
}

/// The program that is left, with the problem's numbers in a precision.
pub(super) fn program<T: Number>(
    problem: &Problem,
    reduced: &Reduced,
    format: T::Format,
) -> Result<Program<T>, Error> {
    reduced.program(problem, &problem.numbers().values(format)?)
}
