//! Bounds of the optimum that are proved, from a point that is near it.
//!
//! For all feasible `x` and `Y` the optima of both problems are between `F₀•Y` and `c·x`. A point
//! that a solver found is feasible but for rounding; what is feasible near it is proved to be so
//! with a [`Cone`] of about twice its precision, where all rounding errors, bounded crudely, are
//! far less than the least eigenvalues of `X` and `Y`:
//!
//! - `x` is taken as it is. The matrix `Σ xᵢ·Fᵢ − F₀` is computed with a bound `δ` of its error in
//!   the norm, and proved to have no eigenvalue below `δ` (`definite`).
//! - `Y` is corrected to `Ŷ = Y + Σ zᵢ·Fᵢ`, of which the residual `r = c − (Fᵢ•Ŷ)` has a bound.
//!   There is a matrix that meets the constraints exactly within `ε = √(rᵀG⁻¹r)` of `Ŷ` in the
//!   norm, where `G_ij = Fᵢ•Fⱼ` (`gram`), and it is positive semidefinite if no eigenvalue of `Ŷ`
//!   is below `ε`. Its objective is not below `F₀•Ŷ − ‖F₀‖·ε`.
//! - Where one of the two has too small an eigenvalue, a step of Newton's method in the precision
//!   of the point goes before ([`Corrector`]).
//!
//! In a second-order cone a distance in the norm takes eigenvalues of `√2` times as much.
//!
//! A problem is proved to be infeasible by the same means: the primal one by a `Y` with `Fᵢ•Y = 0`
//! and `F₀•Y > 0`, the dual one by an `x` with positive semidefinite `Σ xᵢ·Fᵢ` and `c·x < 0`.
//!
//! That the decimal numbers of a problem were rounded to those of the cone is covered: bounds are
//! those of sums of which each term was rounded once more. What is assumed of rounding is in
//! `bounds`. Bounds of errors are `f64` and none is below `10⁻²⁵⁰`, so that an optimum near one
//! gets no more than 250 digits, however many the point has.
//!
//! Source: C. Jansson, D. Chaykin and C. Keil, *Rigorous error bounds for the optimal value in
//! semidefinite programming*, SIAM J. Numerical Analysis 46, 2007; here with points of the interior
//! instead of bounds of solutions that are known before.

mod bounds;
mod correction;
mod data;
mod decimal;
mod definite;
mod gram;
mod proof;
mod unproved;

use std::time::Instant;

use nonius_linalg::{Error, Number};
use nonius_num::Real;

use crate::cone::{Cone, Program};
use crate::solver::{Phase, Point};
use crate::text::text;
use bounds::{LARGEST_MAGNITUDE, up};
use proof::{Bound, Objective, Proof};

pub use correction::{Change, Correct, Correction, Corrector};
pub use unproved::Unproved;

/// Digits of [`UNDERFLOW_BOUND`](bounds::UNDERFLOW_BOUND), which every bound is widened by.
const DIGITS_OF_TINY: f64 = 250.0;

/// What is proved of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// A number not above the optima, in decimal, or why there is none.
    pub lower: Result<String, Unproved>,
    /// A number not below the optima, in decimal, or why there is none.
    pub upper: Result<String, Unproved>,
    /// Of the difference of both, beside the larger magnitude, a bound from above; zero where both
    /// are zero, infinite where one is missing.
    pub width: f64,
    /// A problem that is proved to be infeasible: [`Phase::PrimalInfeasible`] or
    /// [`Phase::DualInfeasible`].
    pub infeasible: Option<Phase>,
    /// The name of the precision in which the proof was found.
    pub precision: String,
    /// What it took.
    pub seconds: f64,
}

impl Certificate {
    /// How many decimal digits of the optimum are proved: `−log₁₀` of the [width](Self::width),
    /// rounded down to tenths, not below zero and not above 250, the most that proofs reach. `None`
    /// where a bound is missing.
    pub fn digits(&self) -> Option<f64> {
        let digits = (-10.0 * self.width.log10()).floor() / 10.0;
        self.width.is_finite().then_some(digits.clamp(0.0, DIGITS_OF_TINY))
    }
}

/// What is proved from a point, of which a solver says that it is in this phase: bounds of the
/// optimum, or that a problem is infeasible. The cone has the program's numbers, and `program` the
/// same rounded to `f64`.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Device`].
pub fn certify<T: Number, C: Cone<Number = T>>(
    cone: &C,
    program: &Program<f64>,
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
    let (lower, upper) = (outward(cone, lower, -1.0), outward(cone, upper, 1.0));
    let width = match (&lower, &upper) {
        (Ok(lower), Ok(upper)) => width(cone, *lower, *upper),
        _ => Some(f64::INFINITY),
    };
    let crossed = Err(Unproved::Crossed);
    let (lower, upper) = if width.is_some() { (lower, upper) } else { (crossed, crossed) };
    let width = width.unwrap_or(f64::INFINITY);
    let certificate = Certificate {
        lower: Err(Unproved::Range),
        upper: Err(Unproved::Range),
        width,
        infeasible,
        precision: T::precision(cone.format()).to_string(),
        seconds: began.elapsed().as_secs_f64(),
    };
    // Those that are proved and a few, or those of the point.
    let of_point = -0.5 * cone.unit_roundoff().log10();
    let digits = certificate.digits().unwrap_or(of_point) as usize + 5;
    let bound = |bound: Result<T, Unproved>, upwards| {
        bound.map(|bound| decimal::outward(&text(bound), digits, upwards))
    };
    Ok(Certificate { lower: bound(lower, false), upper: bound(upper, true), ..certificate })
}

/// The [width](Certificate::width) of two bounds; `None` where weak duality speaks against them.
fn width<C: Cone>(cone: &C, lower: C::Number, upper: C::Number) -> Option<f64> {
    let difference = (upper - lower).to_f64();
    let most = upper.to_f64().abs().max(lower.to_f64().abs());
    if difference < 0.0 {
        return None;
    }
    // All that is rounded here, and to fewer digits.
    let rounded = difference.max(cone.unit_roundoff() * most);
    Some(if most > 0.0 { 1.01 * up(rounded) / most } else { 0.0 })
}

/// A number whose decimal text is not below the objective for a positive sign, not above it for a
/// negative one.
fn outward<T: Number, C: Cone<Number = T>>(
    cone: &C,
    bound: Bound<T>,
    sign: f64,
) -> Result<T, Unproved> {
    let Objective { value, error } = bound?;
    // The difference is rounded, and so is its text.
    let rounded = 64.0 * cone.unit_roundoff() * (value.to_f64().abs() + error);
    let bound = value - T::from_f64(-sign * up(error + rounded)).to_format(cone.format());
    if bound.is_finite() && bound.to_f64().abs() < LARGEST_MAGNITUDE {
        Ok(bound)
    } else {
        Err(Unproved::Range)
    }
}

#[cfg(test)]
mod tests {
    use crate::cpu::CpuCone;
    use nonius_linalg::backend::Cpu;
    use nonius_num::Dd;

    use super::*;

    fn cone() -> CpuCone<Dd> {
        let program = Program::new(vec![Dd::from(1.0)], &[], 0, &[], &Vec::new()).unwrap();
        CpuCone::new(program, Cpu::default())
    }

    #[test]
    fn bounds_that_cross_are_none() {
        let (cone, one) = (cone(), Dd::from(1.0));
        let least = Dd::from(2.0_f64.powi(-100));
        assert_eq!(width(&cone, one + least, one), None);
        let width = width(&cone, one, one + least).unwrap();
        assert!((0.5_f64.powi(100)..0.5_f64.powi(99)).contains(&width), "{width:e}");
    }

    fn certificate(width: f64) -> Certificate {
        let (precision, infeasible) = (String::new(), None);
        let [lower, upper] = ["0", "0"].map(|text| Ok(text.into()));
        Certificate { lower, upper, width, infeasible, precision, seconds: 0.0 }
    }

    #[test]
    fn digits_of_widths() {
        let zero = Dd::from(0.0);
        assert_eq!(width(&cone(), zero, zero), Some(0.0));
        assert_eq!(certificate(0.0).digits(), Some(DIGITS_OF_TINY));
        assert_eq!(certificate(1e-260).digits(), Some(DIGITS_OF_TINY));
        assert_eq!(certificate(2e-20).digits(), Some(19.6));
        assert_eq!(certificate(3.0).digits(), Some(0.0));
        assert_eq!(certificate(f64::INFINITY).digits(), None);
    }

    /// By no less than what was asked for, however many bits the cone has.
    #[test]
    fn bounds_are_moved_outwards() {
        let cone = cone();
        for (value, error) in [(1.0, 1e-25), (-0.1, 1e-30), (0.0, 0.0), (3e20, 1e-3)] {
            let value = Dd::from(value);
            let moved = |sign: f64| outward(&cone, Ok(Objective { value, error }), sign).unwrap();
            let error = Dd::from(error);
            assert!(moved(-1.0) < value - error && moved(1.0) > value + error, "{value}");
        }
        for value in [f64::NAN, f64::INFINITY, 1e41] {
            let value = Dd::from(value);
            let found = outward(&cone, Ok(Objective { value, error: 0.0 }), 1.0);
            assert_eq!(found, Err(Unproved::Range));
        }
        let bound = Objective { value: Dd::from(1.0), error: f64::NAN };
        assert_eq!(outward(&cone, Ok(bound), 1.0), Err(Unproved::Range));
    }
}
