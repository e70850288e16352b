//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`.

mod suite;

use nonius_comm::mpi::Session;

fn main() {
    let session = Session::start().expect("a first session");
    let ranks = session.communicator();
    if let Err(error) = suite::check(ranks) {
        ranks.fail(&error.to_string());
    }
    if ranks.rank() == 0 {
        println!("test result: ok. 1 passed; 0 failed; {} ranks", ranks.size());
    }
}
