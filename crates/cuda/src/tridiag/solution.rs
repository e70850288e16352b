//! The solution of a batch in the device's memory, and what is read of it.

use nonius_gpu::{Buffer, Error, Stream};
use nonius_linalg::tridiag::{Cause, Failure, Method, Options};

use super::batch::View;
use super::{queue, ring};
use crate::backend::Cuda;

/// Rows of a system at the most: what a fault has bits for.
pub(super) const MOST_ROWS: usize = 1 << 30;

/// Queues the solution of a view's systems.
pub(super) fn queue_view(
    cuda: &Cuda,
    stream: &Stream,
    view: &View,
    method: Method,
    options: &Options,
) -> Result<(), Error> {
    if view.extent.count() == 0 {
        return Ok(());
    }
    match (options.periodic, options.pivoting) {
        (true, true) => ring::pivoted(cuda, stream, view),
        (true, false) => ring::solve(cuda, stream, view, method),
        (false, pivoting) => queue::solve(cuda, stream, view, method, pivoting),
    }
}

/// What the words of a batch's systems say, when the backend's stream has come so far.
pub(super) fn read_failures(
    cuda: &Cuda,
    faults: &Buffer,
    systems: usize,
) -> Result<Vec<Failure>, Error> {
    Ok(failures_of(cuda.read::<u32>(faults, systems)?))
}

/// The same of the words.
pub(super) fn failures_of(words: Vec<u32>) -> Vec<Failure> {
    let of = |(system, word): (usize, u32)| {
        let fault = !word;
        let cause = if fault >> 30 == 0 { Cause::NotFinite } else { Cause::Pivot };
        Failure { system, cause, row: fault as usize % MOST_ROWS }
    };
    words.into_iter().enumerate().filter(|&(_, word)| word != 0).map(of).collect()
}
