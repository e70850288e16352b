//! Points whose precision is known when the program runs.

use std::io::{self, Read, Write};

use nonius_linalg::sparse::Coo;
use nonius_linalg::sparse::matrix_market::WriteError;
use nonius_linalg::threads::{Grain, for_each_with};
use nonius_linalg::{Error as LinalgError, Matrix, Number, Numbers as List, Slice};
use nonius_num::Precision;

use super::numbers::{Numbers, PointJob, PointNumber};
use crate::cone::{Cone, of_doubles};
use crate::input::{ReadError, read_dense_point, read_result, read_sparse_point};
use crate::run::uploaded;
use crate::solver::Point;
use crate::{BlockValues, Misfit, Problem, Reduced, Report, Solution, output};

/// `x`, `X` and `Y`, in a precision that is known when the program runs.
#[derive(Clone, Debug)]
pub struct AnyPoint(Numbers);

/// Yields the current point.
pub type FetchPoint<'a> = &'a dyn Fn() -> Result<AnyPoint, LinalgError>;

/// The formats of a file with a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointFormat {
    /// SDPA's `.ini-s`.
    Sparse,
    /// SDPA's `.ini`.
    Dense,
    /// A result in the layout of SDPA.
    Result,
}

/// Does the same whatever the precision.
macro_rules! with {
    ($point:expr, $solution:ident => $value:expr) => {
        match &$point.0 {
            Numbers::F64($solution) => $value,
            Numbers::Dd($solution) => $value,
            Numbers::Td($solution) => $value,
            Numbers::Qd($solution) => $value,
            Numbers::Mp($solution) => $value,
        }
    };
}

impl AnyPoint {
    /// The point of a solution.
    pub fn of<T: PointNumber>(solution: Solution<T>) -> Self {
        Self(T::wrap(solution))
    }

    /// The precision of its numbers.
    pub fn precision(&self) -> Precision {
        match &self.0 {
            Numbers::F64(_) => Precision::F64,
            Numbers::Dd(_) => Precision::Dd,
            Numbers::Td(_) => Precision::Td,
            Numbers::Qd(_) => Precision::Qd,
            Numbers::Mp(solution) => Precision::Mp(solution.x.bits()),
        }
    }

    /// Whether this is a point of a problem.
    pub(super) fn check(&self, problem: &Problem) -> Result<(), Misfit> {
        with!(self, solution => solution.check(problem))
    }

    /// Reads a point of a problem, its numbers rounded to a precision.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn read(
        input: impl Read,
        format: PointFormat,
        precision: Precision,
        problem: &Problem,
    ) -> Result<Self, ReadError> {
        ReadPoint { input, format, problem }.at(precision)
    }

    /// The point with numbers of another precision, each rounded.
    pub fn to<T: PointNumber>(&self, format: T::Format) -> Solution<T> {
        with!(self, solution => convert(solution, format))
    }

    /// The point on a cone, each number rounded to the cone's format.
    pub(super) fn on<T: PointNumber, C: Cone<Number = T>>(
        &self,
        cone: &C,
        reduced: &Reduced,
    ) -> Result<Point<C>, LinalgError> {
        let format = cone.format();
        let Numbers::F64(solution) = &self.0 else {
            return uploaded(cone, reduced, &self.to(format));
        };
        let (x, blocks) = reduced.restrict(solution, ())?;
        let [primal, dual] = blocks.map(|parts| {
            let parts: Vec<Slice<'_, f64>> = parts.iter().map(|part| part.as_slice()).collect();
            cone.upload_doubles(&parts)
        });
        let x: List<T> = of_doubles(x.as_slice(), format)?;
        Ok(Point { x: cone.upload_vector(&x)?, primal: primal?, dual: dual? })
    }

    /// Writes a result in the layout of SDPA.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_result(
        &self,
        out: &mut dyn Write,
        title: &str,
        report: &Report,
    ) -> io::Result<()> {
        with!(self, solution => output::write_result(out, title, report, solution))
    }

    /// Writes the point in the sparse format of SDPA.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_sparse(&self, out: &mut dyn Write) -> io::Result<()> {
        with!(self, solution => output::write_sparse_point(out, solution))
    }

    /// Writes `x`.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_x(&self, writer: impl WriteMatrix) -> Result<(), WriteError> {
        with!(self, solution => writer.dense(&column(&solution.x)?))
    }

    /// Writes `X`, or `Y`.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_matrix(
        &self,
        which: PointMatrix,
        writer: impl WriteMatrix,
    ) -> Result<(), WriteError> {
        with!(self, solution => {
            let blocks = match which {
                PointMatrix::Primal => &solution.primal,
                PointMatrix::Dual => &solution.dual,
            };
            writer.symmetric(Solution::entries(blocks))
        })
    }
}

/// Writes a matrix of any numbers, in the form that a file has.
pub trait WriteMatrix {
    /// Writes a dense matrix.
    ///
    /// # Errors
    /// [`WriteError`].
    fn dense<T: Number>(self, a: &Matrix<T>) -> Result<(), WriteError>;

    /// Writes a symmetric matrix, of which both triangles are there.
    ///
    /// # Errors
    /// [`WriteError`].
    fn symmetric<T: Number>(self, a: Coo<T>) -> Result<(), WriteError>;
}

/// A matrix of one column.
fn column<T: PointNumber>(x: &List<T>) -> Result<Matrix<T>, WriteError> {
    let column = Matrix::from_numbers(x.len(), 1, x.clone()).filter(|_| !x.is_empty());
    column.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput).into())
}

/// A matrix of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointMatrix {
    /// `X`.
    Primal,
    /// `Y`.
    Dual,
}

struct ReadPoint<'a, R> {
    input: R,
    format: PointFormat,
    problem: &'a Problem,
}

impl<R: Read> PointJob for ReadPoint<'_, R> {
    type Output = Result<AnyPoint, ReadError>;

    fn run<T: PointNumber>(self, format: T::Format) -> Self::Output {
        let Self { input, problem, .. } = self;
        let solution = match self.format {
            PointFormat::Sparse => read_sparse_point::<T>(input, format, problem),
            PointFormat::Dense => read_dense_point(input, format, problem),
            PointFormat::Result => read_result(input, format, problem),
        }?;
        Ok(AnyPoint::of(solution))
    }
}

/// Numbers that a thread converts at a time.
const TOGETHER: usize = 512;

fn convert<S: PointNumber, T: PointNumber>(from: &Solution<S>, format: T::Format) -> Solution<T> {
    let number = |text: &mut Vec<u8>, x: S| match x.summands() {
        Some(limbs) => T::of_summands(limbs, format),
        None => {
            text.clear();
            x.append_decimal(text);
            // What was printed is a number.
            T::from_decimal_in(format, text).unwrap_or_else(|_| T::ZERO.to_format(format))
        }
    };
    let list = |from: &List<S>| {
        let mut to = List::zeros(format, from.len());
        let mut pieces = to.as_mut_slice().pieces(TOGETHER);
        for_each_with(&mut pieces[..], Grain::ANY, Vec::new, |text, piece, to| {
            for i in 0..to.len() {
                to.set(i, number(text, from.at(piece * TOGETHER + i)));
            }
        });
        to
    };
    let blocks = |blocks: &[BlockValues<S>]| {
        let block = |block: &BlockValues<S>| match block {
            BlockValues::Dense { order, entries } => {
                BlockValues::Dense { order: *order, entries: list(entries) }
            }
            BlockValues::Diagonal(entries) => BlockValues::Diagonal(list(entries)),
        };
        blocks.iter().map(block).collect()
    };
    Solution { x: list(&from.x), primal: blocks(&from.primal), dual: blocks(&from.dual) }
}
