//! Running cargo, telling what is run.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::Error;

/// `cargo <arguments>` in the workspace's root, with its output passed on.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), Error> {
    run_with(root, arguments, &[])
}

/// [`run`] with further environment variables.
pub(crate) fn run_with(
    root: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), Error> {
    let command = describe(arguments);
    eprintln!("\n── {command}");
    let status = cargo(root, arguments)
        .envs(environment.iter().copied())
        .status()
        .map_err(|source| Error::Start { command: command.clone(), source })?;
    if status.success() {
        return Ok(());
    }
    Err(Error::Step { command, detail: status.to_string() })
}

/// What `cargo <arguments>` prints.
pub(crate) fn output(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, Error> {
    let command = describe(arguments);
    let output = cargo(root, arguments)
        .stderr(Stdio::piped())
        .output()
        .map_err(|source| Error::Start { command: command.clone(), source })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(Error::Step { command, detail: String::from_utf8_lossy(&output.stderr).into_owned() })
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root).stdin(Stdio::null());
    command
}

fn describe(arguments: &[&str]) -> String {
    format!("cargo {}", arguments.join(" "))
}
