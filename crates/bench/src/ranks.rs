//! The program as processes under MPI, each with one thread, beside one process with as many
//! threads.
//!
//! Both take turns, and of the runs of each the fastest counts. Seconds are the program's own: of
//! the computation, without reading and writing files, but for solids, whose snapshots count.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use nonius::files::matrix_market::Style;
use nonius::files::{self, MatrixName};
use serde_json::Value;

use crate::inputs::{five_points, positive_definite};
use crate::record::Record;

/// Points of the side of the square of the Laplacian.
const SIDE: usize = 512;
/// Elements of the bar along each axis.
const BAR: [usize; 3] = [120, 24, 24];
/// The folder of its motion.
const MOTION: &str = "motion";
/// Runs of each.
const TIMES: usize = 3;

/// A command, and its task's sizes as records have them.
struct Task {
    name: &'static str,
    precision: &'static str,
    sizes: [usize; 3],
    words: Vec<String>,
}

impl Task {
    fn new(name: &'static str, precision: &'static str, sizes: [usize; 3], line: &str) -> Self {
        Self { name, precision, sizes, words: line.split(' ').map(String::from).collect() }
    }
}

/// Where a matrix of some order is.
fn definite(order: usize) -> String {
    format!("definite-{order}.npy")
}

fn tasks(orders: &[usize]) -> Vec<Task> {
    let dense = |&order: &usize| {
        let (file, sizes) = (definite(order), [order; 3]);
        let method = format!("solve {file} --method cholesky");
        [("gemm", format!("matmul {file} {file}")), ("cholesky", method)]
            .map(|(name, line)| Task::new(name, "dd", sizes, &line))
    };
    let mut tasks: Vec<_> = orders.iter().flat_map(dense).collect();
    tasks.push(Task::new("cg", "dd", [SIDE * SIDE, 1, 1], "cg laplacian.mtx"));
    let elements = [BAR.iter().product(), 1, 1];
    tasks.push(Task::new("solid", "f64", elements, &format!("fem run bar.inp -o {MOTION}")));
    tasks
}

/// Measures the program of that path as so many processes, for dense matrices of these orders. It
/// must be built with the feature `mpi`.
pub(crate) fn measure(
    program: &Path,
    count: usize,
    orders: &[usize],
) -> Result<Vec<Record>, Box<dyn Error>> {
    let program = program.canonicalize()?;
    let folder = tempfile::tempdir()?;
    write_inputs(&program, folder.path(), orders)?;
    println!("seconds of one process with {count} threads, and of {count} processes with one each");
    println!("{:10} {:>9} {:>9} {:>9} {:>7}", "", "size", "process", "ranks", "");
    let mut records = Vec::new();
    for task in tasks(orders) {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..TIMES {
            for (best, ranks) in best.iter_mut().zip([1, count]) {
                *best = best.min(seconds(&program, folder.path(), &task, [ranks, count / ranks])?);
            }
        }
        let ([process, ranks], Task { name, precision, sizes: [m, n, k], .. }) = (best, task);
        println!("{name:10} {m:9} {process:9.4} {ranks:9.4} {:7.3}", process / ranks);
        for (library, seconds) in [("nonius", process), ("nonius-ranks", ranks)] {
            records.push(Record {
                library: library.into(),
                precision: precision.into(),
                operation: name.into(),
                m,
                n,
                k,
                threads: count,
                seconds,
                rate: seconds.recip(),
                unit: "tasks/s".into(),
            });
        }
    }
    Ok(records)
}

fn write_inputs(program: &Path, folder: &Path, orders: &[usize]) -> Result<(), Box<dyn Error>> {
    let style = Style::default();
    for &order in orders {
        let (path, matrix) = (folder.join(definite(order)), positive_definite::<f64>(order, 1));
        let name = MatrixName::of(&path);
        files::write(&path, |out| files::write_dense(out, name, &matrix, &style))?;
    }
    let (path, laplacian) = (folder.join("laplacian.mtx"), five_points(SIDE)?.to_coo());
    let name = MatrixName::of(&path);
    files::write(&path, |out| files::write_sparse(out, name, laplacian, &style))?;
    let elements = BAR.map(|count| count.to_string());
    let mut generate = Command::new(program);
    generate.args(["fem", "generate", "bar", "--elements"]).args(elements);
    generate.args(["-o", "bar.inp", "--quiet"]).current_dir(folder);
    if generate.status()?.success() { Ok(()) } else { Err("no bar was generated".into()) }
}

/// The program's own seconds.
fn seconds(
    program: &Path,
    folder: &Path,
    task: &Task,
    [ranks, threads]: [usize; 2],
) -> Result<f64, Box<dyn Error>> {
    let mut command = if ranks == 1 {
        Command::new(program)
    } else {
        let mut command = Command::new("mpirun");
        command.args(["-n", &ranks.to_string()]).arg(program);
        command
    };
    command.args(&task.words).args(["--precision", task.precision, "--device", "cpu", "--json"]);
    command.args(["--threads", &threads.to_string()]);
    let output = command.current_dir(folder).output()?;
    let motion = folder.join(MOTION);
    if motion.exists() {
        fs::remove_dir_all(motion)?;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| said.clone())?;
    Ok(report["seconds"].as_f64().ok_or(said)?)
}
