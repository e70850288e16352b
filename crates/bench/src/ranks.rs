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

/// Orders of dense matrices.
const ORDER: usize = 2000;
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
    words: &'static [&'static str],
}

const TASKS: [Task; 4] = [
    Task {
        name: "gemm",
        precision: "dd",
        sizes: [ORDER; 3],
        words: &["matmul", "definite.npy", "definite.npy"],
    },
    Task {
        name: "cholesky",
        precision: "dd",
        sizes: [ORDER; 3],
        words: &["solve", "definite.npy", "--method", "cholesky"],
    },
    Task {
        name: "cg",
        precision: "dd",
        sizes: [SIDE * SIDE, 1, 1],
        words: &["cg", "laplacian.mtx"],
    },
    Task {
        name: "solid",
        precision: "f64",
        sizes: [BAR[0] * BAR[1] * BAR[2], 1, 1],
        words: &["fem", "run", "bar.inp", "-o", MOTION],
    },
];

/// Measures the program of that path as so many processes. It must be built with the feature `mpi`.
pub(crate) fn measure(program: &Path, count: usize) -> Result<Vec<Record>, Box<dyn Error>> {
    let program = program.canonicalize()?;
    let folder = tempfile::tempdir()?;
    write_inputs(&program, folder.path())?;
    println!("seconds of one process with {count} threads, and of {count} processes with one each");
    println!("{:10} {:>9} {:>9} {:>9} {:>7}", "", "size", "process", "ranks", "");
    let mut records = Vec::new();
    for task in TASKS {
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

fn write_inputs(program: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let paths = ["definite.npy", "laplacian.mtx"].map(|name| folder.join(name));
    let [dense, sparse] = [&paths[0], &paths[1]].map(|path| MatrixName::of(path));
    let (definite, style) = (positive_definite::<f64>(ORDER, 1), Style::default());
    files::write(&paths[0], |out| files::write_dense(out, dense, &definite, &style))?;
    let laplacian = five_points(SIDE)?.to_coo();
    files::write(&paths[1], |out| files::write_sparse(out, sparse, laplacian, &style))?;
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
    command.args(task.words).args(["--precision", task.precision, "--device", "cpu", "--json"]);
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
