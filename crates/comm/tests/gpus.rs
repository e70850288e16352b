//! Ranks with GPUs: `cargo test --test gpus -- --ignored`. Where a machine has fewer GPUs than
//! there are ranks, ranks share them, and matrices go over the host.

mod suite;
mod threads;

use std::time::Instant;

use nonius_comm::dense::Cargo;
use nonius_comm::threads::{Failure, run};
use nonius_comm::{Communicator, Error};
use nonius_cuda::{Cuda, CudaSpace};
use nonius_gpu::{Device, device_count};
use nonius_linalg::krylov::system::SparseNumber;
use nonius_linalg::krylov::{HostSpace, LinearOperator};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::sparse::{Csr, Ell, Jad};
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};

use suite::{dense, digits, krylov, systems, tridiag};
use threads::{DELAYED, failures, on_ranks};

fn gpu(ranks: &Communicator) -> Cuda {
    let count = device_count().expect("a driver");
    let device = Device::new(ranks.rank() % count.max(1)).expect("a GPU");
    Cuda::new(&device).expect("a stream")
}

fn on_gpus(work: impl Fn(&Communicator) -> Result<(), Error> + Sync) {
    let mut counts = vec![1, 2, 3, 4, device_count().expect("a driver")];
    counts.sort_unstable();
    counts.dedup();
    for ranks in counts {
        let start = Instant::now();
        run(ranks, &work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
        eprintln!("{ranks} ranks: {:.1} s", start.elapsed().as_secs_f64());
    }
}

fn check<T: Cargo>(format: T::Format, orders: &[usize]) {
    for way in dense::ways() {
        on_gpus(|ranks| {
            let one = gpu(ranks).with_products(way);
            dense::check_on::<T, _>(ranks, &one, format, orders)
        });
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
fn systems_of_many_columns_have_the_bits_of_one() {
    on_gpus(|ranks| dense::check_systems::<Dd, _>(ranks, &gpu(ranks), (), 1300));
    on_gpus(|ranks| dense::check_systems::<Qd, _>(ranks, &gpu(ranks), (), 600));
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

/// Conjugate gradients on 2 and 3 ranks.
fn iterations<T: SparseNumber>(format: T::Format)
where
    Csr<T>: LinearOperator<HostSpace<T>>,
    Ell<T>: LinearOperator<HostSpace<T>>,
    Jad<T>: LinearOperator<HostSpace<T>>,
{
    for ranks in [2, 3] {
        on_ranks(ranks, |ranks| {
            let (gpu, host) = (gpu(ranks), HostSpace::<T>::new(format));
            let space = || CudaSpace::numbers::<T>(&gpu, format, DELAYED).expect("a space");
            let sides = krylov::Sides::<_, CudaSpace, T> {
                ranks,
                host,
                home: &space,
                space: &space,
                values: format,
            };
            sides.check_gradients();
        });
    }
}

#[test]
#[ignore = "needs a GPU"]
fn iterations_on_dd_have_the_bits_of_one() {
    iterations::<Dd>(());
}

#[test]
#[ignore = "needs a GPU"]
fn iterations_on_qd_have_the_bits_of_one() {
    iterations::<Qd>(());
}

#[test]
#[ignore = "needs a GPU"]
fn iterations_on_mp_have_the_bits_of_one() {
    iterations::<Mp>(Bits::new(212).expect("bits"));
}

#[test]
#[ignore = "needs a GPU"]
fn systems_have_the_solutions_of_one() {
    on_ranks(2, |ranks| systems::check::<Dd, _>(ranks, &gpu(ranks), ()));
}
#[test]
#[ignore = "needs a GPU"]
fn tridiagonal_systems_have_the_bits_of_one() {
    let bits = Bits::new(212).expect("bits");
    for ranks in [1, 2, 3] {
        let work = |ranks: &Communicator| {
            let one = gpu(ranks);
            tridiag::check::<f32>(ranks, &one, ())?;
            tridiag::check::<Dd>(ranks, &one, ())?;
            tridiag::check::<Mp>(ranks, &one, bits)
        };
        run(ranks, work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
    }
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
        // By default small products are direct.
        let [_, default, crt, _] = dense::ways();
        for ranks in [1, 2] {
            for way in [default, crt] {
                let work = |ranks: &Communicator| {
                    let one = gpu(ranks).with_products(way);
                    for lines in [25, 90] {
                        let bytes = lines * n * 8 * T::words_of(format);
                        let small = OutOfCore::new(one.renewed(), bytes);
                        if ranks.size() == 1 {
                            dense::algorithms::<T, _, _>(&small, &one, format, n);
                        }
                        dense::check_between::<T, _, _>(ranks, &one, &small, format, &[n])?;
                    }
                    Ok::<_, nonius_comm::Error>(())
                };
                run(ranks, work).unwrap_or_else(|failure| panic!("{ranks} ranks: {failure}"));
            }
        }
    }
    check::<f64>((), 130);
    check::<Dd>((), 100);
    check::<Mp>(Bits::new(212).expect("bits"), 40);
}

/// A rank that fails while another one's GPU waits for its message: the other one ends, and both
/// GPUs work with new links.
#[test]
#[ignore = "needs a GPU"]
fn ranks_end_where_one_fails() {
    let work = |ranks: &Communicator| failures::factor(ranks, gpu(ranks), 1);
    for count in [2, 3] {
        failures::with_an_error(count, gpu);
        run(count, work).unwrap_or_else(|failure| panic!("{count} ranks: {failure}"));
        failures::with_a_panic(count, gpu);
        run(count, work).unwrap_or_else(|failure| panic!("{count} ranks: {failure}"));
    }
}

/// The same of iterations, whose hosts wait for the stream alone.
#[test]
#[ignore = "needs a GPU"]
fn iterations_end_where_a_rank_fails() {
    let outcome = run(2, |ranks| {
        let one = gpu(ranks);
        let space = || CudaSpace::numbers::<f64>(&one, (), DELAYED).expect("a space");
        let iterate = |count| krylov::iterate_on(ranks, &space(), space(), count);
        if ranks.rank() == 1 {
            iterate(3)?;
            return Err("the power went off".to_owned());
        }
        let error = iterate(usize::MAX).unwrap_err();
        assert!(error.ends_with("rank 1 failed: the power went off"), "{error}");
        Err::<(), _>(error)
    });
    let error = "the power went off".to_owned();
    assert_eq!(outcome, Err(Failure::Rank { rank: 1, error }));
}
