//! `dist`: what people install without Rust, in `target/dist`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::tools::{self, Tool};
use crate::{cargo, command, walk};

const FOLDER: &str = "target/dist";
/// What the program prints for people who install it. The manifest of its crate names the files.
const TEXTS: &str = "target/release/texts";
/// The static build: it runs on every Linux of this architecture, on CPUs alone, as static programs
/// cannot load a GPU's driver.
const STATIC: &str = "x86_64-unknown-linux-musl";
/// The archive of the static build, and the folder in it.
const ARCHIVE: &str = concat!("nonius-", env!("CARGO_PKG_VERSION"), "-x86_64-linux-static");
/// Files that go along with the static program, and their names there.
const BESIDE: [(&str, &str); 4] = [
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("crates/figures/fonts/LICENSE.txt", "LICENSE-DejaVu"),
];
/// Shells that complete commands and options.
const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];
const DEBIAN: Tool = Tool { name: "cargo-deb", version: "3.8.0", features: &[] };

/// Makes the Debian package and the archive of the static program, and returns their folder.
pub(crate) fn make(root: &Path) -> Result<PathBuf, Error> {
    let folder = root.join(FOLDER);
    let texts = root.join(TEXTS);
    for folder in [&folder, &texts] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(Error::writing(folder))?;
        }
        fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    }
    let program = build(root, None)?;
    write_texts(root, &program, &texts)?;
    make_package(root, &folder)?;
    let program = build(root, Some(STATIC))?;
    make_archive(root, &folder, &program, &texts)?;
    Ok(folder)
}

/// The program for a target, or for this machine.
fn build(root: &Path, target: Option<&str>) -> Result<PathBuf, Error> {
    let target_flags: Vec<&str> = target.into_iter().flat_map(|name| ["--target", name]).collect();
    let build = ["build", "--release", "--locked", "-p", "nonius-cli"];
    cargo::run(root, &[&build[..], &target_flags].concat())?;
    Ok(root.join("target").join(target.unwrap_or("")).join("release/nonius"))
}

/// The manual pages, compressed as Debian has them, and the scripts of shells.
fn write_texts(root: &Path, program: &Path, texts: &Path) -> Result<(), Error> {
    let (pages, scripts) = (texts.join("man"), texts.join("completions"));
    fs::create_dir_all(&scripts).map_err(Error::writing(&scripts))?;
    command::run(root, program, &["man", "--all", &pages.to_string_lossy()])?;
    let written = walk::files(&pages, &|_| true)?;
    let names: Vec<String> = written.iter().map(|page| page.display().to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    command::run(root, Path::new("gzip"), &[&["--best", "--no-name"], &names[..]].concat())?;
    for shell in SHELLS {
        let text = command::output(root, program, &["completions", shell])?;
        let path = scripts.join(format!("nonius.{shell}"));
        fs::write(&path, text).map_err(Error::writing(&path))?;
    }
    Ok(())
}

/// The Debian package of what is built; `package.metadata.deb` of the program's crate says what is
/// in it.
fn make_package(root: &Path, folder: &Path) -> Result<(), Error> {
    let debian = tools::installed(root, &DEBIAN)?;
    let output = format!("{}/", folder.display());
    command::run(root, &debian, &["-p", "nonius-cli", "--no-build", "--output", &output])
}

fn make_archive(root: &Path, folder: &Path, program: &Path, texts: &Path) -> Result<(), Error> {
    let inside = folder.join(ARCHIVE);
    copy(program, &inside.join("nonius"))?;
    for (name, there) in BESIDE {
        copy(&root.join(name), &inside.join(there))?;
    }
    for path in walk::files(texts, &|_| true)? {
        copy(&path, &inside.join(path.strip_prefix(texts).unwrap_or(&path)))?;
    }
    let archive = format!("{ARCHIVE}.tar.gz");
    let same_everywhere = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    let arguments = [&["--create", "--gzip", "--file", &archive], &same_everywhere[..], &[ARCHIVE]];
    command::run(folder, Path::new("tar"), &arguments.concat())
}

/// Copies a file into a folder that is made where it is not there.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let parent = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(parent).map_err(Error::writing(parent))?;
    fs::copy(from, to).map_err(Error::writing(to))?;
    Ok(())
}
