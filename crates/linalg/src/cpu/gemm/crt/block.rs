//! Rectangles of operands and of products, in one channel.

use core::ops::Range;

use super::layout::LINES;

/// Some groups of lines of an operand at some successive words, in the planes of one channel.
///
/// The word of line `i` of group `g` at `w` of plane `p` is
/// `words[g·group + p·plane + w·LINES + i]`.
#[derive(Clone, Copy)]
pub(super) struct Block<'a, W> {
    pub(super) words: &'a [W],
    pub(super) group: usize,
    pub(super) plane: usize,
    pub(super) groups: usize,
    /// Number of words of a line.
    pub(super) depth: usize,
}

impl<'a, W> Block<'a, W> {
    /// A block without gaps, of `planes` planes, `groups` groups and `depth` words of a line.
    pub(super) fn dense(words: &'a [W], [planes, groups, depth]: [usize; 3]) -> Self {
        let plane = depth * LINES;
        Self { words, group: planes * plane, plane, groups, depth }
    }

    /// The words of a group in a plane.
    #[inline(always)]
    pub(super) fn line(&self, group: usize, plane: usize) -> &'a [W] {
        &self.words[group * self.group + plane * self.plane..][..self.depth * LINES]
    }

    /// The part of it that has those groups and words.
    pub(super) fn part(self, groups: Range<usize>, depth: Range<usize>) -> Self {
        Self {
            words: &self.words[groups.start * self.group + depth.start * LINES..],
            groups: groups.len(),
            depth: depth.len(),
            ..self
        }
    }

    /// One of its four quarters.
    pub(super) fn quarter(self, i: usize, j: usize) -> Self {
        let (groups, depth) = (self.groups / 2, self.depth / 2);
        self.part(i * groups..(i + 1) * groups, j * depth..(j + 1) * depth)
    }
}

/// A rectangle of a product: the entry in row `i` and column `j` of plane `p` is at
/// `start + p·plane + j·column + i`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) column: usize,
    pub(super) plane: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Place {
    /// One that has no gaps.
    pub(super) fn dense(rows: usize, columns: usize) -> Self {
        Self { start: 0, column: rows, plane: rows * columns, rows, columns }
    }

    /// Where the entry in a row and column of the first plane is.
    #[inline(always)]
    pub(super) fn at(&self, row: usize, column: usize) -> usize {
        self.start + column * self.column + row
    }

    /// One of its four quarters.
    pub(super) fn quarter(self, i: usize, j: usize) -> Self {
        let (rows, columns) = (self.rows / 2, self.columns / 2);
        Self { start: self.at(i * rows, j * columns), rows, columns, ..self }
    }
}

/// What is added to a product.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a, R> {
    /// What stands at its place.
    pub(super) itself: bool,
    /// Rectangles of the same shape elsewhere, at most four.
    pub(super) others: &'a [Term<'a, R>],
}

impl<R> Terms<'_, R> {
    pub(super) const NONE: Self = Self { itself: false, others: &[] };
    pub(super) const ITSELF: Self = Self { itself: true, others: &[] };

    /// The others for one of four quarters, and some results at a place of its shape.
    pub(super) fn of_quarter<'b>(
        &'b self,
        i: usize,
        j: usize,
        results: &[&'b [R]],
        place: Place,
    ) -> Vec<Term<'b, R>> {
        let parts =
            self.others.iter().map(|term| Term { place: term.place.quarter(i, j), ..*term });
        parts.chain(results.iter().map(|&residues| Term { residues, place })).collect()
    }
}

/// A rectangle of residues.
pub(super) struct Term<'a, R> {
    pub(super) residues: &'a [R],
    pub(super) place: Place,
}

impl<R> Clone for Term<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Term<'_, R> {}
