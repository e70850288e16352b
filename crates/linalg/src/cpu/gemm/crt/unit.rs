//! What multiplies planes of residues.

use core::ops::Range;

use nonius_num::rns::{Crt, Moduli, ModuliError};

use super::block::{Block, Place, Term, Terms};
use super::layout::{Digits, Operation, Side};
use crate::cpu::workspace::AnyBits;

/// A multiplier of integers, for one set of moduli. A *channel* is one modulus.
pub(super) trait Unit: Sized + Send + Sync + 'static {
    /// The residues of one line for [`DEPTH`](Self::DEPTH) successive places, in one plane.
    type Word: AnyBits;
    /// A residue of an entry of the product, or a part of it.
    type Residue: AnyBits;

    /// Residues in a word.
    const DEPTH: usize;
    /// Terms beyond which moduli do not depend on their number.
    const MOST_TERMS: usize;
    /// Whether the planes of the right operand are others than those of the left one.
    const SIDES_DIFFER: bool;

    /// Moduli whose product is at least `2^bits`, for products of `k` terms.
    fn moduli(bits: f64, k: usize) -> Result<Moduli, ModuliError>;

    /// The unit for integers of magnitude up to `2^bits`.
    fn new(crt: Crt, bits: u32) -> Self;

    /// What puts integers together.
    fn crt(&self) -> &Crt;

    /// Number of moduli.
    fn channels(&self) -> usize;

    /// The planes that belong to a channel, of operands and of a product.
    fn planes(&self, channel: usize) -> Range<usize>;

    /// Makes words `words` of a group in all planes, whose lines are `to`, from the integers of
    /// `DEPTH` places for each word, as [`Source`](super::source::Source) gives them; those may be
    /// overwritten.
    fn pack(
        &self,
        side: Side,
        integers: &mut [u32],
        words: Range<usize>,
        to: &mut [&mut [Self::Word]],
    );

    /// Makes the planes of a channel for the right operand from those for the left.
    fn turn(&self, channel: usize, from: &[Self::Word], to: &mut [Self::Word]);

    /// `to ← x ± y` for blocks of the same shape of an operand; blocks of a sum follow one another
    /// without gaps.
    fn combine(
        &self,
        channel: usize,
        side: Side,
        x: Block<'_, Self::Word>,
        operation: Operation,
        y: Block<'_, Self::Word>,
        to: &mut [Self::Word],
    );

    /// `x ← y − x` or `x − y`, for `x` without gaps.
    fn combine_in_place(
        &self,
        channel: usize,
        side: Side,
        x: &mut [Self::Word],
        reverse: bool,
        y: Block<'_, Self::Word>,
    );

    /// `c ← a·b` and what is added to it, on a place of a product.
    fn multiply(
        &self,
        channel: usize,
        operands: [Block<'_, Self::Word>; 2],
        c: &mut [Self::Residue],
        place: Place,
        terms: Terms<'_, Self::Residue>,
    );

    /// `c ← x + y`, or `c + y` without an `x`, on a place of a product.
    fn add(
        &self,
        channel: usize,
        x: Option<Term<'_, Self::Residue>>,
        y: Term<'_, Self::Residue>,
        c: &mut [Self::Residue],
        place: Place,
    );

    /// The digits of at most [`ROWS`](super::layout::ROWS) entries, as a
    /// [`Sink`](super::sink::Sink) takes them; the planes of `residues` are `apart` from one
    /// another.
    fn digits(&self, residues: &[Self::Residue], apart: usize, rows: usize, to: &mut Digits);

    /// Words of a line of `k` entries.
    fn words(k: usize) -> usize {
        k.div_ceil(Self::DEPTH)
    }
}
