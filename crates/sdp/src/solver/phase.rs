//! What a point says of its problem.

use core::fmt;

use super::end::End;
use super::measure::Measures;
use crate::Parameters;

/// Solutions that have to be larger by the roundoff to this power than the data and the point let
/// expect count as none: by 1e12 in `f64`, 3e23 in `dd`.
const ABSENCE_POWER: f64 = -0.75;

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
    /// `pdINF`: neither has a feasible point.
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
        let feasible = [0, 1].map(|i| {
            let most = parameters.feasibility * (1.0 + measures.scales[i]);
            measures.infeasibilities[i] <= most && measures.noise[i] <= most
        });
        let [primal_objective, dual_objective] = measures.objectives;
        let far = measures.unit_roundoff.powf(ABSENCE_POWER);
        let [no_primal, no_dual] = [0, 1].map(|i| measures.absence[i] >= far * measures.sizes[i]);
        let neither = measures.absence.iter().all(|&absence| absence >= far);
        match feasible {
            [true, true] if measures.relative_gap() <= parameters.gap => Self::Optimal,
            [false, false] if neither => Self::Infeasible,
            [false, _] if no_primal => Self::PrimalInfeasible,
            [_, false] if no_dual => Self::DualInfeasible,
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
