//! Products of planes with fewer products of their quarters: Winograd's form of Strassen's scheme.
//!
//! Residues are exact, so that the scheme costs no accuracy. Seven products of quarters take the place of eight, at the price of eight sums
//! of quarters of the operands and four of the product.
//!
//! Source: Winograd (1971), as in Higham, *Accuracy and Stability of Numerical Algorithms*, section 23.1.

use super::block::{Block, Place};
use super::layout::{LINES, Operation, Side};
use super::unit::Unit;
use crate::cpu::workspace::Buffer;

/// Rows, columns and terms that a quarter has at least: with fewer, the sums and the reductions take more than a product.
const LEAST_QUARTER: usize = 256;
const LEAST_TERMS: usize = 256;
/// Most levels. A third one, for blocks of 2048 rows and columns, saves products what it costs in sums.
pub(super) const MOST_LEVELS: u32 = 2;

/// How many levels of the scheme are worth while for a block of so many rows, columns and terms.
pub(super) fn levels(rows: usize, columns: usize, terms: usize) -> u32 {
    let worth = |level: &u32| {
        let least = rows.min(columns) >> level;
        least >= LEAST_QUARTER && terms >> level >= LEAST_TERMS
    };
    (1..=MOST_LEVELS).take_while(worth).count() as u32
}

/// Room for the sums of one product.
pub(super) struct Room<U: Unit> {
    words: Buffer<U::Word>,
    residues: Buffer<U::Residue>,
}

impl<U: Unit> Room<U> {
    /// For products with so many groups of rows and columns, words, planes of operands and of products.
    pub(super) fn new(
        levels: u32,
        [rows, columns]: [usize; 2],
        depth: usize,
        [planes, product_planes]: [usize; 2],
    ) -> Self {
        let (mut words, mut residues) = (0, 0);
        for level in 1..=levels {
            words += planes * ((rows >> level) + (columns >> level)) * (depth >> level) * LINES;
            residues += 2 * product_planes * (rows >> level) * (columns >> level) * LINES * LINES;
        }
        Self { words: Buffer::new(words), residues: Buffer::new(residues) }
    }
}

/// `c ← a·b` in a channel.
pub(super) fn multiply<U: Unit>(
    unit: &U,
    channel: usize,
    levels: u32,
    [a, b]: [Block<'_, U::Word>; 2],
    c: &mut [U::Residue],
    place: Place,
    room: &mut Room<U>,
) {
    let scheme = Scheme { unit, channel };
    let room = (&mut room.words[..], &mut room.residues[..]);
    scheme.multiply(levels, a, b, c, place, false, room);
}

struct Scheme<'a, U> {
    unit: &'a U,
    channel: usize,
}

impl<U: Unit> Scheme<'_, U> {
    /// `c ← a·b`, or `c + a·b`.
    #[expect(clippy::too_many_arguments, reason = "a product, its place and its room")]
    fn multiply(
        &self,
        levels: u32,
        a: Block<'_, U::Word>,
        b: Block<'_, U::Word>,
        c: &mut [U::Residue],
        place: Place,
        add: bool,
        (words, residues): (&mut [U::Word], &mut [U::Residue]),
    ) {
        let Self { unit, channel } = *self;
        if levels == 0 {
            return unit.multiply(channel, a, b, c, place, add);
        }
        let (planes, product_planes) =
            (unit.planes(channel).len(), unit.product_planes(channel).len());
        let (rows, columns, depth) = (a.groups / 2, b.groups / 2, a.depth / 2);
        let (s, words) = words.split_at_mut(planes * rows * depth * LINES);
        let (t, words) = words.split_at_mut(planes * columns * depth * LINES);
        let quarter = product_planes * rows * columns * LINES * LINES;
        let (x, residues) = residues.split_at_mut(quarter);
        let (y, residues) = residues.split_at_mut(quarter);
        let (left, right) = ([planes, rows, depth], [planes, columns, depth]);
        let inner = Place::dense(rows * LINES, columns * LINES);
        let (a11, a12, a21, a22) =
            (a.quarter(0, 0), a.quarter(0, 1), a.quarter(1, 0), a.quarter(1, 1));
        // The right operand's lines are columns.
        let (b11, b12, b21, b22) =
            (b.quarter(0, 0), b.quarter(1, 0), b.quarter(0, 1), b.quarter(1, 1));
        let (c11, c12, c21, c22) =
            (place.quarter(0, 0), place.quarter(0, 1), place.quarter(1, 0), place.quarter(1, 1));
        let mut product = |a: Block<'_, _>, b: Block<'_, _>, c: &mut [_], place, add| {
            self.multiply(levels - 1, a, b, c, place, add, (&mut *words, &mut *residues));
        };
        let combine = |side, x: Block<'_, _>, operation, y: Block<'_, _>, to: &mut [_]| {
            unit.combine(channel, side, x, operation, y, to);
        };
        // c11 = a11·b11 + a12·b21
        product(a11, b11, x, inner, false);
        unit.accumulate(channel, x, c, c11, add);
        product(a12, b21, c, c11, true);
        // y = s1·t1
        combine(Side::Left, a21, Operation::Add, a22, s);
        combine(Side::Right, b12, Operation::Subtract, b11, t);
        product(Block::dense(s, left), Block::dense(t, right), y, inner, false);
        // x = a11·b11 + s2·t2
        unit.combine_in_place(channel, Side::Left, s, false, a11);
        unit.combine_in_place(channel, Side::Right, t, true, b22);
        product(Block::dense(s, left), Block::dense(t, right), x, inner, true);
        // c12 = x + y + s4·b22
        unit.combine_in_place(channel, Side::Left, s, true, a12);
        unit.accumulate(channel, x, c, c12, add);
        unit.accumulate(channel, y, c, c12, true);
        product(Block::dense(s, left), b22, c, c12, true);
        // c21 = a22·(b21 − t2) + …
        unit.combine_in_place(channel, Side::Right, t, true, b21);
        product(a22, Block::dense(t, right), c, c21, add);
        // x = a11·b11 + s2·t2 + s3·t3
        combine(Side::Left, a11, Operation::Subtract, a21, s);
        combine(Side::Right, b22, Operation::Subtract, b12, t);
        product(Block::dense(s, left), Block::dense(t, right), x, inner, true);
        // … + x, and c22 = x + y
        unit.accumulate(channel, x, c, c21, true);
        unit.accumulate(channel, x, c, c22, add);
        unit.accumulate(channel, y, c, c22, true);
    }
}
