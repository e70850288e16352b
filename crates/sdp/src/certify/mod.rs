//! Bounds of the optimum that are proved, from a point that is near it.
//!
//! For all feasible `x` and `Y` the optima of both problems are between `F₀•Y` and `c·x`. A point that a solver found is feasible but for rounding; what is feasible near it is
//! proved to be so with a [`Cone`] of about twice its precision, where all rounding errors, bounded crudely, are far less than the least eigenvalues of `X` and `Y`:
//!
//! - `x` is taken as it is. The matrix `Σ xᵢ·Fᵢ − F₀` is computed with a bound `δ` of its error in the norm, and proved to have no eigenvalue below `δ` (`definite`).
//! - `Y` is corrected to `Ŷ = Y + Σ zᵢ·Fᵢ`, of which the residual `r = c − (Fᵢ•Ŷ)` has a bound. There is a matrix that meets the constraints exactly within `ε = √(rᵀG⁻¹r)` of `Ŷ` in the norm,
//!   where `G_ij = Fᵢ•Fⱼ` (`gram`), and it is positive semidefinite if no eigenvalue of `Ŷ` is below `ε`. Its objective is not below `F₀•Ŷ − ‖F₀‖·ε`.
//! - Where one of the two has too small an eigenvalue, a step of Newton's method in the precision of the point goes before ([`Corrector`]).
//!
//! A problem is proved to be infeasible by the same means: the primal one by a `Y` with `Fᵢ•Y = 0` and `F₀•Y > 0`, the dual one by an `x` with positive semidefinite `Σ xᵢ·Fᵢ` and `c·x < 0`.
//!
//! That the decimal numbers of a problem were rounded to those of the cone is covered: bounds are those of sums of which each term was rounded once more.
//! What is assumed of rounding is in `bounds`. Bounds of errors are `f64` and none is below `10⁻²⁵⁰`, so that an optimum near one gets no more than 250 digits, however many the point has.
//!
//! Source: C. Jansson, D. Chaykin and C. Keil, *Rigorous error bounds for the optimal value in semidefinite programming*, SIAM J. Numerical Analysis 46, 2007; here with points of the interior instead of bounds of
//! solutions that are known before.

mod bounds;
mod correction;
mod data;
mod decimal;
mod definite;
mod gram;
mod proof;

use core::fmt;
use std::time::Instant;

use nonius_linalg::Error;
use nonius_linalg::backend::Cone;
use nonius_linalg::cone::Program;
use nonius_linalg::sparse::matrix_market::Entry;

use crate::solver::{Phase, Point};
use bounds::{MOST, up};
use proof::{Bound, Objective, Proof};

pub use correction::{Change, Corrector};

/// Digits of [`TINY`](bounds::TINY), which every bound is widened by.
const MOST_DIGITS: f64 = 250.0;

/// What is proved of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// A number not above the optima, in decimal, or why there is none.
    pub lower: Result<String, Unproved>,
    /// A number not below the optima, in decimal, or why there is none.
    pub upper: Result<String, Unproved>,
    /// Of the difference of both, beside the larger magnitude, a bound from above; zero where both are zero, infinite where one is missing.
    pub width: f64,
    /// A problem that is proved to be infeasible: [`Phase::PrimalInfeasible`] or [`Phase::DualInfeasible`].
    pub infeasible: Option<Phase>,
    /// The name of the precision in which the proof was found.
    pub precision: String,
    /// What it took.
    pub seconds: f64,
}

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
    /// The bound from below is above the one from above, which weak duality excludes: a mistake in Nonius, or of the machine.
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

impl Certificate {
    /// How many decimal digits of the optimum are proved: `−log₁₀` of the [width](Self::width), rounded down to tenths, not below zero and not above 250, the most that proofs reach. `None` where a bound is missing.
    pub fn digits(&self) -> Option<f64> {
        let digits = (-10.0 * self.width.log10()).floor() / 10.0;
        self.width.is_finite().then_some(digits.clamp(0.0, MOST_DIGITS))
    }
}

/// Corrects a point: from `r` and the target of [`Corrector::correct`] changes of `x` and of `Y`, the latter as [`Cone::download_blocks`] has them.
pub type Correct<'a, T> = dyn FnMut(&[T], Option<f64>) -> Result<Option<Correction<T>>, Error> + 'a;

/// Changes of `x` and of `Y`.
pub type Correction<T> = (Vec<T>, Vec<Vec<T>>);

/// What is proved from a point, of which a solver says that it is in this phase: bounds of the optimum, or that a problem is infeasible. The cone has the program's
/// numbers, and `program` the same rounded to `f64`.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Device`].
pub fn certify<T: Entry, C: Cone<Number = T>>(
    cone: &C,
    format: T::Format,
    program: &Program<Vec<f64>>,
    (point, phase): (Point<C>, Phase),
    correct: &mut Correct<'_, T>,
) -> Result<Certificate, Error> {
    let began = Instant::now();
    let mut proof = Proof::new(cone, program)?;
    let infeasible = match phase {
        Phase::PrimalInfeasible => proof.no_primal(&point.dual)?,
        Phase::DualInfeasible => proof.no_dual(&point.x)?,
        _ => false,
    };
    let infeasible = infeasible.then_some(phase);
    let (upper, lower) = if infeasible.is_some() {
        (Err(Unproved::Infeasible), Err(Unproved::Infeasible))
    } else {
        (proof.upper(&point, correct)?, proof.lower(point.dual, correct)?)
    };
    let (mut lower, mut upper) = (outward(cone, lower, -1.0), outward(cone, upper, 1.0));
    let mut width = f64::INFINITY;
    if let (Ok(low), Ok(high)) = (&lower, &upper) {
        let difference = cone.to_f64(&cone.difference(high, low));
        let most = cone.to_f64(high).abs().max(cone.to_f64(low).abs());
        if difference < 0.0 {
            (lower, upper) = (Err(Unproved::Crossed), Err(Unproved::Crossed));
        } else if most > 0.0 {
            // All that is rounded here, and to fewer digits.
            width = 1.01 * up(difference.max(cone.unit_roundoff() * most)) / most;
        } else {
            width = 0.0;
        }
    }
    let certificate = Certificate {
        lower: Err(Unproved::Range),
        upper: Err(Unproved::Range),
        width,
        infeasible,
        precision: T::spelling(format),
        seconds: began.elapsed().as_secs_f64(),
    };
    // Those that are proved and a few, or those of the point.
    let of_point = -0.5 * cone.unit_roundoff().log10();
    let digits = certificate.digits().unwrap_or(of_point) as usize + 5;
    let text = |bound: Result<T, Unproved>, upwards| {
        let mut text = Vec::new();
        bound?.print(&mut text);
        Ok(decimal::outward(&String::from_utf8_lossy(&text), digits, upwards))
    };
    Ok(Certificate { lower: text(lower, false), upper: text(upper, true), ..certificate })
}

/// A number whose decimal text is not below the objective for a positive sign, not above it for a negative one.
fn outward<T: Entry, C: Cone<Number = T>>(
    cone: &C,
    bound: Bound<T>,
    sign: f64,
) -> Result<T, Unproved> {
    let Objective { value, error } = bound?;
    // The difference is rounded, and so is its text.
    let rounded = 64.0 * cone.unit_roundoff() * (cone.to_f64(&value).abs() + error);
    let less = cone.number(-sign * up(error + rounded));
    let bound = cone.difference(&value, &less);
    if bound.is_finite() && cone.to_f64(&bound).abs() < MOST {
        Ok(bound)
    } else {
        Err(Unproved::Range)
    }
}
