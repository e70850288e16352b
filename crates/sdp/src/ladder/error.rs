//! Why a program is not solved.

use core::fmt;

use nonius_files::room::NoRoom;
use nonius_linalg::Error as LinalgError;

use crate::Misfit;
use crate::equalities::Contradiction;
use crate::solver::Phase;

/// Why a program is not solved.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// What hindered the computation.
    Computing(LinalgError),
    /// All matrices are zero.
    Empty,
    /// The matrix of this constraint, counted from 1, is zero and its number in the objective is
    /// not: the dual problem has no feasible point, and the primal one no bound.
    Contradiction(usize),
    /// The same, once equality constraints are eliminated.
    Dependent(usize),
    /// Equality constraints that no `x` meets.
    Equalities(Contradiction),
    /// A point that is not one of the problem.
    Shape(Misfit),
    /// A run takes more memory than there is.
    NoRoom(NoRoom),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computing(error) => error.fmt(f),
            Self::Empty => f.write_str("all matrices are zero: there is nothing to be solved"),
            Self::Contradiction(k) => write!(
                f,
                "the matrix of constraint {k} is zero and its right-hand side is not: the dual problem is infeasible"
            ),
            Self::Dependent(k) => write!(
                f,
                "without what the equality constraints determine the matrix of constraint {k} is zero and its right-hand side is not: the dual problem is infeasible"
            ),
            Self::Equalities(contradiction) => contradiction.fmt(f),
            Self::Shape(misfit) => misfit.fmt(f),
            Self::NoRoom(room) => room.fmt(f),
        }
    }
}

impl Error {
    /// The phase of a problem of which it is seen before anything is computed, exactly, that it is
    /// infeasible.
    pub fn phase(&self) -> Option<Phase> {
        match self {
            Self::Contradiction(_) | Self::Dependent(_) => Some(Phase::DualInfeasible),
            Self::Equalities(_) => Some(Phase::PrimalInfeasible),
            Self::Computing(_) | Self::Empty | Self::Shape(_) | Self::NoRoom(_) => None,
        }
    }
}

impl core::error::Error for Error {}

impl From<LinalgError> for Error {
    fn from(error: LinalgError) -> Self {
        Self::Computing(error)
    }
}

impl From<NoRoom> for Error {
    fn from(room: NoRoom) -> Self {
        Self::NoRoom(room)
    }
}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Self {
        Self::Shape(misfit)
    }
}
