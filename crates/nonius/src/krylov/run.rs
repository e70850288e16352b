//! Iterations in the precision asked for, or around iterations in `f64`.

use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::backend::Round;
use nonius_linalg::krylov::{
    AnySolver, Inner, LimbSpace, LinearOperator, Preconditioner, Refinement, Report, Step,
};

use super::KrylovOptions;
use super::limbs::{Conditioner, Operator};

/// What iterations took.
pub(crate) struct Iterated {
    pub(super) iteration: Report,
    pub(super) inner_iterations: Option<usize>,
    pub(super) seconds: f64,
}

/// The system for corrections in `f64`: the matrix divided by `2^exponent`.
pub(super) struct Rounded {
    pub(super) a: Operator<f64>,
    pub(super) m: Conditioner<f64>,
    pub(super) exponent: i64,
    /// Residual to which corrections are computed.
    pub(super) tolerance: f64,
}

/// A system in a space.
pub(super) type System<'a, S> =
    (&'a dyn LinearOperator<S>, &'a dyn Preconditioner<S>, Option<&'a Rounded>);

/// Iterates from `x`, which the solution replaces.
pub(super) fn run<S: Round<LimbSpace<f64>>>(
    space: &mut S,
    (a, m, rounded): System<'_, S>,
    b: &S::Vector,
    x: &mut S::Vector,
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step),
) -> Result<Iterated, Error> {
    let (n, KrylovOptions { algorithm, iteration, .. }) = (a.size().0, options);
    let Some(Rounded { a: short, m, exponent, tolerance }) = rounded else {
        let mut solver = AnySolver::new(space, n, *algorithm)?;
        let start = Instant::now();
        let iteration = solver.solve(space, a, m, b, x, iteration, observe)?;
        let seconds = start.elapsed().as_secs_f64();
        return Ok(Iterated { iteration, inner_iterations: None, seconds });
    };
    let mut inner = LimbSpace::new();
    let mut refinement = Refinement::new(space, &inner, n, *algorithm)?;
    let start = Instant::now();
    let inner = Inner {
        space: &mut inner,
        a: &**short,
        m: &**m,
        exponent: *exponent,
        tolerance: *tolerance,
    };
    let refined = refinement.solve(space, a, inner, b, x, iteration, observe)?;
    let seconds = start.elapsed().as_secs_f64();
    let inner_iterations = Some(refined.inner_iterations);
    Ok(Iterated { iteration: refined.report, inner_iterations, seconds })
}
