//! What a record will take, looked at before anything is written.

use core::fmt;
use std::path::Path;

use nonius_files::room::{check_disk, check_memory};

use super::RecordError;
use super::times::{Marks, Times};
use crate::Simulation;
use crate::model::Model;
use crate::output::history::{COLUMNS, probe_names};
use crate::output::series::Encoding;

/// Steps beyond which a single one is near the rounding error of a time.
const MOST_STEPS: f64 = (1u64 << 50) as f64;
/// Bytes of a number in a history at least: a sign or a digit, and what separates it.
const CELL: u128 = 4;
/// By how much compression makes fields smaller at most; more where nothing moves.
const COMPRESSION: u128 = 16;

/// Outputs that are due more often than steps end.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    /// Outputs.
    what: &'static str,
    /// Time from one to the next.
    interval: f64,
    /// The length of a step.
    step: f64,
    /// Whether steps are shortened to end at outputs.
    exact: bool,
}

impl fmt::Display for Dense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, interval, step, exact } = self;
        write!(f, "{what} every {interval:.3e} are asked for, less than a step of {step:.3e}: ")?;
        f.write_str(if *exact {
            "steps are shortened to that"
        } else {
            "they are written after each step"
        })
    }
}

/// What is asked for more often than steps end, as long as the next one may be.
pub fn dense_outputs(model: &Model, simulation: &Simulation<'_>) -> Vec<Dense> {
    let times = Times::of(&model.outputs, model.time.period);
    let step = simulation.next_increment();
    let all = [("rows of the history", &times.rows), ("fields", &times.fields)];
    let dense = all.into_iter().filter(|(_, marks)| marks.interval() < step);
    dense
        .map(|(what, marks)| Dense { what, interval: marks.interval(), step, exact: marks.exact })
        .collect()
}

/// Refuses a simulation of more steps than anybody waits for.
pub(super) fn check_steps(model: &Model, simulation: &Simulation<'_>) -> Result<(), RecordError> {
    let (step, period) = (simulation.next_increment(), model.time.period);
    let is_endless = simulation.steps_left() > MOST_STEPS;
    if is_endless { Err(RecordError::Endless { step, period }) } else { Ok(()) }
}

/// Compares the history with the memory. It is kept, or read as a whole when it is drawn.
pub(super) fn check_history(
    model: &Model,
    simulation: &Simulation<'_>,
    times: &Times,
) -> Result<(), RecordError> {
    let (_, rows) = due(simulation, times);
    let columns = columns(model);
    let bytes = 8 * rows * columns;
    check_memory(format_args!("a history of {rows} rows and {columns} columns"), bytes)?;
    Ok(())
}

/// Compares files of a record with the disk.
pub(super) fn check_files(
    model: &Model,
    simulation: &Simulation<'_>,
    times: &Times,
    encoding: Encoding,
    folder: &Path,
) -> Result<(), RecordError> {
    let (fields, rows) = due(simulation, times);
    let bytes = fields * of_fields(model, encoding) + rows * columns(model) * CELL;
    let what = format_args!("fields of {fields} times and {rows} rows of the history");
    check_disk(what, bytes, folder)?;
    Ok(())
}

/// How many columns a history has.
fn columns(model: &Model) -> u128 {
    (COLUMNS.len() + probe_names(model).len()) as u128
}

/// How many files of fields and rows of the history there will be.
fn due(simulation: &Simulation<'_>, times: &Times) -> (u128, u128) {
    let steps = simulation.steps_left().max(1.0) as u128;
    // Each step has a row where fields are due, too; exact times have steps of their own.
    let due = |marks: &Marks| {
        let count = u128::from(marks.count);
        if marks.exact { count } else { count.min(steps) }
    };
    (due(&times.fields), due(&times.rows).max(due(&times.fields)))
}

/// Bytes of a file of fields at least.
fn of_fields(model: &Model, encoding: Encoding) -> u128 {
    let float = if encoding.single { 4 } else { 8 };
    let nodes = (model.mesh.coordinates.len() * (9 * float + 8)) as u128;
    let elements = model.mesh.blocks.iter().map(|block| {
        let one = 9 * float + 21 + 8 * block.kind.nodes();
        (block.labels.len() * one) as u128
    });
    let bytes = nodes + elements.sum::<u128>();
    if encoding.compressed { bytes / COMPRESSION } else { bytes }
}
