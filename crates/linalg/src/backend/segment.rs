//! Vectors that are parts of longer ones.

use core::ops::Range;

use super::Space;

/// Entries of a segment: a multiple of the blocks of [`Space::dot`], whatever the numbers.
pub const SEGMENT: usize = 4096;

/// A space whose vectors can be parts of longer vectors that several machines share.
///
/// A long vector is cut at multiples of [`SEGMENT`] entries. Sums of blocks are added pairwise, so
/// that the sum over `2^k` segments from a multiple of `2^k` on is one of the sums that
/// [`Space::dot`] of the whole forms, and does not depend on what lies beside it.
///
/// Numbers travel between machines as words.
pub trait Segments: Space {
    /// Words of a number.
    fn words(&self) -> usize;

    /// `to ← Σ x[i]·y[i]` over a range, as [`Space::dot`] adds blocks, without what that does where
    /// the sum is not finite.
    fn dot_within(
        &mut self,
        range: Range<usize>,
        x: &Self::Vector,
        y: &Self::Vector,
        to: &mut Self::Number,
    );

    /// Whether the number is neither infinite nor NaN.
    fn is_finite(&self, x: &Self::Number) -> bool;

    /// Appends the words of a number.
    fn pack_number(&self, x: &Self::Number, words: &mut Vec<u64>);

    /// Takes a number from its words.
    fn unpack_number(&self, words: &[u64], to: &mut Self::Number);

    /// Appends the words of the entries in a range.
    fn pack(&self, x: &Self::Vector, range: Range<usize>, words: &mut Vec<u64>);

    /// Takes the entries in a range from their words.
    fn unpack(&self, words: &[u64], to: &mut Self::Vector, range: Range<usize>);

    /// Copies the entries of `from`, from the entry `first` on, into a range of `to`.
    fn place(
        &mut self,
        from: &Self::Vector,
        first: usize,
        to: &mut Self::Vector,
        range: Range<usize>,
    );
}
