//! `python`: the package `nonius` for Python, tested by pytest.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command;
use crate::error::Error;

/// The package's folder, relative to the root.
const PACKAGE: &str = "crates/python";
/// What the tests import, beside the package.
const MODULES: [&str; 10] = [
    "numpy>=2.0",
    "pytest>=8",
    "hypothesis>=6",
    "mpmath>=1.3",
    "pandas>=2.2",
    "scipy>=1.12",
    "gmpy2>=2.2",
    "python-flint>=0.7",
    "numpy_quaddtype>=1.0",
    "mypy>=1.15",
];

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
    copy_all(&root.join(PACKAGE).join("python/nonius"), &package)?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = root.join("target/debug/deps").join(format!("{prefix}_nonius{suffix}"));
    copy(&module, &package.join("_nonius.abi3.so"))?;
    Ok(site)
}

/// Copies a folder, without what Python compiled.
fn copy_all(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::writing(to))?;
    let reading = |source| Error::Read { path: from.to_path_buf(), source };
    for entry in fs::read_dir(from).map_err(reading)? {
        let path = entry.map_err(reading)?.path();
        match path.file_name() {
            Some(name) if path.is_file() => copy(&path, &to.join(name))?,
            Some(name) if name != "__pycache__" => copy_all(&path, &to.join(name))?,
            _ => {}
        }
    }
    Ok(())
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
