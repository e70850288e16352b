//! Vectors that are parts of longer ones.

use core::ops::Range;

use super::Space;
use crate::Error;

/// Entries of a segment: a multiple of the blocks of [`Space::dot`], whatever the numbers.
pub const SEGMENT: usize = 4096;

/// A space whose vectors can be parts of longer vectors that several machines share.
///
/// A long vector is cut at multiples of [`SEGMENT`] entries. Sums of blocks are added pairwise, so
/// that the sum over `2^k` segments from a multiple of `2^k` on is one of the sums that
/// [`Space::dot`] of the whole forms, and does not depend on what lies beside it.
///
/// Lists of pairs of indices lie where the operations read them. Indices are the caller's duty, as
/// lengths are.
pub trait Segments: Space {
    /// Pairs of indices in the space's memory.
    type Pairs;

    /// A list of pairs.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn pairs(&self, pairs: &[(usize, usize)]) -> Result<Self::Pairs, Error>;

    /// `to[k] ← Σ x[i]·y[i]` over range `k`, as [`Space::dot`] adds blocks. A pair is where a range
    /// begins, a multiple of [`SEGMENT`], and where it ends: another one, or the last entry's end.
    fn sum_ranges(
        &mut self,
        ranges: &Self::Pairs,
        x: &Self::Vector,
        y: &Self::Vector,
        to: &mut Self::Vector,
    );

    /// `x[i] ← x[i] + x[j]` for each pair `(i, j)`, one after the other, then `to ← x[0]`.
    fn add_pairs(&mut self, pairs: &Self::Pairs, x: &mut Self::Vector, to: &mut Self::Number);

    /// `to[j] ← from[i]` for each pair `(i, j)`. No two pairs have the same `j`.
    fn move_entries(&mut self, moves: &Self::Pairs, from: &Self::Vector, to: &mut Self::Vector);

    /// Copies the entries of `from`, from the entry `first` on, into a range of `to`.
    fn place(
        &mut self,
        from: &Self::Vector,
        first: usize,
        to: &mut Self::Vector,
        range: Range<usize>,
    );
}

/// A space in the host's memory. Its numbers travel between machines as words.
pub trait Words: Space {
    /// Words of a number.
    fn words(&self) -> usize;

    /// Appends the words of a number.
    fn pack_number(&self, x: &Self::Number, words: &mut Vec<u64>);

    /// Takes a number from its words.
    fn unpack_number(&self, words: &[u64], to: &mut Self::Number);

    /// Appends the words of the entries in a range.
    fn pack(&self, x: &Self::Vector, range: Range<usize>, words: &mut Vec<u64>);

    /// Takes the entries in a range from their words.
    fn unpack(&self, words: &[u64], to: &mut Self::Vector, range: Range<usize>);
}
