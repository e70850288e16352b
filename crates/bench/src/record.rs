//! What was measured, where and when: one CSV row a figure, one folder a day and machine.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

/// One measured figure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Whose code: `nonius` and, on planar vectors, `nonius-planes`; `qd`, `flint`, `mpfr`.
    pub(crate) library: String,
    /// `f64`, `dd`, `td`, `qd`, or `mp` and bits.
    pub(crate) precision: String,
    /// `add`, `exp`, `gemm`, `lu`, …
    pub(crate) operation: String,
    /// Rows of the result, or elements.
    pub(crate) m: usize,
    /// Columns of the result.
    pub(crate) n: usize,
    /// Inner dimension.
    pub(crate) k: usize,
    /// Threads used.
    pub(crate) threads: usize,
    /// Best time in seconds.
    pub(crate) seconds: f64,
    /// Work a second, in `unit`.
    pub(crate) rate: f64,
    /// `GFLOPS` (2mnk operations a product, LAPACK's counts for factorisations), `M/s` (elements),
    /// or `contracts/s`.
    pub(crate) unit: String,
}

impl Record {
    /// Whether it is our code that was measured.
    pub(crate) fn is_ours(&self) -> bool {
        self.library.starts_with("nonius")
    }
}

/// A machine's name in a few words, fit for a folder's.
fn slug(machine: &str) -> String {
    let name = machine.to_lowercase();
    let words: Vec<&str> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !matches!(*w, "" | "r" | "tm" | "cpu" | "processor"))
        .collect();
    words.join("-")
}

/// The processor with its widest registers.
pub(crate) fn this_processor() -> String {
    format!("{} {}", cpu_model(), nonius_linalg::cpu::simd::Level::best().name())
}

/// The processor's own name for itself.
fn cpu_model() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    text.lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name))
        .unwrap_or("unknown")
        .to_string()
}

/// Today as `2026-11-21`, in UTC.
fn today() -> String {
    time::OffsetDateTime::now_utc().date().to_string()
}

/// `<root>/<date>-<machine>`.
pub(crate) fn folder_of_today(root: &Path, machine: &str) -> PathBuf {
    root.join(format!("{}-{}", today(), slug(machine)))
}

/// Makes [`folder_of_today`], with a `machine.txt` that says what it ran on and at which commit.
pub(crate) fn run_folder(
    root: &Path,
    machine: &str,
    command: &str,
) -> Result<PathBuf, Box<dyn Error>> {
    let folder = folder_of_today(root, machine);
    fs::create_dir_all(&folder)?;
    // Away from the sources the environment knows.
    let commit = std::env::var("NONIUS_COMMIT").or_else(|_| {
        let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
    });
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let text = format!(
        "machine: {machine}\nprocessor: {}\nregisters: {}\ncores: {threads}\ncommit: {}\ncommand: {command}\n",
        cpu_model(),
        nonius_linalg::cpu::simd::Level::best().name(),
        commit.unwrap_or_else(|_| "unknown".into()),
    );
    fs::write(folder.join("machine.txt"), text)?;
    Ok(folder)
}

/// Writes records to `file`, after those that are there.
pub(crate) fn append(file: &Path, records: &[Record]) -> Result<(), Box<dyn Error>> {
    let fresh = !file.exists();
    let out = OpenOptions::new().create(true).append(true).open(file)?;
    let mut writer = csv::WriterBuilder::new().has_headers(fresh).from_writer(out);
    for record in records {
        writer.serialize(record)?;
    }
    writer.flush()?;
    Ok(())
}

/// Reads the records of a file.
pub(crate) fn read(file: &Path) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(file)?;
    Ok(reader.deserialize().collect::<Result<_, _>>()?)
}

/// Reads the records of several files, one after the other.
pub(crate) fn read_all(files: &[PathBuf]) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    for file in files {
        records.extend(read(file)?);
    }
    Ok(records)
}
