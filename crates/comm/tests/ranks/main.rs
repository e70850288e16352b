//! Ranks as threads.

#[path = "../suite/mod.rs"]
mod suite;
#[path = "../threads/mod.rs"]
mod threads;

use std::panic::{AssertUnwindSafe, catch_unwind};

use nonius_comm::threads::{Failure, run, run_with};
use nonius_comm::{Communicator, Error, Reduction};
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::RnsSpace;
use nonius_num::mp::Bits;
use nonius_num::rns::float::Format;
use nonius_num::{Dd, Mp, Qd, Td};
use suite::{dense, digits, krylov, systems, tridiag};
use threads::{DELAYED, failures, on_ranks};

#[test]
fn do_what_every_engine_does() {
    for ranks in 1..=6 {
        run(ranks, suite::check).unwrap();
    }
    suite::check(&Communicator::alone()).unwrap();
}

#[test]
fn matrices_of_limbs_have_the_bits_of_one_device() {
    for ranks in 1..=4 {
        run(ranks, |ranks| dense::check::<f64>(ranks, (), &[1, 7, 80])).unwrap();
        run(ranks, |ranks| dense::check::<Dd>(ranks, (), &[2, 33, 70])).unwrap();
        run(ranks, |ranks| dense::check::<Qd>(ranks, (), &[40])).unwrap();
    }
}

#[test]
fn systems_of_many_columns_have_the_bits_of_one_device() {
    let one = Cpu::default();
    for ranks in 2..=4 {
        run(ranks, |ranks| dense::check_systems::<f64, _>(ranks, &one, (), 300)).unwrap();
    }
    run(4, |ranks| dense::check_systems::<Dd, _>(ranks, &one, (), 300)).unwrap();
    let bits = Bits::new(212).unwrap();
    run(3, |ranks| dense::check_systems::<Mp, _>(ranks, &one, bits, 150)).unwrap();
}

#[test]
fn matrices_of_any_precision_have_the_bits_of_one_device() {
    let bits = Bits::new(212).unwrap();
    for ranks in 1..=4 {
        run(ranks, |ranks| dense::check::<Mp>(ranks, bits, &[35])).unwrap();
    }
}

#[test]
fn matrices_larger_than_a_device_have_the_bits_of_one_that_holds_them() {
    for ranks in [1, 3] {
        run(ranks, |ranks| dense::check_out_of_core::<f64>(ranks, (), &[1, 40])).unwrap();
        run(ranks, |ranks| dense::check_out_of_core::<Dd>(ranks, (), &[2, 30])).unwrap();
        let bits = Bits::new(212).unwrap();
        run(ranks, |ranks| dense::check_out_of_core::<Mp>(ranks, bits, &[18])).unwrap();
    }
    run(2, |ranks| dense::check_out_of_core::<Qd>(ranks, (), &[20])).unwrap();
}

#[test]
fn proved_digits_are_those_of_one_device() {
    for ranks in 1..=4 {
        run(ranks, digits::check).unwrap();
    }
}

/// Also on more ranks than there are segments.
#[test]
fn iterations_on_limbs_have_the_bits_of_one_device() {
    for ranks in [1, 2, 3, 4, 7] {
        on_ranks(ranks, |ranks| {
            krylov::on_hosts::<Dd, f64, _>(ranks, ((), DELAYED), (), |sides| sides.check());
        });
    }
    on_ranks(3, |ranks| {
        krylov::on_hosts::<f64, f64, _>(ranks, ((), DELAYED), (), |sides| sides.check());
        krylov::on_hosts::<Td, Td, _>(ranks, ((), DELAYED), (), |sides| sides.check_methods());
        krylov::on_hosts::<Qd, f64, _>(ranks, ((), DELAYED), (), |sides| sides.check_methods());
    });
}

#[test]
fn iterations_on_any_precision_have_the_bits_of_one_device() {
    let bits = Bits::new(212).unwrap();
    for ranks in [1, 2, 3, 4] {
        on_ranks(ranks, |ranks| {
            let numbers = (bits, DELAYED);
            krylov::on_hosts::<Mp, Mp, _>(ranks, numbers, bits, |sides| {
                sides.check_ill_conditioned();
            });
        });
    }
    on_ranks(3, |ranks| {
        let numbers = (bits, Arithmetic::Ieee);
        krylov::on_hosts::<Mp, Mp, _>(ranks, numbers, Bits::FEWEST, |sides| sides.check());
    });
}

#[test]
fn iterations_on_residues_have_the_bits_of_one_device() {
    let format = Format::with_bits(106).unwrap();
    on_ranks(2, |ranks| {
        let host = RnsSpace::new(&format).unwrap();
        krylov::on_hosts_in_residues(ranks, host, |sides| sides.check_methods());
        systems::residues(ranks, &Cpu::default(), Bits::new(212).unwrap());
    });
}

#[test]
fn rows_come_from_one_rank() {
    for ranks in 1..=4 {
        on_ranks(ranks, |ranks| {
            krylov::rows_of_one::<Td>(ranks, ());
            krylov::rows_of_one::<Mp>(ranks, Bits::new(212).unwrap());
        });
    }
}

#[test]
fn systems_have_the_solutions_and_reports_of_one_device() {
    for ranks in [1, 3, 4] {
        on_ranks(ranks, |ranks| systems::check::<Dd, _>(ranks, &Cpu::default(), ()));
    }
    let bits = Bits::new(212).unwrap();
    on_ranks(2, |ranks| systems::check::<Mp, _>(ranks, &Cpu::default(), bits));
}

#[test]
fn factorisations_learn_of_a_failure() {
    for count in [2, 3] {
        failures::with_an_error(count, |_| Cpu::default());
        failures::with_a_panic(count, |_| Cpu::default());
    }
}

/// The others are in the middle of an iteration.
#[test]
fn iterations_learn_of_a_failure() {
    let outcome = run(3, |ranks| {
        if ranks.rank() == 1 {
            krylov::iterate(ranks, 3)?;
            return Err("the power went off".to_owned());
        }
        let error = krylov::iterate(ranks, usize::MAX).unwrap_err();
        assert!(error.ends_with("rank 1 failed: the power went off"), "{error}");
        Err::<(), _>(error)
    });
    let error = "the power went off".to_owned();
    assert_eq!(outcome, Err(Failure::Rank { rank: 1, error }));
}

#[test]
fn tridiagonal_systems_have_the_bits_of_one_device() {
    let (cpu, bits) = (Cpu::default(), Bits::new(212).unwrap());
    for ranks in 1..=4 {
        run(ranks, |ranks| tridiag::check::<f32>(ranks, &cpu, ())).unwrap();
        run(ranks, |ranks| tridiag::check::<f64>(ranks, &cpu, ())).unwrap();
        run(ranks, |ranks| tridiag::check::<Qd>(ranks, &cpu, ())).unwrap();
        run(ranks, |ranks| tridiag::check::<Mp>(ranks, &cpu, bits)).unwrap();
    }
}

#[test]
fn results_are_in_the_order_of_ranks() {
    let found = run(5, |ranks| Ok::<_, Error>((ranks.rank(), ranks.size()))).unwrap();
    assert!(found.into_iter().eq((0..5).map(|rank| (rank, 5))));
}

/// Whatever the others wait for.
#[test]
fn all_learn_of_a_failure() {
    type Wait = fn(&Communicator) -> Result<(), Error>;
    let waits: [Wait; 5] = [
        |ranks| ranks.receive((ranks.rank() + 1) % 4, 0, &mut [0_u8]),
        |ranks| ranks.broadcast(2, &mut [0_u8]),
        |ranks| ranks.all_reduce(Reduction::Sum, &mut [1.0]),
        |ranks| ranks.barrier(),
        |ranks| ranks.split(1).map(drop),
    ];
    for wait in waits {
        let lost = std::sync::Mutex::new(0);
        let outcome = run(4, |ranks| {
            if ranks.rank() == 2 {
                return Err("the disk is full".to_owned());
            }
            let error = wait(ranks).unwrap_err();
            assert_eq!(error, Error::Lost { rank: 2, cause: "the disk is full".into() });
            assert_eq!(error.to_string(), "rank 2 failed: the disk is full");
            *lost.lock().unwrap() += 1;
            Err(error.to_string())
        });
        let expected = Failure::Rank { rank: 2, error: "the disk is full".to_owned() };
        assert_eq!(outcome, Err::<Vec<()>, _>(expected.clone()));
        assert_eq!(expected.to_string(), "rank 2: the disk is full");
        assert_eq!(*lost.lock().unwrap(), 3);
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_others() {
    let work = |ranks: &Communicator| {
        assert_ne!(ranks.rank(), 1, "ours");
        let error = ranks.barrier().unwrap_err();
        assert!(
            error.to_string().starts_with("rank 1 failed: ") && error.to_string().contains("ours")
        );
        Ok::<_, Error>(())
    };
    let panic = catch_unwind(AssertUnwindSafe(|| run(3, work))).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("ours"));
}

/// The first rank stays on the caller's thread, whoever fails.
#[test]
fn the_first_rank_is_the_caller() {
    let caller = std::thread::current().id();
    let mut heard = Vec::new();
    let outcome = run_with(
        |ranks| {
            assert_eq!((ranks.rank(), std::thread::current().id()), (0, caller));
            let mut words = [0_u8];
            for rank in 1..ranks.size() {
                ranks.receive(rank, 0, &mut words)?;
                heard.push(words[0]);
            }
            ranks.barrier()?;
            Err::<(), _>(Error::NoMemory(1))
        },
        (1..4_u8)
            .map(|word| {
                move |ranks: &Communicator| {
                    assert_ne!(std::thread::current().id(), caller);
                    ranks.send(0, 0, &[word])?;
                    ranks.barrier()?;
                    ranks.barrier()
                }
            })
            .collect(),
    );
    assert_eq!(outcome, Err(Failure::Rank { rank: 0, error: Error::NoMemory(1) }));
    assert_eq!(heard, [1, 2, 3]);
}

/// A message that was sent before the end arrives; after that nobody waits.
#[test]
fn a_rank_that_has_ended_sends_nothing_more() {
    let work = |ranks: &Communicator| {
        if ranks.rank() == 0 {
            return ranks.send(1, 0, &[7_u8]);
        }
        let mut found = [0_u8];
        ranks.receive(0, 0, &mut found)?;
        assert_eq!(found, [7]);
        let error = ranks.receive(0, 0, &mut found).unwrap_err();
        assert_eq!(error.to_string(), "rank 0 failed: it ended before the others");
        Ok(())
    };
    run(2, work).unwrap();
}

/// A run within a run, as where every rank is a machine with several GPUs.
#[test]
fn runs_nest() {
    let sums = run(2, |outer| {
        let inner = run(3, |inner| {
            let mut sum = [inner.rank() as u64];
            inner.all_reduce(Reduction::Sum, &mut sum)?;
            Ok::<_, Error>(sum[0])
        });
        let mut all = [inner.unwrap().into_iter().sum::<u64>()];
        outer.all_reduce(Reduction::Sum, &mut all)?;
        Ok::<_, Error>(all[0])
    });
    assert_eq!(sums.unwrap(), [18, 18]);
}
