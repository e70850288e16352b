//! `nonius fem run`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use nonius::fem::output::series::Encoding;
use nonius::fem::output::view::Field;
use nonius::fem::{self, RecordError, Recorded, Settings, Simulation, input};
use nonius::{available_threads, with_threads};
use serde::Serialize;

use crate::failure::Failure;
use crate::input::display_name;
use crate::output::{Output, Summary, print_json, time_text};
use crate::progress::Progress;

/// Compute what a deck describes, on the CPU
///
/// The deck is an input file of Abaqus (.inp), or TOML that names a mesh of Gmsh. The folder gets fields.pvd with its .vtu files for ParaView, history.csv and history.svg with
/// energies and probes, and end.png.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The deck
    #[arg(value_name = "DECK")]
    deck: PathBuf,

    /// The folder for all that is written; it is made where it is not there
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,

    /// Increments of forces and the sums of these in f32, both in f64, or increments in f32 and sums in f64 (mixed)
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    precision: Precision,

    /// By what part of the largest energy the sum of all may change before the run stops
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    balance: f64,

    /// What colours of end.png stand for
    #[arg(long, value_name = "FIELD", default_value = "mises")]
    field: Coloured,

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
    F64,
    Mixed,
}

impl Precision {
    fn of_run(self) -> fem::Precision {
        match self {
            Precision::F32 => fem::Precision::Single,
            Precision::F64 => fem::Precision::Double,
            Precision::Mixed => fem::Precision::Mixed,
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
struct Json {
    nodes: usize,
    elements: usize,
    steps: u64,
    time: f64,
    energies: Energies,
    fields: usize,
    ignored: Vec<String>,
    threads: usize,
    seconds: f64,
    element_steps_per_second: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !(arguments.balance > 0.0 && arguments.balance.is_finite()) {
        return Err(Failure::input("--balance: expected a positive number such as 0.05"));
    }
    with_threads(arguments.threads, || compute(arguments)).map_err(Failure::input)?
}

fn compute(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { deck, output, .. } = arguments;
    let input::Input { model, ignored } = input::read_file(deck).map_err(Failure::input)?;
    let name = display_name(deck);
    let failed = |error: RecordError| match error {
        RecordError::File(_) => Failure::input(error),
        RecordError::Simulation(fem::Error::Unsupported(_)) => {
            Failure::input(format!("{name}: {error}"))
        }
        _ => Failure::numerical(format!("{name}: {error}")),
    };
    let mut simulation = Simulation::new(&model, arguments.precision.of_run())
        .map_err(|error| failed(error.into()))?;
    let settings = Settings {
        encoding: Encoding { compressed: true, single: arguments.single_fields },
        balance: arguments.balance,
        field: arguments.field.field(),
    };
    let period = model.time.period;
    let bar = Progress::new(arguments.quiet || arguments.json).parts(name.clone());
    let start = Instant::now();
    let heard = |time: f64| bar.set_position((1e4 * time / period) as u64);
    let recorded = fem::record(&model, &mut simulation, output, &settings, heard);
    bar.finish_and_clear();
    let Recorded { steps, energies, fields } = recorded.map_err(failed)?;
    let seconds = start.elapsed().as_secs_f64();
    let elements: usize = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let rate = elements as f64 * steps as f64 / seconds;
    if arguments.json {
        return print_json(&Json {
            nodes: model.mesh.coordinates.len(),
            elements,
            steps,
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
            fields,
            ignored: ignored.iter().map(ToString::to_string).collect(),
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
    summary.line("steps", format!("{steps} until {:e}", simulation.time()));
    let balance = 100.0 * energies.relative_balance();
    summary.line(
        "energies",
        format!(
            "kinetic {:.4e}, internal {:.4e}, of it plastic {:.4e}; balance {balance:.4} %",
            energies.kinetic, energies.internal, energies.plastic
        ),
    );
    summary.line("written", format!("{} with fields of {fields} times", display_name(output)));
    summary.line("time", format!("{}, {rate:.3e} elements' steps a second", time_text(seconds)));
    Output::beside(None).print_summary(&summary)
}
