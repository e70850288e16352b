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
use nonius_linalg::Matrix;
use nonius_linalg::sparse::{Coo, Triplet};
use serde_json::Value;

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

/// A command, with the size of its task.
struct Task {
    name: &'static str,
    size: usize,
    words: &'static [&'static str],
}

const TASKS: [Task; 4] = [
    Task { name: "gemm", size: ORDER, words: &["matmul", "s.npy", "s.npy", "--precision", "dd"] },
    Task {
        name: "cholesky",
        size: ORDER,
        words: &["solve", "s.npy", "--method", "cholesky", "--precision", "dd"],
    },
    Task { name: "cg", size: SIDE * SIDE, words: &["cg", "laplacian.mtx", "--precision", "dd"] },
    Task {
        name: "solid",
        size: BAR[0] * BAR[1] * BAR[2],
        words: &["fem", "run", "bar.inp", "--precision", "f64", "-o", MOTION],
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
    for Task { name, size, words } in TASKS {
        let mut best = [f64::INFINITY; 2];
        for _ in 0..TIMES {
            for (best, ranks) in best.iter_mut().zip([1, count]) {
                let threads = count / ranks;
                *best = best.min(seconds(&program, folder.path(), words, [ranks, threads])?);
            }
        }
        let [process, ranks] = best;
        let ratio = process / ranks;
        println!("{name:10} {size:9} {process:9.4} {ranks:9.4} {ratio:7.3}");
        for (library, seconds) in [("nonius", process), ("nonius-ranks", ranks)] {
            records.push(Record {
                library: library.into(),
                precision: if name == "solid" { "f64" } else { "dd" }.into(),
                operation: name.into(),
                m: size,
                n: 1,
                k: 1,
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
    let entry = |i: usize, j: usize| {
        let off = ((7 * i.max(j) + 5 * i.min(j) + i * j) % 101) as f64 / 7.0;
        if i == j { 20.0 * ORDER as f64 } else { off - 7.0 }
    };
    let dense = Matrix::from_fn(ORDER, ORDER, entry);
    let path = folder.join("s.npy");
    let (name, style) = (MatrixName::of(&path), Style::default());
    files::write(&path, |out| files::write_dense(out, name, &dense, &style))?;
    let mut entries = Vec::new();
    for at in 0..SIDE * SIDE {
        entries.push(Triplet { row: at, col: at, value: 4.0 });
        let below = [(at % SIDE > 0, 1), (at >= SIDE, SIDE)];
        for (_, back) in below.into_iter().filter(|(is_there, _)| *is_there) {
            entries.push(Triplet { row: at, col: at - back, value: -1.0 });
            entries.push(Triplet { row: at - back, col: at, value: -1.0 });
        }
    }
    let laplacian = Coo::new(SIDE * SIDE, SIDE * SIDE, entries).ok_or("no place is outside")?;
    let path = folder.join("laplacian.mtx");
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
    words: &[&str],
    [ranks, threads]: [usize; 2],
) -> Result<f64, Box<dyn Error>> {
    let mut command = if ranks == 1 {
        Command::new(program)
    } else {
        let mut command = Command::new("mpirun");
        command.args(["-n", &ranks.to_string()]).arg(program);
        command
    };
    command.args(words).args(["--device", "cpu", "--threads", &threads.to_string(), "--json"]);
    let output = command.current_dir(folder).output()?;
    let motion = folder.join(MOTION);
    if motion.exists() {
        fs::remove_dir_all(motion)?;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| said.clone())?;
    let seconds = report["seconds"].as_f64().ok_or(said)?;
    Ok(seconds)
}
