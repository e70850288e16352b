//! What all matrices of a program have in one block, in a device's memory.

use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::{Buffer, Error, Pointer};
use nonius_linalg::Number;

use super::arguments::Entries;
use super::blocks::uploaded;
use super::draft::Draft;
use super::filled::Pattern;
use super::lists::Lists;

/// A block: a square, several as a column, or the diagonal one as a column.
#[derive(Debug)]
pub(super) struct Part<T: Number> {
    /// Those that products take.
    pub(super) entries: Entries,
    /// How many matrices of constraints have an entry here; that of `F₀` comes after them.
    pub(super) count: usize,
    /// The constraints that products are summed for, ascending.
    pub(super) constraints: Vec<u32>,
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

impl<T: Number> Part<T> {
    pub(super) fn new(gpu: &Cuda, draft: &Draft<T>) -> Result<Self, Error> {
        let count = draft.constraints.len();
        let values = uploaded(gpu, &draft.values)?;
        let weights = draft.weights.as_ref().map(|weights| uploaded(gpu, weights)).transpose()?;
        let mut lists = Lists::default();
        let mut keep = |numbers: &[u32]| -> Result<Pointer<u32>, Error> {
            Ok(lists.keep(gpu.numbers(numbers)?))
        };
        // A product with `F₀` stands alone.
        let constraints: Vec<u32> = draft.constraints.iter().copied().chain([0]).collect();
        let entries = Entries {
            rows: keep(&draft.rows)?,
            cols: keep(&draft.cols)?,
            starts: keep(&draft.starts)?,
            constraints: keep(&constraints)?,
            values: weights.as_ref().unwrap_or(&values).as_ref().layout(),
        };
        let places =
            [keep(&draft.place_rows)?, keep(&draft.place_cols)?, keep(&draft.place_starts)?];
        let sources = [keep(&draft.source_constraints)?, keep(&draft.source_entries)?];
        let mut filled = [draft.matrices(false), draft.matrices(true)].concat();
        filled.sort_unstable();
        let of_filled = filled.iter().map(|&matrix| draft.constraints[matrix as usize]);
        Ok(Self {
            entries,
            count,
            constraints: of_filled.collect(),
            values,
            _weights: weights,
            short: Tasks::new(gpu, draft.matrices(false))?,
            long: Tasks::new(gpu, draft.matrices(true))?,
            constant: Tasks::new(gpu, vec![count as u32])?,
            pattern: Pattern { count: draft.place_rows.len(), places, sources },
            _lists: lists,
        })
    }
}
