//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`, once with the argument `die`.

mod suite;

use nonius_comm::mpi::Session;
use nonius_num::Dd;

fn main() {
    let session = Session::start().expect("a first session");
    assert!(Session::start().is_err(), "a process joins once");
    let ranks = session.communicator();
    if std::env::args().nth(1).as_deref() == Some("die") {
        if ranks.rank() == 1 {
            std::process::abort();
        }
        ranks.barrier().expect("the end comes before");
        unreachable!("a rank that has died comes to no barrier");
    }
    let dense = || suite::dense::check::<Dd>(ranks, (), &[2, 33, 140]);
    let tridiag = || suite::tridiag::check::<Dd>(ranks, ());
    if let Err(error) = suite::check(ranks).and_then(|()| dense()).and_then(|()| tridiag()) {
        eprintln!("rank {}: {error}", ranks.rank());
        session.abort(1);
    }
    if ranks.rank() == 0 {
        let size = ranks.size();
        println!("test result: ok. 1 passed; 0 failed; {size} ranks, {}", Session::library());
    }
}
