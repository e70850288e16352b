//! What multiplies planes of residues.

use core::ops::Range;
use std::sync::OnceLock;

use nonius_num::rns::{Crt, Moduli, ModuliError};

use super::block::{Block, Place};
use super::bytes;
use super::converted::{Lines, Residues};
use super::sink::ROWS;
use super::tables::Cache;
use crate::cpu::workspace::Plain;

pub(in crate::cpu::gemm) use crate::dense::Side;

/// Lines that are kept together: a group. The words of a plane of a group are `[k / DEPTH][LINES]`.
pub(in crate::cpu::gemm) const LINES: usize = 16;

/// Set to `floats`, residues are not multiplied as bytes.
const VARIABLE: &str = "NONIUS_RESIDUES";

/// The kinds of [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu::gemm) enum Kind {
    /// Products of bytes, summed in 32 bits.
    Bytes,
    /// Products of integers in `f64`.
    Floats,
}

impl Kind {
    /// The one that is fastest on this processor, or the one that [`VARIABLE`] asks for.
    pub(in crate::cpu::gemm) fn best() -> Self {
        static BEST: OnceLock<Kind> = OnceLock::new();
        *BEST.get_or_init(|| {
            let floats = std::env::var(VARIABLE).is_ok_and(|name| name == "floats");
            if floats || bytes::Level::current() == bytes::Level::Plain {
                Kind::Floats
            } else {
                Kind::Bytes
            }
        })
    }
}

/// What is done to two residues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
}

/// A multiplier of integers, for one set of moduli. A *channel* is one modulus.
pub(super) trait Unit: Sized + Send + Sync + 'static {
    /// The residues of one line for [`DEPTH`](Self::DEPTH) successive places, in one plane.
    type Word: Plain;
    /// A residue of an entry of the product, or a part of it.
    type Residue: Plain;

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

    /// Units of this kind made lately.
    fn tables() -> &'static Cache<Self>;

    /// The lines of a converted operand, where they are this unit's.
    fn lines(residues: &Residues) -> Option<&Lines<Self>>;

    /// What puts integers together.
    fn crt(&self) -> &Crt;

    /// Number of moduli.
    fn channels(&self) -> usize;

    /// The planes of operands that belong to a channel.
    fn planes(&self, channel: usize) -> Range<usize>;

    /// The planes of a product that belong to a channel.
    fn product_planes(&self, channel: usize) -> Range<usize>;

    /// Makes words `words` of a group in all planes, whose lines are `to`, from the integers of `DEPTH` places for each word, as
    /// [`Source`](super::source::Source) gives them; those may be overwritten.
    fn pack(
        &self,
        side: Side,
        integers: &mut [u32],
        words: Range<usize>,
        to: &mut [&mut [Self::Word]],
    );

    /// Makes the planes of a channel for the right operand from those for the left.
    fn turn(&self, channel: usize, from: &[Self::Word], to: &mut [Self::Word]);

    /// `to ← x ± y` for blocks of the same shape of an operand; blocks of a sum follow one another without gaps.
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

    /// `c ← a·b`, or `c + a·b`, on a place of a product.
    fn multiply(
        &self,
        channel: usize,
        a: Block<'_, Self::Word>,
        b: Block<'_, Self::Word>,
        c: &mut [Self::Residue],
        place: Place,
        add: bool,
    );

    /// `c ← x`, or `c + x`, on a place of a product; `x` has that shape without gaps.
    fn accumulate(
        &self,
        channel: usize,
        x: &[Self::Residue],
        c: &mut [Self::Residue],
        place: Place,
        add: bool,
    );

    /// The digits of at most [`ROWS`] entries, as a [`Sink`](super::sink::Sink) takes them; the planes of `residues` are `apart` from one another.
    fn digits(&self, residues: &[Self::Residue], apart: usize, rows: usize, to: &mut Digits);

    /// Words of a line of `k` entries.
    fn words(k: usize) -> usize {
        k.div_ceil(Self::DEPTH)
    }
}

/// Digits of some entries, and room to make them.
#[derive(Default)]
pub(super) struct Digits {
    /// `[digit][ROWS]`.
    pub(super) digits: Vec<f64>,
    pub(super) words: Vec<u32>,
    pub(super) sums: Vec<i32>,
}

const _: () = assert!(ROWS.is_multiple_of(LINES));
