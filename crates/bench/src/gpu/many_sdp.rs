//! Semidefinite programs on several GPUs of this machine, beside the same on one of them.

use std::error::Error;
use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

use nonius::files::decompress;
use nonius_comm::dense::{Grid, Ranks};
use nonius_comm::{Communicator, Reduction, threads};
use nonius_cuda::Cuda;
use nonius_gpu::Device;
use nonius_sdp::input::read_sparse;
use nonius_sdp::{LastPrecision, Machine, Options, Problem, solve_on};

use super::many::counts;
use crate::record::Record;

/// The order of tiles of the Schur complement, as `nonius` has it on GPUs.
const TILE: usize = 512;

/// Seconds, and iterations.
type Run = (f64, u64);

/// Seconds of each program of these files, on one GPU and on all.
pub(crate) fn measure(
    files: &[PathBuf],
    precision: LastPrecision,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    let counts = counts()?;
    for path in files {
        let problem = read_sparse(decompress(File::open(path)?)?)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut one = None;
        for &count in &counts {
            let runs = threads::run(count, |ranks| on_ranks(ranks, &problem, precision));
            let (seconds, iterations) = runs.map_err(|failure| failure.to_string())?[0];
            let faster = one.map_or(1.0, |one: f64| one / seconds);
            one = one.or(Some(seconds));
            eprintln!(
                "{name} {count} GPUs {seconds:9.3} s, {iterations} iterations, {faster:5.2} times"
            );
            records.push(Record {
                library: "nonius".into(),
                precision: format!("{precision:?}").to_lowercase(),
                operation: format!("{name}-on-{count}"),
                m: problem.constraints(),
                n: 0,
                k: iterations as usize,
                threads: count,
                seconds,
                rate: iterations as f64 / seconds,
                unit: "iterations/s".into(),
            });
        }
    }
    Ok(records)
}

/// The slowest rank's run; that of one GPU where there is one rank.
fn on_ranks(
    ranks: &Communicator,
    problem: &Problem,
    precision: LastPrecision,
) -> Result<Run, Box<dyn Error + Send + Sync>> {
    let gpu = Cuda::new(&Device::new(ranks.rank())?)?;
    let (seconds, iterations) = if ranks.size() == 1 {
        run(&gpu, problem, precision)?
    } else {
        run(&Ranks::new(Grid::new(ranks, TILE), gpu)?, problem, precision)?
    };
    let mut seconds = [seconds];
    ranks.all_reduce(Reduction::Greatest, &mut seconds)?;
    Ok((seconds[0], iterations))
}

/// A solution. Before it are the first iterations of one in each precision, for which kernels are
/// compiled.
fn run<M: Machine>(
    machine: &M,
    problem: &Problem,
    precision: LastPrecision,
) -> Result<Run, nonius_sdp::Error> {
    let options = Options { precision, ..Options::default() };
    for at_once in [false, true] {
        let mut first = Options { at_once, ..options };
        first.parameters.most_iterations = 2;
        solve_on(machine, problem, &first, None, &mut |_, _| true)?;
    }
    let start = Instant::now();
    let (report, _) = solve_on(machine, problem, &options, None, &mut |_, _| true)?;
    Ok((start.elapsed().as_secs_f64(), report.iterations))
}
