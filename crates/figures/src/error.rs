//! Why there is no figure.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

/// Why a figure cannot be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub enum FigureError {
    /// No curve has a point that its axes can show.
    Empty,
    /// The name of a file promises neither SVG nor PNG.
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// A PNG of that many pixels.
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
    },
    /// The drawing or its encoding failed.
    Drawing(Box<dyn Error + Send + Sync>),
}

impl FigureError {
    pub(crate) fn drawing(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Drawing(Box::new(error))
    }
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                write!(f, "the figure is empty: no curve has a point that its axes can show")
            }
            Self::Ending { path } => {
                write!(f, "{}: expected a name that ends in .svg or .png", path.display())
            }
            Self::TooLarge { width, height } => {
                write!(f, "a PNG of {width} × {height} pixels is too large: write an SVG")
            }
            Self::Drawing(error) => write!(f, "the figure cannot be drawn: {error}"),
        }
    }
}

impl Error for FigureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Drawing(error) => Some(&**error),
            _ => None,
        }
    }
}
