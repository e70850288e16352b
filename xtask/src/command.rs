//! Running a program, telling what is run.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;

/// `program arguments` in a folder, with its output passed on.
pub(crate) fn run(folder: &Path, program: &Path, arguments: &[&str]) -> Result<(), Error> {
    run_with(folder, program, arguments, &[])
}

/// [`run`] with further environment variables.
pub(crate) fn run_with(
    folder: &Path,
    program: &Path,
    arguments: &[&str],
    environment: &[(&str, &OsStr)],
) -> Result<(), Error> {
    let command = format!("{} {}", program.display(), arguments.join(" "));
    eprintln!("\n── {command}");
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::null())
        .status()
        .map_err(|source| Error::Start { command: command.clone(), source })?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Step { command, detail: status.to_string() })
}

/// What `program arguments` prints.
pub(crate) fn output(folder: &Path, program: &Path, arguments: &[&str]) -> Result<Vec<u8>, Error> {
    let command = format!("{} {}", program.display(), arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Error::Start { command: command.clone(), source })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(Error::Step { command, detail: String::from_utf8_lossy(&output.stderr).into_owned() })
}
