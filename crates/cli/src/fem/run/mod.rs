//! `nonius fem run`

mod arguments;
mod report;

use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nonius::fem::output::series::Encoding;
use nonius::fem::{self, CHECKPOINT, RecordError, ResumeError, Saved, Settings, Simulation, input};
use nonius::files;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::{check_standard_input, display_name, is_standard};
use crate::interruption;
use crate::names::is_standard_output;
use crate::objects::{Object, Objects};
use crate::ranks::Sharing;
use crate::report::Report;
use arguments::Precision;
use report::Ran;

/// What a run leaves that did not come to its end.
#[derive(Serialize, JsonSchema)]
struct Left {
    /// From where --resume goes on.
    checkpoint: Checkpoint,
}

/// A checkpoint.
#[derive(Serialize, JsonSchema)]
struct Checkpoint {
    /// Its file.
    file: PathBuf,
    /// The time of the model, in the deck's unit of time.
    time: f64,
    /// The number of the time step.
    step: u64,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::Shared
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

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<report::Figures>(), Object::of_failure::<Left>()])
    }
}

/// Reads a deck; one on standard input is of Abaqus, and in it files are relative to the working
/// folder.
fn read_deck(deck: &Path) -> Result<input::Input, Failure> {
    if !is_standard(deck) {
        return input::read_file(deck).map_err(Failure::input);
    }
    check_standard_input()?;
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
    let place = fem::place(&mut simulation, &model, common.device);
    let place = place.map_err(not_computed)?;
    let settings = Settings {
        encoding: Encoding { compressed: true, single: arguments.single_fields },
        balance: arguments.balance,
        field: arguments.field.field(),
        direction: arguments.view,
        ..Settings::default()
    };
    let dense = fem::dense_outputs(&model, &simulation);
    let excess = simulation.excess().map(|excess| excess.to_string());
    let warnings = excess.into_iter().chain(dense.iter().map(ToString::to_string)).collect();
    let period = model.time.period;
    let begun = simulation.steps();
    let bar = common.progress().parts(name.clone());
    let part = |time: f64| (1e4 * time / period) as u64;
    // What is done already says nothing of the time that is left.
    bar.set_position(part(simulation.time()));
    bar.reset_eta();
    let start = Instant::now();
    interruption::wait_for_it();
    let recorded = fem::record(&model, &mut simulation, output, &settings, |simulation| {
        bar.set_position(part(simulation.time()));
        if interruption::noted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let recorded = match recorded {
        Ok(recorded) => recorded,
        Err(error) => return failed(&name, error),
    };
    let seconds = start.elapsed().as_secs_f64();
    common.explain("the run", &place);
    let drift = simulation.drift().map_err(not_computed)?;
    let operations = simulation.operations().map_err(not_computed)?;
    let ran = Ran {
        arguments,
        name,
        model: &model,
        ignored,
        warnings,
        place,
        begun,
        time: simulation.time(),
        recorded,
        seconds,
        drift,
        operations,
    };
    Ok(ran.report())
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
