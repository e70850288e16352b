//! What can go wrong in this crate.

use core::fmt;
use std::sync::Arc;

use nonius_files::room::NoRoom;

use crate::backend::Breakdown;
use crate::dense::Side;
use crate::dense::gemm::{Arithmetic, Engine};
use crate::tridiag::Method;

/// Why an operation could not be carried out.
///
/// Errors carry what a program needs to know, and print as a sentence:
///
/// ```
/// use nonius_linalg::dense::Lu;
/// use nonius_linalg::{Error, Matrix};
///
/// let a = Matrix::from_fn(3, 3, |i, j| if (i, j) == (1, 2) { f64::NAN } else { 1.0 });
/// let error = Lu::factor(a.view()).err();
/// assert_eq!(error, Some(Error::NotFinite { operand: "a", row: 1, col: 2 }));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An operand has another shape than the others require; a vector is a matrix of one column.
    Shape {
        /// The operand, by the name of the parameter.
        operand: &'static str,
        /// The rows and columns that it needs.
        expected: (usize, usize),
        /// The rows and columns that it has.
        found: (usize, usize),
    },
    /// A matrix that does not fit into memory.
    TooLarge {
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
    /// A job that needs more memory than is free.
    NoRoom(Box<NoRoom>),
    /// A matrix that has to be square is not.
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        cols: usize,
    },
    /// An entry of the input is infinite or not a number.
    NotFinite {
        /// The operand, by the name of the parameter.
        operand: &'static str,
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// Elimination met a column without a nonzero pivot: to working precision the first
    /// `column + 1` columns are linearly dependent.
    Singular {
        /// The column, counted from 0.
        column: usize,
    },
    /// Cholesky factorisation met a pivot that is not positive: the leading square of order
    /// `index + 1` is not positive definite to working precision.
    NotPositiveDefinite {
        /// The row and column, counted from 0.
        index: usize,
        /// The pivot.
        pivot: f64,
    },
    /// A matrix that has to be symmetric is not.
    NotSymmetric {
        /// The row of an entry below the diagonal that differs from its mirror image.
        row: usize,
        /// Its column.
        col: usize,
    },
    /// The columns of a matrix, or where it has fewer rows than columns its rows, depend linearly
    /// on each other to working precision.
    RankDeficient {
        /// The numerical rank.
        rank: usize,
        /// The rank that the matrix would have to have.
        needed: usize,
    },
    /// An iteration that should take a few steps for each number had not ended after many.
    NoConvergence {
        /// The steps that were taken.
        steps: usize,
    },
    /// An iteration met a number with which it cannot go on: zero as a divisor, one below zero of
    /// which it takes the root, or one that is not finite.
    Breakdown {
        /// The iteration, counted from 1; 0 before the first.
        iteration: usize,
        /// The number, by its formula.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// An iteration that needs a positive definite matrix met a vector `p` with `p·Ap < 0`.
    NegativeCurvature {
        /// The iteration, counted from 1.
        iteration: usize,
        /// `p·Ap`.
        value: f64,
    },
    /// A matrix that has to have a diagonal without zeros lacks an entry of it, or has one without
    /// inverse in the format.
    ZeroDiagonal {
        /// The row, counted from 0.
        row: usize,
    },
    /// An incomplete Cholesky factorisation met a pivot that is not a positive number.
    IncompletePivot {
        /// The row, counted from 0.
        row: usize,
        /// The pivot.
        pivot: f64,
    },
    /// A result, or a number on the way to it, exceeds the range of `f64`.
    Overflow {
        /// The matrix, by its letter in the formula.
        operand: &'static str,
        /// Its column, counted from 0.
        column: usize,
    },
    /// A result that is one number exceeds the range of its format, or falls below it.
    OutOfRange {
        /// The result.
        result: &'static str,
        /// The result is about two to this power.
        exponent: i64,
    },
    /// An operand has another precision than the others.
    Precision {
        /// The operand, by the name of the parameter.
        operand: &'static str,
        /// The bits that it needs.
        expected: u32,
        /// The bits that it has.
        found: u32,
    },
    /// An arithmetic that numbers of this type do not have.
    NoArithmetic {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The name of the type.
        precision: &'static str,
    },
    /// An arithmetic that iterative methods do not have in this precision.
    NotOfIterations {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The precision.
        precision: &'static str,
    },
    /// What iterations on numbers in residues do not take.
    NotInResidues {
        /// What they take.
        expected: &'static str,
    },
    /// An arithmetic of the direct engine was asked of another.
    NotDirect {
        /// The arithmetic.
        arithmetic: Arithmetic,
        /// The engine.
        engine: Engine,
    },
    /// An operand that was converted for the other side of products.
    WrongSide {
        /// The side on which it stands.
        needed: Side,
    },
    /// Rows were to be exchanged by a method that does not.
    NoPivoting {
        /// The method.
        method: Method,
    },
    /// A system that is too small for what was asked.
    TooSmall {
        /// The system.
        what: &'static str,
        /// The least number of equations.
        least: usize,
        /// The number that it has.
        found: usize,
    },
    /// A system that is too large for a method on a device.
    TooLargeForMethod {
        /// The method.
        method: Method,
        /// The greatest number of equations.
        most: usize,
        /// The number that it has.
        found: usize,
    },
    /// Something that only GPUs do was asked of the host.
    NeedsGpu {
        /// What it is.
        what: &'static str,
    },
    /// The device that computes failed.
    Device(DeviceFailure),
}

/// What went wrong on a device: the error of its backend, which [`core::error::Error::source`] of
/// [`Error`] returns.
#[derive(Clone, Debug)]
pub struct DeviceFailure(Arc<dyn core::error::Error + Send + Sync>);

impl DeviceFailure {
    /// The failure that a backend describes by an error of its own.
    pub fn new(error: impl core::error::Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }
}

/// Two are equal where they say the same.
impl PartialEq for DeviceFailure {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl fmt::Display for DeviceFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error {
    /// Why a matrix has no LU factors.
    pub(crate) fn no_lu(breakdown: Breakdown) -> Error {
        let Breakdown { column, pivot } = breakdown;
        if pivot == 0.0 {
            Error::Singular { column }
        } else {
            Error::Overflow { operand: "a", column }
        }
    }

    /// Why a matrix has no Cholesky factor.
    pub(crate) fn no_cholesky(breakdown: Breakdown) -> Error {
        let Breakdown { column, pivot } = breakdown;
        if pivot.is_finite() {
            Error::NotPositiveDefinite { index: column, pivot }
        } else {
            Error::Overflow { operand: "a", column }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Shape { operand, expected, found } => write!(
                f,
                "operand {operand} is {} × {} where {} × {} is needed",
                found.0, found.1, expected.0, expected.1
            ),
            Error::TooLarge { rows, cols } => {
                write!(f, "a matrix of {rows} rows and {cols} columns does not fit into memory")
            }
            Error::NoRoom(refused) => refused.fmt(f),
            Error::NotSquare { rows, cols } => {
                write!(f, "the matrix is {rows} × {cols} where a square one is needed")
            }
            Error::NotFinite { operand, row, col } => write!(
                f,
                "operand {operand} is infinite or not a number in row {}, column {}",
                row + 1,
                col + 1
            ),
            Error::Singular { column } => {
                write!(f, "the matrix is singular: no nonzero pivot in column {}", column + 1)
            }
            Error::NotPositiveDefinite { index, pivot } => write!(
                f,
                "the matrix is not positive definite: pivot {pivot:e} in row {}",
                index + 1
            ),
            Error::NotSymmetric { row, col } => write!(
                f,
                "the matrix is not symmetric: entry ({}, {}) differs from its mirror image",
                row + 1,
                col + 1
            ),
            Error::RankDeficient { rank, needed } => write!(
                f,
                "the matrix is rank deficient: to working precision its rank is {rank}, not {needed}, and no solution is the best"
            ),
            Error::NoConvergence { steps } => {
                write!(f, "the iteration did not converge in {steps} steps")
            }
            Error::Breakdown { iteration, quantity, value } => {
                write!(
                    f,
                    "the iteration broke down: {quantity} is {value:e} in iteration {iteration}"
                )
            }
            Error::NegativeCurvature { iteration, value } => write!(
                f,
                "the matrix is not positive definite: p·Ap is {value:e} in iteration {iteration}"
            ),
            Error::ZeroDiagonal { row } => write!(
                f,
                "the diagonal entry of row {} is missing, zero or without inverse, and the preconditioner divides by it",
                row + 1
            ),
            Error::IncompletePivot { row, pivot } => write!(
                f,
                "the incomplete Cholesky factorisation met pivot {pivot:e} in row {}: take another preconditioner",
                row + 1
            ),
            Error::Overflow { operand, column } => write!(
                f,
                "a number exceeds the range of the format in column {} of {operand}",
                column + 1
            ),
            Error::OutOfRange { result, exponent } => {
                write!(f, "{result} is about 2^{exponent}, beyond the range of the format")
            }
            Error::Precision { operand, expected, found } => {
                write!(f, "operand {operand} has {found} bits where {expected} are needed")
            }
            Error::NoArithmetic { arithmetic, precision } => {
                let those = if arithmetic.exists(1) { "f64, dd, td and qd" } else { "dd" };
                write!(f, "{arithmetic} arithmetic is for {those} only, not for {precision}")
            }
            Error::NotOfIterations { arithmetic, precision } => write!(
                f,
                "{arithmetic} arithmetic is for iterations in mp precisions only, not in {precision}"
            ),
            Error::NotInResidues { expected } => {
                write!(f, "iterations on numbers in residues take {expected}")
            }
            Error::NotDirect { arithmetic, engine } => {
                write!(f, "{arithmetic} arithmetic is for the direct engine, not for {engine}")
            }
            Error::NoPivoting { method } => {
                write!(f, "the method {method} exchanges no rows: for pivoting take thomas")
            }
            Error::TooSmall { what, least, found } => {
                write!(f, "{what} has {least} equations or more, not {found}")
            }
            Error::TooLargeForMethod { method, most, found } => write!(
                f,
                "the method {method} on a GPU takes systems of at most {most} equations, not {found}"
            ),
            Error::NeedsGpu { what } => write!(f, "{what} need a GPU: the host does not have them"),
            Error::WrongSide { needed } => {
                let (needed, other) = match needed {
                    Side::Left => ("left", "right"),
                    Side::Right => ("right", "left"),
                };
                write!(f, "the {needed} operand of a product was converted for the {other} side")
            }
            Error::Device(failure) => failure.fmt(f),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Error::Device(failure) => Some(&*failure.0),
            _ => None,
        }
    }
}
