//! `nonius fem run`

mod arguments;

use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use nonius::fem::output::series::Encoding;
use nonius::fem::{
    self, CHECKPOINT, RecordError, Recorded, ResumeError, Saved, Settings, Simulation, input,
};
use nonius::{available_threads, place_simulation};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use arguments::Arguments;

use crate::command::Command;
use crate::common::{Common, device_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::interruption;
use crate::names::is_standard_output;
use crate::objects::{Object, Objects};
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};
use arguments::Precision;

/// Energies, in the deck's unit of energy.
#[derive(Serialize, JsonSchema)]
struct Energies {
    /// Energy of motion.
    kinetic: f64,
    /// Work of stresses on strains: elastic, plastic and thermal.
    internal: f64,
    /// Work of plastic flow, a part of internal.
    plastic: f64,
    /// Work against hourglass modes.
    hourglass: f64,
    /// Work of bulk viscosity.
    viscous: f64,
    /// Work of loads and given motions.
    external: f64,
    /// What the energies lack in their sum, as a part of the largest one.
    #[schemars(with = "Figure")]
    relative_balance: f64,
}

/// Floating-point operations.
#[derive(Serialize, JsonSchema)]
struct Operations {
    /// In f32.
    f32: u64,
    /// In f64.
    f64: u64,
}

/// A simulation came to its end.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The precision of the numbers: f32, f64, mixed or f32x2.
    precision: &'static str,
    /// Where it was computed: cpu, or cuda:0 for the first GPU.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// Nodes of the mesh.
    nodes: usize,
    /// Elements of the mesh.
    elements: usize,
    /// Time steps until the end, with those before a checkpoint.
    steps: u64,
    /// The step of the checkpoint; null without --resume.
    resumed_at_step: Option<u64>,
    /// The time of the model at the end, in the deck's unit of time.
    time: f64,
    /// Energies at the end, in the deck's unit of energy.
    energies: Energies,
    /// By what part forces that are sums of increments differ from those computed in full.
    #[schemars(with = "Figure")]
    drift_of_forces: f64,
    /// Floating-point operations of a time step.
    operations_per_step: Operations,
    /// The number of times whose fields were written.
    fields: usize,
    /// What the program read past in the deck.
    ignored: Vec<String>,
    /// Remarks on the deck.
    warnings: Vec<String>,
    /// The number of threads.
    threads: usize,
    /// Time of the run in seconds, with writing files.
    seconds: f64,
    /// Elements times time steps a second.
    #[schemars(with = "Figure")]
    element_steps_per_second: f64,
}

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
        Objects::Of(vec![Object::of_success::<Figures>(), Object::of_failure::<Left>()])
    }
}

fn compute(arguments: &Arguments) -> Result<Report, Failure> {
    let Arguments { deck, output, common, .. } = arguments;
    let input::Input { model, ignored } = input::read_file(deck).map_err(Failure::input)?;
    let name = display_name(deck);
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
