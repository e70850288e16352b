//! Iterations in the precision asked for, or around iterations in `f64`.

use core::ops::ControlFlow;
use std::time::Instant;

use crate::Error;
use crate::backend::{Round, Space};
use crate::krylov::{AnySolver, Inner, Refinement, Step};

use super::home::{Conditioner, Operator};
use super::options::KrylovOptions;
use super::outcome::Iterated;

/// A system in a space.
pub(super) struct System<S> {
    pub(super) a: Operator<S>,
    pub(super) m: Conditioner<S>,
}

/// The system for corrections in `f64`: the matrix divided by `2^exponent`.
pub(super) struct Rounded<F> {
    pub(super) system: System<F>,
    pub(super) exponent: i64,
    /// Residual to which corrections are computed.
    pub(super) tolerance: f64,
}

/// Iterates from `x`, which the solution replaces.
pub(super) fn run<F: Space, S: Round<F>>(
    (space, inner): (&mut S, &mut F),
    System { a, m }: &System<S>,
    rounded: Option<Rounded<F>>,
    (b, x): (&S::Vector, &mut S::Vector),
    options: &KrylovOptions,
    observe: &mut dyn FnMut(Step) -> ControlFlow<()>,
) -> Result<Iterated, Error> {
    let (n, KrylovOptions { algorithm, iteration, .. }) = (a.size().0, options);
    let Some(Rounded { system, exponent, tolerance }) = rounded else {
        let mut solver = AnySolver::new(space, n, *algorithm)?;
        let start = Instant::now();
        let iteration = solver.solve(space, &**a, &**m, b, x, iteration, observe)?;
        let seconds = start.elapsed().as_secs_f64();
        return Ok(Iterated { iteration, inner_iterations: None, seconds });
    };
    let mut refinement = Refinement::new(space, inner, n, *algorithm)?;
    let start = Instant::now();
    let System { a: short, m } = &system;
    let inner = Inner { space: inner, a: &**short, m: &**m, exponent, tolerance };
    let refined = refinement.solve(space, &**a, inner, b, x, iteration, observe)?;
    let seconds = start.elapsed().as_secs_f64();
    let inner_iterations = Some(refined.inner_iterations);
    Ok(Iterated { iteration: refined.report, inner_iterations, seconds })
}
