//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`, once with the argument `die`.

mod suite;

use std::panic::{AssertUnwindSafe, catch_unwind};

use nonius_comm::mpi::Session;
use nonius_comm::{Communicator, Error};
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};

fn main() {
    let session = Session::start().expect("a first session");
    assert!(Session::start().is_err(), "a process joins once");
    let ranks = session.communicator();
    if std::env::args().nth(1).as_deref() == Some("die") {
        if ranks.rank() == 1 {
            suite::krylov::iterate(ranks, 3).expect("all are there");
            std::process::abort();
        }
        let outcome = suite::krylov::iterate(ranks, usize::MAX);
        unreachable!("a rank that has died iterates no more: {outcome:?}");
    }
    match catch_unwind(AssertUnwindSafe(|| check(ranks))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            eprintln!("rank {}: {error}", ranks.rank());
            session.abort(1);
        }
        // It has said why.
        Err(_) => session.abort(1),
    }
    if ranks.rank() == 0 {
        let size = ranks.size();
        println!("test result: ok. 1 passed; 0 failed; {size} ranks, {}", Session::library());
    }
}

fn check(ranks: &Communicator) -> Result<(), Error> {
    suite::check(ranks)?;
    suite::dense::check::<Dd>(ranks, (), &[2, 33, 70])?;
    suite::digits::check(ranks)?;
    let (one, delayed) = (Cpu::default(), Arithmetic::Delayed);
    suite::dense::check_systems::<Dd, _>(ranks, &one, (), 150)?;
    suite::dense::check_out_of_core::<Dd>(ranks, (), &[8])?;
    suite::tridiag::check::<Dd>(ranks, &one, ())?;
    suite::krylov::on_hosts::<Dd, f64, _>(ranks, ((), delayed), (), |sides| sides.check());
    suite::systems::check::<Dd, _>(ranks, &one, ());
    let mp106 = Bits::new(106).unwrap();
    suite::systems::residues(ranks, &one, mp106);
    suite::krylov::rows_of_one::<Mp>(ranks, mp106);
    suite::krylov::on_hosts::<Mp, Mp, _>(ranks, (mp106, delayed), mp106, |sides| {
        sides.check_ill_conditioned();
    });
    ranks.barrier()
}
