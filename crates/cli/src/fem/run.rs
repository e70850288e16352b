//! `nonius fem run`

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use nonius::fem::output::series::Encoding;
use nonius::fem::output::view::{Direction, Field};
use nonius::fem::{
    self, CHECKPOINT, RecordError, Recorded, ResumeError, Saved, Settings, Simulation, input,
};
use nonius::{Device, available_threads, place_simulation, with_threads};
use serde::Serialize;
use serde_json::json;

use crate::common::{device_text, reason_text};
use crate::failure::Failure;
use crate::input::display_name;
use crate::interruption;
use crate::names::is_standard_output;
use crate::output::{Output, Summary, print_json, time_text};
use crate::progress::Progress;

/// Compute what a deck describes
///
/// The deck is an input file of Abaqus (.inp), or TOML that names a mesh of Gmsh. The folder gets
/// fields.pvd with its .vtu files for ParaView, history.csv and history.svg with energies and
/// probes, end.png, and a checkpoint, from which --resume goes on.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The deck
    #[arg(value_name = "DECK")]
    deck: PathBuf,

    /// The folder for all that is written; it is made where it is not there
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,

    /// Go on from the checkpoint in the folder, to the same bits as without the interruption; deck,
    /// precision and --resync are those of before
    #[arg(long)]
    resume: bool,

    /// Where to compute: auto, cpu, cuda or cuda:0, cuda:1, …; auto is the first GPU, or the CPU
    /// for short work and without a GPU. Fields are the same, bit for bit in f32 and f64
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    device: Device,

    /// Everything in f32; elements in f32, motions and what is summed up over steps in f64 (mixed),
    /// which keeps 7 to 8 digits where f32 keeps 5 to 6; everything in pairs of f32 in place of f64
    /// (f32x2), for GPUs whose f64 is slow, and on the CPU the same as f64; or everything in f64
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: Precision,

    /// In mixed precision, after how many steps forces are computed in full, instead of being
    /// summed up of increments, which costs digits; 0 is never [default: 1]
    #[arg(long, value_name = "K")]
    resync: Option<u64>,

    /// By what part of the largest energy the sum of all may change before the run stops
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    balance: f64,

    /// What colours of end.png stand for
    #[arg(long, value_name = "FIELD", default_value = "mises")]
    field: Coloured,

    /// From where end.png shows the mesh: front, back, right, left, top, bottom, isometric, or a
    /// direction such as -1,0.5,-1 [default: isometric, plane meshes from the front]
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true)]
    view: Option<Direction>,

    /// Round fields to single precision in files, which halves them
    #[arg(long)]
    single_fields: bool,

    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print exactly one JSON object on standard output, and everything else on standard error
    #[arg(long)]
    pub(crate) json: bool,

    /// Print neither progress nor a summary
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Precision {
    F32,
    Mixed,
    #[value(name = "f32x2")]
    Pairs,
    F64,
}

impl Precision {
    fn of_run(self) -> fem::Precision {
        match self {
            Precision::F32 => fem::Precision::Single,
            Precision::Mixed => fem::Precision::Mixed,
            Precision::Pairs => fem::Precision::Pairs,
            Precision::F64 => fem::Precision::Double,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Coloured {
    Mises,
    PlasticStrain,
    Temperature,
    Displacement,
    Velocity,
}

impl Coloured {
    fn field(self) -> Field {
        match self {
            Coloured::Mises => Field::VonMises,
            Coloured::PlasticStrain => Field::PlasticStrain,
            Coloured::Temperature => Field::Temperature,
            Coloured::Displacement => Field::Displacement,
            Coloured::Velocity => Field::Velocity,
        }
    }
}

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
struct Json {
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

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if is_standard_output(&arguments.output) {
        return Err(Failure::input("--output takes a folder, not standard output"));
    }
    if !(arguments.balance > 0.0 && arguments.balance.is_finite()) {
        return Err(Failure::input("--balance: expected a positive number such as 0.05"));
    }
    arguments.device.check().map_err(Failure::input)?;
    with_threads(arguments.threads, || compute(arguments)).map_err(Failure::input)?
}

fn compute(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { deck, output, .. } = arguments;
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
    let place = place_simulation(&mut simulation, &model, arguments.device);
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
    let bar = Progress::new(arguments.quiet || arguments.json).parts(name.clone());
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
    let Recorded { steps, energies, fields } = recorded.map_err(|error| failed(&name, &error))?;
    let seconds = start.elapsed().as_secs_f64();
    let drift = simulation.drift().map_err(not_computed)?;
    let operations = simulation.operations().map_err(not_computed)?;
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let rate = elements as f64 * (steps - begun) as f64 / seconds;
    if arguments.json {
        return print_json(&Json {
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
            threads: arguments.threads.map_or_else(available_threads, NonZeroUsize::get),
            seconds,
            element_steps_per_second: rate,
        });
    }
    if arguments.quiet {
        return Ok(());
    }
    let mut summary = Summary::default();
    let nodes = model.mesh.coordinates.len();
    summary.line("model", format!("{name}: {nodes} nodes, {elements} elements"));
    for ignored in &ignored {
        summary.line("ignored", ignored);
    }
    for dense in &dense {
        summary.line("warning", dense);
    }
    summary.line("precision", arguments.precision.of_run().name());
    summary.line("device", device_text(&place));
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
    Output::beside(None).print_summary(&summary)
}

/// What ended a run early, with the checkpoint that there is for a member of the JSON object.
fn failed(name: &str, error: &RecordError) -> Failure {
    let message = format!("{name}: {error}");
    match error {
        RecordError::File(_) => Failure::input(error),
        RecordError::Endless { .. } => Failure::input(message),
        RecordError::Stopped { checkpoint: Saved { path, time, step } } => {
            let path = display_name(path);
            Failure::Interrupted(format!(
                "interrupted at step {step}, time {time:e}: --resume goes on from {path}"
            ))
        }
        RecordError::Simulation { checkpoint: Some(saved), .. }
        | RecordError::Balance { checkpoint: Some(saved), .. } => {
            let Saved { path, time, step } = saved;
            let saved = json!({ "file": path, "time": time, "step": step });
            Failure::numerical(message).knowing(json!({ "checkpoint": saved }))
        }
        _ => Failure::numerical(message),
    }
}
