//! What a solution by iterations yields.

use nonius_linalg::krylov::Report;

/// What iterations took.
pub(crate) struct Iterated {
    pub(super) iteration: Report,
    pub(super) inner_iterations: Option<usize>,
    pub(super) seconds: f64,
}

/// What the number types' solvers return.
#[doc(hidden)]
pub struct Solved<M> {
    pub(super) x: M,
    pub(super) iterated: Iterated,
    pub(super) entries: usize,
}
