//! Why the program fails: a sentence, and an exit status.

use std::fmt::Display;
use std::io;

use nonius::dense::Error;
use nonius::files::matrix_market::WriteError;
use nonius::files::{FileError, FileProblem};

use crate::reason::in_our_words;
use crate::{interruption, say};

/// Why the program ends early, or ends without what was asked for.
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
}

/// What to do where numbers leave the range of a format.
pub(crate) const WIDER: &str = "mp precisions, as mp424, have a wider range of exponents";
/// What to do where no number of any precision holds a determinant.
const SCALE: &str = "scale A: the determinant of c · A is c^n times that of A";

impl Failure {
    pub(crate) fn numerical(message: impl Display) -> Self {
        Self::Numerical(in_our_words(message.to_string()))
    }

    pub(crate) fn input(message: impl Display) -> Self {
        Self::Input(in_our_words(message.to_string()))
    }

    /// What hinders a computation on the matrix of that name: its numbers, or what the arguments
    /// ask for.
    pub(crate) fn computing(name: &str, error: &Error) -> Self {
        match error {
            Error::Overflow { .. } => Self::numerical(format!("{name}: {error}: {WIDER}")),
            Error::Singular { .. }
            | Error::NotPositiveDefinite { .. }
            | Error::RankDeficient { .. }
            | Error::NoConvergence { .. }
            | Error::Breakdown { .. }
            | Error::NegativeCurvature { .. }
            | Error::IncompletePivot { .. } => Self::numerical(format!("{name}: {error}")),
            Error::OutOfRange { .. } => Self::numerical(format!("{name}: {error}: {SCALE}")),
            _ => Self::input(format!("{name}: {error}")),
        }
    }

    /// The message and the exit status; `None` where nobody listens.
    pub(crate) fn parts(&self) -> Option<(&str, u8)> {
        match self {
            Self::Numerical(message) => Some((message, 1)),
            Self::Input(message) => Some((message, 2)),
            Self::Interrupted(message) => Some((message, interruption::EXIT_CODE)),
            Self::NobodyListens => None,
        }
    }

    /// One that ends the program with this exit status.
    pub(crate) fn with_status(status: u8, message: String) -> Self {
        match status {
            1 => Self::Numerical(message),
            interruption::EXIT_CODE => Self::Interrupted(message),
            _ => Self::Input(message),
        }
    }

    /// Tells the user. Returns the exit status, which is 0 where nobody listens.
    pub(crate) fn tell(&self) -> u8 {
        let Some((message, exit_code)) = self.parts() else { return 0 };
        say::failure(message);
        exit_code
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyListens
        } else {
            Self::input(format!("standard output cannot be written: {error}"))
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match &error.problem {
            FileProblem::Write(WriteError::NotFinite { .. }) => {
                Self::numerical(format!("{error}: {WIDER}"))
            }
            _ => Self::input(error),
        }
    }
}
