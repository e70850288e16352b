//! The lists of a part before they are copied to a device.

use nonius_linalg::{Number, Numbers};

use super::launch::LONG_SUM;
use crate::cone::{Diagonal, Square};

/// The lists of a part before they are copied to a device.
#[derive(Debug)]
pub(super) struct Draft<T: Number> {
    /// Entries, those of a matrix one after the other.
    pub(super) rows: Vec<u32>,
    pub(super) cols: Vec<u32>,
    pub(super) values: Numbers<T>,
    /// What products take in the place of values, where there are other numbers.
    pub(super) weights: Option<Numbers<T>>,
    /// Where those of a matrix begin.
    pub(super) starts: Vec<u32>,
    /// The numbers of the matrices' constraints; `F₀`, which comes after them, has none.
    pub(super) constraints: Vec<u32>,
    /// Places where any of the matrices has an entry, and where the sources of each begin.
    pub(super) place_rows: Vec<u32>,
    pub(super) place_cols: Vec<u32>,
    pub(super) place_starts: Vec<u32>,
    /// Of each source its constraint and its entry.
    pub(super) source_constraints: Vec<u32>,
    pub(super) source_entries: Vec<u32>,
}

/// Numbers of entries, which are below `2^32`: [`check_counts`](super::cone::check_counts) sees to
/// that.
fn short(numbers: &[usize]) -> Vec<u32> {
    numbers.iter().map(|&x| x as u32).collect()
}

impl<T: Number> Draft<T> {
    fn new(format: T::Format) -> Self {
        Self {
            rows: Vec::new(),
            cols: Vec::new(),
            values: Numbers::new(format),
            weights: None,
            starts: Vec::new(),
            constraints: Vec::new(),
            place_rows: Vec::new(),
            place_cols: Vec::new(),
            place_starts: Vec::new(),
            source_constraints: Vec::new(),
            source_entries: Vec::new(),
        }
    }

    /// Those of a square.
    pub(super) fn of_square(square: &Square<T>) -> Self {
        let entries = &square.entries;
        let mut draft = Self {
            rows: entries.rows.clone(),
            cols: entries.cols.clone(),
            values: entries.values.clone(),
            starts: short(&square.starts),
            constraints: square.constraints.clone(),
            ..Self::new(entries.values.format())
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
        draft
    }

    /// Those of squares that lie in a column, each from a place on; an entry counts for its mirror
    /// image too.
    pub(super) fn of_small<'a>(
        format: T::Format,
        squares: impl Iterator<Item = (usize, &'a Square<T>)> + Clone,
    ) -> Self {
        // By constraints, those of `F₀` last: the matrix of each in each square.
        let mut matrices: Vec<(u32, usize, usize)> = Vec::new();
        for (number, (_, square)) in squares.clone().enumerate() {
            let constraints = square.constraints.iter().copied().chain([u32::MAX]);
            matrices.extend(constraints.enumerate().map(|(k, constraint)| (constraint, number, k)));
        }
        matrices.sort_unstable();
        let all: Vec<(usize, &Square<T>)> = squares.collect();
        let mut draft = Self { starts: vec![0], ..Self::new(format) };
        let mut weights = Numbers::new(format);
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
                    moved[number][e] = draft.values.len() as u32;
                    draft.rows.push((offset + row + col * square.order) as u32);
                    draft.values.push(value);
                    weights.push(if row == col { value } else { value.ldexp(1) });
                }
            }
            draft.starts.push(draft.values.len() as u32);
            draft.constraints.push(of_constraint[0].0);
        }
        // `F₀` has no number, and is there where there are squares.
        if draft.constraints.pop().is_none() {
            draft.starts.push(0);
        }
        draft.cols = vec![0; draft.values.len()];
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
        draft.weights = Some(weights);
        draft
    }

    /// Those of the diagonal block, with a matrix for each constraint.
    pub(super) fn of_diagonal(diagonal: &Diagonal<T>) -> Self {
        let count = diagonal.numbers.len();
        let matrices = diagonal.by_constraint.len() - 1;
        let mut by_row = vec![0; count];
        let mut values = Numbers::with_capacity(diagonal.values.format(), count);
        for (at, &(number, _)) in (0..).zip(&diagonal.numbers) {
            by_row[number] = at;
            values.push(diagonal.values.at(number));
        }
        Self {
            rows: diagonal.numbers.iter().map(|&(_, row)| row as u32).collect(),
            cols: vec![0; count],
            starts: short(&diagonal.by_constraint),
            constraints: (0..matrices as u32 - 1).collect(),
            place_rows: (0..diagonal.order as u32).collect(),
            place_cols: vec![0; diagonal.order],
            place_starts: short(&diagonal.starts),
            source_constraints: diagonal.constraints.clone(),
            source_entries: by_row,
            values,
            ..Self::new(diagonal.values.format())
        }
    }

    /// The matrices of many entries, or those of few, without `F₀`.
    pub(super) fn matrices(&self, is_long: bool) -> Vec<u32> {
        let chosen = |&k: &u32| {
            let length = (self.starts[k as usize + 1] - self.starts[k as usize]) as usize;
            length > 0 && (length >= LONG_SUM) == is_long
        };
        (0..self.constraints.len() as u32).filter(chosen).collect()
    }
}
