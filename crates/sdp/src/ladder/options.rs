//! What is asked of a run, and where it begins.

use nonius_num::Precision;

use super::checkpoint::Checkpoint;
use super::point::AnyPoint;
use super::precision::{LastPrecision, usual_gap};
use crate::Parameters;

/// What is asked of the solution of a semidefinite program.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The precision in which the run ends.
    pub precision: LastPrecision,
    /// Whether to begin in that precision instead of `f64`. A run from a given point always does. A
    /// resumed run begins in the precision in which it was left.
    pub at_once: bool,
    /// Whether [`prove`](super::prove) follows: a GPU gets ready for both together.
    pub then_proved: bool,
    /// The parameters of the method, but for the tolerances. The most iterations count those of all
    /// precisions, and those of the run before a checkpoint.
    pub parameters: Parameters,
    /// The gap at which an optimum counts as found; `None` for what the precision reaches as a
    /// rule.
    pub gap: Option<f64>,
    /// The infeasibility that counts as none; `None` for ten times the gap.
    pub feasibility: Option<f64>,
}

impl Default for Options {
    /// Double-double, to its usual gap, after iterations in `f64`; with SDPA's parameters.
    fn default() -> Self {
        Self {
            precision: LastPrecision::Fixed(Precision::Dd),
            at_once: false,
            then_proved: false,
            parameters: Parameters::default(),
            gap: None,
            feasibility: None,
        }
    }
}

impl Options {
    /// The gap at which an optimum counts as found.
    pub(super) fn gap(&self) -> f64 {
        self.gap.unwrap_or_else(|| usual_gap(self.precision.default_end()))
    }
}

/// Where a run begins.
#[derive(Clone, Debug)]
pub enum Start {
    /// At a point, in the precision to end in.
    Point(AnyPoint),
    /// Where another run of the same problem was left: in the precision of its point, or in the
    /// next one that there is, and counting its iterations.
    Checkpoint(Checkpoint),
}

impl Start {
    /// The point.
    pub fn point(&self) -> &AnyPoint {
        match self {
            Self::Point(point) | Self::Checkpoint(Checkpoint { point, .. }) => point,
        }
    }

    /// How many iterations led there, as far as they count.
    pub fn iterations(&self) -> u64 {
        match self {
            Self::Point(_) => 0,
            Self::Checkpoint(checkpoint) => checkpoint.iterations,
        }
    }

    /// The same at the point that another problem has in its place.
    pub(super) fn at(self, change: impl FnOnce(&AnyPoint) -> Option<AnyPoint>) -> Self {
        let Some(point) = change(self.point()) else { return self };
        match self {
            Self::Point(_) => Self::Point(point),
            Self::Checkpoint(checkpoint) => Self::Checkpoint(Checkpoint { point, ..checkpoint }),
        }
    }
}
