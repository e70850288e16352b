//! From where a mesh is seen.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// From where a mesh is seen. The second axis points upwards, unless it is looked along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    /// From where all coordinates are large.
    Isometric,
    /// From where the third coordinate is large: the first axis points to the right.
    Front,
    /// From where it is small.
    Back,
    /// From where the first coordinate is large.
    Right,
    /// From where it is small.
    Left,
    /// From where the second coordinate is large: the third axis points downwards.
    Top,
    /// From where it is small.
    Bottom,
    /// From a direction of any length.
    From([f64; 3]),
}

/// Names of directions.
const NAMES: [(&str, Direction); 7] = [
    ("isometric", Direction::Isometric),
    ("front", Direction::Front),
    ("back", Direction::Back),
    ("right", Direction::Right),
    ("left", Direction::Left),
    ("top", Direction::Top),
    ("bottom", Direction::Bottom),
];

impl Direction {
    /// Towards the viewer, of any length.
    pub fn vector(self) -> [f64; 3] {
        match self {
            Self::Isometric => [1.0, 1.0, 1.0],
            Self::Front => [0.0, 0.0, 1.0],
            Self::Back => [0.0, 0.0, -1.0],
            Self::Right => [1.0, 0.0, 0.0],
            Self::Left => [-1.0, 0.0, 0.0],
            Self::Top => [0.0, 1.0, 0.0],
            Self::Bottom => [0.0, -1.0, 0.0],
            Self::From(vector) => vector,
        }
    }
}

/// A text that names no direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDirection {
    /// The text.
    pub text: String,
}

impl fmt::Display for UnknownDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.map(|(name, _)| name).join(", ");
        write!(f, "expected one of {names}, or three numbers with commas, not `{}`", self.text)
    }
}

impl Error for UnknownDirection {}

impl FromStr for Direction {
    type Err = UnknownDirection;

    /// Reads the name of a direction in small letters, or three numbers with commas.
    fn from_str(text: &str) -> Result<Self, UnknownDirection> {
        let named = NAMES.into_iter().find(|(name, _)| *name == text);
        let vector = || {
            let numbers: Option<Vec<f64>> =
                text.split(',').map(|part| part.trim().parse().ok()).collect();
            let vector: [f64; 3] = numbers?.try_into().ok()?;
            let some = vector.iter().all(|x| x.is_finite()) && vector.iter().any(|&x| x != 0.0);
            some.then_some(Self::From(vector))
        };
        let found = named.map(|(_, direction)| direction).or_else(vector);
        found.ok_or_else(|| UnknownDirection { text: text.to_owned() })
    }
}
