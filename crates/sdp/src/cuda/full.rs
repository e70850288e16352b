//! Constraints of a square that are multiplied as matrices, by their columns that are not zero.

use core::ops::Range;

use nonius_cuda::Cuda;
use nonius_gpu::{Error, Pointer};
use nonius_linalg::Element;

use super::arguments::Line;
use super::lists::Lists;
use crate::cone::Square;

/// Some constraints of a square.
#[derive(Debug)]
pub(super) struct Full {
    /// Their numbers among the square's, ascending, and those of all ranks' together.
    pub(super) matrices: Vec<u32>,
    pub(super) of_all: Vec<u32>,
    /// These, in the device's memory.
    pub(super) columns: Pointer<u32>,
    /// One after the other; those of matrix `k` begin at `starts[k]`.
    pub(super) lines: Pointer<Line>,
    pub(super) starts: Vec<usize>,
    /// Of each entry of a line its row and its number.
    pub(super) rows: Pointer<u32>,
    pub(super) entries: Pointer<u32>,
    _lists: Lists,
}

/// The columns of some constraints that are not zero.
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    pub(super) starts: Vec<usize>,
    pub(super) rows: Vec<u32>,
    pub(super) entries: Vec<u32>,
}

impl Lines {
    pub(super) fn new<T: Element>(square: &Square<T>, matrices: &[u32]) -> Self {
        let mut lines: Vec<Line> = Vec::new();
        let (mut rows, mut entries, mut starts) = (Vec::new(), Vec::new(), vec![0]);
        let mut own: Vec<(u32, u32, u32)> = Vec::new();
        for (number, &matrix) in (0..).zip(matrices) {
            own.clear();
            for e in square.starts[matrix as usize]..square.starts[matrix as usize + 1] {
                let (row, col) = (square.entries.rows[e], square.entries.cols[e]);
                own.push((col, row, e as u32));
                if row != col {
                    own.push((row, col, e as u32));
                }
            }
            own.sort_unstable();
            for line in own.chunk_by(|x, y| x.0 == y.0) {
                let first = rows.len() as u32;
                let end = first + line.len() as u32;
                lines.push(Line { matrix: number, col: line[0].0, first, end });
                rows.extend(line.iter().map(|entry| entry.1));
                entries.extend(line.iter().map(|entry| entry.2));
            }
            starts.push(lines.len());
        }
        Self { lines, starts, rows, entries }
    }
}

impl Full {
    /// Those that are this rank's of some of all ranks' matrices.
    pub(super) fn own(&self, of_all: Range<usize>) -> Range<usize> {
        let place = |at: usize| match self.of_all.get(at) {
            Some(matrix) => self.matrices.partition_point(|own| own < matrix),
            None => self.matrices.len(),
        };
        place(of_all.start)..place(of_all.end)
    }

    pub(super) fn new<T: Element>(
        gpu: &Cuda,
        square: &Square<T>,
        matrices: Vec<u32>,
        of_all: Vec<u32>,
    ) -> Result<Self, Error> {
        let Lines { lines, starts, rows, entries } = Lines::new(square, &matrices);
        let mut lists = Lists::default();
        Ok(Self {
            columns: lists.keep(gpu.numbers(&matrices)?),
            lines: lists.keep(gpu.numbers(&lines)?),
            rows: lists.keep(gpu.numbers(&rows)?),
            entries: lists.keep(gpu.numbers(&entries)?),
            matrices,
            of_all,
            starts,
            _lists: lists,
        })
    }
}
