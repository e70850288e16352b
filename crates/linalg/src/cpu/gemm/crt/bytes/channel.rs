//! Moduli, and how sums of products become residues.

use core::ops::Range;

use nonius_num::rns::Moduli;

use super::super::layout::Side;
use super::words::Words;

/// One modulus.
pub(super) struct Channel {
    /// Places whose products have an exact sum.
    pub(super) most_places: usize,
    /// One for residues of a byte, two for those of 16 bits.
    pub(super) planes: Range<usize>,
    pub(super) reduction: Reduction,
}

impl Channel {
    pub(super) fn all(moduli: &Moduli) -> Vec<Self> {
        /// Sums of products of bytes stay below `2^26`, and a group's words in the first-level
        /// cache.
        const PLACES_OF_BYTES: usize = 2048;
        let mut planes = 0;
        let channel = |&modulus: &u32| {
            let large = modulus > Moduli::LARGEST_OF_ONE_BYTE;
            let first = planes;
            planes += if large { 2 } else { 1 };
            Self {
                most_places: match large {
                    true => Moduli::terms_of_halves(modulus),
                    false => PLACES_OF_BYTES,
                },
                planes: first..planes,
                reduction: Reduction::new(modulus as i32),
            }
        };
        moduli.values().iter().map(channel).collect()
    }

    #[inline(always)]
    pub(super) fn modulus(&self) -> i32 {
        self.reduction.modulus
    }

    /// Whether residues take 16 bits.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        self.planes.len() == 2
    }
}

/// How sums of products become residues.
pub(super) struct Reduction {
    modulus: i32,
    reciprocal: f32,
    /// For a modulus of 16 bits: the factors of the halves of a sum, the lower of which has its
    /// highest bit inverted.
    factors: i32,
    /// What takes that back.
    start: i32,
    /// For a modulus of one byte: the factors of a sum's bytes, and what takes back
    /// [`BASE`](Self::BASE).
    bytes: i32,
    base: i32,
    /// `−m` and 0 as halves: what a quotient is multiplied with.
    off: i32,
}

impl Reduction {
    pub(super) fn new(modulus: i32) -> Self {
        Self {
            modulus,
            reciprocal: 1.0 / modulus as f32,
            factors: halves(1, balanced(1 << 16, modulus)),
            start: balanced(1 << 15, modulus),
            bytes: i32::from_le_bytes(core::array::from_fn(|i| {
                balanced(1 << (8 * i), modulus) as u8
            })),
            base: balanced(-i64::from(Self::BASE), modulus),
            off: halves(-modulus, 0),
        }
    }

    /// What sums of products of bytes begin with, so that none is negative;
    /// [`residue_of_bytes`](Self::residue_of_bytes) takes it back.
    pub(super) const BASE: i32 = 1 << 26;

    /// The residue of a sum for a modulus of one byte, from `−m/2` to `(m − 1)/2`, for sums below
    /// [`BASE`](Self::BASE) in magnitude on top of it.
    ///
    /// The bytes are folded: what is left is below `2^17`. Rounding moves its quotient by `m`,
    /// before that is rounded to an integer, by less than half the reciprocal of `m`.
    #[inline(always)]
    pub(super) fn residue_of_bytes<W: Words>(&self, sum: W) -> W {
        self.reduced(W::splat(self.base).dot_bytes(sum, W::splat(self.bytes)), 0.0)
    }

    /// The residue of a sum for a larger modulus, up to `m/2·(1 + 2^-7)` in magnitude.
    ///
    /// The halves are folded: what is left is below `2^15·(m/2 + 1) + m`. Its quotient by `m` is
    /// below `2^15`, and rounding moves it by less than `2^-8` before it is rounded to an integer.
    #[inline(always)]
    pub(super) fn residue_of_halves<W: Words>(&self, sum: W) -> W {
        let folded = sum.xor(W::splat(1 << 15));
        let folded = W::splat(self.start).dot_halves(folded, W::splat(self.factors));
        self.reduced(folded, 0.0)
    }

    /// What makes [`reduced`](Self::reduced) residues those of a side: from 0 to `m − 1` on the
    /// left, where the middle is taken off before the quotient is rounded.
    pub(super) fn shift(&self, side: Side) -> f32 {
        match side {
            Side::Left => -0.5 * (self.modulus - 1) as f32 * self.reciprocal,
            Side::Right => 0.0,
        }
    }

    /// `x − q·m` with `q` the integer nearest to `x/m + shift`, for `|q| < 2^15`.
    #[inline(always)]
    pub(super) fn reduced<W: Words>(&self, x: W, shift: f32) -> W {
        let quotient = x.scaled(self.reciprocal, shift);
        x.dot_halves(quotient, W::splat(self.off))
    }
}

/// `x mod m` from `−m/2` to `(m − 1)/2`.
pub(super) fn balanced(x: i64, modulus: i32) -> i32 {
    let m = i64::from(modulus);
    let residue = x.rem_euclid(m);
    (if 2 * residue >= m { residue - m } else { residue }) as i32
}

/// Two balanced residues as the halves of a word.
pub(super) fn halves(low: i32, high: i32) -> i32 {
    (low & 0xffff) | high << 16
}
