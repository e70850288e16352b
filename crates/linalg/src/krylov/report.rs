//! What an iteration took and how far it came.

/// What a solution by iteration took, and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Iterations that were done.
    pub iterations: usize,
    /// Whether the residual became as small as it was asked to be.
    pub converged: bool,
    /// Why the iteration ended.
    pub stopped: Stopped,
    /// Norm of the first residual; infinite beyond the range of `f64`.
    pub first_residual: f64,
    /// Norm of the residual that the iteration updated, beside that of the first; zero where the
    /// first is.
    pub relative_residual_recursive: f64,
    /// Norm of `b − A·x`, computed in the precision of the vectors, beside that of the first
    /// residual.
    pub relative_residual_true: f64,
    /// Iterations of conjugate gradients with `p·Ap < 0`, which the matrix has only where it is not
    /// positive definite.
    pub non_positive: Option<NonPositive>,
    /// Relative recursive residuals, that before the first iteration first; empty unless asked for.
    pub history: Vec<f64>,
}

/// Where a matrix was seen not to be positive definite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonPositive {
    /// The first iteration, counted from 1.
    pub first: usize,
    /// How many iterations.
    pub count: usize,
}

/// Why an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The residual was small enough.
    Converged,
    /// There were as many iterations as allowed.
    Iterations,
    /// The true residual is larger than it was to be and does not fall any further: that of the
    /// recursion is zero, from where nothing changes; or methods that begin anew from the true
    /// residual gained nothing by that, or a step of refinement not half.
    Stagnation,
    /// The residual of the recursion became small enough, and the true one is larger by more than
    /// rounding explains.
    Drift,
    /// The observer has stopped it.
    Observer,
}

/// An iteration that was done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The iteration, counted from 1.
    pub iteration: usize,
    /// In a refinement, whose steps are iterations, so many inner iterations of all steps: this one
    /// is within the step. `None` of an iteration that is done.
    pub inner: Option<usize>,
    /// Norm of the recursive residual beside that of the first.
    pub relative_residual: f64,
}

impl NonPositive {
    /// One more such iteration.
    pub(super) fn count(found: &mut Option<Self>, iteration: usize) {
        match found {
            Some(found) => found.count += 1,
            None => *found = Some(Self { first: iteration, count: 1 }),
        }
    }

    /// Those of iterations that follow `before` others.
    pub(super) fn append(found: &mut Option<Self>, before: usize, more: Option<Self>) {
        let Some(more) = more else { return };
        match found {
            Some(found) => found.count += more.count,
            None => *found = Some(Self { first: before + more.first, count: more.count }),
        }
    }
}
