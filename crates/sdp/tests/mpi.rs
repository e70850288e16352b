//! Ranks as processes: `cargo xtask mpi` runs this under `mpirun`.

#[path = "sdp/ranks/same.rs"]
mod same;

use nonius_comm::mpi::Session;
use nonius_sdp::Error;
use same::{alone, assert_same, check, options, run, sdplib, shared};

fn main() {
    let session = Session::start().expect("a first session");
    let ranks = session.communicator();
    let all = || -> Result<(), Error> {
        check(ranks, &sdplib("truss1"), &["f64", "dd", "qd", "mp300"])?;
        check(ranks, &sdplib("control1"), &["f64"])?;
        // A run that one device began goes on here.
        let (problem, options) = (sdplib("control1"), options("dd"));
        let left = run(&alone(), &problem, &options, None, 26)?;
        let end = run(&alone(), &problem, &options, Some(&left.last), u64::MAX)?;
        let machine = shared(ranks);
        assert_same(ranks, &run(&machine, &problem, &options, None, 26)?, &left);
        let found = run(&machine, &problem, &options, Some(&left.last), u64::MAX)?;
        assert_same(ranks, &found, &end);
        Ok(())
    };
    if let Err(error) = all() {
        eprintln!("rank {}: {error}", ranks.rank());
        session.abort(1);
    }
    if ranks.rank() == 0 {
        let size = ranks.size();
        println!("test result: ok. 1 passed; 0 failed; {size} ranks, {}", Session::library());
    }
}
