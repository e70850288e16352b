//! What a solution by iterations yields.

use crate::krylov::Report;

/// What iterations took.
#[derive(Debug)]
pub struct Iterated {
    /// Iterations, or steps of refinement, and residuals.
    pub iteration: Report,
    /// Iterations in `f64` of all steps of refinement.
    pub inner_iterations: Option<usize>,
    /// Time for the iterations.
    pub seconds: f64,
}

/// A solution, and what it took.
#[derive(Debug)]
pub struct Solved<M> {
    /// The solution.
    pub x: M,
    /// What it took.
    pub iterated: Iterated,
    /// Entries of the matrix.
    pub entries: usize,
}
