//! Products of planes with fewer products of their quarters: Winograd's form of Strassen's scheme.
//!
//! Residues are exact, so that the scheme costs no accuracy. Seven products of quarters take the
//! place of eight, at the price of eight sums of quarters of the operands and four of the product.
//!
//! Source: Winograd (1971), as in Higham, *Accuracy and Stability of Numerical Algorithms*, section
//! 23.1.

use super::block::{Block, Place, Terms};
use super::layout::{LINES, Operation, Side};
use super::unit::Unit;
use crate::cpu::workspace::Buffer;

/// Rows, columns and terms that a quarter has at least: with fewer, the sums and the reductions
/// take more than a product.
const LEAST_QUARTER: usize = 256;
const LEAST_TERMS: usize = 256;
/// Most levels. A third one, for blocks of 2048 rows and columns, saves products what it costs in
/// sums.
pub(super) const MOST_LEVELS: u32 = 2;

/// How many levels of the scheme pay for a block of `rows` rows, `columns` columns and `terms`
/// terms.
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
    /// For products with `rows` groups of rows, `columns` groups of columns, `depth` words and
    /// `planes` planes.
    pub(super) fn new(
        levels: u32,
        [rows, columns]: [usize; 2],
        depth: usize,
        planes: usize,
    ) -> Self {
        let (mut words, mut residues) = (0, 0);
        for level in 1..=levels {
            words += planes * ((rows >> level) + 2 * (columns >> level)) * (depth >> level) * LINES;
            residues += 2 * planes * (rows >> level) * (columns >> level) * LINES * LINES;
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
    scheme.multiply(levels, [a, b], c, place, Terms::NONE, room);
}

struct Scheme<'a, U> {
    unit: &'a U,
    channel: usize,
}

impl<U: Unit> Scheme<'_, U> {
    /// `c ← a·b` and what is added to it.
    fn multiply(
        &self,
        levels: u32,
        [a, b]: [Block<'_, U::Word>; 2],
        c: &mut [U::Residue],
        place: Place,
        terms: Terms<'_, U::Residue>,
        (words, residues): (&mut [U::Word], &mut [U::Residue]),
    ) {
        let Self { unit, channel } = *self;
        if levels == 0 {
            return unit.multiply(channel, [a, b], c, place, terms);
        }
        let planes = unit.planes(channel).len();
        let (rows, columns, depth) = (a.groups / 2, b.groups / 2, a.depth / 2);
        let (s, words) = words.split_at_mut(planes * rows * depth * LINES);
        let (t, words) = words.split_at_mut(planes * columns * depth * LINES);
        let (u, words) = words.split_at_mut(planes * columns * depth * LINES);
        let quarter = planes * rows * columns * LINES * LINES;
        let (x, residues) = residues.split_at_mut(quarter);
        let (y, residues) = residues.split_at_mut(quarter);
        let (left, right) = ([planes, rows, depth], [planes, columns, depth]);
        let inner = Place::dense(rows * LINES, columns * LINES);
        let (a11, a12, a21, a22) =
            (a.quarter(0, 0), a.quarter(0, 1), a.quarter(1, 0), a.quarter(1, 1));
        // The right operand's lines are columns.
        let (b11, b12, b21, b22) =
            (b.quarter(0, 0), b.quarter(1, 0), b.quarter(0, 1), b.quarter(1, 1));
        let mut product =
            |a: Block<'_, _>, b: Block<'_, _>, c: &mut [_], place, terms: Terms<'_, _>| {
                self.multiply(levels - 1, [a, b], c, place, terms, (&mut *words, &mut *residues));
            };
        let combine = |side, x: Block<'_, _>, operation, y: Block<'_, _>, to: &mut [_]| {
            unit.combine(channel, side, x, operation, y, to);
        };
        // x = a11·b11
        product(a11, b11, x, inner, Terms::NONE);
        // c11 = x + a12·b21
        let more = Terms { others: &terms.of_quarter(0, 0, &[x], inner), ..terms };
        product(a12, b21, c, place.quarter(0, 0), more);
        // y = s1·t1
        combine(Side::Left, a21, Operation::Add, a22, s);
        combine(Side::Right, b12, Operation::Subtract, b11, t);
        product(Block::dense(s, left), Block::dense(t, right), y, inner, Terms::NONE);
        // x = a11·b11 + s2·t2
        unit.combine_in_place(channel, Side::Left, s, false, a11);
        unit.combine_in_place(channel, Side::Right, t, true, b22);
        product(Block::dense(s, left), Block::dense(t, right), x, inner, Terms::ITSELF);
        // c12 = x + y + s4·b22
        unit.combine_in_place(channel, Side::Left, s, true, a12);
        let more = Terms { others: &terms.of_quarter(0, 1, &[x, y], inner), ..terms };
        product(Block::dense(s, left), b22, c, place.quarter(0, 1), more);
        // x = a11·b11 + s2·t2 + s3·t3
        combine(Side::Left, a11, Operation::Subtract, a21, s);
        combine(Side::Right, b22, Operation::Subtract, b12, u);
        product(Block::dense(s, left), Block::dense(u, right), x, inner, Terms::ITSELF);
        // c21 = x + a22·(b21 − t2)
        unit.combine_in_place(channel, Side::Right, t, true, b21);
        let more = Terms { others: &terms.of_quarter(1, 0, &[x], inner), ..terms };
        product(a22, Block::dense(t, right), c, place.quarter(1, 0), more);
        // c22 = x + y
        let all = terms.of_quarter(1, 1, &[x, y], inner);
        let (mut first, rest) =
            if terms.itself { (None, &all[..]) } else { (Some(all[0]), &all[1..]) };
        for &term in rest {
            unit.add(channel, first.take(), term, c, place.quarter(1, 1));
        }
    }
}
