//! A model on its way through time.

use core::fmt;

use nonius_linalg::solid::{self, Fields, Limits, Precision, Run};

use crate::model::{ElementId, Increments, Model};
use crate::problem::{Unsupported, problem};
use crate::{Energies, Snapshot};

/// Why a simulation cannot begin or go on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The model has something that cannot be computed yet.
    Unsupported(Unsupported),
    /// An element has no volume, or has turned inside out.
    Inverted {
        /// The element's number in the input.
        label: u64,
        /// Its kind, as Abaqus names it.
        kind: &'static str,
        /// When.
        time: f64,
        /// At which step.
        step: u64,
    },
    /// A node's velocity is not finite.
    NotFinite {
        /// The node's number in the input.
        label: u64,
        /// When.
        time: f64,
        /// At which step.
        step: u64,
    },
    /// A device cannot go on.
    Device(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(unsupported) => unsupported.fmt(f),
            Error::Inverted { label, kind, time, step } => write!(
                f,
                "step {step}, time {time:e}: element {label} ({kind}) has no volume or has turned inside out"
            ),
            Error::NotFinite { label, time, step } => {
                write!(f, "step {step}, time {time:e}: the velocity of node {label} is not finite")
            }
            Error::Device(message) => f.write_str(message),
        }
    }
}

impl core::error::Error for Error {}

/// A model at a time.
pub struct Simulation<'a> {
    model: &'a Model,
    run: Run,
    initial: f64,
}

impl<'a> Simulation<'a> {
    /// The model at time zero.
    ///
    /// # Errors
    /// [`Error`].
    pub fn new(model: &'a Model, precision: Precision) -> Result<Self, Error> {
        let problem = problem(model).map_err(Error::Unsupported)?;
        let run =
            Run::new(&problem, precision).map_err(|failure| Self::named(model, failure, 0.0, 0))?;
        let initial = run.kinetic().map_err(Self::lost)?;
        Ok(Self { model, run, initial })
    }

    /// Goes on until a time, at which a step ends.
    ///
    /// # Errors
    /// [`Error`].
    pub fn advance_to(&mut self, end: f64) -> Result<(), Error> {
        let (factor, most) = match self.model.time.increments {
            Increments::Stable { factor, most } => (factor, most.unwrap_or(f64::INFINITY)),
            Increments::Fixed(dt) => (f64::INFINITY, dt),
        };
        self.run.advance(Limits { factor, most }, end, u64::MAX).map_err(|failure| {
            Self::named(self.model, failure, self.run.time(), self.run.steps() + 1)
        })
    }

    fn lost(failure: solid::Failure) -> Error {
        Error::Device(match failure {
            solid::Failure::Device(error) => error.to_string(),
            _ => "a device cannot go on".to_string(),
        })
    }

    fn named(model: &Model, failure: solid::Failure, time: f64, step: u64) -> Error {
        match failure {
            solid::Failure::Inverted { block, element } => {
                let block = &model.mesh.blocks[block];
                let (label, kind) = (block.labels[element], block.kind.name());
                Error::Inverted { label, kind, time, step }
            }
            solid::Failure::NotFinite { node } => {
                Error::NotFinite { label: model.mesh.node_labels[node], time, step }
            }
            other => Self::lost(other),
        }
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

    /// Energies now.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn energies(&self) -> Result<Energies, Error> {
        let works = self.run.works().map_err(Self::lost)?;
        Ok(Energies {
            kinetic: self.run.kinetic().map_err(Self::lost)?,
            internal: works.internal,
            plastic: works.plastic,
            hourglass: works.hourglass,
            viscous: works.viscous,
            external: works.external,
            initial: self.initial,
        })
    }

    /// Fields now.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        let [displacements, velocities] = self.run.motion().map_err(Self::lost)?;
        let mut snapshot = Snapshot {
            time: self.run.time(),
            step: self.run.steps(),
            displacements,
            velocities,
            ..Snapshot::default()
        };
        for (number, block) in self.model.mesh.blocks.iter().enumerate() {
            let fields = self.run.fields(number).map_err(Self::lost)?;
            let nodes = block.nodes.chunks_exact(block.kind.nodes());
            for (Fields { stress, plastic_strain, temperature }, nodes) in fields.iter().zip(nodes)
            {
                snapshot.stresses.push(*stress);
                snapshot.plastic_strains.push(*plastic_strain);
                let known =
                    nodes.iter().filter_map(|&node| self.model.temperatures.get(node as usize));
                let initial = || known.sum::<f64>() / nodes.len() as f64;
                snapshot.temperatures.push(temperature.unwrap_or_else(initial));
            }
        }
        Ok(snapshot)
    }

    /// The places of elements in the order of a snapshot's fields.
    pub fn elements(&self) -> impl Iterator<Item = ElementId> + '_ {
        self.model.mesh.blocks.iter().enumerate().flat_map(|(block, of)| {
            let block = block as u32;
            (0..of.labels.len() as u32).map(move |element| ElementId { block, element })
        })
    }
}
