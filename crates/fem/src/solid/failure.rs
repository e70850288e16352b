//! Why runs stop.

use core::fmt;

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An element has a volume that is not positive, or is not a number.
    Inverted {
        /// The place of its block.
        block: usize,
        /// Its place there.
        element: usize,
    },
    /// A node's velocity is not finite.
    NotFinite {
        /// The node.
        node: usize,
    },
    /// A state does not have the numbers of the problem.
    OtherState,
    /// A device cannot go on.
    Device(nonius_linalg::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inverted { block, element } => {
                write!(f, "element {element} of block {block} has no volume or is inside out")
            }
            Self::NotFinite { node } => write!(f, "the velocity of node {node} is not finite"),
            Self::OtherState => f.write_str("the state is not one of this problem"),
            Self::Device(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Failure {}

impl From<nonius_comm::Error> for Failure {
    fn from(error: nonius_comm::Error) -> Self {
        Self::Device(error.into())
    }
}
