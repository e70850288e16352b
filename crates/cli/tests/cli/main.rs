//! The program as its users run it: what it prints, writes and returns.

mod any_precision;
mod capabilities;
mod cg;
mod convert;
mod determinant;
mod digits;
mod everywhere;
mod fem;
mod fem_decks;
mod formats;
mod info;
mod krylov;
mod manual;
mod matmul;
mod option;
mod orthogonal;
mod outputs;
mod ranks;
mod results;
mod schemas;
mod sdp;
mod sdp_files;
mod sdp_runs;
mod solve;
mod tridiag;
mod usage;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use nonius::files;
use nonius::num::Plain;
use nonius::{Matrix, Number};
use serde_json::Value;
use tempfile::TempDir;

/// What a run left.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn nonius<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    nonius_with_input(arguments, Stdio::null())
}

/// Runs the program. An object that it prints has to be valid.
fn nonius_with_input<S: AsRef<str>>(
    arguments: impl IntoIterator<Item = S>,
    input: impl Into<Stdio>,
) -> Ran {
    let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_string());
    let arguments: Vec<String> = arguments.collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nonius"));
    let output = command.args(&arguments).stdin(input).output().unwrap();
    Ran::of(&arguments, output)
}

impl Ran {
    /// What a run with these arguments left.
    fn of(arguments: &[String], output: Output) -> Self {
        let Output { status, stdout, stderr } = output;
        let ran = Self {
            code: status.code().expect("ended by a signal"),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        };
        if arguments.iter().any(|argument| argument == "--json") {
            schemas::check(arguments, &ran.out);
        }
        ran
    }

    /// Standard output of a run that succeeded.
    fn success(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    /// The one object that a run that succeeded printed, and nothing else.
    fn json(self) -> Value {
        assert_eq!(self.err, "");
        let value: Value = serde_json::from_str(&self.success()).unwrap();
        assert!(value.is_object());
        value
    }

    /// The message of a run that failed with this status.
    fn failure(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        let message = self.err.strip_prefix("nonius: ").expect("messages name the program");
        let message = message.strip_suffix('\n').expect("messages end their line");
        assert!(!message.contains('\n'), "more than a sentence: {message}");
        message.to_string()
    }
}

/// A folder for the files of one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    /// Writes a file, and yields its path.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes an array file of the given rows.
    fn matrix(&self, name: &str, rows: &[&[&str]]) -> String {
        let mut text = "%%MatrixMarket matrix array real general\n".to_string();
        text += &format!("{} {}\n", rows.len(), rows[0].len());
        for j in 0..rows[0].len() {
            for row in rows {
                text += &format!("{}\n", row[j]);
            }
        }
        self.file(name, &text)
    }

    fn read<T: Number + Plain>(&self, name: &str) -> Matrix<T> {
        files::read::<T>((), &self.0.path().join(name)).unwrap().into_dense().unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A file of the project's `data` folder.
fn data(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    path.to_str().unwrap().to_string()
}
