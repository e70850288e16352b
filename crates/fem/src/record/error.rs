//! Why a record ends early.

use core::fmt;
use std::path::PathBuf;

use nonius_files::file::FileError;
use nonius_files::room::NoRoom;

use crate::Error;
use crate::output::history::HistoryError;
use crate::output::series::SeriesError;
use crate::output::view::ViewError;
use crate::simulation::{Excess, Named};

/// A checkpoint that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// The time in it.
    pub time: f64,
    /// Steps until then.
    pub step: u64,
}

/// Why a record ends early. A checkpoint is the last one, of a time at which all was well.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// The simulation cannot go on.
    Simulation {
        /// Why.
        error: Error,
        /// The last checkpoint.
        checkpoint: Option<Saved>,
    },
    /// Energies do not balance.
    Balance {
        /// When that was seen.
        time: f64,
        /// At which step.
        step: u64,
        /// By what part of the largest they differ.
        by: f64,
        /// The number in the input of the fastest node, where forces are likely to be wrong, and an
        /// element that has it.
        fastest: Option<(u64, Option<Named>)>,
        /// Whether the increment is too long to be stable.
        excess: Option<Box<Excess>>,
        /// The last checkpoint.
        checkpoint: Option<Saved>,
    },
    /// Whoever watches it has stopped it.
    Stopped {
        /// The checkpoint of this moment.
        checkpoint: Saved,
    },
    /// Steps so short that times could not tell them apart.
    Endless {
        /// The length of a step.
        step: f64,
        /// Until when they were to go.
        period: f64,
    },
    /// A file cannot be written or read.
    File(String),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulation { error, checkpoint } => {
                write!(f, "{error}")?;
                last(checkpoint.as_ref(), f)
            }
            Self::Balance { time, step, by, fastest, excess, checkpoint } => {
                write!(
                    f,
                    "step {step}, time {time:e}: energies differ from what was there and came in by {:.2} % of the largest",
                    100.0 * by
                )?;
                if let Some((node, element)) = fastest {
                    write!(f, ", the fastest node is {node}")?;
                    if let Some(element) = element {
                        write!(f, " of {element}")?;
                    }
                }
                match excess {
                    Some(excess) => write!(f, "; {excess}")?,
                    None => f.write_str("; shorter steps or a finer mesh may help")?,
                }
                last(checkpoint.as_ref(), f)
            }
            Self::Stopped { checkpoint: Saved { path, time, step } } => {
                write!(f, "stopped at step {step}, time {time:e}, as {} has it", path.display())
            }
            Self::Endless { step, period } => write!(
                f,
                "steps of {step:e} are too short to reach the end at {period:e}: times could not tell them apart"
            ),
            Self::File(message) => f.write_str(message),
        }
    }
}

fn last(checkpoint: Option<&Saved>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match checkpoint {
        Some(Saved { path, time, step }) => {
            write!(f, "; the last checkpoint is {}, step {step}, time {time:e}", path.display())
        }
        None => f.write_str("; there is no checkpoint yet"),
    }
}

impl core::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        if let Self::Simulation { error, .. } = self { Some(error) } else { None }
    }
}

macro_rules! from {
    ($($error:ty),*) => {
        $(impl From<$error> for RecordError {
            fn from(error: $error) -> Self {
                Self::File(error.to_string())
            }
        })*
    };
}

from!(SeriesError, HistoryError, FileError, ViewError, NoRoom);
