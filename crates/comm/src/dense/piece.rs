//! What one rank gives another of a matrix.

use core::ops::Range;

use nonius_linalg::backend::{Memory, View, ViewMut};
use nonius_linalg::{MatRef, Matrix, Number};

use super::axis::Axis;
use super::cargo::Cargo;
use crate::Error;
use crate::item;

/// Rows or columns in one place and in another, one after the other in both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) count: usize,
}

/// What a rank has of rows or columns and another wants.
pub(super) struct Common {
    /// From the place where the first one lies to the place in a message of it.
    packed: Vec<Span>,
    /// From the place in the message to that among those wanted.
    unpacked: Vec<Span>,
    /// From the one place to the other, where both ranks are one.
    pub(super) moved: Vec<Span>,
    count: usize,
}

impl Common {
    pub(super) fn new(axis: Axis, part: usize, wanted: &[Range<usize>]) -> Self {
        let runs = axis.runs(part);
        let mut found =
            Self { packed: Vec::new(), unpacked: Vec::new(), moved: Vec::new(), count: 0 };
        let (mut place, mut runs) = (0, runs.iter().peekable());
        for range in wanted {
            while let Some(&run) = runs.peek() {
                let both = run.start.max(range.start)..run.end.min(range.end);
                if both.start < both.end {
                    let from = axis.place(both.start, part);
                    found.add(from, place + both.start - range.start, both.len());
                }
                if run.end > range.end {
                    break;
                }
                runs.next();
            }
            place += range.len();
        }
        found
    }

    fn add(&mut self, from: usize, to: usize, count: usize) {
        append(&mut self.packed, Span { from, to: self.count, count });
        append(&mut self.unpacked, Span { from: self.count, to, count });
        append(&mut self.moved, Span { from, to, count });
        self.count += count;
    }
}

/// Appends a span, to the last one where it continues that.
fn append(spans: &mut Vec<Span>, next: Span) {
    match spans.last_mut() {
        Some(last) if last.from + last.count == next.from && last.to + last.count == next.to => {
            last.count += next.count;
        }
        _ => spans.push(next),
    }
}

/// Copies the rectangles of some rows and columns from one matrix to another.
pub(super) fn copy<T: Number, B: Memory<T>>(
    backend: &B,
    from: B::Ref<'_>,
    to: &mut B::Matrix,
    [rows, cols]: [&[Span]; 2],
) where
    for<'a> B::Ref<'a>: Copy,
{
    for col in cols {
        for row in rows {
            let (height, width) = (row.count, col.count);
            let source = from.block(row.from, col.from, height, width);
            let target = backend.view_mut(to).block_mut(row.to, col.to, height, width);
            backend.copy(source, target);
        }
    }
}

/// Entries of a matrix that a rank gives another, or takes from it.
pub struct Piece {
    rank: usize,
    /// From the matrix to the message, or from this to that.
    rows: Vec<Span>,
    cols: Vec<Span>,
    /// Of the message.
    shape: (usize, usize),
}

impl Piece {
    /// What this rank has and another wants, where there is something.
    pub(super) fn given(to: usize, [rows, cols]: [Common; 2]) -> Option<Self> {
        Self::new(to, rows.packed, cols.packed, (rows.count, cols.count))
    }

    /// What another rank has and this one wants, where there is something.
    pub(super) fn taken(from: usize, [rows, cols]: [Common; 2]) -> Option<Self> {
        Self::new(from, rows.unpacked, cols.unpacked, (rows.count, cols.count))
    }

    /// All of a matrix, where that has entries.
    pub(super) fn whole(rank: usize, shape: (usize, usize)) -> Option<Self> {
        Self::taken_to(rank, &(0..shape.0, 0..shape.1))
    }

    /// What another rank has, which is to become this rectangle of a matrix, where that has
    /// entries.
    pub(super) fn taken_to(
        from: usize,
        (rows, cols): &(Range<usize>, Range<usize>),
    ) -> Option<Self> {
        let all = |to: &Range<usize>| vec![Span { from: 0, to: to.start, count: to.len() }];
        Self::new(from, all(rows), all(cols), (rows.len(), cols.len()))
    }

    fn new(rank: usize, rows: Vec<Span>, cols: Vec<Span>, shape: (usize, usize)) -> Option<Self> {
        (shape.0 > 0 && shape.1 > 0).then_some(Self { rank, rows, cols, shape })
    }

    /// The other rank.
    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Rows and columns of the message.
    pub(super) fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// The message, of a matrix.
    pub(super) fn read<T: Number, B: Memory<T>>(&self, backend: &B, from: B::Ref<'_>) -> B::Matrix {
        let mut message = backend.room(from.format(), self.shape.0, self.shape.1);
        copy(backend, from, &mut message, [&self.rows, &self.cols]);
        message
    }

    /// Takes a message to where it belongs in a matrix.
    pub(super) fn write<T: Number, B: Memory<T>>(
        &self,
        backend: &B,
        message: &B::Matrix,
        to: &mut B::Matrix,
    ) {
        copy(backend, backend.view(message), to, [&self.rows, &self.cols]);
    }

    /// Of a matrix that is given, the columns that go into the message.
    pub(super) fn columns_given(&self) -> Vec<usize> {
        self.cols.iter().flat_map(|span| span.from..span.from + span.count).collect()
    }

    /// Of a matrix that the message goes to, its columns there.
    pub(super) fn columns_taken(&self) -> Vec<usize> {
        self.cols.iter().flat_map(|span| span.to..span.to + span.count).collect()
    }

    /// Words of a column of the message.
    pub(super) fn height<T: Cargo>(&self, format: T::Format) -> usize {
        self.shape.0 * T::words_of(format)
    }

    /// The words of some columns of a matrix of the host.
    pub(super) fn pack<T: Cargo>(
        &self,
        from: MatRef<'_, T>,
        columns: &[usize],
    ) -> Result<Vec<u64>, Error> {
        let mut words = item::room(self.height::<T>(from.format()) * columns.len())?;
        for &j in columns {
            for rows in &self.rows {
                T::pack(from.column(j).range(rows.from..rows.from + rows.count), &mut words);
            }
        }
        Ok(words)
    }

    /// Takes words to where they belong in some columns of a matrix of the host.
    pub(super) fn unpack<T: Cargo>(&self, words: &[u64], to: &mut Matrix<T>, columns: &[usize]) {
        let (size, mut rest) = (T::words_of(to.format()), words);
        for &j in columns {
            for rows in &self.rows {
                let (some, others) = rest.split_at(rows.count * size);
                T::unpack(some, to.column_mut(j).range(rows.to..rows.to + rows.count));
                rest = others;
            }
        }
    }
}
