//! `wheel`: the package for Python as pip installs it, in `target/wheels`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::tools::{self, PythonTools};
use crate::{command, walk};

/// The package's folder, relative to the root.
pub(crate) const PACKAGE: &str = "crates/python";
const FOLDER: &str = "target/wheels";
/// Apart from a release's, so that one does not take the place of the other.
const DEVELOPMENT: &str = "target/wheels/dev";
const BUILDER: PythonTools =
    PythonTools { name: "maturin", packages: &["maturin==1.16.0", "wheel==0.48.0"] };
/// What a wheel for other machines needs beside: a linker that knows the symbols of every C
/// library, and the judge of what a wheel asks a machine for.
const RELEASER: PythonTools = PythonTools {
    name: "wheel",
    packages: &["maturin==1.16.0", "ziglang==0.17.1", "auditwheel==6.8.2"],
};
/// Linux distributions with glibc 2.17 (2012) or later, the oldest that Rust supports.
const OLDEST: &str = "manylinux_2_17";

/// Makes the wheel of a release and the archive of its sources, and returns their folder.
pub(crate) fn release(root: &Path) -> Result<PathBuf, Error> {
    let programs = tools::installed_by_pip(root, &RELEASER)?;
    let folder = empty(root, FOLDER)?;
    let manifest = format!("{PACKAGE}/Cargo.toml");
    let whereto = ["--manifest-path", &manifest, "--out", FOLDER];
    let mut build = vec!["build", "--release", "--locked"];
    if cfg!(target_os = "linux") {
        build.extend(["--zig", "--compatibility", OLDEST]);
    }
    maturin(root, &programs, &[&build, &whereto[..]].concat())?;
    maturin(root, &programs, &[&["sdist"], &whereto[..]].concat())?;
    for file in walk::files(&folder, &|_| true)? {
        if cfg!(target_os = "linux") && walk::has_extension(&file, &["whl"]) {
            let judge = programs.join("auditwheel");
            command::run(root, &judge, &["show", &file.to_string_lossy()])?;
        }
        let bytes = fs::metadata(&file).map_or(0, |known| known.len());
        println!("{}: {:.1} MB", file.display(), bytes as f64 / 1e6);
    }
    Ok(folder)
}

/// Packs the module that cargo has made for the tests, for this machine alone, and returns the
/// wheel. Its description is maturin's, so that both wheels are of one mould.
pub(crate) fn development(root: &Path) -> Result<PathBuf, Error> {
    let programs = tools::installed_by_pip(root, &BUILDER)?;
    let folder = empty(root, DEVELOPMENT)?;
    let unpacked = root.join("target/python/wheel");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked).map_err(Error::writing(&unpacked))?;
    }
    let unpacked_name = unpacked.to_string_lossy();
    let describe = ["pep517", "write-dist-info", "--compatibility", "linux"];
    let python = programs.join("python");
    let (python, whereto) = (python.to_string_lossy(), ["--metadata-directory", &unpacked_name]);
    let describe = [&describe[..], &["--interpreter", &python], &whereto].concat();
    maturin(&root.join(PACKAGE), &programs, &describe)?;
    copy_package(root, &unpacked.join("nonius"))?;
    let pack = ["-m", "wheel", "pack", "--dest-dir", DEVELOPMENT, &unpacked_name];
    command::run(root, &programs.join("python"), &pack)?;
    let made = walk::files(&folder, &|path| walk::has_extension(path, &["whl"]))?;
    made.into_iter()
        .next()
        .ok_or_else(|| Error::Read { path: folder, source: std::io::ErrorKind::NotFound.into() })
}

/// The package's files in Python, and the compiled module.
fn copy_package(root: &Path, package: &Path) -> Result<(), Error> {
    let sources = root.join(PACKAGE).join("python/nonius");
    let wanted = |path: &Path| !walk::has_extension(path, &["pyc", "so"]);
    for file in walk::files(&sources, &wanted)? {
        copy(&file, &package.join(file.strip_prefix(&sources).unwrap_or(&file)))?;
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = root.join("target/debug/deps").join(format!("{prefix}_nonius{suffix}"));
    copy(&module, &package.join("_nonius.abi3.so"))
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let folder = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    fs::copy(from, to).map(drop).map_err(|source| Error::Read { path: from.to_path_buf(), source })
}

/// Maturin, with the programs beside it on the path: it looks there for Python and the linker.
fn maturin(folder: &Path, programs: &Path, arguments: &[&str]) -> Result<(), Error> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(programs.to_path_buf()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap_or(path);
    command::run_with(folder, &programs.join("maturin"), arguments, &[("PATH", &path)])
}

/// A folder for wheels, without those of earlier.
fn empty(root: &Path, folder: &str) -> Result<PathBuf, Error> {
    let folder = root.join(folder);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Error::writing(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
    Ok(folder)
}
