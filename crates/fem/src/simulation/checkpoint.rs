//! Simulations to files and back.

use std::path::Path;
use std::sync::OnceLock;

use nonius_linalg::backend::Cpu;

use super::{Error, ResumeError, SaveError, Simulation, of_failure};
use crate::fingerprint::fingerprint;
use crate::model::Model;
use crate::output::checkpoint::{Checkpoint, CheckpointError, Reader};
use crate::problem::problem;
use crate::solid::{Failure, Precision, Run, Solids, State, Tallies};

impl<'a> Simulation<'a> {
    /// The model as it was when a checkpoint was [saved](Self::save), on the CPU. What follows is
    /// what would have followed then, to the last bit, where forces are [computed in
    /// full](Self::resynchronise_every) as often.
    ///
    /// ```
    /// use nonius_fem::model::Kind;
    /// use nonius_fem::{Precision, Simulation, generate};
    ///
    /// let model = generate::bar(Kind::Hexahedron, [10, 1, 1])?;
    /// let mut simulation = Simulation::new(&model, Precision::Double)?;
    /// simulation.advance(1e-4, 10)?;
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("checkpoint");
    /// simulation.save(&path)?;
    /// let mut resumed = Simulation::resume(&model, Precision::Double, &path)?;
    /// for simulation in [&mut simulation, &mut resumed] {
    ///     simulation.advance_to(1e-4)?;
    /// }
    /// assert_eq!(simulation.snapshot()?, resumed.snapshot()?); // to the last bit
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ResumeError`], of a checkpoint of another model or in another precision among others.
    pub fn resume(
        model: &'a Model,
        precision: Precision,
        checkpoint: &Path,
    ) -> Result<Self, ResumeError> {
        Self::resume_on(&Cpu::default(), model, precision, checkpoint)
    }

    /// The model as it was when a checkpoint was [saved](Self::save), on a backend. Ranks read the
    /// same file, each for itself, however many there were when it was written.
    ///
    /// # Errors
    /// [`ResumeError`].
    pub fn resume_on<B: Solids>(
        backend: &B,
        model: &'a Model,
        precision: Precision,
        checkpoint: &Path,
    ) -> Result<Self, ResumeError> {
        let problem = problem(model)
            .map_err(|unsupported| ResumeError::Simulation(Error::Unsupported(unsupported)))?;
        let own = fingerprint(model);
        let mut reader = Reader::open(checkpoint, &own)?;
        if reader.get_integer("precision")? != number_of(precision) {
            return Err(ResumeError::Precision { path: checkpoint.to_path_buf() });
        }
        let state = read_state(&mut reader, model)?;
        let (initial, largest) = (reader.get_number("initial")?, reader.get_number("largest")?);
        let run =
            Run::on(backend, &problem, precision, &state).map_err(|failure| match failure {
                Failure::OtherState => {
                    let path = checkpoint.to_path_buf();
                    ResumeError::Checkpoint(CheckpointError::OtherModel { path })
                }
                _ => ResumeError::Simulation(of_failure(
                    &model.mesh,
                    failure,
                    state.time,
                    state.steps,
                )),
            })?;
        Ok(Self {
            model,
            precision,
            ranks: backend.ranks(),
            resync: super::USUAL_RESYNC,
            initial,
            stable: run.stable(),
            largest,
            fingerprint: OnceLock::from(own),
            run,
        })
    }

    /// Writes a checkpoint, which appears complete or not at all. Of ranks the first one writes.
    ///
    /// # Errors
    /// [`SaveError`].
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        let state = self.run.state();
        let state = state.map_err(|failure| SaveError::Simulation(self.failed(failure)))?;
        if self.ranks.rank() > 0 {
            return Ok(());
        }
        let State {
            time,
            steps,
            last,
            stable,
            scale,
            tallies: Tallies { patches, nodes },
            displacements,
            velocities,
            accelerations,
            elements,
            pressures,
        } = state;
        let mut checkpoint = Checkpoint::default();
        checkpoint.integer("precision", number_of(self.precision));
        checkpoint.integer("steps", steps);
        let numbers = [
            ("initial", self.initial),
            ("largest", self.largest),
            ("time", time),
            ("last", last),
            ("stable", stable),
            ("scale", scale),
        ];
        for (name, x) in numbers {
            checkpoint.number(name, x);
        }
        let vectors = [
            ("displacements", &displacements),
            ("velocities", &velocities),
            ("accelerations", &accelerations),
            ("pressures", &pressures),
        ];
        for (name, vectors) in vectors {
            checkpoint.array(name, vectors.as_flattened());
        }
        checkpoint.array("works of nodes", nodes.as_flattened());
        for (block, works) in patches.iter().enumerate() {
            checkpoint.array(&works_of(block), works.as_flattened());
        }
        for (block, numbers) in elements.iter().enumerate() {
            checkpoint.array(&elements_of(block), &numbers[..]);
        }
        let fingerprint = self.fingerprint.get_or_init(|| fingerprint(self.model));
        checkpoint.write(path, fingerprint).map_err(SaveError::File)
    }
}

/// What stands for a precision in a checkpoint.
fn number_of(precision: Precision) -> u64 {
    match precision {
        Precision::Single => 0,
        Precision::Double => 1,
        Precision::Mixed => 2,
        Precision::Pairs => 3,
    }
}

/// The name of the works of a block's patches.
fn works_of(block: usize) -> String {
    format!("works of block {block}")
}

/// The name of what the elements of a block keep.
fn elements_of(block: usize) -> String {
    format!("elements {block}")
}

fn read_state(reader: &mut Reader, model: &Model) -> Result<State, CheckpointError> {
    let nodes = model.mesh.coordinates.len();
    let mut vectors = |name: &str| {
        let mut vectors = vec![[0.0; 3]; nodes];
        reader.read_into(name, vectors.as_flattened_mut()).map(|()| vectors)
    };
    let (displacements, velocities) = (vectors("displacements")?, vectors("velocities")?);
    let accelerations = vectors("accelerations")?;
    let pressures: Vec<f64> = reader.read("pressures")?;
    let pressures = pressures.as_chunks().0.to_vec();
    let nodes: Vec<f64> = reader.read("works of nodes")?;
    let nodes = nodes.as_chunks().0.to_vec();
    let mut patches = Vec::new();
    for block in 0..model.mesh.blocks.len() {
        let works: Vec<f64> = reader.read(&works_of(block))?;
        patches.push(works.as_chunks().0.to_vec());
    }
    let mut elements = Vec::new();
    for block in 0..model.mesh.blocks.len() {
        elements.push(reader.read(&elements_of(block))?);
    }
    Ok(State {
        time: reader.get_number("time")?,
        steps: reader.get_integer("steps")?,
        last: reader.get_number("last")?,
        stable: reader.get_number("stable")?,
        scale: reader.get_number("scale")?,
        tallies: Tallies { patches, nodes },
        displacements,
        velocities,
        accelerations,
        elements,
        pressures,
    })
}
