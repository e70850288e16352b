//! A simulation from its beginning to its end, with everything written that it was to leave behind.

use core::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::model::{Model, Outputs};
use crate::output::FileError;
use crate::output::history::{
    Chart, History, HistoryError, PlotError, Table, plot, probe_names, probe_values,
};
use crate::output::series::{Encoding, Series, SeriesError};
use crate::output::view::{Field, Surface, View, ViewError, draw};
use crate::{Energies, Error, HistoryRow, Simulation};

/// How a simulation is recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How fields are stored.
    pub encoding: Encoding,
    /// By what part of the largest energy the sum of all may change before the simulation stops.
    pub balance: f64,
    /// What colours of the last picture stand for.
    pub field: Field,
}

impl Default for Settings {
    fn default() -> Self {
        let encoding = Encoding { compressed: true, single: false };
        Self { encoding, balance: 0.05, field: Field::VonMises }
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

/// Why a record ends early.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// The simulation cannot go on.
    Simulation(Error),
    /// Energies do not balance.
    Balance {
        /// When that was seen.
        time: f64,
        /// At which step.
        step: u64,
        /// By what part of the largest they differ.
        by: f64,
    },
    /// A file cannot be written.
    File(String),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Simulation(error) => error.fmt(f),
            RecordError::Balance { time, step, by } => write!(
                f,
                "step {step}, time {time:e}: energies differ from what was there and came in by {:.2} % of the largest; shorter steps or a finer mesh may help",
                100.0 * by
            ),
            RecordError::File(message) => f.write_str(message),
        }
    }
}

impl core::error::Error for RecordError {}

macro_rules! from {
    ($($error:ty),*) => {
        $(impl From<$error> for RecordError {
            fn from(error: $error) -> Self {
                Self::File(error.to_string())
            }
        })*
    };
}

from!(SeriesError, HistoryError, FileError, PlotError, ViewError);

impl From<Error> for RecordError {
    fn from(error: Error) -> Self {
        Self::Simulation(error)
    }
}

/// Rows of the history of a model that does not say when they are due.
const ROWS: f64 = 200.0;
/// Fields of one, beside those at the beginning.
const FIELDS: usize = 20;

/// Takes a simulation that is at its beginning to the end of its period, and writes into a folder `fields.pvd` with a file for each time beside it, `history.csv`, `history.svg` and `end.png`. `progress` hears the
/// time now and then.
///
/// # Errors
/// [`RecordError`]; what was written until then stays.
pub fn record(
    model: &Model,
    simulation: &mut Simulation<'_>,
    folder: &Path,
    settings: &Settings,
    mut progress: impl FnMut(f64),
) -> Result<Recorded, RecordError> {
    let unwritable = |path: &Path, error: &std::io::Error| {
        RecordError::File(format!("{}: cannot be made: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let file = |name: &str| -> PathBuf { folder.join(name) };
    let mut series = Series::create(&file("fields.pvd"), settings.encoding)?;
    let mut history = History::create(&file("history.csv"), &probe_names(model))?;

    let snapshot = simulation.snapshot()?;
    series.write(model, &snapshot)?;
    history.append(&row(model, simulation)?)?;
    let times = Times::of(&model.outputs, model.time.period);
    for (time, is_field) in times.all() {
        simulation.advance_to(time)?;
        let row = row(model, simulation)?;
        history.append(&row)?;
        progress(time);
        let by = row.energies.relative_balance();
        if by.abs() > settings.balance && row.step >= FEWEST_STEPS {
            return Err(RecordError::Balance { time, step: row.step, by });
        }
        if is_field {
            series.write(model, &simulation.snapshot()?)?;
        }
    }

    let table = Table::read(&file("history.csv"))?;
    let mut charts = vec![Chart::energies(&table)];
    charts.extend(Chart::probes(&table));
    let title = if model.title.is_empty() { "history" } else { &model.title };
    if let Ok(picture) = plot(title, &charts) {
        fs::write(file("history.svg"), picture)
            .map_err(|error| unwritable(&file("history.svg"), &error))?;
    }
    let view = View { field: settings.field, title: model.title.clone(), ..View::default() };
    let surface = Surface::new(&model.mesh).map_err(ViewError::from)?;
    draw(&model.mesh, &surface, &simulation.snapshot()?, &view)?.write(&file("end.png"))?;
    Ok(Recorded {
        steps: simulation.steps(),
        energies: simulation.energies()?,
        fields: series.times().len(),
    })
}

/// Before so many steps energies are too small to be compared.
const FEWEST_STEPS: u64 = 50;

fn row(model: &Model, simulation: &Simulation<'_>) -> Result<HistoryRow, Error> {
    let time = simulation.time();
    let probes = if model.outputs.probes.is_empty() {
        Vec::new()
    } else {
        probe_values(model, &simulation.snapshot()?)
    };
    let (step, increment) = (simulation.steps(), simulation.increment());
    Ok(HistoryRow { time, step, increment, energies: simulation.energies()?, probes })
}

/// When rows and fields are due.
struct Times {
    period: f64,
    rows: u64,
    fields: u64,
}

impl Times {
    fn of(outputs: &Outputs, period: f64) -> Self {
        let interval = outputs.history.unwrap_or(period / ROWS);
        let rows = (period / interval).ceil().clamp(1.0, 1e6) as u64;
        Self { period, rows, fields: outputs.fields.unwrap_or(FIELDS).max(1) as u64 }
    }

    /// All times, ascending, and whether fields are due.
    fn all(&self) -> Vec<(f64, bool)> {
        let at = |k: u64, of: u64| {
            if k == of { self.period } else { self.period * (k as f64 / of as f64) }
        };
        let rows = (1..=self.rows).map(|k| (at(k, self.rows), false));
        let fields = (1..=self.fields).map(|k| (at(k, self.fields), true));
        let mut all: Vec<(f64, bool)> = rows.chain(fields).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Times that rounding alone tells apart are one.
        all.dedup_by(|next, kept| {
            let same = next.0 - kept.0 <= 1e-9 * self.period;
            kept.1 |= same && next.1;
            same
        });
        if let Some(last) = all.last_mut() {
            last.0 = self.period;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_ascend_and_end_with_the_period() {
        let outputs = Outputs { fields: Some(3), history: Some(0.25), probes: Vec::new() };
        let all = Times::of(&outputs, 1.0).all();
        let expected = [
            (0.25, false),
            (1.0 / 3.0, true),
            (0.5, false),
            (2.0 / 3.0, true),
            (0.75, false),
            (1.0, true),
        ];
        assert_eq!(all, expected);
    }
}
