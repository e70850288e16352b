//! Why there is no picture.

use std::error::Error;
use std::fmt;

use super::options::SIZES;
use crate::output::Inconsistent;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ViewError {
    /// Fields, a mesh and a surface that do not belong together.
    Inconsistent(Inconsistent),
    /// A size beyond [`SIZES`].
    Size {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// A direction without length.
    Direction,
    /// Ends of a bar of colours that are not finite and increasing.
    Range {
        /// The ends.
        range: [f64; 2],
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent(error) => error.fmt(f),
            Self::Size { size: [width, height] } => {
                let [least, most] = SIZES;
                write!(f, "expected from {least} to {most} pixels, not {width} by {height}")
            }
            Self::Direction => write!(f, "expected a direction of some length"),
            Self::Range { range: [low, high] } => {
                write!(f, "expected finite ends of the colours that increase, not {low} and {high}")
            }
        }
    }
}

impl Error for ViewError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let Self::Inconsistent(error) = self { Some(error) } else { None }
    }
}

impl From<Inconsistent> for ViewError {
    fn from(error: Inconsistent) -> Self {
        Self::Inconsistent(error)
    }
}
