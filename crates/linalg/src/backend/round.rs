//! Vectors from one space to another.

use super::Space;

/// A space whose vectors can be rounded to those of another, and read back. Both lie on the same
/// machine: what is queued in one is done before what is queued later in the other.
///
/// Powers of two keep residuals, which have the range of this space, in the range of the other.
pub trait Round<F: Space>: Space {
    /// `to ← 2^−exponent·x`, each entry rounded; zero where that is too small for the range.
    fn round(&mut self, x: &Self::Vector, exponent: i64, to: &mut F::Vector);

    /// `to ← 2^exponent·x`, each entry rounded.
    fn widen(&mut self, x: &F::Vector, exponent: i64, to: &mut Self::Vector);
}
