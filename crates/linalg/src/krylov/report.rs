//! What an iteration took and how far it came.

/// What an iteration took, and how good its solution is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The number of iterations.
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
///
/// ```
/// use std::ops::ControlFlow::Continue;
///
/// use nonius_linalg::Numbers;
/// use nonius_linalg::krylov::{Cg, HostSpace, Identity, Options, Stopped};
/// use nonius_linalg::sparse::Dia;
///
/// let a = Dia::<f64>::diagonal(vec![1.0, 2.0, 3.0].into());
/// let (b, mut x) = (Numbers::from(vec![1.0; 3]), Numbers::zeros((), 3));
/// let mut space = HostSpace::new(());
/// let options = Options { max_iterations: 1, ..Options::default() };
/// let mut cg = Cg::new(&space, 3)?;
/// let report = cg.solve(&mut space, &a, &Identity, &b, &mut x, &options, |_| Continue(()))?;
/// assert_eq!((report.converged, report.stopped), (false, Stopped::Iterations));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The residual was small enough.
    Converged,
    /// There were as many iterations as allowed.
    Iterations,
    /// The true residual is larger than asked for and falls no further. The recursive residual may
    /// be zero, after which nothing changes. A method that began anew from the true residual may
    /// have gained nothing, or a step of refinement less than half.
    Stagnation,
    /// The residual of the recursion became small enough, and the true one is larger by more than
    /// rounding explains.
    Drift,
    /// The observer has stopped it.
    Observer,
}

/// A completed iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The iteration, counted from 1.
    pub iteration: usize,
    /// The inner iterations of all steps so far, reported from within a step of a refinement. The
    /// steps of a refinement are its iterations. `None` for a finished iteration.
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
