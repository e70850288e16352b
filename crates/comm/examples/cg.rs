//! Seconds of an iteration of conjugate gradients, in double-double, on the Laplacian of a square
//! grid: on the ranks that `mpirun` starts, or on one device with the threads of a process.
//!
//! ```text
//! cargo build --example cg --features mpi
//! RAYON_NUM_THREADS=2 target/debug/examples/cg 1024 20
//! RAYON_NUM_THREADS=1 mpirun -n 2 target/debug/examples/cg 1024 20
//! ```
//!
//! The first argument is the number of points along a side, the second that of iterations.

use std::ops::ControlFlow::Continue;
use std::time::Instant;

use nonius_comm::krylov::{RankMatrix, RankSpace, Rows};
use nonius_comm::mpi::Session;
use nonius_linalg::backend::Space;
use nonius_linalg::krylov::{Cg, HostSpace, Identity, LinearOperator, Options};
use nonius_linalg::sparse::{Coo, Csr};
use nonius_linalg::{Error, Numbers};
use nonius_num::Dd;

/// Five points, row by row of the grid.
fn laplacian(side: usize) -> Result<Csr<f64>, Error> {
    let n = side * side;
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (x, y) = (i % side, i / side);
        for (is_there, j, value) in [
            (y > 0, i.wrapping_sub(side), -1.0),
            (x > 0, i.wrapping_sub(1), -1.0),
            (true, i, 4.0),
            (x + 1 < side, i + 1, -1.0),
            (y + 1 < side, i + side, -1.0),
        ] {
            if is_there {
                places.push((i, j));
                values.push(value);
            }
        }
    }
    let entries = Coo::from_parts(n, n, places, Numbers::from(values));
    Csr::from_coo(entries.ok_or(Error::TooLarge { rows: n, cols: n })?)
}

/// Seconds of an iteration, the least of three solutions, and the residual that they leave.
fn measure<S: Space>(
    space: &mut S,
    a: &impl LinearOperator<S>,
    (b, x): (&S::Vector, &mut S::Vector),
    iterations: usize,
) -> Result<(f64, f64), Error> {
    let options = Options { max_iterations: iterations, tolerance: 0.0, ..Options::default() };
    let mut cg = Cg::new(space, space.length(b))?;
    let (mut least, mut residual) = (f64::INFINITY, 0.0);
    for _ in 0..3 {
        space.clear(x);
        let start = Instant::now();
        let report = cg.solve(space, a, &Identity, b, x, &options, |_| Continue(()))?;
        least = least.min(start.elapsed().as_secs_f64() / iterations as f64);
        residual = report.relative_residual_true;
    }
    Ok((least, residual))
}

fn run(session: &Session, side: usize, iterations: usize) -> Result<(), Error> {
    let (ranks, a) = (session.communicator(), laplacian(side)?);
    let (b, mut x) = (Numbers::from(vec![Dd::ONE; side * side]), Numbers::zeros((), side * side));
    let mut one = HostSpace::<Dd>::new(());
    let (seconds, residual) = if ranks.size() == 1 {
        measure(&mut one, &a, (&b, &mut x), iterations)?
    } else {
        let mut space = RankSpace::new(ranks, Rows::of_matrix(ranks.size(), &a), one)?;
        let parts = RankMatrix::from_whole(&space, &a)?;
        let (b, mut x) = (space.share(&b)?, space.share(&x)?);
        measure(&mut space, &parts, (&b, &mut x), iterations)?
    };
    if ranks.rank() == 0 {
        let size = ranks.size();
        println!("{size} ranks: {seconds:.5} s an iteration, residual {residual:e}");
    }
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let (Some(Ok(side)), Some(Ok(iterations))) = (arguments.next(), arguments.next()) else {
        eprintln!("cg SIDE ITERATIONS");
        std::process::exit(2);
    };
    let session = match Session::start() {
        Ok(session) => session,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    if let Err(error) = run(&session, side, iterations) {
        eprintln!("rank {}: {error}", session.communicator().rank());
        session.abort(1);
    }
}
