//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`, once with the argument `die`.

mod suite;

use std::panic::{AssertUnwindSafe, catch_unwind};

use nonius_comm::mpi::Session;
use nonius_comm::{Communicator, Error};
use nonius_linalg::krylov::HostSpace;
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
    suite::tridiag::check::<Dd>(ranks, ())?;
    let local = HostSpace::<Dd>::new(());
    suite::krylov::Sides::<_, f64> { ranks, local, values: () }.check();
    suite::krylov::systems::<Dd>(ranks, ());
    let mp106 = Bits::new(106).unwrap();
    suite::krylov::residues(ranks, mp106);
    suite::krylov::rows_of_one::<Mp>(ranks, mp106);
    let (local, values) = (HostSpace::<Mp>::new(mp106), mp106);
    suite::krylov::Sides::<_, Mp> { ranks, local, values }.check_ill_conditioned();
    ranks.barrier()
}
