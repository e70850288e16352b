//! Periodic systems by systems that are not.
//!
//! **Method.** With `a = lower[0]` and `c = upper[n−1]` in the corners, `γ = −diagonal[0]`, or −1 where that is zero, a periodic matrix is `T + u·vᵀ` with `u = (γ, 0, …, 0, c)`, `v = (1, 0, …, 0, a/γ)` and `T` tridiagonal:
//! its first diagonal entry is `diagonal[0] − γ`, its last `diagonal[n−1] − a·c/γ`. From `T·y = right` and `T·q = u` the solution is `x = y − (v·y)/(1 + v·q)·q` (Sherman and Morrison 1950; the choice of `γ` is that of
//! Temperton 1975). For diagonally dominant matrices `T` is so too, and the formula is as stable as its two solutions.

use super::batch::Batch;
use super::number::Number;
use super::order::Order;
use super::report::{Cause, Failure};
use crate::Error;

/// A batch whose rings were cut open.
#[derive(Clone, Debug)]
pub struct Ring<T> {
    systems: usize,
    size: usize,
    order: Order,
    lower: Vec<T>,
    diagonal: Vec<T>,
    upper: Vec<T>,
    /// The right sides `u`.
    pub corner: Vec<T>,
}

/// Cuts the rings of a periodic batch.
///
/// # Errors
/// [`Error::TooSmall`] for fewer than 3 equations.
pub fn ring<T: Number>(batch: &Batch<'_, T>) -> Result<Ring<T>, Error> {
    let (systems, size, order) = (batch.systems(), batch.size(), batch.order());
    if size < 3 {
        return Err(Error::TooSmall {
            what: "a periodic tridiagonal system",
            least: 3,
            found: size,
        });
    }
    let [lower, diagonal, upper] = batch.matrix();
    let (lower, mut diagonal, upper) = (lower.to_vec(), diagonal.to_vec(), upper.to_vec());
    let mut corner = vec![T::ZERO; diagonal.len()];
    for s in 0..systems {
        let (first, last) = (batch.index(s, 0), batch.index(s, size - 1));
        let gamma = gamma(diagonal[first]);
        diagonal[last] = diagonal[last] - lower[first] * upper[last] / gamma;
        diagonal[first] = diagonal[first] - gamma;
        corner[first] = gamma;
        corner[last] = upper[last];
    }
    Ok(Ring { systems, size, order, lower, diagonal, upper, corner })
}

fn gamma<T: Number>(diagonal: T) -> T {
    if diagonal == T::ZERO { -T::ONE } else { -diagonal }
}

impl<T: Number> Ring<T> {
    /// The open systems with these right sides.
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn with<'a>(&'a self, right: &'a [T]) -> Result<Batch<'a, T>, Error> {
        let matrix = [&self.lower[..], &self.diagonal, &self.upper];
        Batch::new(self.systems, self.size, self.order, matrix, right)
    }

    /// `x` in place of `y`, from `q`. Returns systems where `1 + v·q` is zero, but for those that are known not to have been solved.
    #[must_use]
    pub fn close(
        &self,
        batch: &Batch<'_, T>,
        y: &mut [T],
        q: &[T],
        known: &[Failure],
    ) -> Vec<Failure> {
        let mut failures = Vec::new();
        for system in 0..self.systems {
            let (first, last) = (batch.index(system, 0), batch.index(system, self.size - 1));
            let ratio = batch.lower[first] / gamma(batch.diagonal[first]);
            let above = ratio.fused(y[last], y[first]);
            let below = T::ONE + ratio.fused(q[last], q[first]);
            let factor = above / below;
            if !factor.is_finite() && known.binary_search_by_key(&system, |f| f.system).is_err() {
                failures.push(Failure { system, cause: Cause::Pivot, row: self.size - 1 });
            }
            for i in 0..self.size {
                let at = batch.index(system, i);
                y[at] = (-factor).fused(q[at], y[at]);
            }
        }
        failures
    }
}
