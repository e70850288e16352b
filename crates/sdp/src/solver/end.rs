//! Why the method ended.

/// Why the method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The gap and both infeasibilities are within what was asked for.
    Solved,
    /// A certificate says that a problem is infeasible, or an objective passed its bound.
    Decided,
    /// The precision of the numbers allows no progress.
    Exhausted,
    /// The allowed number of iterations.
    Iterations,
    /// The caller asked for the end.
    Interrupted,
}

impl End {
    /// Whether an optimum was found, or that there is none.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Solved | Self::Decided)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Decided => "decided",
            Self::Exhausted => "exhausted",
            Self::Iterations => "iterations",
            Self::Interrupted => "interrupted",
        }
    }
}
