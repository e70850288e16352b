//! `emulate`: a sample of every command gives the same bits on processors that this machine is not.
//!
//! The program runs as it is on this machine's processor, under emulation (QEMU) on an x86-64
//! without AVX and on one with AVX2, and compiled for aarch64. What each run prints with `--json`,
//! times apart, and every byte of every file that it leaves is compared with this machine's.

mod samples;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use self::samples::{SAMPLES, Sample};
use crate::cargo;
use crate::error::{Error, Violation};

/// Where runs leave their files, relative to the root; `target/` is not tracked.
const FOLDER: &str = "target/emulate";
/// The target of Arm's processors, and what links for it.
const AARCH64: &str = "aarch64-unknown-linux-gnu";
const AARCH64_LINKER: &str = "aarch64-linux-gnu-gcc";
/// Where Debian has the libraries of aarch64.
const AARCH64_LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// What samples call results of semidefinite programs, in which times are.
const RESULT: &str = "result";

/// A processor, and the command that runs a program on it.
struct Machine {
    name: &'static str,
    /// Words in front of the program.
    emulator: &'static [&'static str],
    target: Option<&'static str>,
}

const MACHINES: &[Machine] = &[
    Machine { name: "this processor", emulator: &[], target: None },
    Machine {
        name: "x86-64 without AVX",
        emulator: &["qemu-x86_64", "-cpu", "Nehalem"],
        target: None,
    },
    Machine {
        name: "x86-64 with AVX2",
        emulator: &["qemu-x86_64", "-cpu", "Haswell"],
        target: None,
    },
    Machine {
        name: "aarch64",
        emulator: &["qemu-aarch64", "-L", AARCH64_LIBRARIES],
        target: Some(AARCH64),
    },
];

/// What a run left: its report without times, and its files by name.
#[derive(Clone)]
struct Left {
    status: Option<i32>,
    report: Value,
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// Compares all samples, or those whose name contains `word`. Returns what differs.
pub(crate) fn check(root: &Path, word: &str) -> Result<Vec<Violation>, Error> {
    let build = ["build", "--release", "-p", "nonius-cli"];
    cargo::run(root, &build)?;
    let linker = [("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", AARCH64_LINKER)];
    cargo::run_with(root, &[&build[..], &["--target", AARCH64]].concat(), &linker)?;
    let mut broken = Vec::new();
    for sample in SAMPLES.iter().filter(|sample| sample.name.contains(word)) {
        let mut expected = None;
        for machine in MACHINES {
            let left = run(root, machine, sample)?;
            let expected = expected.get_or_insert_with(|| left.clone());
            for message in differences(expected, &left) {
                broken.push(Violation {
                    place: format!("{} on {}", sample.name, machine.name),
                    message,
                });
            }
        }
        println!("{}: compared", sample.name);
    }
    Ok(broken)
}

/// Runs a sample on a machine in an empty folder of its own.
fn run(root: &Path, machine: &Machine, sample: &Sample) -> Result<Left, Error> {
    // The same path on every machine, since reports name files.
    let out = root.join(FOLDER).join(sample.name);
    if out.exists() {
        fs::remove_dir_all(&out).map_err(Error::writing(&out))?;
    }
    fs::create_dir_all(&out).map_err(Error::writing(&out))?;
    let relative = format!("{FOLDER}/{}/", sample.name);
    if sample.arguments.contains("OUT/bar.inp") {
        let generate = format!("fem generate bar --elements 12 2 2 -o {relative}bar.inp");
        start(root, machine, &generate)?;
    }
    let arguments = sample.arguments.replace("OUT/", &relative);
    let (status, printed) = start(root, machine, &format!("{arguments} --device cpu --json"))?;
    let mut report = serde_json::from_slice(&printed).unwrap_or(Value::Null);
    without_times(&mut report);
    let mut files = Vec::new();
    collect(&out, &mut files)?;
    files.sort();
    Ok(Left { status, report, files })
}

/// Runs the program on a machine. Returns its exit status and its standard output.
fn start(root: &Path, machine: &Machine, arguments: &str) -> Result<(Option<i32>, Vec<u8>), Error> {
    let program = root.join("target").join(machine.target.unwrap_or("")).join("release/nonius");
    let program = program.to_string_lossy().into_owned();
    let mut words = machine.emulator.iter().copied().chain([program.as_str()]);
    let first = words.next().unwrap_or_default();
    let output = Command::new(first)
        .args(words)
        .args(arguments.split_whitespace())
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Error::Start { command: first.to_string(), source })?;
    Ok((output.status.code(), output.stdout))
}

/// Removes members that tell times, rates and the machine: moduli have as many bits as its fastest
/// instructions.
fn without_times(report: &mut Value) {
    const MACHINES_OWN: [&str; 7] =
        ["second", "gflops", "threads", "rate", "device", "memory", "moduli"];
    match report {
        Value::Object(members) => {
            members.retain(|name, _| !MACHINES_OWN.iter().any(|own| name.contains(own)));
            members.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// A result of a semidefinite program without its times and the seal over them.
fn without_lines_of_time(result: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(result);
    let lines = text.lines().filter(|line| !line.contains("time") && !line.contains("sealed"));
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// The files below a folder, with their contents.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<(), Error> {
    let reading = |source| Error::Read { path: folder.to_path_buf(), source };
    for entry in fs::read_dir(folder).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            let mut contents = fs::read(&path).map_err(reading)?;
            if path.file_name().is_some_and(|name| name == RESULT) {
                contents = without_lines_of_time(&contents);
            }
            files.push((path, contents));
        }
    }
    Ok(())
}

/// What is not the same, in words.
fn differences(expected: &Left, found: &Left) -> Vec<String> {
    let mut all = Vec::new();
    if found.status != expected.status {
        all.push(format!("exit status {:?}, here {:?}", found.status, expected.status));
    }
    if found.report != expected.report {
        all.push(format!("reports {}, here {}", found.report, expected.report));
    }
    let names = |left: &Left| left.files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    if names(found) != names(expected) {
        all.push(format!("leaves {:?}, here {:?}", names(found), names(expected)));
        return all;
    }
    for ((path, found), (_, expected)) in found.files.iter().zip(&expected.files) {
        if found != expected {
            let at = found.iter().zip(expected).position(|(a, b)| a != b);
            let at = at.unwrap_or(found.len().min(expected.len()));
            all.push(format!("{} differs from byte {at} on", path.display()));
        }
    }
    all
}
