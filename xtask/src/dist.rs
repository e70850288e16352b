//! `dist`: what people install without Rust, in `target/dist`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::tools::{self, Tool};
use crate::{cargo, command};

const FOLDER: &str = "target/dist";
/// The static build: it runs on every Linux of this architecture, on CPUs alone, as static programs
/// cannot load a GPU's driver.
const STATIC: &str = "x86_64-unknown-linux-musl";
const DEBIAN: Tool = Tool { name: "cargo-deb", version: "3.8.0", features: &[] };

/// Makes the static program and the Debian package, and returns their folder.
pub(crate) fn make(root: &Path) -> Result<PathBuf, Error> {
    let folder = root.join(FOLDER);
    let texts = folder.join("texts");
    create(&texts)?;
    let cli = ["--release", "-p", "nonius-cli"];
    // Man pages and completions are those of the program.
    cargo::run(root, &[&["build"], &cli[..]].concat())?;
    let program = root.join("target/release/nonius");
    command::run(root, &program, &["man", "--all", &texts.to_string_lossy()])?;
    for shell in ["bash", "zsh", "fish"] {
        let text = command::output(root, &program, &["completions", shell])?;
        let path = texts.join(format!("nonius.{shell}"));
        fs::write(&path, text).map_err(|source| Error::Write { path: path.clone(), source })?;
    }
    let debian = tools::installed(root, &DEBIAN)?;
    let package = folder.join("nonius.deb");
    let package_name = package.to_string_lossy();
    let arguments = ["-p", "nonius-cli", "--no-build", "--output", &package_name];
    command::run(root, &debian, &arguments)?;
    cargo::run(root, &[&["build", "--target", STATIC], &cli[..]].concat())?;
    let program = root.join("target").join(STATIC).join("release/nonius");
    let copy = folder.join("nonius");
    fs::copy(&program, &copy).map_err(|source| Error::Write { path: copy.clone(), source })?;
    Ok(folder)
}

fn create(folder: &Path) -> Result<(), Error> {
    let path = folder.to_path_buf();
    fs::create_dir_all(folder).map_err(|source| Error::Write { path, source })
}
