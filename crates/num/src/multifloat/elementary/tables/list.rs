//! The tables by name, for those who write this arithmetic in another language: kernels of GPUs.

use alloc::vec::Vec;

use super::{Polynomial, arc, circular, constants, exponential, logarithm, root};

/// A table or constant.
#[derive(Clone, Debug)]
pub struct Table {
    /// The family of functions that it belongs to: the name of its file.
    pub family: &'static str,
    /// Its name, in capitals.
    pub name: &'static str,
    /// Its numbers.
    pub content: Content,
}

/// The shapes of tables.
#[derive(Clone, Debug)]
pub enum Content {
    /// One number.
    Number(f64),
    /// The limbs of one number.
    Limbs(&'static [f64]),
    /// Limb `i` of every entry in row `i`.
    Planes(Vec<&'static [f64]>),
    /// The coefficients of a polynomial, four limbs each; the first `terms[0]` are summed with all
    /// `N` limbs, those up to `terms[1]` with `N − 1`, and so on.
    Polynomial {
        /// From the lowest power on.
        coefficients: &'static [[f64; 4]],
        /// Ends of the ranges of one width.
        terms: [usize; 4],
    },
    /// Bits.
    Words(&'static [u64]),
}

impl From<f64> for Content {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<const M: usize> From<&'static [f64; M]> for Content {
    fn from(limbs: &'static [f64; M]) -> Self {
        Self::Limbs(limbs)
    }
}

impl<const M: usize, const P: usize> From<&'static [[f64; M]; P]> for Content {
    fn from(planes: &'static [[f64; M]; P]) -> Self {
        Self::Planes(planes.iter().map(<[f64; M]>::as_slice).collect())
    }
}

impl From<&'static Polynomial> for Content {
    fn from(polynomial: &'static Polynomial) -> Self {
        Self::Polynomial { coefficients: polynomial.coefficients, terms: polynomial.terms }
    }
}

impl<const M: usize> From<&'static [u64; M]> for Content {
    fn from(words: &'static [u64; M]) -> Self {
        Self::Words(words)
    }
}

macro_rules! tables {
    ($($family:ident { $($name:ident $place:expr;)* })*) => {
        [$($(Table {
            family: stringify!($family),
            name: stringify!($name),
            content: Content::from($place),
        },)*)*]
    };
}

/// Every table that the functions read.
pub fn all() -> impl IntoIterator<Item = Table> {
    tables! {
        constants {
            PI &constants::PI;
            FRAC_PI_2 &constants::FRAC_PI_2;
            FRAC_PI_4 &constants::FRAC_PI_4;
            LN_2 &constants::LN_2;
            LOG2_E &constants::LOG2_E;
            LOG10_E &constants::LOG10_E;
        }
        exponential {
            STEPS_PER_UNIT exponential::STEPS_PER_UNIT;
            STEP &exponential::STEP;
            POWERS &exponential::POWERS;
            FINE_POWERS &exponential::FINE_POWERS;
            SERIES &exponential::SERIES;
        }
        logarithm {
            LN_2_GRID &logarithm::LN_2_GRID;
            COARSE &logarithm::COARSE;
            FINE &logarithm::FINE;
            SERIES &logarithm::SERIES;
        }
        circular {
            STEPS_PER_UNIT circular::STEPS_PER_UNIT;
            STEP &circular::STEP;
            HALF_PI &circular::HALF_PI;
            SINES &circular::SINES;
            COSINES &circular::COSINES;
            SINE_SERIES &circular::SINE_SERIES;
            COSINE_SERIES &circular::COSINE_SERIES;
            TWO_OVER_PI &circular::TWO_OVER_PI;
        }
        arc {
            HALF_PI_GRID &arc::HALF_PI_GRID;
            ARCS &arc::ARCS;
            SERIES &arc::SERIES;
        }
        root {
            SERIES &root::SERIES;
        }
    }
}
