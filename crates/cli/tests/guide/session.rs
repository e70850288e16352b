//! A folder in which a page's commands run, with the project's data beside them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use tempfile::TempDir;

pub(crate) struct Session {
    folder: TempDir,
}

impl Session {
    pub(crate) fn new() -> Session {
        let folder = TempDir::new().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        std::os::unix::fs::symlink(data.canonicalize().unwrap(), folder.path().join("data"))
            .unwrap();
        Session { folder }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// The contents of a file that a command has made; `None` where there is no such file.
    pub(crate) fn made(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.path().join(name)).ok()
    }

    /// The lines that a command prints on both streams. The program is found by its name alone, an
    /// example by what cargo has made of it with the tests.
    pub(crate) fn run(&self, command: &str) -> Vec<String> {
        let program = Path::new(env!("CARGO_BIN_EXE_nonius")).parent().unwrap();
        let example = command.strip_prefix("cargo run --release -p nonius --example ");
        let command = example.map_or_else(
            || command.to_string(),
            |name| program.join("examples").join(name).display().to_string(),
        );
        let mut path = program.as_os_str().to_owned();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("CUDA_VISIBLE_DEVICES", "")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
    }
}
