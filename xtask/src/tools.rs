//! Programs that chores ask for, built once into `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::{cargo, command};

/// A program from the registry.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// Further words for `cargo install`.
    pub(crate) features: &'static [&'static str],
}

/// The program's path; it is installed where this version is not there.
pub(crate) fn installed(root: &Path, tool: &Tool) -> Result<PathBuf, Error> {
    let folder = root.join("target/tools").join(format!("{}-{}", tool.name, tool.version));
    let program = folder.join("bin").join(tool.name);
    if !program.exists() {
        let folder = folder.to_string_lossy();
        let named =
            ["install", tool.name, "--version", tool.version, "--locked", "--root", &folder];
        cargo::run(root, &[&named, tool.features].concat())?;
    }
    Ok(program)
}

/// Programs from PyPI, in one environment of Python.
pub(crate) struct PythonTools {
    pub(crate) name: &'static str,
    /// What pip installs, with versions.
    pub(crate) packages: &'static [&'static str],
}

/// The folder of their programs; they are installed where these versions are not there.
pub(crate) fn installed_by_pip(root: &Path, tools: &PythonTools) -> Result<PathBuf, Error> {
    let folder = root.join("target/tools").join(tools.name);
    // Written last: an installation that has not ended begins again.
    let (programs, list) = (folder.join("bin"), folder.join("packages.txt"));
    let wanted = tools.packages.join("\n");
    if fs::read_to_string(&list).ok().as_ref() != Some(&wanted) {
        let python = environment(root, Path::new("python3"), &folder)?;
        pip_install(root, &python, tools.packages)?;
        fs::write(&list, &wanted).map_err(Error::writing(&list))?;
    }
    Ok(programs)
}

/// The Python of a new environment in a folder, whatever was there.
pub(crate) fn environment(root: &Path, python: &Path, folder: &Path) -> Result<PathBuf, Error> {
    command::run(root, python, &["-m", "venv", "--clear", &folder.to_string_lossy()])?;
    Ok(folder.join("bin/python"))
}

/// Installs packages into the environment of a Python.
pub(crate) fn pip_install(root: &Path, python: &Path, packages: &[&str]) -> Result<(), Error> {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    command::run(root, python, &[&install[..], packages].concat())
}
