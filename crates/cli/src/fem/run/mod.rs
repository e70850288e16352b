//! `nonius fem run`

mod arguments;

use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nonius::fem::output::series::Encoding;
use nonius::fem::{
    self, CHECKPOINT, RecordError, Recorded, ResumeError, Saved, Settings, Simulation, input,
};
use nonius::{available_threads, files, place_simulation};
use serde::Serialize;

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::{Common, device_text, reason_text};
use crate::failure::Failure;
use crate::input::{display_name, is_standard};
use crate::interruption;
use crate::names::is_standard_output;
use crate::report::Report;
use crate::summary::{Summary, time_text};
use arguments::Precision;

#[derive(Serialize)]
struct Energies {
    kinetic: f64,
    internal: f64,
    plastic: f64,
    hourglass: f64,
    viscous: f64,
    external: f64,
    relative_balance: f64,
}

#[derive(Serialize)]
struct Operations {
    f32: u64,
    f64: u64,
}

#[derive(Serialize)]
struct Figures {
    precision: &'static str,
    device: String,
    device_reason: Option<String>,
    nodes: usize,
    elements: usize,
    steps: u64,
    resumed_at_step: Option<u64>,
    time: f64,
    energies: Energies,
    drift_of_forces: f64,
    operations_per_step: Operations,
    fields: usize,
    ignored: Vec<String>,
    warnings: Vec<String>,
    threads: usize,
    seconds: f64,
    element_steps_per_second: f64,
}

/// The member that a failed run leaves.
#[derive(Serialize)]
struct Left {
    checkpoint: Checkpoint,
}

#[derive(Serialize)]
struct Checkpoint {
    file: PathBuf,
    time: f64,
    step: u64,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn run(&self) -> Result<Report, Failure> {
        if is_standard_output(&self.output) {
            return Err(Failure::input("--output takes a folder, not standard output"));
        }
        if !(self.balance > 0.0 && self.balance.is_finite()) {
            return Err(Failure::input("--balance: expected a positive number such as 0.05"));
        }
        if self.resync.is_some() && !matches!(self.precision, Precision::Mixed) {
            let precision = self.precision.of_run().name();
            return Err(Failure::input(format!(
                "--resync is for --precision mixed, not for {precision}"
            )));
        }
        self.common.run(|| compute(self))
    }
}

/// Reads a deck; one on standard input is of Abaqus, and in it files are relative to the working
/// folder.
fn read_deck(deck: &Path) -> Result<input::Input, Failure> {
    if !is_standard(deck) {
        return input::read_file(deck).map_err(Failure::input);
    }
    let name = display_name(deck);
    let unreadable = |error| Failure::input(format!("{name}: {error}"));
    let stream = files::decompress(std::io::stdin().lock()).map_err(unreadable)?;
    let read = input::abaqus::read(stream, Path::new(&name)).map_err(Failure::input)?;
    let (model, ignored) = read;
    Ok(input::Input { model, ignored })
}

fn compute(arguments: &Arguments) -> Result<Report, Failure> {
    let Arguments { deck, output, common, .. } = arguments;
    let name = display_name(deck);
    let input::Input { model, ignored } = read_deck(deck)?;
    let precision = arguments.precision.of_run();
    let not_computed = |error| match error {
        fem::Error::Unsupported(_) | fem::Error::NoRoom(_) => {
            Failure::input(format!("{name}: {error}"))
        }
        _ => Failure::numerical(format!("{name}: {error}")),
    };
    let mut simulation = if arguments.resume {
        let resumed = Simulation::resume(&model, precision, &output.join(CHECKPOINT));
        resumed.map_err(|error| match error {
            ResumeError::Simulation(error) => not_computed(error),
            _ => Failure::input(error),
        })?
    } else {
        Simulation::new(&model, precision).map_err(not_computed)?
    };
    if let Some(steps) = arguments.resync {
        simulation.resynchronise_every(NonZeroU64::new(steps));
    }
    let place = place_simulation(&mut simulation, &model, common.device);
    let place = place.map_err(not_computed)?;
    let settings = Settings {
        encoding: Encoding { compressed: true, single: arguments.single_fields },
        balance: arguments.balance,
        field: arguments.field.field(),
        direction: arguments.view,
        ..Settings::default()
    };
    let dense = fem::dense_outputs(&model, &simulation);
    let period = model.time.period;
    let begun = simulation.steps();
    let bar = common.progress().parts(name.clone());
    let part = |time: f64| (1e4 * time / period) as u64;
    // What is done already says nothing of the time that is left.
    bar.set_position(part(simulation.time()));
    bar.reset_eta();
    let start = Instant::now();
    interruption::wait_for_it();
    let recorded = fem::record(&model, &mut simulation, output, &settings, |time| {
        bar.set_position(part(time));
        if interruption::noted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let Recorded { steps, energies, fields } = match recorded {
        Ok(recorded) => recorded,
        Err(error) => return failed(&name, error),
    };
    let seconds = start.elapsed().as_secs_f64();
    common.explain("the run", &place);
    let drift = simulation.drift().map_err(not_computed)?;
    let operations = simulation.operations().map_err(not_computed)?;
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let rate = elements as f64 * (steps - begun) as f64 / seconds;
    let figures = Figures {
        precision: arguments.precision.of_run().name(),
        device: place.device.to_string(),
        device_reason: reason_text(&place),
        nodes: model.mesh.coordinates.len(),
        elements,
        steps,
        resumed_at_step: arguments.resume.then_some(begun),
        time: simulation.time(),
        energies: Energies {
            kinetic: energies.kinetic,
            internal: energies.internal,
            plastic: energies.plastic,
            hourglass: energies.hourglass,
            viscous: energies.viscous,
            external: energies.external,
            relative_balance: energies.relative_balance(),
        },
        drift_of_forces: drift,
        operations_per_step: Operations { f32: operations.single, f64: operations.double },
        fields,
        ignored: ignored.iter().map(ToString::to_string).collect(),
        warnings: dense.iter().map(ToString::to_string).collect(),
        threads: available_threads(),
        seconds,
        element_steps_per_second: rate,
    };
    let mut summary = Summary::default();
    let nodes = model.mesh.coordinates.len();
    summary.line("model", format!("{name}: {nodes} nodes, {elements} elements"));
    for ignored in &ignored {
        summary.line("ignored", ignored);
    }
    for dense in &dense {
        summary.warning(dense);
    }
    summary.line("precision", arguments.precision.of_run().name());
    summary.line("device", device_text(&place, seconds));
    if matches!(arguments.precision, Precision::Mixed) {
        let part = 100.0 * operations.single_part();
        summary.line("operations", format!("{part:.1} % of them in f32"));
    }
    let from = if arguments.resume { format!(", resumed at {begun}") } else { String::new() };
    summary.line("steps", format!("{steps} until {:e}{from}", simulation.time()));
    let balance = 100.0 * energies.relative_balance();
    summary.line(
        "energies",
        format!(
            "kinetic {:.4e}, internal {:.4e}, of it plastic {:.4e}; balance {balance:.4} %",
            energies.kinetic, energies.internal, energies.plastic
        ),
    );
    // Forces that are computed in full in every step have nothing to drift from.
    let has_increments = arguments.resync.is_some_and(|every| every != 1);
    if matches!(arguments.precision, Precision::Mixed) && has_increments {
        summary.line("drift of forces", format!("{drift:.1e}"));
    }
    summary.line("written", format!("{} with fields of {fields} times", display_name(output)));
    summary.line("time", format!("{}, {rate:.3e} elements' steps a second", time_text(seconds)));
    Ok(Report::new(figures).with_summary(summary))
}

/// What ended a run early, with the checkpoint that there is.
fn failed(name: &str, error: RecordError) -> Result<Report, Failure> {
    let message = format!("{name}: {error}");
    match error {
        RecordError::File(_) => Err(Failure::input(error)),
        RecordError::Endless { .. } => Err(Failure::input(message)),
        RecordError::Stopped { checkpoint: Saved { path, time, step } } => {
            let path = display_name(&path);
            Err(Failure::Interrupted(format!(
                "interrupted at step {step}, time {time:e}: --resume goes on from {path}"
            )))
        }
        RecordError::Simulation { checkpoint: Some(saved), .. }
        | RecordError::Balance { checkpoint: Some(saved), .. } => {
            let Saved { path, time, step } = saved;
            let left = Left { checkpoint: Checkpoint { file: path, time, step } };
            Ok(Report::new(left).with_failure(Some(Failure::numerical(message))))
        }
        _ => Err(Failure::numerical(message)),
    }
}
