//! Conjugate gradients in dd on several GPUs of this machine, beside the same on one of them.

use std::error::Error;
use std::ops::ControlFlow::Continue;
use std::time::Instant;

use nonius_comm::krylov::{RankMatrix, RankSpace, Rows};
use nonius_comm::{Communicator, Reduction, threads};
use nonius_cuda::{Cuda, CudaSpace};
use nonius_gpu::Device;
use nonius_linalg::DeviceFailure;
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{Cg, Identity, LinearOperator, Options};
use nonius_linalg::sparse::{Coo, Csr, Ell, Layout};
use nonius_linalg::{Error as LinalgError, Numbers};
use nonius_num::Dd;

use super::many::counts;
use crate::record::Record;

/// Iterations of a solution, and how often it is found: the fastest counts.
const ITERATIONS: usize = 256;
const REPEATS: usize = 3;

/// Seconds of an iteration on grids of five points, with so many along a side, on one GPU and on
/// all.
pub(crate) fn measure(sides: &[usize]) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    let counts = counts()?;
    for &side in sides {
        let mut one = None;
        for &count in &counts {
            let times = threads::run(count, |ranks| on_ranks(ranks, side));
            let seconds = times.map_err(|failure| failure.to_string())?[0];
            let faster = one.map_or(1.0, |one: f64| one / seconds);
            one = one.or(Some(seconds));
            let micros = seconds * 1e6;
            eprintln!("{side:6}² cg {count} GPUs {micros:9.1} µs an iteration, {faster:5.2} times");
            records.push(Record {
                library: "nonius".into(),
                precision: "dd".into(),
                operation: format!("cg-on-{count}"),
                m: side * side,
                n: side,
                k: ITERATIONS,
                threads: count,
                seconds,
                rate: (side * side) as f64 / seconds / 1e6,
                unit: "M/s".into(),
            });
        }
    }
    Ok(records)
}

/// Some rows of the Laplacian, row by row of the grid.
fn laplacian(side: usize, rows: core::ops::Range<usize>) -> Result<Csr<f64>, LinalgError> {
    let n = side * side;
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for i in rows.clone() {
        let (x, y) = (i % side, i / side);
        for (is_there, j, value) in [
            (y > 0, i.wrapping_sub(side), -1.0),
            (x > 0, i.wrapping_sub(1), -1.0),
            (true, i, 4.0),
            (x + 1 < side, i + 1, -1.0),
            (y + 1 < side, i + side, -1.0),
        ] {
            if is_there {
                places.push((i - rows.start, j));
                values.push(value);
            }
        }
    }
    let entries = Coo::from_parts(rows.len(), n, places, Numbers::from(values));
    Csr::from_coo(entries.ok_or(LinalgError::TooLarge { rows: n, cols: n })?)
}

/// The slowest rank's seconds of an iteration; those of one GPU where there is one rank.
fn on_ranks(ranks: &Communicator, side: usize) -> Result<f64, LinalgError> {
    let gpu = Device::new(ranks.rank()).and_then(|device| Cuda::new(&device)).map_err(failed)?;
    let space = || CudaSpace::numbers::<Dd>(&gpu, (), Arithmetic::Delayed);
    let n = side * side;
    let rows = Rows::even(ranks.size(), n);
    let own = laplacian(side, rows.of(ranks.rank()))?;
    let put = |part: Csr<f64>| space()?.upload_matrix(&Ell::from_csr(&part)?);
    let ones = space()?.upload(&Numbers::from(vec![Dd::ONE; own.shape().0]))?;
    if ranks.size() == 1 {
        return solved(ranks, &mut space()?, &put(own)?, &ones);
    }
    let mut shared = RankSpace::new(ranks, rows, space()?)?;
    let a = RankMatrix::new(&shared, &own)?.try_map(put)?;
    let ones = shared.of_parts(ones);
    solved(ranks, &mut shared, &a, &ones)
}

fn solved<S: Space>(
    ranks: &Communicator,
    space: &mut S,
    a: &impl LinearOperator<S>,
    b: &S::Vector,
) -> Result<f64, LinalgError> {
    let n = space.length(b);
    let mut x = space.vector(n)?;
    let options = Options { max_iterations: ITERATIONS, tolerance: 0.0, ..Options::default() };
    let (mut cg, mut best) = (Cg::new(space, n)?, f64::INFINITY);
    for _ in 0..REPEATS {
        space.clear(&mut x);
        ranks.barrier().map_err(failed)?;
        let start = Instant::now();
        let report = cg.solve(space, a, &Identity, b, &mut x, &options, |_| Continue(()))?;
        let mut seconds = [start.elapsed().as_secs_f64() / report.iterations.max(1) as f64];
        ranks.all_reduce(Reduction::Greatest, &mut seconds).map_err(failed)?;
        best = best.min(seconds[0]);
    }
    Ok(best)
}

fn failed(error: impl Error + Send + Sync + 'static) -> LinalgError {
    LinalgError::Device(DeviceFailure::new(error))
}
