//! Diagonal dominance of a batch, and the residuals of its solution.

use super::batch::{Batch, check_format};
use super::number::Number;
use crate::backend::Reading;
use crate::threads::{Grain, map};
use crate::{Error, Size, Slice};

/// Rows that a thread takes at a time, in whole systems.
const ROWS_OF_A_THREAD: usize = 1 << 12;

/// How dominant the diagonals of a batch are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dominance {
    /// The least `|diagonal| / (|lower| + |upper|)` of all rows; infinite where no row has
    /// neighbours. From 1 on all matrices are diagonally dominant by rows.
    pub least: f64,
    /// The system of that row.
    pub system: usize,
    /// The row.
    pub row: usize,
}

/// The residuals of a solved batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The greatest `‖right − A·x‖∞ / ‖right‖∞` of all systems that were solved.
    pub relative: Reading,
    /// The greatest `|right − A·x| / (|A||x| + |right|)` of all their rows: the least relative
    /// change of entries that makes `x` exact (Oettli and Prager 1964), to leading order in `u`.
    pub backward_error: Reading,
}

/// The least dominant row of a batch; `None` for one without rows. Rows with NaN are the least
/// dominant of all.
///
/// ```
/// use nonius_linalg::tridiag::{Batch, Order, dominance};
///
/// let batch = Batch::new(
///     1,
///     3,
///     Order::Contiguous,
///     [&[0.0, 1.0, 1.0], &[4.0, 1.0, 4.0], &[1.0, 1.0, 0.0]],
///     &[1.0; 3],
/// )?;
/// let found = dominance(&batch, false).unwrap();
/// assert_eq!((found.least, found.row), (0.5, 1)); // 1/(1 + 1) in the middle
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
pub fn dominance<T: Number>(batch: &Batch<'_, T>, periodic: bool) -> Option<Dominance> {
    let of_system = |system: usize| {
        let of_rows = (0..batch.size()).map(|row| {
            let [lower, diagonal, upper, _] = batch.neighbours(periodic, system, row);
            let beside = lower.magnitude() + upper.magnitude();
            let least = if beside == T::Size::ZERO {
                f64::INFINITY
            } else {
                (diagonal.magnitude() / beside).to_f64()
            };
            Dominance { least: if least.is_nan() { 0.0 } else { least }, system, row }
        });
        of_rows.reduce(lesser)
    };
    of_all(batch, of_system, lesser)
}

fn lesser(x: Dominance, y: Dominance) -> Dominance {
    let before = (y.least, y.system, y.row) < (x.least, x.system, x.row);
    if before { y } else { x }
}

/// What `x` leaves of the right sides. Systems whose part of `x` is not finite count as not solved.
///
/// The residual of a row is formed in the numbers' own arithmetic, within `4u(|A||x| + |right|)`.
///
/// # Errors
/// [`Error::Shape`], [`Error::Precision`].
pub fn residual<'x, T: Number>(
    batch: &Batch<'_, T>,
    periodic: bool,
    x: impl Into<Slice<'x, T>>,
) -> Result<Residual, Error> {
    let (n, x, zero) = (batch.size(), x.into(), T::Size::ZERO);
    Error::check_length("x", batch.right.len(), x.len())?;
    check_format::<T>("x", batch.format(), x.format())?;
    let of_system = |system: usize| {
        let at = |i: usize| x.at(batch.index(system, i));
        let (mut greatest, mut scale, mut backward) = (zero, zero, zero);
        for i in 0..n {
            let [lower, diagonal, upper, right] = batch.neighbours(periodic, system, i);
            let (before, after) = (at((i + n - 1) % n), at((i + 1) % n));
            if !at(i).is_finite() {
                return None;
            }
            let rest = (-diagonal).fused(at(i), right);
            let rest = (-upper).fused(after, (-lower).fused(before, rest)).magnitude();
            let size = diagonal.magnitude() * at(i).magnitude()
                + lower.magnitude() * before.magnitude()
                + upper.magnitude() * after.magnitude()
                + right.magnitude();
            greatest = greatest.max(rest);
            scale = scale.max(right.magnitude());
            backward = backward.max(if rest == zero { zero } else { rest / size });
        }
        let relative = if greatest == zero { zero } else { greatest / scale };
        Some([relative, backward])
    };
    let worse = |x: [T::Size; 2], y: [T::Size; 2]| [x[0].max(y[0]), x[1].max(y[1])];
    let worst = of_all(batch, of_system, worse).unwrap_or([zero; 2]);
    let [relative, backward_error] = worst.map(Into::into);
    Ok(Residual { relative, backward_error })
}

/// Joins what is found of each system, in their order.
fn of_all<T: Number, R: Send>(
    batch: &Batch<'_, T>,
    of_system: impl Fn(usize) -> Option<R> + Sync,
    joined: fn(R, R) -> R,
) -> Option<R> {
    let systems = batch.systems();
    let together = 1 + ROWS_OF_A_THREAD / batch.size().max(1);
    let found = map(systems.div_ceil(together), Grain::ANY, |part| {
        let first = part * together;
        (first..systems.min(first + together)).filter_map(&of_system).reduce(joined)
    });
    found.into_iter().flatten().reduce(joined)
}
