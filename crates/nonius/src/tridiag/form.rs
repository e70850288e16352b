//! Coefficients by rule.

use std::fmt;
use std::str::FromStr;

use nonius_cuda::{DeviceNumber, Generator};
use nonius_files::text::excerpt;
use nonius_linalg::Error;
use nonius_linalg::tridiag::Order;

use super::systems::{Systems, zeros};

/// A rule for the coefficients of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Second differences: `−x[i−1] + 2·x[i] − x[i+1] = 1`.
    Poisson,
    /// Other numbers in every row, by a hash of system and row: neighbours from −1 to −1/2,
    /// diagonals from 5/2 to 7/2, right sides from 0 to 2.
    #[default]
    Random,
    /// [Statements of C++](Generator), which are compiled for a GPU.
    Statements(String),
}

/// A text that names no form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownForm(String);

impl Form {
    /// The coefficients in the host's memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::NeedsGpu`] for statements.
    pub fn coefficients<T: DeviceNumber>(
        &self,
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
    ) -> Result<Systems<T>, Error> {
        let too_large = Error::TooLarge { rows: size, cols: systems };
        let count = systems.checked_mul(size).ok_or(too_large)?;
        let array = || zeros(format, (size, systems), count);
        let mut matrix = [array()?, array()?, array()?];
        let mut right = array()?;
        for s in 0..systems {
            for i in 0..size {
                let [lower, diagonal, upper, one] = self.row(s, i)?;
                let at = order.index((systems, size), s, i);
                for (array, entry) in matrix.iter_mut().zip([lower, diagonal, upper]) {
                    array.set(at, T::from_f64(entry));
                }
                right.set(at, T::from_f64(one));
            }
        }
        Ok(Systems { systems, size, order, matrix, right })
    }

    /// All of these numbers are exact in `f32`.
    fn row(&self, system: usize, row: usize) -> Result<[f64; 4], Error> {
        match self {
            Self::Poisson => Ok([-1.0, 2.0, -1.0, 1.0]),
            Self::Random => {
                let mut h = (system as u32)
                    .wrapping_mul(2_654_435_761)
                    .wrapping_add((row as u32).wrapping_mul(40_503))
                    .wrapping_add(12_345);
                h = (h ^ h >> 13).wrapping_mul(0x5bd1_e995);
                h ^= h >> 15;
                let [u, v, w] =
                    [h & 0xff, h >> 8 & 0xff, h >> 16 & 0xff].map(|byte| f64::from(byte) / 256.0);
                Ok([-0.5 - u / 2.0, 2.5 + w, -0.5 - v / 2.0, 1.0 + u - v])
            }
            Self::Statements(_) => Err(Error::NeedsGpu { what: "coefficients by statements" }),
        }
    }

    /// The same rule for a GPU.
    pub fn generator(&self) -> Generator {
        Generator::new(match self {
            Self::Poisson => "lower = upper = -1.0; diagonal = 2.0; right = 1.0;",
            Self::Random => {
                "unsigned h = (unsigned)system * 2654435761u + (unsigned)row * 40503u + 12345u;\n\
                 h = (h ^ h >> 13) * 0x5bd1e995u;\n\
                 h ^= h >> 15;\n\
                 double u = (h & 0xff) / 256.0, v = (h >> 8 & 0xff) / 256.0, w = (h >> 16 & 0xff) / 256.0;\n\
                 lower = -0.5 - u / 2; diagonal = 2.5 + w; upper = -0.5 - v / 2; right = 1 + u - v;"
            }
            Self::Statements(body) => body,
        })
    }
}

/// `poisson`, `random`, or the statements.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Poisson => "poisson",
            Self::Random => "random",
            Self::Statements(body) => body,
        })
    }
}

/// `poisson`, `random`, or statements, which have a semicolon.
impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        match text {
            "poisson" => Ok(Self::Poisson),
            "random" => Ok(Self::Random),
            body if body.contains(';') => Ok(Self::Statements(body.into())),
            _ => Err(UnknownForm(text.into())),
        }
    }
}

impl fmt::Display for UnknownForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = "expected poisson, random, or statements such as `diagonal = 2.0; lower = upper = -1.0; right = row;`";
        write!(f, "unknown form `{}`: {expected}", excerpt(&self.0))
    }
}

impl std::error::Error for UnknownForm {}
