//! The rows and columns of the factor's panels.

use core::ops::Range;

/// The rows and columns of the factor's panels.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The first column of each supernode; one more is the order.
    pub(super) first: Vec<u32>,
    /// The rows below each one's square, one after the other, and where they begin.
    pub(super) below: Vec<u32>,
    pub(super) starts: Vec<usize>,
}

impl Shape {
    /// How many supernodes there are.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The columns of a supernode.
    pub(super) fn columns(&self, s: usize) -> Range<usize> {
        self.first[s] as usize..self.first[s + 1] as usize
    }

    /// How many columns it has.
    pub(super) fn width(&self, s: usize) -> usize {
        self.columns(s).len()
    }

    /// The rows below a supernode's square, ascending.
    pub(super) fn below(&self, s: usize) -> &[u32] {
        &self.below[self.starts[s]..self.starts[s + 1]]
    }

    /// How many rows it has.
    pub(super) fn height(&self, s: usize) -> usize {
        self.width(s) + self.below(s).len()
    }

    /// Where some ascending rows of the factor are in a supernode's panel.
    pub(super) fn places<'a>(
        &'a self,
        s: usize,
        rows: &'a [u32],
    ) -> impl Iterator<Item = u32> + 'a {
        let (columns, below) = (self.columns(s), self.below(s));
        let mut at = 0;
        rows.iter().map(move |&row| {
            if (row as usize) < columns.end {
                return row - columns.start as u32;
            }
            at += below[at..].partition_point(|&other| other < row);
            (columns.len() + at) as u32
        })
    }
}
