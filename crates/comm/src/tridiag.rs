//! Batches of tridiagonal systems, shared out among ranks.

use core::ops::Range;

use nonius_linalg::tridiag::{self, Batch, Cause, Failure, Options, Order, Report, Solvable};
use nonius_linalg::{Error, Numbers, Slice, SliceMut};

use crate::dense::Packed;
use crate::{Communicator, shares};

/// Solves all systems of a batch that every rank has, a run of them on each rank; every rank gets
/// all unknowns, in the order of the batch, and the whole report.
///
/// A system is solved as on one device, with the same bits: systems of a batch know nothing of each
/// other.
///
/// # Errors
/// As [`tridiag::solve`], the same on every rank; [`Error::Device`] where a rank is lost.
pub fn solve<'x, T: Solvable + Packed>(
    ranks: &Communicator,
    batch: &Batch<'_, T>,
    options: &Options,
    x: impl Into<SliceMut<'x, T>>,
) -> Result<Report, Error> {
    let mut x = x.into();
    if ranks.size() == 1 {
        return tridiag::solve(batch, options, x);
    }
    Error::check_length("x", batch.right().len(), x.len())?;
    let runs = shares(&vec![1.0; batch.systems()], ranks.size());
    let run = runs[ranks.rank()].clone();
    let mut own = Numbers::zeros(x.format(), run.len() * batch.size());
    let report = solve_run(batch, &run, options, own.as_mut_slice())?;
    let mut words = Vec::new();
    T::pack(own.as_slice(), &mut words);
    let unknowns = ranks.all_gather_lists(&words)?;
    for (run, words) in runs.iter().zip(&unknowns) {
        let mut numbers = Numbers::zeros(x.format(), run.len() * batch.size());
        T::unpack(words, numbers.as_mut_slice());
        place(batch, run, numbers.as_slice(), &mut x);
    }
    let words: Vec<u64> = report.failures.iter().flat_map(words_of).collect();
    let failures = ranks.all_gather_lists(&words)?;
    let of_run = |(run, words): (&Range<usize>, &Vec<u64>)| -> Vec<Failure> {
        words.as_chunks().0.iter().map(|&words| failure(run.start, words)).collect()
    };
    let failures = runs.iter().zip(&failures).flat_map(of_run).collect();
    Ok(Report { method: report.method, failures })
}

/// Solves the systems of a run; `x` has their unknowns in the order of the batch.
fn solve_run<T: Solvable>(
    batch: &Batch<'_, T>,
    run: &Range<usize>,
    options: &Options,
    x: SliceMut<'_, T>,
) -> Result<Report, Error> {
    let [lower, diagonal, upper] = batch.matrix();
    let arrays = [lower, diagonal, upper, batch.right()].map(|array| taken(batch, run, array));
    let [lower, diagonal, upper, right] = arrays.each_ref().map(Numbers::as_slice);
    let order = batch.order();
    let part = Batch::new(run.len(), batch.size(), order, [lower, diagonal, upper], right)?;
    tridiag::solve(&part, options, x)
}

/// The numbers of a run of systems, in the order of the batch.
fn taken<T: Solvable>(batch: &Batch<'_, T>, run: &Range<usize>, from: Slice<'_, T>) -> Numbers<T> {
    let mut numbers = Numbers::zeros(from.format(), run.len() * batch.size());
    for (from_run, from_batch) in pieces(batch, run) {
        numbers.as_mut_slice().range(from_run).copy_from(from.range(from_batch));
    }
    numbers
}

/// Puts the numbers of a run of systems in their places.
fn place<T: Solvable>(
    batch: &Batch<'_, T>,
    run: &Range<usize>,
    numbers: Slice<'_, T>,
    to: &mut SliceMut<'_, T>,
) {
    for (from_run, from_batch) in pieces(batch, run) {
        to.reborrow().range(from_batch).copy_from(numbers.range(from_run));
    }
}

/// Where pieces of a run's numbers lie, among those of the run and those of the batch.
fn pieces<T: Solvable>(
    batch: &Batch<'_, T>,
    run: &Range<usize>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let (systems, size, count) = (batch.systems(), batch.size(), run.len());
    match batch.order() {
        Order::Contiguous => vec![(0..count * size, run.start * size..run.end * size)],
        Order::Interleaved => (0..size)
            .map(|i| (i * count..(i + 1) * count, i * systems + run.start..i * systems + run.end))
            .collect(),
    }
}

const CAUSES: [Cause; 3] = [Cause::NotFinite, Cause::Pivot, Cause::Overflow];

/// A failure as its receivers take it, its system counted from the first of the run.
fn words_of(failure: &Failure) -> [u64; 3] {
    let cause = CAUSES.iter().position(|&cause| cause == failure.cause).unwrap_or(0);
    [failure.system as u64, cause as u64, failure.row as u64]
}

fn failure(first: usize, [system, cause, row]: [u64; 3]) -> Failure {
    let cause = CAUSES[(cause as usize).min(CAUSES.len() - 1)];
    Failure { system: first + system as usize, cause, row: row as usize }
}
