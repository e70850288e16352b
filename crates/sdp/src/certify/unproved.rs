//! Why a bound is not proved.

use core::fmt;

/// Why a bound is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// `X` has an eigenvalue that is not positive, or not beyond rounding.
    Primal,
    /// The same of `Y`, once it meets the constraints.
    Dual,
    /// The matrices `F₁, F₂, …` are not linearly independent, or not beyond rounding.
    Dependent,
    /// Numbers are too large, or not finite.
    Range,
    /// One of the problems is infeasible.
    Infeasible,
    /// The bound from below is above the one from above, which weak duality excludes: a mistake in
    /// Nonius, or of the machine.
    Crossed,
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Primal => {
                "X is not positive definite beyond rounding: the primal problem may have no interior"
            }
            Self::Dual => {
                "Y is not positive definite beyond rounding: the dual problem may have no interior"
            }
            Self::Dependent => "the constraints are not linearly independent beyond rounding",
            Self::Range => "numbers are too large, or not finite",
            Self::Infeasible => "one of the problems is infeasible",
            Self::Crossed => {
                "the bounds contradict each other, by a mistake in Nonius or of the machine"
            }
        })
    }
}
