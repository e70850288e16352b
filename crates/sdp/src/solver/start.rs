//! Points to begin at.

use nonius_linalg::Error;

use super::direction::Directions;
use super::point::Point;
use crate::cone::Cone;

/// Relative to `X`, how far `Σ xᵢ·Fᵢ − F₀` may be from it to take its place.
const MOST_RELATIVE_DISTANCE: f64 = 0.5;
/// The first multiple of the identity that makes a start positive definite is a roundoff of its
/// largest entry, and each further one by this factor larger.
const SHIFT_FACTOR: f64 = 16.0;

/// The start `x = 0`, `X = Y = λ·I`.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Device`].
pub fn start<C: Cone>(cone: &C, primal: f64, dual: f64) -> Result<Point<C>, Error> {
    let mut point = Point { x: cone.vector()?, primal: cone.blocks()?, dual: cone.blocks()? };
    cone.identity(primal, &mut point.primal);
    cone.identity(dual, &mut point.dual);
    Ok(point)
}

impl<C: Cone> Directions<'_, C> {
    /// Adds to `X` and to `Y` multiples of the identity where they are not positive definite:
    /// points from a lower precision are so but for roundings, and those from a file may lie on the
    /// boundary.
    pub(super) fn make_definite(&mut self) -> Result<(), Error> {
        let cone = self.cone;
        for a in [&mut self.point.primal, &mut self.point.dual] {
            let largest = cone.largest_entry(a)?;
            // Of zeros there is no part.
            let (mut part, largest) =
                if largest > 0.0 { (cone.unit_roundoff(), largest) } else { (1.0, 1.0) };
            let mut is_shifted = false;
            while !cone.factor(a, &mut self.work)? {
                if part > 1.0 || !largest.is_finite() {
                    return Ok(());
                }
                cone.identity(part * largest, &mut self.inverse);
                cone.add_blocks(1.0, &self.inverse, a);
                (part, is_shifted) = (part * SHIFT_FACTOR, true);
            }
            // The last multiple once more, which is in `inverse`: what is positive definite by
            // chance is near the boundary.
            if is_shifted {
                cone.add_blocks(1.0, &self.inverse, a);
            }
        }
        Ok(())
    }

    /// Puts `Σ xᵢ·Fᵢ − F₀` in the place of an `X` that is near it: one from a lower precision or
    /// from a file, of which roundings are all that makes it infeasible. `measure` goes before.
    pub(super) fn make_feasible(&mut self) -> Result<(), Error> {
        let cone = self.cone;
        if !cone.factor(&self.point.primal, &mut self.work)? {
            return Ok(());
        }
        cone.invert_factor(&self.work, &mut self.primal_factor);
        for _ in 0..2 {
            let (factor, residual) = (&self.primal_factor, &mut self.primal_residual);
            let least = cone.least_eigenvalue(factor, residual, -MOST_RELATIVE_DISTANCE)?;
            if least.is_nan() || least < -MOST_RELATIVE_DISTANCE {
                return Ok(());
            }
            // The other way round, and back.
            cone.scale_blocks(-1.0, residual);
        }
        cone.combine(&self.point.x, -1.0, &mut self.inverse);
        if cone.factor(&self.inverse, &mut self.work)? {
            core::mem::swap(&mut self.point.primal, &mut self.inverse);
            self.primal_feasible = true;
        }
        Ok(())
    }
}
