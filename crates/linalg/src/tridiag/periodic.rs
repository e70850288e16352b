//! Periodic systems by systems that are not.
//!
//! **Method.** With `a = lower[0]` and `c = upper[n−1]` in the corners, `γ = −diagonal[0]`, or −1
//! where that is zero, a periodic matrix is `T + u·vᵀ` with `u = (γ, 0, …, 0, c)`,
//! `v = (1, 0, …, 0, a/γ)` and `T` tridiagonal: its first diagonal entry is `diagonal[0] − γ`, its
//! last `diagonal[n−1] − a·c/γ`. From `T·y = right` and `T·q = u` the solution is
//! `x = y − (v·y)/(1 + v·q)·q` (Sherman and Morrison 1950; the choice of `γ` is that of Temperton
//! 1975). For diagonally dominant matrices `T` is so too, and the formula is as stable as its two
//! solutions.

use super::batch::Batch;
use super::number::Number;
use super::order::Order;
use super::report::{Cause, Failure};
use crate::{Element, Error, Numbers, Slice, SliceMut};

/// A batch whose rings were cut open.
#[derive(Clone, Debug)]
pub struct Ring<T: Element> {
    systems: usize,
    size: usize,
    order: Order,
    lower: Numbers<T>,
    diagonal: Numbers<T>,
    upper: Numbers<T>,
    /// The right sides `u`.
    pub corner: Numbers<T>,
}

/// Cuts the rings of a periodic batch.
///
/// [`solve`](super::solve()) does all of this where its options ask for periodic systems:
///
/// ```
/// use nonius_linalg::tridiag::{Batch, Options, Order, solve};
/// use nonius_num::Dd;
///
/// // Each row of the ring has 4 on the diagonal and 1 beside it.
/// let [one, four, six] = [1.0, 4.0, 6.0].map(|x| [Dd::from(x); 5]);
/// let batch = Batch::new(1, 5, Order::Contiguous, [&one, &four, &one], &six)?;
/// let mut x = [Dd::ZERO; 5];
/// solve(&batch, &Options { periodic: true, ..Options::default() }, &mut x)?;
/// assert!(x.iter().all(|x| (*x - 1.0).abs().to_f64() < 1e-30));
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
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
    let [lower, mut diagonal, upper] = batch.matrix().map(Numbers::from);
    let mut corner = Numbers::zeros(batch.format(), diagonal.len());
    for s in 0..systems {
        let (first, last) = (batch.index(s, 0), batch.index(s, size - 1));
        let gamma = gamma(diagonal.at(first));
        diagonal.set(last, diagonal.at(last) - lower.at(first) * upper.at(last) / gamma);
        diagonal.set(first, diagonal.at(first) - gamma);
        corner.set(first, gamma);
        corner.set(last, upper.at(last));
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
    pub fn with<'a>(&'a self, right: Slice<'a, T>) -> Result<Batch<'a, T>, Error> {
        let matrix = [&self.lower, &self.diagonal, &self.upper];
        Batch::new(self.systems, self.size, self.order, matrix, right)
    }

    /// `x` in place of `y`, from `q`. Returns systems where `1 + v·q` is zero, but for those that
    /// are known not to have been solved.
    #[must_use]
    pub fn close(
        &self,
        batch: &Batch<'_, T>,
        y: &mut SliceMut<'_, T>,
        q: Slice<'_, T>,
        known: &[Failure],
    ) -> Vec<Failure> {
        let mut failures = Vec::new();
        for system in 0..self.systems {
            let (first, last) = (batch.index(system, 0), batch.index(system, self.size - 1));
            let ratio = batch.lower.at(first) / gamma(batch.diagonal.at(first));
            let above = ratio.fused(y.at(last), y.at(first));
            let below = T::ONE + ratio.fused(q.at(last), q.at(first));
            let factor = above / below;
            if !factor.is_finite() && known.binary_search_by_key(&system, |f| f.system).is_err() {
                failures.push(Failure { system, cause: Cause::Pivot, row: self.size - 1 });
            }
            for i in 0..self.size {
                let at = batch.index(system, i);
                y.set(at, (-factor).fused(q.at(at), y.at(at)));
            }
        }
        failures
    }
}
