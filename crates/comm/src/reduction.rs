//! Reductions.

use crate::Ordered;

/// What becomes of the items that ranks have at one place. Ranks come in their order, so that the
/// result is the same on every rank and with every engine; sums of floats depend on the number of
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// The sum.
    Sum,
    /// The least; NaN where one is.
    Least,
    /// The greatest; NaN where one is.
    Greatest,
}

impl Reduction {
    /// Takes the items of the next rank.
    pub(crate) fn take<T: Ordered>(self, items: &mut [T], next: &[T]) {
        let both = items.iter_mut().zip(next);
        match self {
            Self::Sum => both.for_each(|(x, &y)| *x = x.plus(y)),
            Self::Least => both.for_each(|(x, &y)| *x = x.least(y)),
            Self::Greatest => both.for_each(|(x, &y)| *x = x.greatest(y)),
        }
    }
}
