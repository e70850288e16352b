//! The primal–dual path-following method.
//!
//! From a point with positive definite `X` and `Y`, feasible or not, Newton's method goes towards
//! the point of the central path `XY = βμI`, `μ = X•Y/n`, with a prediction and a correction (S.
//! Mehrotra, SIAM J. Optimization 2, 1992) in the direction of Helmberg, Rendl, Vanderbei and
//! Wolkowicz, Kojima, Shindoh and Hara, and Monteiro:
//!
//! - `dX = Σ dxᵢ·Fᵢ + P`, `P = Σ xᵢ·Fᵢ − F₀ − X`,
//! - `dY = sym(X⁻¹·(R − dX·Y))`, `R = βμI − XY`, in the correction less `dXₚ·dYₚ`,
//! - `B·dx = βμ·(Fᵢ•X⁻¹) − c − Fᵢ•(X⁻¹·P·Y)`, in the correction less `Fᵢ•(X⁻¹·dXₚ·dYₚ)`, with
//!   `B_ij = Fᵢ•(X⁻¹·Fⱼ·Y)`,
//!
//! so that `Fᵢ•(Y + dY) = cᵢ`. Steps are a part of the way to the boundary, which the least
//! eigenvalues of `L⁻¹·dX·L⁻ᵀ` for `X = LLᵀ`, and of the same with `Y`, tell. In second-order cones
//! the products are those of [their algebra](crate::cone).
//!
//! Source of the method: K. Fujisawa, M. Fukuda, M. Kojima and K. Nakata, *Numerical evaluation of
//! SDPA*, in High Performance Optimization, 2000; M. Yamashita, K. Fujisawa and M. Kojima,
//! *Implementation and evaluation of SDPA 6.0*, Optimization Methods and Software 18, 2003.

mod absence;
mod direction;
mod end;
mod measure;
mod phase;
mod point;
mod progress;
mod start;
mod step;

pub use end::End;
pub use measure::Measures;
pub use phase::Phase;
pub use point::Point;
pub use start::start;

use crate::cone::Cone;
use nonius_linalg::Error;

use crate::Parameters;
use direction::Directions;
use progress::Progress;

/// What one iteration did.
#[derive(Clone, Debug)]
pub struct Iteration<N> {
    /// Its number, counted from 1; 0 for the start.
    pub number: u64,
    /// The point at which it ended.
    pub measures: Measures<N>,
    /// The reduction of `μ` that it aimed at; NaN for the start.
    pub centring: f64,
    /// The steps from the point before in `X` and in `Y`; zero for the start.
    pub steps: [f64; 2],
}

/// What the method ended with.
#[expect(missing_debug_implementations, reason = "matrices of a backend")]
pub struct Outcome<C: Cone> {
    /// The best point.
    pub point: Point<C>,
    /// What is known of it.
    pub measures: Measures<C::Number>,
    /// What it says of the problem.
    pub phase: Phase,
    /// Why there are no further iterations.
    pub end: End,
    /// The iterations.
    pub iterations: u64,
}

/// Solves a problem from a start, of which `X` and `Y` become positive definite by multiples of the
/// identity where they are not. `observe` sees the point after every iteration and says whether to
/// go on.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Device`].
pub fn solve<C: Cone>(
    cone: &C,
    start: Point<C>,
    parameters: &Parameters,
    mut observe: impl FnMut(&Iteration<C::Number>, &Point<C>) -> bool,
) -> Result<Outcome<C>, Error> {
    let mut directions = Directions::new(cone, start)?;
    let (mut centring, mut steps) = (f64::NAN, [0.0; 2]);
    directions.make_definite()?;
    directions.measure()?;
    directions.make_feasible()?;
    let measures = directions.measure()?;
    let mut best = Best { distance: f64::INFINITY, phase: Phase::Unknown, measures };
    directions.keep();
    let mut progress = Progress::new();
    let mut number = 0;
    let end = loop {
        let measures = directions.measure()?;
        let phase = Phase::of(&measures, parameters);
        let iteration = Iteration { number, measures: measures.clone(), centring, steps };
        let goes_on = observe(&iteration, directions.point());
        let end = phase.end(&measures);
        let distance = parameters.distance(&measures);
        if distance < best.distance || end.is_some_and(|end| end != End::Exhausted) {
            directions.keep();
            best = Best { distance, measures: measures.clone(), phase };
        }
        if let Some(end) = end {
            break end;
        }
        if !goes_on {
            break End::Interrupted;
        }
        if number == parameters.most_iterations {
            break End::Iterations;
        }
        if progress.idle(number, distance, &measures) >= parameters.patience {
            break End::Exhausted;
        }
        match directions.advance(&measures, parameters)? {
            Some(taken) => (centring, steps) = taken,
            None => break End::Exhausted,
        }
        number += 1;
    };
    let Best { measures, phase, .. } = best;
    Ok(Outcome { point: directions.into_best(), measures, phase, end, iterations: number })
}

/// The best point so far.
struct Best<N> {
    distance: f64,
    measures: Measures<N>,
    phase: Phase,
}
