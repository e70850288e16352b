//! A simulation to its end, whose outputs are files of a folder.

use core::ops::ControlFlow;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

use super::times::Times;
use super::{
    CHECKPOINT, Keep, RecordError, Recorded, Saved, Settings, add_row, agreed, failed, follow, room,
};
use crate::model::Model;
use crate::output::history::{Chart, History, Table, plot, probe_names};
use crate::output::series::Series;
use crate::output::view::{Surface, View, ViewError, draw};
use crate::{HistoryRow, SaveError, Simulation, Snapshot};
use nonius_files::file;

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
/// [`observe`](super::observe()) writes nothing.
///
/// Where [ranks](crate::Ranks) share the simulation, each of them calls this, and the first one
/// writes what one device would. What it hears from `watch` counts for all.
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

/// The files of a record. At each moment all that is due until the last checkpoint's time is in
/// them.
struct Record<'a> {
    model: &'a Model,
    folder: &'a Path,
    settings: Settings,
    /// The first rank's alone.
    files: Option<Files>,
    saved: Option<Saved>,
    /// Since when there was no checkpoint.
    clock: Instant,
}

/// Files that grow.
struct Files {
    series: Series,
    history: History,
}

impl Files {
    /// The files of a folder at a time and a step: anew at the first, else as they were then.
    fn open(
        model: &Model,
        (time, step): (f64, u64),
        folder: &Path,
        settings: Settings,
    ) -> Result<Self, RecordError> {
        let [list, table, checkpoint] =
            ["fields.pvd", "history.csv", CHECKPOINT].map(|name| folder.join(name));
        let probes = probe_names(model);
        if step > 0 {
            let history = History::resume(&table, model.units.as_ref(), &probes, step)?;
            let series = Series::resume(&list, settings.encoding, time)?;
            return Ok(Self { series, history });
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
        Ok(Self { series, history })
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        self.history.sync()?;
        Ok(self.series.sync()?)
    }
}

impl<'a> Record<'a> {
    fn open(
        model: &'a Model,
        simulation: &Simulation<'_>,
        folder: &'a Path,
        settings: Settings,
        times: &Times,
    ) -> Result<Self, RecordError> {
        room::check_steps(model, simulation)?;
        let (time, step) = (simulation.time(), simulation.steps());
        let is_writer = simulation.ranks().rank() == 0;
        if is_writer {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
            room::check_files(model, simulation, times, settings.encoding, folder)?;
        }
        room::check_history(model, simulation, times)?;
        let files = is_writer.then(|| Files::open(model, (time, step), folder, settings));
        let files = files.transpose()?;
        let path = folder.join(CHECKPOINT);
        let saved = (step > 0).then_some(Saved { path, time, step });
        let mut record = Self { model, folder, settings, files, saved, clock: Instant::now() };
        if step == 0 {
            record.write(&simulation.snapshot().map_err(|error| failed(None, error))?)?;
            add_row(model, simulation, &settings, &mut record)?;
        }
        Ok(record)
    }

    fn write(&mut self, snapshot: &Snapshot) -> Result<(), RecordError> {
        if let Some(files) = &mut self.files {
            files.series.write(self.model, snapshot)?;
        }
        Ok(())
    }

    /// Whether fields of this moment go with a checkpoint: the first ones, the last ones, and those
    /// that come long after one.
    fn is_due(&self, simulation: &Simulation<'_>) -> Result<bool, RecordError> {
        let is_due = self.saved.is_none()
            || simulation.time() >= self.model.time.period
            || self.clock.elapsed() >= self.settings.apart;
        let [is_due] = agreed(simulation, self.saved(), [is_due.into()])?;
        Ok(is_due > 0)
    }

    /// Writes a checkpoint after the rows and fields that it goes with.
    fn save(&mut self, simulation: &Simulation<'_>) -> Result<Saved, RecordError> {
        if let Some(files) = &mut self.files {
            files.sync()?;
        }
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
        let failed = |error| failed(self.saved.as_ref(), error);
        let snapshot = simulation.snapshot().map_err(failed)?;
        let energies = simulation.energies().map_err(failed)?;
        if self.files.is_some() {
            self.draw(&snapshot)?;
        }
        let fields = self.files.as_ref().map_or(0, |files| files.series.times().len() as u64);
        let [fields] = agreed(simulation, self.saved(), [fields])?;
        Ok(Recorded { steps: simulation.steps(), energies, fields: fields as usize })
    }

    fn draw(&self, end: &Snapshot) -> Result<(), RecordError> {
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
        Ok(draw(&model.mesh, &surface, end, &view)?.write(&self.folder.join("end.png"))?)
    }
}

impl Keep for Record<'_> {
    type Left = Saved;

    fn row(&mut self, row: HistoryRow) -> Result<(), RecordError> {
        if let Some(files) = &mut self.files {
            files.history.append(&row)?;
        }
        Ok(())
    }

    fn fields(&mut self, simulation: &Simulation<'_>) -> Result<(), RecordError> {
        let snapshot = simulation.snapshot().map_err(|error| failed(self.saved(), error))?;
        self.write(&snapshot)?;
        if self.is_due(simulation)? {
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
