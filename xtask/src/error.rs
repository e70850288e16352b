//! What can go wrong in a chore, and how it is told.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a chore did not succeed.
#[derive(Debug)]
pub(crate) enum Error {
    /// A file or folder could not be read.
    Read { path: PathBuf, source: std::io::Error },
    /// A file or folder could not be written.
    Write { path: PathBuf, source: std::io::Error },
    /// A manifest is no TOML.
    Manifest { path: PathBuf, source: toml::de::Error },
    /// Cargo could not be started.
    Start { command: String, source: std::io::Error },
    /// Cargo ran and failed.
    Step { command: String, detail: String },
    /// Cargo's metadata are not what this program knows.
    Metadata(serde_json::Error),
    /// Rules are broken; each has been printed.
    Rules { chore: &'static str, broken: usize },
    /// Several steps of one chore failed.
    Several(Vec<Error>),
}

impl Error {
    /// What becomes of an error where that file or folder should be written.
    pub(crate) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        |source| Self::Write { path, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Manifest { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Start { command, source } => write!(f, "cannot start `{command}`: {source}"),
            Self::Step { command, detail } => write!(f, "`{command}` failed: {detail}"),
            Self::Metadata(source) => write!(f, "cargo metadata: {source}"),
            Self::Rules { chore, broken } => write!(f, "{chore}: {broken} broken, listed above"),
            Self::Several(errors) => {
                for (i, error) in errors.iter().enumerate() {
                    write!(f, "{}{error}", if i == 0 { "" } else { "\nxtask: " })?;
                }
                Ok(())
            }
        }
    }
}

/// A rule that a file breaks.
#[derive(Debug)]
pub(crate) struct Violation {
    /// The file, relative to the root, with a line where one is to blame.
    pub(crate) place: String,
    /// What is wrong and what would be right.
    pub(crate) message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
