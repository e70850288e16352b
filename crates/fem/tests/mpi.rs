//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`; then once with `die` and a
//! folder, in which it goes on with `resume`.

#[path = "suite/loss.rs"]
mod loss;
mod suite;

use std::env;
use std::path::PathBuf;

use nonius_comm::mpi::Session;

fn main() {
    let session = Session::start().expect("a first session");
    let ranks = session.communicator();
    let (task, folder) = (env::args().nth(1), env::args_os().nth(2).map(PathBuf::from));
    let outcome = match (task.as_deref(), folder) {
        (Some("die"), Some(folder)) => loss::lose_a_rank(ranks, &folder),
        (Some("resume"), Some(folder)) => loss::go_on_after_loss(ranks, &folder),
        _ => suite::check(ranks),
    };
    if let Err(error) = outcome {
        ranks.fail(&error.to_string());
    }
    if ranks.rank() == 0 {
        println!("test result: ok. 1 passed; 0 failed; {} ranks", ranks.size());
    }
}
