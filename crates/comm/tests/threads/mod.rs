//! What tests share whose ranks are threads.

pub(crate) mod failures;

use nonius_comm::threads::run;
use nonius_comm::{Communicator, Error};
use nonius_linalg::dense::gemm::Arithmetic;

/// Sums that are delayed.
pub(crate) const DELAYED: Arithmetic = Arithmetic::Delayed;

/// Runs what panics where it fails.
pub(crate) fn on_ranks(ranks: usize, work: impl Fn(&Communicator) + Sync) {
    let found = run(ranks, |ranks| {
        work(ranks);
        Ok::<_, Error>(())
    });
    found.unwrap();
}
