//! What multiplies planes of residues.

use nonius_num::Lane;
use nonius_num::rns::{Moduli, ModuliError, Sign};

use super::bytes;
use crate::cpu::simd::prefetch;
use crate::cpu::workspace::Plain;

/// Lines that are kept together: a group. The words of a plane of a group are `[k / DEPTH][LINES]`.
pub(super) const LINES: usize = 16;
/// Groups of rows that are multiplied at a time.
pub(super) const PAIR: usize = 2;

/// The kinds of [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu::gemm) enum Kind {
    /// Products of bytes, summed in 32 bits.
    Bytes,
    /// Products of integers in `f64`.
    Floats,
}

impl Kind {
    /// The one that is fastest on this processor.
    pub(in crate::cpu::gemm) fn best() -> Self {
        if bytes::level() == bytes::Level::Plain { Kind::Floats } else { Kind::Bytes }
    }
}

/// A multiplier of integers.
pub(super) trait Unit: Sync {
    /// The residues of one line for `DEPTH` successive `k`.
    type Word: Plain;
    /// A sum of products.
    type Sum: Plain + Default;

    /// Residues in a word.
    const DEPTH: usize;
    /// Terms whose sum is exact, on top of a residue.
    const TERMS: usize;
    /// Residues of the left and of the right operand.
    const LEFT: Sign;
    const RIGHT: Sign;

    /// Moduli whose product is at least `2^bits`, for products of `k` terms.
    fn moduli(bits: f64, k: usize) -> Result<Moduli, ModuliError>;

    /// Whether residues modulo `modulus` are too large for a plane and take two digits to base 128.
    fn takes_digits(modulus: u32) -> bool;

    /// Packs `DEPTH` residues of `L::LANES` lines into as many words.
    fn store<L: Lane>(residues: &[L], sign: Sign, to: &mut [Self::Word]);

    /// `sums += a·b`, for two groups of rows and one of columns: 32 rows by 16 columns, column by column, `stride` apart.
    fn multiply(a: [&[Self::Word]; PAIR], b: &[Self::Word], sums: &mut [Self::Sum], stride: usize);

    /// The first `L::LANES` sums.
    fn load<L: Lane>(from: &[Self::Sum]) -> L;

    /// Writes integers to the first `L::LANES` sums.
    fn keep<L: Lane>(x: L, to: &mut [Self::Sum]);

    /// Fetches the cache line that is `ahead` sums from the first, if there is one.
    #[inline(always)]
    fn prefetch(sums: &[Self::Sum], ahead: usize) {
        if let Some(sum) = sums.get(ahead) {
            prefetch::prefetch(sum);
        }
    }

    /// Words of a line of `k` entries.
    fn words(k: usize) -> usize {
        k.div_ceil(Self::DEPTH)
    }

    /// Words from one plane of a group to the next: a cache line more than it has, since planes at distances that are powers of two
    /// would drive each other out of the caches.
    fn plane(k: usize) -> usize {
        (Self::words(k) + 1) * LINES
    }
}
