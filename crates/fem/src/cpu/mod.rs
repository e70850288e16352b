//! [Solids in motion](crate::solid) on the host: elements in the lanes of registers, patches of
//! them on threads.
//!
//! Results do not depend on the width of registers or the number of threads: a patch sums forces
//! element by element, a node patch by patch, and all operations round as they do on single
//! numbers.
//!
//! **Numbers** ([`precision::Numbers`]). Elements compute in one type, nodes and sums are kept in
//! another, which is wider in mixed precision. Where a number goes from one to the other:
//!
//! - coordinates and steps of a patch's nodes: `f64`; an element takes their differences from its
//!   first node and rounds these
//! - radii of axisymmetric elements: rounded as they are, beside their differences
//! - constants of materials: `f64` in two `f32`, of which the second corrects the first
//! - geometry, strain, stress, forces of an element: `f32`
//! - what an element remembers: `f64`: rounded where it is read, and each step adds its increment
//!   of `f32`
//! - multipliers of plastic flow, powers and logarithms: `f64`
//! - sums of forces over patches and nodes, motions of nodes, works: `f64`

mod block;
mod element;
mod functions;
mod group;
mod hardening;
mod law;
mod precision;
mod run;
mod way;

use nonius_linalg::backend::Cpu;

use crate::solid::{Advance, Failure, Precision, Problem, Run, Solids, State};
use precision::{Double, Mixed, Single};
use run::HostRun;

impl Solids for Cpu {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        Ok(match precision {
            Precision::Single => Box::new(HostRun::<Single>::new(problem, state)?),
            // Pairs of `f32` stand in for `f64`, which there is here.
            Precision::Double | Precision::Pairs => {
                Box::new(HostRun::<Double>::new(problem, state)?)
            }
            Precision::Mixed => Box::new(HostRun::<Mixed>::new(problem, state)?),
        })
    }
}

/// Runs are on the host where no backend is named.
impl Run {
    /// The problem at time zero on the host. `problem` is well formed: numbers of nodes, materials
    /// and courses are there.
    ///
    /// # Errors
    /// [`Failure::Inverted`].
    pub fn new(problem: &Problem, precision: Precision) -> Result<Self, Failure> {
        Self::on(&Cpu::default(), problem, precision, &State::new(problem))
    }

    /// The problem at the time of a state, on the host.
    ///
    /// # Errors
    /// [`Failure`].
    pub fn resume(problem: &Problem, precision: Precision, state: &State) -> Result<Self, Failure> {
        Self::on(&Cpu::default(), problem, precision, state)
    }
}
