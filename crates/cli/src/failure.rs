//! Why the program fails: a sentence on standard error, and an exit status.

use std::fmt::Display;
use std::io::{self, Write};

use nonius::files::{FileError, FileProblem, printable};
use nonius::linalg::Error;
use nonius::linalg::sparse::matrix_market::WriteError;

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The numbers did not allow an answer.
    Numerical(String),
    /// The arguments or files are not what they should be.
    Input(String),
    /// A signal has ended work that can go on later.
    Interrupted(String),
    /// Whoever read standard output has gone.
    NobodyListens,
    /// A failure with what is known nevertheless: members of the JSON object.
    Knowing(Box<Failure>, serde_json::Value),
}

impl Failure {
    pub(crate) fn numerical(message: impl Display) -> Self {
        Self::Numerical(message.to_string())
    }

    /// What hinders a computation on the matrix of that name: its numbers, or what the arguments
    /// ask for.
    pub(crate) fn computing(name: &str, error: &Error) -> Self {
        let message = format!("{name}: {error}");
        match error {
            Error::Singular { .. }
            | Error::NotPositiveDefinite { .. }
            | Error::RankDeficient { .. }
            | Error::NoConvergence { .. }
            | Error::Breakdown { .. }
            | Error::NegativeCurvature { .. }
            | Error::IncompletePivot { .. }
            | Error::Overflow { .. } => Self::numerical(message),
            _ => Self::input(message),
        }
    }

    /// The same with what is known nevertheless.
    pub(crate) fn knowing(self, known: serde_json::Value) -> Self {
        Self::Knowing(Box::new(self), known)
    }

    pub(crate) fn input(message: impl Display) -> Self {
        Self::Input(message.to_string())
    }

    /// The message, the exit status and what is known; `None` where nobody listens.
    pub(crate) fn parts(&self) -> Option<(&str, u8, Option<&serde_json::Value>)> {
        match self {
            Self::Numerical(message) => Some((message, 1, None)),
            Self::Input(message) => Some((message, 2, None)),
            Self::Interrupted(message) => Some((message, crate::interruption::EXIT_CODE, None)),
            Self::NobodyListens => None,
            Self::Knowing(failure, known) => {
                failure.parts().map(|(message, exit_code, _)| (message, exit_code, Some(known)))
            }
        }
    }

    /// Tells the user of a failure that does not end the program.
    pub(crate) fn warn(&self) {
        if let Some((message, ..)) = self.parts() {
            warn(message);
        }
    }
}

/// Says a sentence on standard error, what it quotes made fit for a terminal.
pub(crate) fn warn(message: impl Display) {
    // Whoever does not hear it has the exit status.
    let _ = writeln!(io::stderr(), "nonius: {}", printable(&message.to_string()));
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyListens
        } else {
            Self::Input(format!("standard output cannot be written: {error}"))
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match &error.problem {
            FileProblem::Write(WriteError::NotFinite { .. }) => Self::numerical(error),
            _ => Self::input(error),
        }
    }
}
