//! Errors.

use core::fmt;

use nonius_linalg::DeviceFailure;

/// Why ranks cannot go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A rank has failed, and with it what the others wait for.
    Lost {
        /// The rank.
        rank: usize,
        /// What it failed by.
        cause: String,
    },
    /// A message has another length than its receiver expects: the ranks do different things.
    Length {
        /// The rank that sent it.
        from: usize,
        /// Bytes expected.
        expected: usize,
        /// Bytes sent.
        found: usize,
    },
    /// There is no memory for a message of so many bytes.
    NoMemory(usize),
    /// What carries the messages cannot be had.
    NotStarted(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { rank, cause } => write!(f, "rank {rank} failed: {cause}"),
            Self::Length { from, expected, found } => {
                write!(f, "expected {expected} bytes from rank {from}, found {found}")
            }
            Self::NoMemory(bytes) => write!(f, "no memory for a message of {bytes} bytes"),
            Self::NotStarted(cause) => write!(f, "ranks cannot be started: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

/// Ranks that are lost are a device that is.
impl From<Error> for nonius_linalg::Error {
    fn from(error: Error) -> Self {
        Self::Device(DeviceFailure::new(error))
    }
}
