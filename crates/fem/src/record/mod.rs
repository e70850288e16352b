//! A simulation to its end, with everything written that it was to leave behind.

mod error;
mod folder;
mod observe;
mod room;
mod times;

use core::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::model::Model;
use crate::output::history::probe_values;
use crate::output::series::Encoding;
use crate::output::view::{Direction, Field};
use crate::{Energies, Error, HistoryRow, Simulation};
use times::Times;

pub use error::{RecordError, Saved};
pub use folder::record;
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
    /// From where the last picture is seen: as [`View`](crate::output::view::View) says where
    /// nothing is said.
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
            let decisions = [pace, watch(simulation).is_break().into(), keep.is_late().into()];
            let [agreed, is_stopped, is_late] = agreed(simulation, keep.saved(), decisions)?;
            pace = agreed;
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
            if is_stopped + is_late > 0 {
                check_balance(simulation, settings, keep.saved())?;
                let left = keep.save_now(simulation)?;
                if is_stopped > 0 && simulation.time() < model.time.period {
                    return Ok(ControlFlow::Break(left));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// What the first rank has decided by its clock and by whoever watches it.
fn agreed<const K: usize>(
    simulation: &Simulation<'_>,
    saved: Option<&Saved>,
    mut decisions: [u64; K],
) -> Result<[u64; K], RecordError> {
    let told = simulation.ranks().broadcast(0, &mut decisions);
    told.map_err(|error| failed(saved, Error::Device(error.into())))?;
    Ok(decisions)
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
