//! A simulation to its end, of which the history is kept in memory.

use core::ops::ControlFlow;

use super::times::Times;
use super::{Keep, RecordError, Saved, Settings, add_row, follow, room};
use crate::model::Model;
use crate::{HistoryRow, Simulation};

/// Takes a simulation to the end of its period and keeps its history, with the rows and the bits
/// that [`record`](super::record()) writes. Writes nothing.
///
/// `watch` sees the simulation now and then, and may stop it. Returns the rows from the
/// simulation's present time on. Of the settings, balance and pulse count.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use nonius_fem::model::Kind;
/// use nonius_fem::{Precision, Settings, Simulation, generate, observe};
///
/// let model = generate::bar(Kind::ReducedHexahedron, [20, 1, 1])?;
/// let mut simulation = Simulation::new(&model, Precision::Double)?;
/// let settings = Settings::default();
/// let rows = observe(&model, &mut simulation, &settings, |_| ControlFlow::Continue(()))?;
/// assert_eq!(rows.last().unwrap().time, model.time.period);
/// // Who watches stops it.
/// let mut simulation = Simulation::new(&model, Precision::Double)?;
/// observe(&model, &mut simulation, &settings, |_| ControlFlow::Break(()))?;
/// assert_eq!(simulation.steps(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RecordError`], but for those of files.
pub fn observe(
    model: &Model,
    simulation: &mut Simulation<'_>,
    settings: &Settings,
    watch: impl FnMut(&Simulation<'_>) -> ControlFlow<()>,
) -> Result<Vec<HistoryRow>, RecordError> {
    let times = Times::of(&model.outputs, model.time.period);
    room::check_steps(model, simulation)?;
    room::check_history(model, simulation, &times)?;
    let mut kept = Kept(Vec::new());
    add_row(model, simulation, settings, &mut kept)?;
    // A simulation that was stopped says itself how far it has come.
    let _ = follow(model, simulation, settings, times, &mut kept, watch)?;
    Ok(kept.0)
}

/// The rows of a history.
struct Kept(Vec<HistoryRow>);

impl Keep for Kept {
    type Left = ();

    fn row(&mut self, row: HistoryRow) -> Result<(), RecordError> {
        self.0.push(row);
        Ok(())
    }

    fn fields(&mut self, _: &Simulation<'_>) -> Result<(), RecordError> {
        Ok(())
    }

    fn is_late(&self) -> bool {
        false
    }

    fn save_now(&mut self, _: &Simulation<'_>) -> Result<(), RecordError> {
        Ok(())
    }

    fn saved(&self) -> Option<&Saved> {
        None
    }
}
