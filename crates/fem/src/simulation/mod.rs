//! A model on its way through time.

mod checkpoint;
mod error;

use core::num::NonZeroU64;
use std::sync::OnceLock;

use nonius_comm::Communicator;
use nonius_files::room::check_memory;
use nonius_linalg::backend::Cpu;

use crate::model::{ElementId, Increments, Mesh, Model};
use crate::output::checkpoint::Fingerprint;
use crate::problem::problem;
use crate::solid::{self, Fields, Goal, Limits, Operations, Precision, Run, Solids, State};
use crate::{Energies, Snapshot};

pub use error::{Error, Excess, Named, ResumeError, SaveError};

/// A model on its way through time, on a backend.
///
/// ```
/// use nonius_fem::model::Kind;
/// use nonius_fem::{Precision, Simulation, generate};
///
/// let model = generate::cantilever(Kind::ReducedHexahedron, [10, 2, 2])?;
/// let mut simulation = Simulation::new(&model, Precision::Double)?;
/// simulation.advance(model.time.period, 200)?; // at most 200 steps
/// assert_eq!(simulation.steps(), 200);
/// // Nothing is lost but by errors of the steps.
/// assert!(simulation.energies()?.relative_balance().abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation<'a> {
    model: &'a Model,
    precision: Precision,
    ranks: Communicator,
    run: Run,
    resync: Option<NonZeroU64>,
    initial: f64,
    /// The longest stable step where it began.
    stable: f64,
    /// The largest energy at all looks until now.
    largest: f64,
    fingerprint: OnceLock<Fingerprint>,
}

impl<'a> Simulation<'a> {
    /// The model at time zero, on the CPU.
    ///
    /// # Errors
    /// [`Error`].
    pub fn new(model: &'a Model, precision: Precision) -> Result<Self, Error> {
        Self::on(&Cpu::default(), model, precision)
    }

    /// The model at time zero, on a backend.
    ///
    /// # Errors
    /// [`Error`].
    pub fn on<B: Solids>(
        backend: &B,
        model: &'a Model,
        precision: Precision,
    ) -> Result<Self, Error> {
        check_room(model)?;
        let problem = problem(model).map_err(Error::Unsupported)?;
        let failed = |failure| of_failure(&model.mesh, failure, 0.0, 0);
        let run = Run::on(backend, &problem, precision, &State::new(&problem)).map_err(failed)?;
        let initial = run.kinetic().map_err(failed)?;
        Ok(Self {
            model,
            precision,
            ranks: backend.ranks(),
            resync: USUAL_RESYNC,
            initial,
            stable: run.stable(),
            largest: 0.0,
            fingerprint: OnceLock::new(),
            run,
        })
    }

    /// Moves the simulation to another backend, in its present state.
    ///
    /// # Errors
    /// [`Error`]; the simulation is then as it was.
    pub fn continue_on<B: Solids>(&mut self, backend: &B) -> Result<(), Error> {
        let problem = problem(self.model).map_err(Error::Unsupported)?;
        let state = self.run.state().map_err(|failure| self.failed(failure))?;
        let run = Run::on(backend, &problem, self.precision, &state);
        self.run = run.map_err(|failure| self.failed(failure))?;
        self.ranks = backend.ranks();
        Ok(())
    }

    /// The ranks that share the simulation: every one of them calls the same functions.
    pub fn ranks(&self) -> &Communicator {
        &self.ranks
    }

    /// The number of steps left, if all are as long as the next one may be.
    pub fn steps_left(&self) -> f64 {
        (self.model.time.period - self.time()) / self.next_increment()
    }

    /// The length of the next step, if it is as long as allowed.
    pub fn next_increment(&self) -> f64 {
        self.run.clock().next(self.limits(), f64::INFINITY)
    }

    /// A fixed increment that is longer than the stable one of the beginning or, unless it is, of
    /// this moment.
    pub fn excess(&self) -> Option<Excess> {
        self.excess_over(self.run.stable())
    }

    fn excess_over(&self, stable: f64) -> Option<Excess> {
        let Increments::Fixed(increment) = self.model.time.increments else { return None };
        // An unstable motion makes elements small, and stable steps with them.
        let exceeded = [self.stable, stable].into_iter().find(|&stable| increment > stable)?;
        Some(Excess { increment, stable: exceeded })
    }

    fn limits(&self) -> Limits {
        let (factor, most) = match self.model.time.increments {
            Increments::Stable { factor, most } => (factor, most.unwrap_or(f64::INFINITY)),
            Increments::Fixed(dt) => (f64::INFINITY, dt),
        };
        Limits { factor, most, resync: self.resync }
    }

    /// In mixed precision, after how many steps forces are computed in full from now on, instead of
    /// being summed up of increments; never where there is none. At first they are computed in full
    /// in every step. Other precisions always compute them so. Steps count from the beginning of
    /// the model: a simulation that is resumed does the same as one that was not interrupted where
    /// it is told the same.
    pub fn resynchronise_every(&mut self, steps: Option<NonZeroU64>) {
        self.resync = steps;
    }

    /// Advances to a time, at which a step ends.
    ///
    /// # Errors
    /// [`Error`].
    pub fn advance_to(&mut self, end: f64) -> Result<(), Error> {
        self.advance(end, u64::MAX)
    }

    /// Advances towards a goal, by at most `steps` steps.
    ///
    /// The largest energy is remembered. Energies are computed at certain steps: sixteen or more
    /// each time that the number of steps doubles, however many steps a call takes.
    ///
    /// # Errors
    /// [`Error`].
    pub fn advance(&mut self, goal: impl Into<Goal>, steps: u64) -> Result<(), Error> {
        let (goal, limits) = (goal.into(), self.limits());
        let mut left = steps;
        while left > 0 && !self.has_come_to(goal) {
            let begun = self.run.steps();
            let look = next_look(begun);
            let stable = self.run.stable();
            let advanced = self.run.advance(limits, goal, left.min(look - begun));
            advanced.map_err(|failure| {
                // A state that has failed may know no stable step.
                let stable =
                    if self.run.stable() > 0.0 { self.run.stable().min(stable) } else { stable };
                let (time, step) = (self.run.time(), self.run.steps() + 1);
                let error = of_failure(&self.model.mesh, failure, time, step);
                error.explained_by(self.excess_over(stable))
            })?;
            left -= self.run.steps() - begun;
            if self.run.steps() == look {
                self.largest = self.energies()?.largest;
            }
        }
        Ok(())
    }

    /// Whether the simulation has reached a goal.
    pub fn has_come_to(&self, goal: impl Into<Goal>) -> bool {
        self.run.clock().has_come_to(self.limits(), goal.into())
    }

    fn failed(&self, failure: solid::Failure) -> Error {
        of_failure(&self.model.mesh, failure, self.run.time(), self.run.steps())
    }

    /// The time.
    pub fn time(&self) -> f64 {
        self.run.time()
    }

    /// Steps until now.
    pub fn steps(&self) -> u64 {
        self.run.steps()
    }

    /// The length of the last step.
    pub fn increment(&self) -> f64 {
        self.run.increment()
    }

    /// By what part the forces that were summed up of increments differ from those in full; see
    /// [`Run::drift`].
    ///
    /// # Errors
    /// [`Error`].
    pub fn drift(&mut self) -> Result<f64, Error> {
        self.run.drift().map_err(|failure| self.failed(failure))
    }

    /// Floating-point operations of a step like the last one.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn operations(&self) -> Result<Operations, Error> {
        self.run.operations(self.resync).map_err(|failure| self.failed(failure))
    }

    /// The energies at the present time.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn energies(&self) -> Result<Energies, Error> {
        let works = self.run.works().map_err(|failure| self.failed(failure))?;
        let mut energies = Energies {
            kinetic: self.run.kinetic().map_err(|failure| self.failed(failure))?,
            internal: works.internal,
            plastic: works.plastic,
            hourglass: works.hourglass,
            viscous: works.viscous,
            external: works.external,
            initial: self.initial,
            largest: 0.0,
        };
        energies.largest = self.largest.max(energies.largest_now());
        Ok(energies)
    }

    /// The fields at the present time.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        let [displacements, velocities] =
            self.run.motion().map_err(|failure| self.failed(failure))?;
        let (time, step) = (self.run.time(), self.run.steps());
        let mut snapshot =
            Snapshot { time, step, displacements, velocities, ..Snapshot::default() };
        for (number, block) in self.model.mesh.blocks.iter().enumerate() {
            let fields = self.run.fields(number).map_err(|failure| self.failed(failure))?;
            let nodes = block.nodes.chunks_exact(block.kind.nodes());
            for (Fields { stress, plastic_strain, temperature }, nodes) in
                fields.into_iter().zip(nodes)
            {
                snapshot.stresses.push(stress);
                snapshot.plastic_strains.push(plastic_strain);
                let unchanged = || initial_temperature(&self.model.temperatures, nodes);
                snapshot.temperatures.push(temperature.unwrap_or_else(unchanged));
            }
        }
        Ok(snapshot)
    }

    /// The number in the input of the node that is fastest now, and an element that has it.
    pub(crate) fn fastest(&self) -> Result<Option<(u64, Option<Named>)>, Error> {
        let [_, velocities] = self.run.motion().map_err(|failure| self.failed(failure))?;
        let speeds = velocities.into_iter().map(|v| v[0].hypot(v[1]).hypot(v[2]));
        let mesh = &self.model.mesh;
        let fastest = speeds.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        Ok(fastest.map(|(node, _)| (mesh.node_labels[node], element_at(mesh, node))))
    }

    /// The places of elements in the order of a snapshot's fields.
    pub fn elements(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.model.mesh.blocks.iter().enumerate().flat_map(|(block, of)| {
            let block = block as u32;
            (0..of.labels.len() as u32).map(move |element| ElementId { block, element })
        })
    }
}

/// In mixed precision forces are computed in full in every step: rounding errors of increments
/// would stay in the sums that forces are.
const USUAL_RESYNC: Option<NonZeroU64> = Some(NonZeroU64::MIN);

/// The next step at which energies are looked at, after `steps` steps.
fn next_look(steps: u64) -> u64 {
    let apart = 1 << steps.max(1).ilog2().saturating_sub(4).min(10);
    (steps / apart + 1) * apart
}

/// Memory of a run on the host: what nodes and elements take of the problem, its state and the run.
fn check_room(model: &Model) -> Result<(), Error> {
    // Of a node places, motions and masses; of an element its nodes, twice what it remembers, and
    // forces.
    const OF_NODE: u128 = 350;
    const OF_ELEMENT: u128 = 400;
    let mesh = &model.mesh;
    let elements: usize = mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let bytes = OF_NODE * mesh.coordinates.len() as u128 + OF_ELEMENT * elements as u128;
    let what = format_args!("a run of {elements} elements");
    check_memory(what, bytes).map_err(|error| Error::NoRoom(Box::new(error)))
}

fn of_failure(mesh: &Mesh, failure: solid::Failure, time: f64, step: u64) -> Error {
    match failure {
        solid::Failure::Inverted { block, element } => {
            let block = &mesh.blocks[block];
            let element = Named { label: block.labels[element], kind: block.kind.name() };
            Error::Inverted { element, time, step, excess: None }
        }
        solid::Failure::NotFinite { node } => {
            let (label, element) = (mesh.node_labels[node], element_at(mesh, node));
            Error::NotFinite { label, element, time, step, excess: None }
        }
        solid::Failure::Device(error) => Error::Device(error),
        solid::Failure::OtherState => Error::OtherState,
    }
}

/// The temperature of an element at the beginning, the mean of its nodes.
fn initial_temperature(of_nodes: &[f64], nodes: &[u32]) -> f64 {
    let known = nodes.iter().filter_map(|&node| of_nodes.get(node as usize));
    known.sum::<f64>() / nodes.len() as f64
}

/// The first element that has a node.
fn element_at(mesh: &Mesh, node: usize) -> Option<Named> {
    mesh.blocks.iter().find_map(|block| {
        let place = block.nodes.iter().position(|&own| own as usize == node)?;
        Some(Named { label: block.labels[place / block.kind.nodes()], kind: block.kind.name() })
    })
}
