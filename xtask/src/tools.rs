//! Programs that chores ask for, built once into `target/tools`.

use std::path::{Path, PathBuf};

use crate::cargo;
use crate::error::Error;

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
