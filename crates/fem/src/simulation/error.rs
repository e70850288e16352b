//! Why simulations do not begin, go on or come back.

use core::fmt;
use std::path::PathBuf;

use nonius_files::room::NoRoom;

use crate::output::FileError;
use crate::output::checkpoint::CheckpointError;
use crate::problem::Unsupported;

/// An element as its author knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its number in the input.
    pub label: u64,
    /// Its kind, as Abaqus names it.
    pub kind: &'static str,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element {} ({})", self.label, self.kind)
    }
}

/// A fixed time increment above the stable one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// The increment.
    pub increment: f64,
    /// The longest stable one.
    pub stable: f64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { increment, stable } = self;
        write!(
            f,
            "the fixed time increment of {increment:.3e} exceeds the stable one of {stable:.3e}"
        )
    }
}

/// Why a simulation cannot begin or go on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The model has something that cannot be computed yet.
    Unsupported(Unsupported),
    /// An element has no volume, or has turned inside out.
    Inverted {
        /// Which.
        element: Named,
        /// When.
        time: f64,
        /// At which step.
        step: u64,
        /// Whether the increment is too long to be stable.
        excess: Option<Excess>,
    },
    /// A node's velocity is not finite.
    NotFinite {
        /// The node's number in the input.
        label: u64,
        /// An element that has the node.
        element: Option<Named>,
        /// When.
        time: f64,
        /// At which step.
        step: u64,
        /// Whether the increment is too long to be stable.
        excess: Option<Excess>,
    },
    /// A device cannot go on.
    Device(nonius_linalg::Error),
    /// A state of another problem.
    OtherState,
    /// More memory than there is.
    NoRoom(Box<NoRoom>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(unsupported) => unsupported.fmt(f),
            Error::Inverted { element, time, step, excess } => {
                at(*time, *step, *excess, f)?;
                write!(f, "{element} has no volume or has turned inside out")
            }
            Error::NotFinite { label, element, time, step, excess } => {
                at(*time, *step, *excess, f)?;
                write!(f, "the velocity of node {label}")?;
                if let Some(element) = element {
                    write!(f, " of {element}")?;
                }
                f.write_str(" is not finite")
            }
            Error::Device(error) => error.fmt(f),
            Error::OtherState => f.write_str("the state is not one of this problem"),
            Error::NoRoom(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Error {}

/// What stands before a failure: when it was, and what explains it.
fn at(time: f64, step: u64, excess: Option<Excess>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "step {step}, time {time:e}: ")?;
    match excess {
        Some(excess) => write!(f, "{excess}, and "),
        None => Ok(()),
    }
}

impl Error {
    /// With a time increment that explains it.
    pub(super) fn explained_by(mut self, found: Option<Excess>) -> Self {
        if let Error::Inverted { excess, .. } | Error::NotFinite { excess, .. } = &mut self {
            *excess = found;
        }
        self
    }
}

/// Why a simulation cannot go on from a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResumeError {
    /// The checkpoint.
    Checkpoint(CheckpointError),
    /// A checkpoint of a run with other numbers.
    Precision {
        /// The file.
        path: PathBuf,
    },
    /// The simulation.
    Simulation(Error),
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkpoint(error) => error.fmt(f),
            Self::Precision { path } => {
                write!(f, "{}: a checkpoint of a run in another precision", path.display())
            }
            Self::Simulation(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ResumeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Checkpoint(error) => Some(error),
            Self::Precision { .. } => None,
            Self::Simulation(error) => Some(error),
        }
    }
}

impl From<CheckpointError> for ResumeError {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(error)
    }
}

/// Why a checkpoint cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum SaveError {
    /// The simulation.
    Simulation(Error),
    /// The file.
    File(FileError),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulation(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Simulation(error) => Some(error),
            Self::File(error) => Some(error),
        }
    }
}
