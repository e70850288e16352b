//! `python`: the package `nonius` for Python, tested by pytest.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command;
use crate::error::Error;

/// The package's folder, relative to the root.
const PACKAGE: &str = "crates/python";
/// What the tests import, beside the package.
const MODULES: [&str; 6] =
    ["numpy>=2.0", "pytest>=8", "hypothesis>=6", "mpmath>=1.3", "scipy>=1.13", "cvxpy>=1.9"];

/// Tests the package with the module that cargo has made for the tests.
pub(crate) fn test(root: &Path) -> Result<(), Error> {
    let (site, python) = (staged(root)?, interpreter(root)?);
    let path = format!("pythonpath={}", site.display());
    let modules = site.join("nonius");
    let modules = modules.to_string_lossy();
    let tests = root.join(PACKAGE).join("tests");
    let tests = tests.to_string_lossy();
    let quiet = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "-o"];
    command::run(root, &python, &[&quiet[..], &[&path, &modules, &tests]].concat())
}

/// A folder with the package as an installed one looks.
fn staged(root: &Path) -> Result<PathBuf, Error> {
    let site = root.join("target/python/site");
    let package = site.join("nonius");
    fs::create_dir_all(&package).map_err(Error::writing(&package))?;
    let sources = root.join(PACKAGE).join("python/nonius");
    let reading = |source| Error::Read { path: sources.clone(), source };
    for entry in fs::read_dir(&sources).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file()) else { continue };
        copy(&path, &package.join(name))?;
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = root.join("target/debug/deps").join(format!("{prefix}_nonius{suffix}"));
    copy(&module, &package.join("_nonius.abi3.so"))?;
    Ok(site)
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::copy(from, to).map(drop).map_err(|source| Error::Read { path: from.to_path_buf(), source })
}

/// Python in an environment of its own, with what the tests import.
fn interpreter(root: &Path) -> Result<PathBuf, Error> {
    let folder = root.join("target/python/environment");
    let python = folder.join("bin/python");
    if !python.exists() {
        let name = folder.to_string_lossy();
        command::run(root, Path::new("python3"), &["-m", "venv", &name])?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    command::run(root, &python, &[&install[..], &MODULES].concat())?;
    Ok(python)
}
