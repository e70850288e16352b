//! Directions of rounding.

/// Where a quotient is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Towards {
    Below,
    Above,
}
