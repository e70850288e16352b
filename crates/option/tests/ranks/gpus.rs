//! Ranks with GPUs: `cargo test --test ranks -- --ignored`. Where a machine has fewer GPUs than
//! there are ranks, ranks share them.

use nonius_comm::Communicator;
use nonius_comm::threads::run;
use nonius_cuda::{Cuda, Device};
use nonius_gpu::device_count;
use nonius_linalg::Error;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd};

use crate::suite::{book, quotes};

fn gpu(ranks: &Communicator) -> Cuda {
    let count = device_count().expect("a driver");
    let device = Device::new(ranks.rank() % count.max(1)).expect("a GPU");
    Cuda::new(&device).expect("a stream")
}

fn on_ranks(check: impl Fn(&Communicator, &Cuda) -> Result<(), Error> + Sync) {
    for ranks in [1, 2, 3] {
        let outcome = run(ranks, |ranks| check(ranks, &gpu(ranks)));
        outcome.unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn f64_has_the_bits_of_one() {
    on_ranks(|ranks, gpu| {
        book::<f64>(ranks, gpu, (), 40)?;
        quotes::<f64>(ranks, gpu, (), 10)
    });
}

/// As many members as scans are no longer taken for, of which a rank has fewer.
#[test]
#[ignore = "needs a GPU"]
fn dd_has_the_bits_of_one() {
    on_ranks(|ranks, gpu| {
        book::<Dd>(ranks, gpu, (), 1200)?;
        quotes::<Dd>(ranks, gpu, (), 5)
    });
}

#[test]
#[ignore = "needs a GPU"]
fn qd_has_the_bits_of_one() {
    on_ranks(|ranks, gpu| book::<Qd>(ranks, gpu, (), 9));
}

#[test]
#[ignore = "needs a GPU"]
fn mp_has_the_bits_of_one() {
    on_ranks(|ranks, gpu| book::<Mp>(ranks, gpu, Bits::new(212).expect("bits"), 4));
}
