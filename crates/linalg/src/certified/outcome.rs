//! What comes of asking for digits.

use core::fmt;
use std::time::Duration;

use nonius_num::mp::Bits;

use super::magnitude::Magnitude;
use super::rank::NumericalRank;
use crate::{Error, mp};

/// A solution with proved digits.
#[derive(Clone, Debug)]
pub struct Solution {
    /// `X`. With as many bits as the digits need, more where these hold the solution exactly.
    pub x: mp::Matrix,
    /// How many digits of every entry are correct, rounded to the bits of `X` and written as
    /// decimal text that reads back as the same. `None` where `X` is the solution exactly, and the
    /// text reads back as that.
    pub digits: Option<u32>,
    /// An upper bound of the relative errors: of entries, or beside the largest entry of a column.
    pub error_bound: Magnitude,
    /// An estimate of `‖A‖_∞·‖A^-1‖_∞`.
    pub condition: Magnitude,
    /// The stages of the solution.
    pub route: Vec<Stage>,
}

/// A part of a solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What it was done by.
    pub by: By,
    /// The bits of the inverse, the factors, the products or the unknowns; `None` for `f64`.
    pub bits: Option<Bits>,
    /// Steps of refinement, or substitutions, of all right-hand sides; factorisations in `f64` for
    /// a determinant.
    pub steps: usize,
    /// What it took.
    pub time: Duration,
}

/// What solves or factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Refinement with an approximate inverse.
    Inverse,
    /// Refinement with Cholesky factors in `f64` of a positive definite matrix.
    Cholesky,
    /// Substitution in a triangular matrix.
    Substitution,
    /// LU factors.
    Lu,
    /// Products with inverses of triangular factors in `f64`.
    Preconditioning,
}

impl By {
    /// `inverse`, `cholesky`, `substitution`, `lu`, `preconditioning`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inverse => "inverse",
            Self::Cholesky => "cholesky",
            Self::Substitution => "substitution",
            Self::Lu => "lu",
            Self::Preconditioning => "preconditioning",
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What happens on the way.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The search for an approximate inverse with this number of bits begins; `None` stands for
    /// `f64`.
    Inverse(Option<Bits>),
    /// After a step of refinement.
    Step {
        /// The right-hand side, from 0; of those that are refined together, the one of which the
        /// least is known.
        column: usize,
        /// Steps so far.
        steps: usize,
        /// The largest relative error that is still possible.
        error_bound: Magnitude,
    },
}

/// Why no solution with the digits asked for is returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// What is given is no system.
    Input(Error),
    /// More digits than anyone may ask for.
    TooManyDigits(u32),
    /// A row or column of the matrix has no entry other than zero.
    Zero {
        /// Whether it is a row.
        row: bool,
        /// Which, from 0.
        index: usize,
    },
    /// The matrix is triangular, with a zero on its diagonal.
    ZeroDiagonal {
        /// Where, from 0.
        index: usize,
    },
    /// The matrix has so low a rank modulo two primes, of 60 and 61 bits: it is singular, but for
    /// an incredible coincidence.
    Singular {
        /// That rank. The rank of the matrix is certainly not less, and more only by such a
        /// coincidence.
        rank: usize,
        /// The order of the matrix.
        order: usize,
    },
    /// No precision that may be taken proves the matrix nonsingular, or proves the digits.
    Precision {
        /// The most bits that may be taken.
        most: Bits,
        /// Whether the matrix was proved nonsingular.
        nonsingular: bool,
    },
    /// The decimals given were rounded to too few bits to tell.
    Data {
        /// Bits of which they need more.
        bits: Bits,
    },
    /// The result exceeds the range of exponents, with about this binary logarithm of its
    /// magnitude.
    Range(i64),
    /// Some entries may be zero. All others have the digits.
    Undecided(Vec<Open>),
}

/// An entry of the solution that may be zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Open {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub col: usize,
    /// A bound of its magnitude.
    pub bound: Magnitude,
}

/// A [`Failure`], and how far the solution had come.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub failure: Failure,
    /// The stages before.
    pub route: Vec<Stage>,
    /// An estimate of the condition number by the last approximate inverse, where there was one. Of
    /// a matrix that was not proved nonsingular it says no more than that.
    pub condition: Option<Magnitude>,
    /// Of a matrix that no number of bits that may be taken proves nonsingular, nor anything
    /// singular: its numerical rank, unless that takes too long.
    pub rank: Option<Box<NumericalRank>>,
    /// About how many bits are needed, of numbers on the way or of those given, where more may be
    /// enough. The error that was left tells the number. Else it comes from the digits asked for
    /// and what is known of the condition, and more bits are needed if the condition is worse.
    pub bits_needed: Option<u32>,
}

impl Refusal {
    /// Bits that are likely to do, where more may: those [needed](Self::bits_needed), and a step
    /// more for what a bound of the condition or of an error hides.
    pub fn bits_to_try(&self) -> Option<u32> {
        const STEP: u32 = 64;
        let step = |bits: u32| bits.saturating_add(STEP).checked_next_multiple_of(STEP);
        self.bits_needed.and_then(step)
    }
}

impl From<Failure> for Refusal {
    /// Before anything is known.
    fn from(failure: Failure) -> Self {
        Self { failure, route: Vec::new(), condition: None, rank: None, bits_needed: None }
    }
}

/// A bound of the rounding error of a logarithm: no digit is claimed that is not proved.
const OF_LOGARITHM: f64 = 1e-9;
/// A bound of the rounding error of tenths that come from a logarithm.
const OF_POWER: f64 = 1e-6;

impl Magnitude {
    /// The correct decimal digits of a number with this bound of its relative error: the most `D`
    /// with twice the bound at most `10^-D`; `None` for 0.
    pub(super) fn digits(self) -> Option<u32> {
        let digits = (-self.shifted(1).log10() - OF_LOGARITHM).floor();
        (!self.is_zero()).then_some(digits.clamp(0.0, f64::from(u32::MAX)) as u32)
    }
}

/// `1.2e345`
impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let log = self.log10();
        if log == f64::NEG_INFINITY {
            return f.write_str("0");
        }
        if log == f64::INFINITY {
            return f.write_str("inf");
        }
        // Rounded up, and once more where that makes ten.
        let exponent = log.floor();
        let tenths = (10.0_f64.powf(log - exponent) * 10.0 - OF_POWER).ceil();
        let (tenths, exponent) =
            if tenths >= 100.0 { (10.0, exponent + 1.0) } else { (tenths, exponent) };
        write!(f, "{:.1}e{exponent}", tenths / 10.0)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::TooManyDigits(digits) => {
                write!(f, "expected at most {} digits, found {digits}", super::MOST_DIGITS)
            }
            Self::Zero { row, index } => {
                let line = if *row { "row" } else { "column" };
                write!(
                    f,
                    "the matrix is singular: {line} {} has no entry other than zero",
                    index + 1
                )
            }
            Self::ZeroDiagonal { index } => write!(
                f,
                "the matrix is singular: it is triangular, and entry ({i}, {i}) of its diagonal is zero",
                i = index + 1
            ),
            Self::Singular { rank, order } => write!(
                f,
                "the matrix is singular: its rank is {rank} of {order}, as found modulo two primes of 60 and 61 bits: certainly not less, and more only by an incredible coincidence"
            ),
            Self::Precision { most, nonsingular: true } => {
                write!(f, "the digits asked for need more than {most} bits, which is the limit")
            }
            Self::Precision { most, nonsingular: false } => write!(
                f,
                "the matrix is singular to mp{most}, the limit: no inverse with that many bits proves the contrary"
            ),
            Self::Data { bits } => {
                write!(
                    f,
                    "the numbers were rounded to {bits} bits when they were read, too few for the digits asked for"
                )
            }
            Self::Range(log2) => {
                write!(f, "the result is about 2^{log2}, beyond the range of numbers")
            }
            Self::Undecided(open) => {
                let (count, first) = (open.len(), open.first());
                let Some(Open { row, col, bound }) = first else { return Ok(()) };
                let more = if count > 1 {
                    format!(", and {} more entries", count - 1)
                } else {
                    String::new()
                };
                write!(
                    f,
                    "entry ({}, {}) of the solution may be zero{more}: its magnitude is below {bound}; digits in norm can be proved",
                    row + 1,
                    col + 1
                )
            }
        }
    }
}

impl core::error::Error for Failure {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)?;
        if let Some(known) = &self.rank {
            let NumericalRank { rank, order, tolerance, .. } = known.as_ref();
            write!(f, "; its numerical rank is {rank} of {order}")?;
            if rank < order {
                let change = format!("a change below {tolerance} in each entry makes it that");
                write!(f, ": with rows and columns scaled to 1, {change}")?;
            } else {
                write!(f, " at a tolerance of {tolerance}")?;
            }
        }
        match self.bits_to_try() {
            Some(bits) => write!(f, "; about {bits} bits or more are needed"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Refusal {}
