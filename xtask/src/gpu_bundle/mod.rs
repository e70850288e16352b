//! `gpu-bundle`: one folder with everything that tests and measures on a machine with a GPU and
//! without Rust.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::cargo;
use crate::error::Error;

/// Where the bundle is made, relative to the root; `target/` is not tracked.
const FOLDER: &str = "target/gpu-bundle";
/// What the machine runs: tests, then benchmarks.
const SCRIPT: &str = include_str!("run.sh");
/// Packages whose unit tests and tests on a GPU go along.
const TESTED: &[&str] =
    &["nonius-cuda", "nonius-comm", "nonius-option", "nonius-fem", "nonius-sdp", "nonius"];
/// Their programs of tests that have some for GPUs, beside unit tests.
const TESTS: &[&str] = &["gpu", "gpus", "ranks", "nonius"];
/// Packages whose programs go along.
const PROGRAMS: &[&str] = &["nonius-cli", "nonius-bench"];

/// A line of cargo's account of what it builds.
#[derive(Deserialize)]
struct Message {
    package_id: Option<String>,
    executable: Option<PathBuf>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Target {
    /// The name of its program: `nonius` for that one, `comm-ranks` for the tests `ranks` of the
    /// package `nonius-comm`, `comm-lib` for its unit tests.
    fn program(&self, package_id: &str) -> String {
        let tests = match self.kind.first().map(String::as_str) {
            Some("bin") => return self.name.clone(),
            Some("test") => &self.name,
            _ => "lib",
        };
        let package = package_of(package_id);
        format!("{}-{tests}", package.strip_prefix("nonius-").unwrap_or(package))
    }
}

/// The package that cargo calls `path+file:///folder/crates/comm#nonius-comm@0.2.0`, or
/// `path+file:///folder/crates/nonius#0.2.0` where its folder has its name.
fn package_of(id: &str) -> &str {
    let (folder, version) = id.split_once('#').unwrap_or((id, ""));
    let named = version.split_once('@').map(|(name, _)| name);
    named.unwrap_or(folder.rsplit('/').next().unwrap_or(folder))
}

/// Makes the bundle with machine code for an architecture, and returns its folder.
pub(crate) fn make(root: &Path, architecture: &str) -> Result<PathBuf, Error> {
    // Without NVRTC all would be built in vain.
    cargo::run(root, &["run", "-p", "nonius-gpu", "--example", "nvrtc"])?;
    let bundle = root.join(FOLDER);
    if bundle.exists() {
        fs::remove_dir_all(&bundle).map_err(Error::writing(&bundle))?;
    }
    let (tests, bin, data) = (bundle.join("tests"), bundle.join("bin"), bundle.join("data"));
    for folder in [&tests, &bin, &data] {
        fs::create_dir_all(folder).map_err(Error::writing(folder))?;
    }
    let packages = |names: &[&'static str]| names.iter().flat_map(|name| ["-p", name]).collect();
    let release = ["--release", "--message-format=json-render-diagnostics"];
    let tested: Vec<&str> = packages(TESTED);
    let targets: Vec<&str> = TESTS.iter().flat_map(|name| ["--test", name]).collect();
    let build = [&["test", "--no-run", "--lib"], &targets[..], &tested[..], &release].concat();
    take(root, &build, &tests)?;
    let programs: Vec<&str> = packages(PROGRAMS);
    take(root, &[&["build", "--bins"], &programs[..], &release].concat(), &bin)?;
    copy_small_files(&root.join("data"), &data)?;
    let cache = bundle.join("cache");
    let example = ["run", "--release", "-p", "nonius", "--example", "precompile", "--"];
    cargo::run(root, &[&example[..], &[architecture, &cache.to_string_lossy()]].concat())?;
    write(&bundle.join("commit"), commit(root).as_bytes())?;
    let script = bundle.join("run.sh");
    write(&script, SCRIPT.as_bytes())?;
    make_executable(&script)?;
    Ok(bundle)
}

/// Builds, and copies every executable to a folder, without its symbols.
fn take(root: &Path, arguments: &[&str], to: &Path) -> Result<(), Error> {
    eprintln!("\n── cargo {}", arguments.join(" "));
    for line in cargo::output(root, arguments)?.split(|&byte| byte == b'\n') {
        if line.is_empty() {
            continue;
        }
        let message: Message = serde_json::from_slice(line).map_err(Error::Metadata)?;
        let (Some(file), Some(target)) = (message.executable, message.target) else { continue };
        let copy = to.join(target.program(message.package_id.as_deref().unwrap_or_default()));
        fs::copy(&file, &copy).map_err(Error::writing(&copy))?;
        // Where there is no `strip`, the bundle is larger and nothing else.
        let _ = Command::new("strip").arg(&copy).status();
    }
    Ok(())
}

fn copy_small_files(from: &Path, to: &Path) -> Result<(), Error> {
    let unreadable = |source| Error::Read { path: from.to_path_buf(), source };
    for entry in fs::read_dir(from).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            let copy = to.join(name);
            fs::copy(&path, &copy).map_err(Error::writing(&copy))?;
        }
    }
    Ok(())
}

/// The commit of the sources, with a word where they have changed since.
fn commit(root: &Path) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let hash = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".into());
    let changed = git(&["status", "--porcelain"]).is_some_and(|changes| !changes.is_empty());
    format!("{hash}{}\n", if changed { " with changes" } else { "" })
}

fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    fs::write(path, content).map_err(Error::writing(path))
}

fn make_executable(path: &Path) -> Result<(), Error> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
            .map_err(Error::writing(path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs of several packages are beside one another.
    #[test]
    fn programs_are_named_after_their_packages() {
        for (id, kind, name, program) in [
            ("path+file:///crates/comm#nonius-comm@0.2.0", "test", "ranks", "comm-ranks"),
            ("path+file:///crates/option#nonius-option@0.2.0", "test", "ranks", "option-ranks"),
            ("path+file:///crates/cuda#nonius-cuda@0.2.0", "test", "gpu", "cuda-gpu"),
            ("path+file:///crates/cuda#nonius-cuda@0.2.0", "lib", "nonius_cuda", "cuda-lib"),
            ("path+file:///crates/nonius#0.2.0", "test", "nonius", "nonius-nonius"),
            ("path+file:///crates/nonius#0.2.0", "lib", "nonius", "nonius-lib"),
            ("path+file:///crates/cli#nonius-cli@0.2.0", "bin", "nonius", "nonius"),
        ] {
            let target = Target { name: name.into(), kind: vec![kind.into()] };
            assert_eq!(target.program(id), program);
        }
    }

    /// The script starts programs by their names.
    #[test]
    fn the_script_knows_the_tests_of_kernels() {
        assert!(SCRIPT.contains("tests/cuda-gpu --ignored"));
    }
}
