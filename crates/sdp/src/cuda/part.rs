//! What all matrices of a program have in one block, in a device's memory.

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::{Buffer, Error, Pointer};
use nonius_linalg::Scalar;

use super::arguments::Entries;
use super::blocks::uploaded;
use super::launch::LONG_SUM;
use super::lists::Lists;
use crate::cone::{Diagonal, Square};

/// How the mirror image of an entry counts in a product with a matrix: `Images` in `cone.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Images {
    /// Not at all.
    None = 0,
    /// As the entry.
    Same = 1,
    /// By itself.
    Other = 2,
}

/// A block: a square, several as a column, or the diagonal one as a column.
#[derive(Debug)]
pub(super) struct Part<T: Scalar> {
    /// Those that products take.
    pub(super) entries: Entries,
    /// How many matrices of constraints have an entry here; that of `F₀` comes after them.
    pub(super) count: usize,
    pub(super) values: DeviceMatrix<T>,
    _weights: Option<DeviceMatrix<T>>,
    /// The matrices of few entries, and those of many.
    pub(super) short: Tasks,
    pub(super) long: Tasks,
    /// That of `F₀`.
    pub(super) constant: Tasks,
    pub(super) pattern: Pattern,
    _lists: Lists,
}

/// Some of the matrices, ascending.
#[derive(Debug)]
pub(super) struct Tasks {
    numbers: Vec<u32>,
    list: Buffer,
}

impl Tasks {
    fn new(gpu: &Cuda, numbers: Vec<u32>) -> Result<Self, Error> {
        let list = gpu.numbers(&numbers)?;
        Ok(Self { numbers, list })
    }

    /// Where those from a matrix on are, and how many.
    pub(super) fn from(&self, matrix: usize) -> (Pointer<u32>, usize) {
        let before = self.numbers.partition_point(|&number| (number as usize) < matrix);
        (self.list.pointer().add(before), self.numbers.len() - before)
    }
}

/// Where any of the matrices has an entry.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) count: usize,
    /// Rows, columns and beginnings of the sources.
    pub(super) places: [Pointer<u32>; 3],
    /// Constraints and entries of the sources.
    pub(super) sources: [Pointer<u32>; 2],
}

/// The lists of a part before they are copied.
#[derive(Default)]
struct Draft {
    rows: Vec<u32>,
    cols: Vec<u32>,
    starts: Vec<u32>,
    constraints: Vec<u32>,
    place_rows: Vec<u32>,
    place_cols: Vec<u32>,
    place_starts: Vec<u32>,
    source_constraints: Vec<u32>,
    source_entries: Vec<u32>,
}

/// Numbers of entries, which are below `2^32` as [`check_counts`](super::cone::check_counts) sees to.
pub(super) fn short(numbers: &[usize]) -> Vec<u32> {
    numbers.iter().map(|&x| x as u32).collect()
}

impl<T: Scalar> Part<T> {
    /// That of a square.
    pub(super) fn of_square(gpu: &Cuda, square: &Square<T>) -> Result<Self, Error> {
        let mut draft = Draft {
            rows: square.entries.rows.clone(),
            cols: square.entries.cols.clone(),
            starts: short(&square.starts),
            constraints: square.constraints.clone(),
            ..Draft::default()
        };
        for (col, range) in square.columns.windows(2).enumerate() {
            let mut last = None;
            for (at, source) in square.sources[range[0]..range[1]].iter().enumerate() {
                if last != Some(source.row) {
                    last = Some(source.row);
                    draft.place_rows.push(source.row);
                    draft.place_cols.push(col as u32);
                    draft.place_starts.push((range[0] + at) as u32);
                }
            }
        }
        draft.place_starts.push(square.sources.len() as u32);
        draft.source_constraints = square.sources.iter().map(|source| source.constraint).collect();
        draft.source_entries = square.sources.iter().map(|source| source.entry).collect();
        Self::new(gpu, draft, square.entries.values.plain(), None)
    }

    /// That of squares that lie in a column, each from a place on; an entry counts for its mirror image too.
    pub(super) fn of_small<'a>(
        gpu: &Cuda,
        squares: impl Iterator<Item = (usize, &'a Square<T>)> + Clone,
    ) -> Result<Self, Error> {
        // By constraints, those of `F₀` last: the matrix of each in each square.
        let mut matrices: Vec<(u32, usize, usize)> = Vec::new();
        for (number, (_, square)) in squares.clone().enumerate() {
            let constraints = square.constraints.iter().copied().chain([u32::MAX]);
            matrices.extend(constraints.enumerate().map(|(k, constraint)| (constraint, number, k)));
        }
        matrices.sort_unstable();
        let all: Vec<(usize, &Square<T>)> = squares.collect();
        let mut draft = Draft { starts: vec![0], ..Draft::default() };
        let (mut values, mut weights) = (Vec::new(), Vec::new());
        // For each square where its entries are now.
        let mut moved: Vec<Vec<u32>> =
            all.iter().map(|(_, square)| vec![0; square.entries.len()]).collect();
        for of_constraint in matrices.chunk_by(|x, y| x.0 == y.0) {
            for &(_, number, k) in of_constraint {
                let (offset, square) = all[number];
                for e in square.starts[k]..square.starts[k + 1] {
                    let [row, col] =
                        [&square.entries.rows, &square.entries.cols].map(|list| list[e] as usize);
                    let value = square.entries.values.at(e);
                    moved[number][e] = values.len() as u32;
                    draft.rows.push((offset + row + col * square.order) as u32);
                    values.push(value);
                    weights.push(if row == col { value } else { value + value });
                }
            }
            draft.starts.push(values.len() as u32);
            draft.constraints.push(of_constraint[0].0);
        }
        // `F₀` has no number, and is there where there are squares.
        if draft.constraints.pop().is_none() {
            draft.starts.push(0);
        }
        draft.cols = vec![0; values.len()];
        for (&(offset, square), moved) in all.iter().zip(&moved) {
            for (col, range) in square.columns.windows(2).enumerate() {
                let mut last = None;
                for source in &square.sources[range[0]..range[1]] {
                    if last != Some(source.row) {
                        last = Some(source.row);
                        let place = offset + source.row as usize + col * square.order;
                        draft.place_rows.push(place as u32);
                        draft.place_starts.push(draft.source_entries.len() as u32);
                    }
                    draft.source_constraints.push(source.constraint);
                    draft.source_entries.push(moved[source.entry as usize]);
                }
            }
        }
        draft.place_cols = vec![0; draft.place_rows.len()];
        draft.place_starts.push(draft.source_entries.len() as u32);
        Self::new(gpu, draft, &values, Some(&weights))
    }

    /// That of the diagonal block, with a matrix for each constraint.
    pub(super) fn of_diagonal(gpu: &Cuda, diagonal: &Diagonal<T>) -> Result<Self, Error> {
        let count = diagonal.numbers.len();
        let matrices = diagonal.by_constraint.len() - 1;
        let mut by_row = vec![0; count];
        for (at, &(_, number)) in (0..).zip(&diagonal.numbers) {
            by_row[number as usize] = at;
        }
        let draft = Draft {
            rows: diagonal.numbers.iter().map(|&(row, _)| row).collect(),
            cols: vec![0; count],
            starts: short(&diagonal.by_constraint),
            constraints: (0..matrices as u32 - 1).collect(),
            place_rows: (0..diagonal.order as u32).collect(),
            place_cols: vec![0; diagonal.order],
            place_starts: short(&diagonal.starts),
            source_constraints: diagonal.constraints.clone(),
            source_entries: by_row,
        };
        let values: Vec<T> = (diagonal.numbers.iter())
            .map(|&(_, number)| diagonal.values.at(number as usize))
            .collect();
        Self::new(gpu, draft, &values, None)
    }

    /// The part with such values; products take other weights, where there are any.
    fn new(
        gpu: &Cuda,
        mut draft: Draft,
        values: &[T],
        weights: Option<&[T]>,
    ) -> Result<Self, Error> {
        let count = draft.constraints.len();
        // A product with `F₀` stands alone.
        draft.constraints.push(0);
        let length = |k: usize| (draft.starts[k + 1] - draft.starts[k]) as usize;
        let matrices = |is_long: bool| {
            let chosen = |&k: &u32| {
                let length = length(k as usize);
                length > 0 && (length >= LONG_SUM) == is_long
            };
            (0..count as u32).filter(chosen).collect::<Vec<_>>()
        };
        let [short, long] = [matrices(false), matrices(true)];
        let values = uploaded(gpu, values)?;
        let weights = weights.map(|weights| uploaded(gpu, weights)).transpose()?;
        let mut lists = Lists::default();
        let mut keep = |numbers: &[u32]| -> Result<Pointer<u32>, Error> {
            Ok(lists.keep(gpu.numbers(numbers)?))
        };
        let entries = Entries {
            rows: keep(&draft.rows)?,
            cols: keep(&draft.cols)?,
            starts: keep(&draft.starts)?,
            constraints: keep(&draft.constraints)?,
            values: weights.as_ref().unwrap_or(&values).as_ref().layout(),
        };
        let places =
            [keep(&draft.place_rows)?, keep(&draft.place_cols)?, keep(&draft.place_starts)?];
        let sources = [keep(&draft.source_constraints)?, keep(&draft.source_entries)?];
        Ok(Self {
            entries,
            count,
            values,
            _weights: weights,
            short: Tasks::new(gpu, short)?,
            long: Tasks::new(gpu, long)?,
            constant: Tasks::new(gpu, vec![count as u32])?,
            pattern: Pattern { count: draft.place_rows.len(), places, sources },
            _lists: lists,
        })
    }
}
