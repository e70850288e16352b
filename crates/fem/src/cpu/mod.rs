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

use nonius_comm::Communicator;
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
        Ranks(Communicator::alone()).solids(problem, precision, state)
    }
}

/// The hosts of several ranks, which share a problem out among them: [`Simulation::on`] these is
/// called on each rank, with the same arguments, and so are all functions of the simulation. All
/// results are whole on each rank, and have the bits of one host.
///
/// ```
/// use nonius_comm::threads;
/// use nonius_fem::model::Kind;
/// use nonius_fem::{Precision, Ranks, Simulation, generate};
///
/// let model = generate::cantilever(Kind::ReducedHexahedron, [30, 4, 4])?;
/// let mut alone = Simulation::new(&model, Precision::Double)?;
/// alone.advance(model.time.period, 100)?;
/// let expected = alone.snapshot()?;
/// let found = threads::run(2, |ranks| {
///     let mut shared = Simulation::on(&Ranks(ranks.clone()), &model, Precision::Double)?;
///     shared.advance(model.time.period, 100)?;
///     shared.snapshot()
/// })?;
/// assert!(found.iter().all(|found| *found == expected)); // to the last bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Simulation::on`]: crate::Simulation::on
#[derive(Clone, Debug)]
pub struct Ranks(pub Communicator);

impl Solids for Ranks {
    fn solids(
        &self,
        problem: &Problem,
        precision: Precision,
        state: &State,
    ) -> Result<Box<dyn Advance>, Failure> {
        let ranks = self.0.clone();
        Ok(match precision {
            Precision::Single => Box::new(HostRun::<Single>::new(ranks, problem, state)?),
            // Pairs of `f32` stand in for `f64`, which there is here.
            Precision::Double | Precision::Pairs => {
                Box::new(HostRun::<Double>::new(ranks, problem, state)?)
            }
            Precision::Mixed => Box::new(HostRun::<Mixed>::new(ranks, problem, state)?),
        })
    }

    fn ranks(&self) -> Communicator {
        self.0.clone()
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
