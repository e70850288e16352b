//! Ranks with GPUs: `cargo test --test ranks -- --ignored`. Where a machine has fewer GPUs than
//! there are ranks, ranks share them, and matrices go over the host.

use nonius_comm::Communicator;
use nonius_comm::dense::Cargo;
use nonius_comm::threads::run;
use nonius_cuda::Cuda;
use nonius_gpu::{Device, device_count};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};

use crate::suite::{dense, digits};

fn gpu(ranks: &Communicator) -> Cuda {
    let count = device_count().expect("a driver");
    let device = Device::new(ranks.rank() % count.max(1)).expect("a GPU");
    Cuda::new(&device).expect("a stream")
}

fn check<T: Cargo>(format: T::Format, orders: &[usize]) {
    let of_gpus = device_count().expect("a driver");
    for ranks in [1, 2, 3, 4, of_gpus] {
        for way in dense::ways() {
            let work = |ranks: &Communicator| {
                let one = gpu(ranks).with_products(way);
                dense::check_on::<T, _>(ranks, &one, format, orders)
            };
            run(ranks, work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn f64_has_the_bits_of_one() {
    check::<f64>((), &[1, 7, 150]);
}

#[test]
#[ignore = "needs a GPU"]
fn dd_has_the_bits_of_one() {
    check::<Dd>((), &[2, 33, 300]);
}

#[test]
#[ignore = "needs a GPU"]
fn td_has_the_bits_of_one() {
    check::<Td>((), &[70]);
}

#[test]
#[ignore = "needs a GPU"]
fn qd_has_the_bits_of_one() {
    check::<Qd>((), &[140]);
}

#[test]
#[ignore = "needs a GPU"]
fn mp_has_the_bits_of_one() {
    check::<Mp>(Bits::new(212).expect("bits"), &[60]);
}

#[test]
#[ignore = "needs a GPU"]
fn proved_digits_are_those_of_one() {
    let of_gpus = device_count().expect("a driver");
    for ranks in [1, 2, 3, 4, of_gpus] {
        let work = |ranks: &Communicator| digits::check_on(ranks, &gpu(ranks));
        run(ranks, work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
    }
}

/// As if GPUs had room for some lines of a matrix alone.
#[test]
#[ignore = "needs a GPU"]
fn matrices_larger_than_a_gpu_have_the_bits_of_one_that_holds_them() {
    fn check<T: Cargo>(format: T::Format, n: usize) {
        for ranks in [1, 2] {
            for way in dense::ways() {
                let work = |ranks: &Communicator| {
                    let one = gpu(ranks).with_products(way);
                    for lines in [30, 200] {
                        let bytes = lines * n * 8 * T::words_of(format);
                        let small = OutOfCore::new(one.renewed(), bytes);
                        dense::algorithms::<T, _, _>(&small, &one, format, n);
                        dense::check_between::<T, _, _>(ranks, &one, &small, format, &[n])?;
                    }
                    Ok::<_, nonius_comm::Error>(())
                };
                run(ranks, work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
            }
        }
    }
    check::<f64>((), 150);
    check::<Dd>((), 300);
    check::<Mp>(Bits::new(212).expect("bits"), 60);
}
