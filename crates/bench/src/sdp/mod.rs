//! A library of semidefinite programs, problem by problem: time, digits beside the known optimum,
//! and what others take.
//!
//! A problem's digits are `−log10(|objective − optimum| / max(1, |optimum|))` of the primal
//! objective, at most those that the reference has.

mod page;
mod peers;
mod problems;
mod references;
mod row;
mod summary;
mod table;

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use nonius::sdp::{LastPrecision, Options, Parameters, Solve, usual_gap};
use nonius::{Device, Precision};

use crate::record;
pub(crate) use page::print as print_page;
use peers::{Peers, Program};
use problems::Input;
use references::References;
use row::Row;
use table::Table;

/// Iterations after which a run is given up.
const MOST_ITERATIONS: u64 = 200;

/// What is solved, and how.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the problems: .dat-s, .dat-s.gz and .dat-s.xz.
    folder: PathBuf,
    /// Known optima as JSON: an object by problem, with published, gmp_readme and sdpa_dd's time_s.
    /// FOLDER_optima.json, where there is one, if it is not given.
    #[arg(long)]
    optima: Option<PathBuf>,
    /// Precision to end in: f64, dd, td, qd, mp and bits, or auto.
    #[arg(long, default_value = "dd")]
    precision: LastPrecision,
    /// The relative gap at which an optimum counts as found; by precision if it is not given.
    #[arg(long, value_parser = positive)]
    gap: Option<f64>,
    /// Begin in the precision to end in.
    #[arg(long)]
    at_once: bool,
    /// Only the problems of these names.
    #[arg(long, value_delimiter = ',', num_args = 1..)]
    only: Vec<String>,
    /// Not the problems of these names.
    #[arg(long, value_delimiter = ',', num_args = 1..)]
    skip: Vec<String>,
    /// Seconds after which a run is stopped, at its next iteration.
    #[arg(long, value_parser = positive)]
    limit: Option<f64>,
    /// Programs to have beside ours in f64, where they are installed; with as many threads.
    #[arg(long, value_delimiter = ',', num_args = 1..)]
    peers: Vec<Program>,
    /// The GPU that computes, counted from 0, in place of the CPU.
    #[arg(long)]
    device: Option<usize>,
    /// The table as JSON, too.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|x: &f64| x.is_finite() && *x > 0.0);
    number.ok_or_else(|| "expected a positive number".into())
}

impl Arguments {
    fn options(&self) -> Options {
        Options {
            precision: self.precision,
            at_once: self.at_once,
            parameters: Parameters { most_iterations: MOST_ITERATIONS, ..Parameters::default() },
            gap: self.gap,
            ..Options::default()
        }
    }

    /// Where runs are computed.
    fn place(&self) -> Device {
        self.device.map_or(Device::Cpu, Device::Cuda)
    }

    /// Whether runs end in `f64`, where others are the solvers to compare with.
    fn is_double(&self) -> bool {
        self.precision == LastPrecision::Fixed(Precision::F64)
    }

    /// The gap that runs are asked for.
    fn asked_gap(&self) -> f64 {
        let default = match self.precision {
            LastPrecision::Fixed(precision) => precision,
            LastPrecision::Auto => Precision::Dd,
        };
        self.gap.unwrap_or_else(|| usual_gap(default))
    }

    fn library(&self) -> &'static str {
        if self.device.is_some() { "nonius-cuda" } else { "nonius" }
    }
}

/// Solves all problems, the smallest first, and prints the table; its rows go to `sdp/problems.csv`
/// in the folder of today's runs as they come.
pub(crate) fn measure(
    arguments: &Arguments,
    threads: usize,
    runs: &Path,
) -> Result<(), Box<dyn Error>> {
    if !arguments.peers.is_empty() && !arguments.is_double() {
        return Err("the peers compute in f64: --peers goes with --precision f64".into());
    }
    let references = References::find(arguments.optima.as_deref(), &arguments.folder)?;
    let inputs = problems::read(&arguments.folder, &arguments.only, &arguments.skip)?;
    let peers = Peers::new(&arguments.peers, threads, arguments.limit)?;
    if let (Some(_), Some(first)) = (arguments.device, inputs.first()) {
        let solve = Solve::new(&first.problem).options(arguments.options());
        let solved = solve.device(arguments.place()).run();
        solved.map_err(|error| format!("{}: {error}", first.name))?;
    }
    let mut kept = Kept::new(arguments, runs)?;
    let table = Table { beside: !arguments.is_double(), peers: peers.programs() };
    table.header();
    for input in &inputs {
        let ours = ours(arguments, input, &references, threads);
        let theirs = peers.rows(input, &references)?;
        table.line(&ours, &theirs);
        kept.keep([ours].into_iter().chain(theirs))?;
    }
    summary::print(&kept.rows, arguments.asked_gap(), arguments.limit);
    eprintln!("raw results: {}", kept.file.display());
    Ok(())
}

/// A problem solved by us.
fn ours(arguments: &Arguments, input: &Input, references: &References, threads: usize) -> Row {
    let reference = references.of(&input.name);
    let mut row = Row::new(arguments.library(), input, &reference);
    row.precision = arguments.precision.to_string();
    row.threads = threads;
    let began = Instant::now();
    let goes_on = || arguments.limit.is_none_or(|limit| began.elapsed().as_secs_f64() < limit);
    let solve = Solve::new(&input.problem).options(arguments.options()).device(arguments.place());
    let solved = solve.observe(&mut |_, _| goes_on()).run();
    row.seconds = began.elapsed().as_secs_f64();
    row.seconds_with_reading = row.seconds + input.reading;
    match solved {
        Ok((report, ..)) => row.fill(&report, &reference),
        Err(error) => row.fail(&error),
    }
    row
}

/// All rows so far, which are in the files, too.
struct Kept<'a> {
    rows: Vec<Row>,
    file: PathBuf,
    writer: csv::Writer<fs::File>,
    json: Option<&'a Path>,
}

impl<'a> Kept<'a> {
    fn new(arguments: &'a Arguments, runs: &Path) -> Result<Self, Box<dyn Error>> {
        let machine = match arguments.device {
            None => record::this_processor(),
            Some(device) => nonius_cuda::Device::new(device)?.info().name.clone(),
        };
        let command: Vec<String> = std::env::args().skip(1).collect();
        let folder = record::run_folder(runs, &machine, &command.join(" "))?.join("sdp");
        fs::create_dir_all(&folder)?;
        let file = folder.join("problems.csv");
        let fresh = !file.exists();
        let out = OpenOptions::new().create(true).append(true).open(&file)?;
        let writer = csv::WriterBuilder::new().has_headers(fresh).from_writer(out);
        Ok(Self { rows: Vec::new(), file, writer, json: arguments.out.as_deref() })
    }

    fn keep(&mut self, rows: impl Iterator<Item = Row>) -> Result<(), Box<dyn Error>> {
        for row in rows {
            self.writer.serialize(&row)?;
            self.rows.push(row);
        }
        self.writer.flush()?;
        if let Some(path) = self.json {
            fs::write(path, serde_json::to_string_pretty(&self.rows)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
}
