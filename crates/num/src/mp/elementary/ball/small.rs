//! Power series at small balls.

use super::super::series::{ERROR_BITS, Powers, Series};
use super::{Ball, NONE, sum_of_errors};

impl Ball {
    /// The sums of series at the magnitude of the midpoint, with `w` words; zero for none.
    ///
    /// The midpoint is not zero and its magnitude is below ½. The sums' derivatives are below 1, so
    /// the ball's error counts once. The first series has the least denominators.
    pub(super) fn sums<const N: usize>(&self, series: [Option<&Series>; N], w: usize) -> [Self; N] {
        let zeros = (-self.exponent).min(64 * w as i64) as usize;
        let x = self.fixed(w);
        let unit = -64 * w as i64;
        let error = sum_of_errors([unit + ERROR_BITS + 1, self.error, NONE, NONE]);
        let mut known = None;
        series.map(|series| match series {
            Some(series) => {
                let powers = known.get_or_insert_with(|| Powers::new(&x[..w], zeros, series));
                Self::new(false, &powers.sum(series), unit, error, w)
            }
            None => Self::zero(NONE),
        })
    }
}
