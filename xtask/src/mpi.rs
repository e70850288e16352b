//! `mpi`: ranks as processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::Error;
use crate::selection::Selection;
use crate::{cargo, command};

/// The crate whose test can lose a rank, and the one whose test goes on with what is left then.
const LOSES: &str = "nonius-comm";
const GOES_ON: &str = "nonius-fem";
/// Open MPI refuses to run as root, which containers of tests often are, and counts cores.
const ALLOWED: [(&str, &str); 3] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
];
const RANKS: [&str; 4] = ["1", "2", "3", "4"];
/// All ranks have ended so long after one has died.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the tests of the feature `mpi`.
pub(crate) fn test(root: &Path) -> Result<(), Error> {
    if Command::new("mpirun").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("mpi: not tried, mpirun is not there: see crates/comm/README.md");
        return Ok(());
    }
    let lints = ["--bin", "nonius", "--test", "mpi", "--test", "mpirun", "--", "-D", "warnings"];
    cargo::run(root, &Selection::WithMpi.of(&["clippy"], &lints))?;
    let programs = test_programs(root)?;
    for Program { path, .. } in &programs {
        for ranks in RANKS {
            let arguments = ["-n", ranks, &path.to_string_lossy()];
            let environment = ALLOWED.map(|(k, v)| (k, v.as_ref()));
            command::run_with(root, Path::new("mpirun"), &arguments, &environment)?;
        }
    }
    for Program { package, path } in &programs {
        if package.contains(LOSES) {
            lose_a_rank(root, path, &["die"])?;
        }
        if package.contains(GOES_ON) {
            go_on(root, path)?;
        }
    }
    // The program starts `mpirun` itself.
    let arguments = Selection::WithMpi.of(&["test"], &["--test", "mpirun"]);
    cargo::run_with(root, &arguments, &ALLOWED)
}

/// What a program leaves in a folder that loses a rank, two ranks go on with.
fn go_on(root: &Path, program: &Path) -> Result<(), Error> {
    let folder = std::env::temp_dir().join(format!("nonius-loss-{}", std::process::id()));
    let left = folder.to_string_lossy();
    lose_a_rank(root, program, &["die", &left])?;
    let arguments = ["-n", "2", &program.to_string_lossy(), "resume", &left];
    let environment = ALLOWED.map(|(k, v)| (k, v.as_ref()));
    command::run_with(root, Path::new("mpirun"), &arguments, &environment)?;
    // What cannot be removed is the system's.
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// A test of a crate.
struct Program {
    package: String,
    path: PathBuf,
}

/// Builds the tests, and finds them.
fn test_programs(root: &Path) -> Result<Vec<Program>, Error> {
    let what = ["--test", "mpi", "--no-run", "--message-format", "json"];
    let arguments = Selection::WithMpi.of(&["test"], &what);
    let messages = command::output(root, Path::new("cargo"), &arguments)?;
    let program = |line: &[u8]| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let path = message["executable"].as_str()?.into();
        Some(Program { package: message["package_id"].to_string(), path })
    };
    let programs: Vec<Program> =
        messages.split(|&byte| byte == b'\n').filter_map(program).collect();
    if programs.iter().any(|program| program.package.contains(LOSES)) {
        return Ok(programs);
    }
    let command = format!("cargo {}", arguments.join(" "));
    Err(Error::Step { command, detail: format!("no program of {LOSES} was built") })
}

/// Where a process is killed while the others wait, all end, and the rank is named.
fn lose_a_rank(root: &Path, program: &Path, arguments: &[&str]) -> Result<(), Error> {
    let name = format!("mpirun -n 3 {} {}", program.display(), arguments.join(" "));
    eprintln!("\n── {name}");
    let start = Instant::now();
    let output = Command::new("mpirun")
        .args(["-n", "3"])
        .arg(program)
        .args(arguments)
        .envs(ALLOWED)
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Error::Start { command: name.clone(), source })?;
    let said = String::from_utf8_lossy(&output.stderr);
    let ended = start.elapsed() < PATIENCE;
    if ended && !output.status.success() && said.contains("rank 1") {
        return Ok(());
    }
    let detail = format!("{} after {:?}, and said: {said}", output.status, start.elapsed());
    Err(Error::Step { command: name, detail })
}
