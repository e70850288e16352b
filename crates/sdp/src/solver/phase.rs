//! What a point says of its problem.

use core::fmt;

use super::{End, Measures};
use crate::Parameters;

/// Solutions that were so much larger than the current point, where there is one, count as none.
const FAR: f64 = 1e12;

/// The states of SDPA, by its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// `pdOPT`: both are feasible, and the gap is closed.
    Optimal,
    /// `pFEAS`: the primal problem is feasible.
    PrimalFeasible,
    /// `dFEAS`: the dual problem is feasible.
    DualFeasible,
    /// `pdFEAS`: both are.
    Feasible,
    /// `pINF_dFEAS`: the primal problem is infeasible.
    PrimalInfeasible,
    /// `pFEAS_dINF`: the dual problem is infeasible.
    DualInfeasible,
    /// `pdINF`: one of the two is infeasible, or neither has a solution within reach.
    Infeasible,
    /// `pUNBD`: the primal objective falls below its bound.
    PrimalUnbounded,
    /// `dUNBD`: the dual objective rises above its bound.
    DualUnbounded,
    /// `noINFO`: nothing is known.
    Unknown,
}

impl Phase {
    /// SDPA's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "pdOPT",
            Self::PrimalFeasible => "pFEAS",
            Self::DualFeasible => "dFEAS",
            Self::Feasible => "pdFEAS",
            Self::PrimalInfeasible => "pINF_dFEAS",
            Self::DualInfeasible => "pFEAS_dINF",
            Self::Infeasible => "pdINF",
            Self::PrimalUnbounded => "pUNBD",
            Self::DualUnbounded => "dUNBD",
            Self::Unknown => "noINFO",
        }
    }

    /// The phase of a point.
    pub(super) fn of<N>(measures: &Measures<N>, parameters: &Parameters) -> Self {
        let feasible = measures.relative_infeasibilities().map(|x| x <= parameters.feasibility);
        let [primal_objective, dual_objective] = measures.objectives;
        match feasible {
            [true, true] if measures.relative_gap() <= parameters.gap => Self::Optimal,
            _ if measures.least_primal_norm() >= FAR * measures.of_x.max(1.0) => {
                Self::PrimalInfeasible
            }
            _ if measures.least_dual_norm() >= FAR * measures.of_dual.max(1.0) => {
                Self::DualInfeasible
            }
            [true, _] if primal_objective < parameters.lower_bound => Self::PrimalUnbounded,
            [_, true] if dual_objective > parameters.upper_bound => Self::DualUnbounded,
            [true, true] => Self::Feasible,
            [true, false] => Self::PrimalFeasible,
            [false, true] => Self::DualFeasible,
            [false, false] => Self::Unknown,
        }
    }

    /// Why the method ends in this phase, if it does.
    pub(super) fn end<N>(self, measures: &Measures<N>) -> Option<End> {
        match self {
            Self::Optimal => Some(End::Solved),
            Self::PrimalInfeasible
            | Self::DualInfeasible
            | Self::Infeasible
            | Self::PrimalUnbounded
            | Self::DualUnbounded => Some(End::Decided),
            _ if !measures.is_finite() => Some(End::Exhausted),
            _ => None,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
