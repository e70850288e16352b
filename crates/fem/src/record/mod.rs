//! A simulation to its end, with everything written that it was to leave behind.

mod error;
mod observe;
mod room;
mod times;

use core::ops::ControlFlow;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::model::Model;
use crate::output::history::{Chart, History, Table, plot, probe_names, probe_values};
use crate::output::series::{Encoding, Series};
use crate::output::view::{Direction, Field, Surface, View, ViewError, draw};
use crate::{Energies, Error, HistoryRow, SaveError, Simulation};
use nonius_files::file;
use times::Times;

pub use error::{RecordError, Saved};
pub use observe::observe;
pub use room::{Dense, dense_outputs};

/// How a simulation is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How fields are stored.
    pub encoding: Encoding,
    /// By what part of the largest energy the sum of all may change before the simulation stops.
    pub balance: f64,
    /// What colours of the last picture stand for.
    pub field: Field,
    /// From where the last picture is seen; what is [usual](View::direction) where nothing is said.
    pub direction: Option<Direction>,
    /// After how long a checkpoint is written where no fields are.
    pub checkpoints: Duration,
    /// How long after a checkpoint the next fields go without one. What was written since a
    /// checkpoint may be lost with the power: only with a checkpoint the disk is waited for.
    pub apart: Duration,
    /// For how long steps are taken before somebody hears of them.
    pub pulse: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            encoding: Encoding { compressed: true, single: false },
            balance: 0.05,
            field: Field::VonMises,
            direction: None,
            checkpoints: Duration::from_secs(300),
            apart: Duration::from_secs(1),
            pulse: Duration::from_millis(50),
        }
    }
}

/// What a record comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Steps.
    pub steps: u64,
    /// Energies at the end.
    pub energies: Energies,
    /// How many files of fields there are.
    pub fields: usize,
}

/// The name of the checkpoint in the folder of a record.
pub const CHECKPOINT: &str = "checkpoint";

/// Takes a simulation to the end of its period, and writes into a folder `fields.pvd` with a file
/// for each time beside it, `history.csv`, `history.svg`, `end.png` and the last [`CHECKPOINT`].
///
/// One at its beginning begins these files anew. One that is [resumed](Simulation::resume) goes on
/// with those of the folder: they become what they would have become without an interruption,
/// whatever was written after the checkpoint.
///
/// A row or fields go with the step that ends nearest to their time, unless the model's
/// [outputs](crate::model::Outputs) have exact times. All that is to be written is compared with
/// the disk and the memory before anything is.
///
/// `watch` sees the simulation now and then, and may stop it; it then leaves a checkpoint.
/// [`observe`] writes nothing.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use nonius_fem::model::Kind;
/// use nonius_fem::output::history::Table;
/// use nonius_fem::{Precision, Settings, Simulation, generate, record};
///
/// let mut model = generate::cuboid(Kind::ReducedHexahedron, [2, 2, 2])?;
/// model.time.period = 1e-4;
/// model.outputs.fields = Some(2);
/// let mut simulation = Simulation::new(&model, Precision::Double)?;
/// let folder = tempfile::tempdir()?;
/// let settings = Settings { balance: 1.0, ..Settings::default() };
/// let watch = |_: &Simulation<'_>| ControlFlow::Continue(());
/// let recorded = record(&model, &mut simulation, folder.path(), &settings, watch)?;
/// assert_eq!(recorded.fields, 3);
/// let table = Table::read(&folder.path().join("history.csv"))?;
/// assert_eq!(table.column("time").and_then(|times| times.last()), Some(&1e-4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RecordError`]; what was written until then stays.
pub fn record(
    model: &Model,
    simulation: &mut Simulation<'_>,
    folder: &Path,
    settings: &Settings,
    watch: impl FnMut(&Simulation<'_>) -> ControlFlow<()>,
) -> Result<Recorded, RecordError> {
    let times = Times::of(&model.outputs, model.time.period);
    let mut record = Record::open(model, simulation, folder, *settings, &times)?;
    match follow(model, simulation, settings, times, &mut record, watch)? {
        ControlFlow::Break(checkpoint) => Err(RecordError::Stopped { checkpoint }),
        ControlFlow::Continue(()) => record.finish(simulation),
    }
}

/// What is kept of a simulation on its way.
trait Keep {
    /// What is left of a simulation that was stopped.
    type Left;

    /// A row of the history is due.
    fn row(&mut self, row: HistoryRow) -> Result<(), RecordError>;

    /// Fields are due.
    fn fields(&mut self, simulation: &Simulation<'_>) -> Result<(), RecordError>;

    /// Whether the simulation has to be saved, whatever is due.
    fn is_late(&self) -> bool;

    /// The simulation is saved where that is late, or is left here.
    fn save_now(&mut self, simulation: &Simulation<'_>) -> Result<Self::Left, RecordError>;

    /// The last checkpoint.
    fn saved(&self) -> Option<&Saved>;
}

/// Takes a simulation to the end of its period, or until whoever watches it stops it.
fn follow<K: Keep>(
    model: &Model,
    simulation: &mut Simulation<'_>,
    settings: &Settings,
    mut times: Times,
    keep: &mut K,
    mut watch: impl FnMut(&Simulation<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<K::Left>, RecordError> {
    times.pass(simulation);
    let mut pace = 1;
    while let Some(goal) = times.goal() {
        // A row may be due at once where it was asked for so close that steps do not tell it apart.
        let mut is_on_its_way = true;
        while is_on_its_way {
            let clock = Instant::now();
            simulation.advance(goal, pace).map_err(|error| failed(keep.saved(), error))?;
            pace = match clock.elapsed() {
                long if long > settings.pulse => (pace / 2).max(1),
                short if short < settings.pulse / 4 => pace.saturating_mul(2),
                _ => pace,
            };
            let is_stopped = watch(simulation).is_break();
            is_on_its_way = !simulation.has_come_to(goal);
            if !is_on_its_way {
                let (is_due, is_field) = times.pass(simulation);
                if is_due {
                    add_row(model, simulation, settings, keep)?;
                }
                if is_field {
                    keep.fields(simulation)?;
                }
            }
            if is_stopped || keep.is_late() {
                check_balance(simulation, settings, keep.saved())?;
                let left = keep.save_now(simulation)?;
                if is_stopped && simulation.time() < model.time.period {
                    return Ok(ControlFlow::Break(left));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn failed(saved: Option<&Saved>, error: Error) -> RecordError {
    RecordError::Simulation { error, checkpoint: saved.cloned() }
}

/// Adds the row of this moment to a history.
fn add_row(
    model: &Model,
    simulation: &Simulation<'_>,
    settings: &Settings,
    keep: &mut impl Keep,
) -> Result<(), RecordError> {
    let probes = if model.outputs.probes.is_empty() {
        Vec::new()
    } else {
        let snapshot = simulation.snapshot().map_err(|error| failed(keep.saved(), error))?;
        probe_values(model, &snapshot)
    };
    let energies = simulation.energies().map_err(|error| failed(keep.saved(), error))?;
    let (time, step) = (simulation.time(), simulation.steps());
    keep.row(HistoryRow { time, step, increment: simulation.increment(), energies, probes })?;
    check_balance_of(simulation, settings, keep.saved(), &energies)
}

fn check_balance(
    simulation: &Simulation<'_>,
    settings: &Settings,
    saved: Option<&Saved>,
) -> Result<(), RecordError> {
    let energies = simulation.energies().map_err(|error| failed(saved, error))?;
    check_balance_of(simulation, settings, saved, &energies)
}

fn check_balance_of(
    simulation: &Simulation<'_>,
    settings: &Settings,
    saved: Option<&Saved>,
    energies: &Energies,
) -> Result<(), RecordError> {
    let by = energies.relative_balance();
    if simulation.steps() < FEWEST_STEPS || by.abs() <= settings.balance {
        return Ok(());
    }
    Err(RecordError::Balance {
        time: simulation.time(),
        step: simulation.steps(),
        by,
        fastest: simulation.fastest().map_err(|error| failed(saved, error))?,
        excess: simulation.excess().map(Box::new),
        checkpoint: saved.cloned(),
    })
}

/// Steps before which energies are too small to be compared.
const FEWEST_STEPS: u64 = 50;

/// The files of a record. At each moment all that is due until the last checkpoint's time is in
/// them.
struct Record<'a> {
    model: &'a Model,
    folder: &'a Path,
    settings: Settings,
    series: Series,
    history: History,
    saved: Option<Saved>,
    /// Since when there was no checkpoint.
    clock: Instant,
}

impl<'a> Record<'a> {
    fn open(
        model: &'a Model,
        simulation: &Simulation<'_>,
        folder: &'a Path,
        settings: Settings,
        times: &Times,
    ) -> Result<Self, RecordError> {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        room::check_steps(model, simulation)?;
        room::check_files(model, simulation, times, settings.encoding, folder)?;
        room::check_history(model, simulation, times)?;
        let [list, table, checkpoint] =
            ["fields.pvd", "history.csv", CHECKPOINT].map(|name| folder.join(name));
        let (time, step) = (simulation.time(), simulation.steps());
        let probes = probe_names(model);
        let clock = Instant::now();
        if step > 0 {
            let history = History::resume(&table, model.units.as_ref(), &probes, step)?;
            let series = Series::resume(&list, settings.encoding, time)?;
            let saved = Some(Saved { path: checkpoint, time, step });
            return Ok(Self { model, folder, settings, series, history, saved, clock });
        }
        // Of another run, which files that are begun anew do not go with.
        for path in [&checkpoint, &folder.join("history.svg"), &folder.join("end.png")] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(unwritable(path, &error));
                }
                _ => {}
            }
        }
        let history = History::create(&table, model.units.as_ref(), &probes)?;
        let series = Series::create(&list, settings.encoding)?;
        let mut record = Self { model, folder, settings, series, history, saved: None, clock };
        let snapshot = simulation.snapshot().map_err(|error| failed(None, error))?;
        record.series.write(model, &snapshot)?;
        add_row(model, simulation, &settings, &mut record)?;
        Ok(record)
    }

    /// Whether fields of this moment go with a checkpoint: the first ones, the last ones, and those
    /// that come long after one.
    fn is_due(&self, simulation: &Simulation<'_>) -> bool {
        self.saved.is_none()
            || simulation.time() >= self.model.time.period
            || self.clock.elapsed() >= self.settings.apart
    }

    /// Writes a checkpoint after the rows and fields that it goes with.
    fn save(&mut self, simulation: &Simulation<'_>) -> Result<Saved, RecordError> {
        self.history.sync()?;
        self.series.sync()?;
        let path = self.folder.join(CHECKPOINT);
        simulation.save(&path).map_err(|error| match error {
            SaveError::Simulation(error) => failed(self.saved.as_ref(), error),
            SaveError::File(error) => error.into(),
        })?;
        let saved = Saved { path, time: simulation.time(), step: simulation.steps() };
        self.saved = Some(saved.clone());
        self.clock = Instant::now();
        Ok(saved)
    }

    /// Draws the history and the end.
    fn finish(&self, simulation: &Simulation<'_>) -> Result<Recorded, RecordError> {
        let model = self.model;
        let table = Table::read(&self.folder.join("history.csv"))?;
        let mut charts = vec![Chart::energies(&table)];
        charts.extend(Chart::probes(&table));
        let title = if model.title.is_empty() { "history" } else { &model.title };
        if let Ok(picture) = plot(title, &charts) {
            let path = self.folder.join("history.svg");
            file::write(&path, |out| out.write_all(&picture))?;
        }
        let Settings { field, direction, .. } = self.settings;
        let (units, title) = (model.units, model.title.clone());
        let view = View { field, direction, units, title, ..View::default() };
        let surface = Surface::new(&model.mesh).map_err(ViewError::from)?;
        let failed = |error| failed(self.saved.as_ref(), error);
        let snapshot = simulation.snapshot().map_err(failed)?;
        draw(&model.mesh, &surface, &snapshot, &view)?.write(&self.folder.join("end.png"))?;
        Ok(Recorded {
            steps: simulation.steps(),
            energies: simulation.energies().map_err(failed)?,
            fields: self.series.times().len(),
        })
    }
}

impl Keep for Record<'_> {
    type Left = Saved;

    fn row(&mut self, row: HistoryRow) -> Result<(), RecordError> {
        Ok(self.history.append(&row)?)
    }

    fn fields(&mut self, simulation: &Simulation<'_>) -> Result<(), RecordError> {
        let snapshot = simulation.snapshot().map_err(|error| failed(self.saved(), error))?;
        self.series.write(self.model, &snapshot)?;
        if self.is_due(simulation) {
            self.save(simulation)?;
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.clock.elapsed() >= self.settings.checkpoints
    }

    /// The checkpoint of this step, which may be there already.
    fn save_now(&mut self, simulation: &Simulation<'_>) -> Result<Saved, RecordError> {
        match &self.saved {
            Some(saved) if saved.step == simulation.steps() => Ok(saved.clone()),
            _ => self.save(simulation),
        }
    }

    fn saved(&self) -> Option<&Saved> {
        self.saved.as_ref()
    }
}

fn unwritable(path: &Path, error: &io::Error) -> RecordError {
    RecordError::File(format!("{}: cannot be written: {error}", path.display()))
}
