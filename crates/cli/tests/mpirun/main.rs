//! The program under `mpirun`: what it writes has the bytes of one process.
//!
//! `cargo xtask mpi` builds it with the feature `mpi`, and lets Open MPI run as it must in tests.

mod files;
mod manners;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use files::write_inputs;
use tempfile::TempDir;

const NONIUS: &str = env!("CARGO_BIN_EXE_nonius");
/// How long all ranks may take to end once one has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a run left.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

/// A folder with the files that commands read.
struct Folder {
    files: TempDir,
    /// Where Open MPI keeps files of its own. By default all runs of a user share a folder, which
    /// one that ends takes from one that starts.
    sessions: TempDir,
}

impl Folder {
    fn new() -> Self {
        let [files, sessions] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        write_inputs(files.path());
        Self { files, sessions }
    }

    fn path(&self) -> &Path {
        self.files.path()
    }

    /// Runs a program in the folder.
    fn run(&self, program: &str, arguments: &[&str]) -> Ran {
        let start = Instant::now();
        let mut command = Command::new(program);
        let command = command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        let command = command.env("OMPI_MCA_orte_tmpdir_base", self.sessions.path());
        let output = command.output().unwrap();
        assert!(start.elapsed() < PATIENCE, "{program} {arguments:?}");
        Ran {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command of `nonius` as one process.
    fn alone(&self, command: &str) -> Ran {
        self.run(NONIUS, &command.split(' ').collect::<Vec<_>>())
    }

    /// Runs a command of `nonius` as so many ranks.
    fn on_ranks(&self, ranks: usize, command: &str) -> Ran {
        let ranks = ranks.to_string();
        let words = ["-n", &ranks, NONIUS].into_iter().chain(command.split(' '));
        self.run("mpirun", &words.collect::<Vec<_>>())
    }

    /// All files below a name, with what is in them.
    fn files(&self, name: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let path = self.path().join(name);
        if path.is_file() {
            return vec![(PathBuf::new(), fs::read(path).unwrap())];
        }
        let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name());
        let mut files: Vec<_> = entries
            .map(|file| (file.clone().into(), fs::read(path.join(&file)).unwrap()))
            .collect();
        files.sort();
        files
    }
}

impl Ran {
    fn success(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }

    /// What the program itself says on standard error: `mpirun` has words of its own.
    fn sentences(&self) -> Vec<&str> {
        self.err.lines().filter(|line| line.starts_with("nonius: ")).collect()
    }
}

/// Compares what commands write on 1 to 4 ranks with what one process writes. They write `out`,
/// files or a folder; each has `{}` in its place.
fn compare(commands: &[&str]) {
    let folder = Folder::new();
    for command in commands {
        folder.alone(&command.replace("{}", "alone")).success();
        let expected = folder.files("alone");
        assert!(!expected.is_empty());
        for ranks in 1..=4 {
            let ran = folder.on_ranks(ranks, &command.replace("{}", "shared")).success();
            let found = folder.files("shared");
            assert!(found == expected, "{ranks} ranks: {command}: {}", ran.err);
        }
        for name in ["alone", "shared"].map(|name| folder.path().join(name)) {
            if name.is_dir() { fs::remove_dir_all(name) } else { fs::remove_file(name) }.unwrap();
        }
    }
}

#[test]
fn dense() {
    compare(&[
        "matmul a.mtx b.mtx --precision qd --device cpu -o {}",
        "matmul a.mtx s.mtx --precision f64 -o {}",
        "solve a.mtx --rhs b.mtx -o {}",
        "solve s.mtx --precision mp106 -o {}",
        "inverse a.mtx -o {}",
        "inverse s.mtx --precision f64 --threads 1 -o {}",
    ]);
}

#[test]
fn proved_digits() {
    compare(&["solve a.mtx --rhs b.mtx --digits 20 -o {}", "determinant s.mtx --digits 20 -o {}"]);
}

#[test]
fn sparse_and_tridiagonal() {
    compare(&[
        "cg long.mtx --precision dd -o {}",
        "cg long.mtx --precision f64 --preconditioner ic0 -o {}",
        "tridiag --systems 11 --size 20 --precision qd -o {}",
        "tridiag --systems 11 --size 20 --precision f32 -o {}",
    ]);
}

#[test]
fn options() {
    compare(&[
        "option price book.csv --tolerance 1e-3 -o {}",
        "option implied quotes.csv --tolerance 1e-2 -o {}",
    ]);
}

#[test]
fn programs() {
    compare(&[
        "sdp program.dat-s --certify --x {}",
        "sdp program.dat-s --checkpoint {}",
        "sdp program.dat-s --precision qd --dual {}",
    ]);
}

#[test]
fn solids() {
    compare(&["fem run bar.inp -o {}"]);
}

/// A run of one number of ranks goes on on another.
#[test]
fn checkpoints_go_on_on_other_numbers_of_ranks() {
    let folder = Folder::new();
    folder.alone("sdp program.dat-s --x expected").success();
    let begun = folder.on_ranks(3, "sdp program.dat-s --max-iterations 5 --checkpoint kept");
    assert_eq!(begun.code, 1, "{}", begun.err);
    folder.on_ranks(2, "sdp program.dat-s --checkpoint kept --resume --x found").success();
    assert!(folder.files("found") == folder.files("expected"));
}
