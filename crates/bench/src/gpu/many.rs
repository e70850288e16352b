//! Matrices on several GPUs of this machine, beside the same on one of them.

use std::error::Error;
use std::time::Instant;

use nonius_comm::dense::{Grid, Ranks, Tiled};
use nonius_comm::{Communicator, Reduction, threads};
use nonius_cuda::Cuda;
use nonius_gpu::{Device, device_count};
use nonius_linalg::DeviceFailure;
use nonius_linalg::backend::{Gemm, Memory};
use nonius_linalg::dense::{Cholesky, Lu, Transpose};
use nonius_num::Dd;

use super::shared;
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Task {
    /// A product.
    Gemm,
    /// Cholesky factors.
    Cholesky,
    /// LU factors.
    Lu,
    /// A book of options, in place of matrices of an order.
    Book,
    /// Steps of a bar of hexahedra.
    Bar,
}

/// Best of three times on one GPU, and on all.
pub(crate) fn measure(sizes: &[usize], tile: usize, only: &[Task]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    let all = [Task::Gemm, Task::Cholesky, Task::Lu];
    let tasks = if only.is_empty() { &all[..] } else { only };
    let counts = if device_count()? > 1 { vec![1, device_count()?] } else { vec![1] };
    for &n in sizes {
        for &task in tasks {
            let shared: Option<shared::Measure> = match task {
                Task::Book => Some(shared::book),
                Task::Bar => Some(shared::bar),
                _ => None,
            };
            if let Some(measure) = shared {
                records.extend(measure(n, &counts));
                continue;
            }
            let mut one = None;
            for &count in &counts {
                let times = threads::run(count, |ranks| one_task(ranks, task, n, tile));
                let seconds = match times {
                    Ok(times) => times[0],
                    Err(failure) => {
                        eprintln!("{n:6} {task:?} on {count}: {failure}");
                        continue;
                    }
                };
                let flops = (n as f64).powi(3) * [2.0, 1.0 / 3.0, 2.0 / 3.0][task as usize];
                let times_one = one.map_or(1.0, |one: f64| one / seconds);
                one = one.or(Some(seconds));
                let name = format!("{task:?}").to_lowercase();
                eprintln!(
                    "{n:6} {name:8} {count} GPUs {seconds:9.4} s {:8.2} TFLOPS, {times_one:5.2} times",
                    flops / seconds / 1e12
                );
                records.push(Record {
                    library: "nonius".into(),
                    precision: "dd".into(),
                    operation: format!("{name}-on-{count}"),
                    m: n,
                    n,
                    k: n,
                    threads: count,
                    seconds,
                    rate: flops / seconds / 1e9,
                    unit: "GFLOPS".into(),
                });
            }
        }
    }
    Ok(records)
}

/// A number in (−1, 1) for a place, of 106 bits that look random.
fn number(i: usize, j: usize) -> Dd {
    // S. Vigna's splitmix64.
    let mixed = |x: u64| {
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    };
    let place = (i as u64) << 32 | j as u64;
    let [high, low] =
        [1, 2].map(|turn| mixed(place.wrapping_add(turn).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    Dd::from(high) + Dd::from(low * 2.0_f64.powi(-53))
}

/// The slowest rank's seconds.
fn one_task(
    ranks: &Communicator,
    task: Task,
    n: usize,
    tile: usize,
) -> Result<f64, nonius_linalg::Error> {
    let cuda = Device::new(ranks.rank()).and_then(|device| Cuda::new(&device)).map_err(failed)?;
    let tiled = Ranks::new(Grid::new(ranks, tile), cuda.clone())?;
    let general = |seed: usize| tiled.from_fn((), n, n, |i, j| number(i + seed, j));
    let a = match task {
        Task::Cholesky => tiled.from_fn((), n, n, |i, j| {
            let x = number(i.max(j), i.min(j));
            if i == j { x + n as f64 } else { x }
        })?,
        _ => general(0)?,
    };
    let mut best = f64::INFINITY;
    let mut product = match task {
        Task::Gemm => Some((general(n)?, tiled.zeros((), n, n))),
        _ => None,
    };
    for _ in 0..3 {
        // A factor takes the place of a matrix, which it is a copy of where there is room for one.
        let copy: Option<Tiled<Dd, Cuda>> =
            (task != Task::Gemm).then(|| tiled.copy_of(tiled.view(&a)));
        cuda.finish().map_err(failed)?;
        ranks.barrier().map_err(failed)?;
        let start = Instant::now();
        match (&mut product, copy) {
            (Some((b, c)), _) => {
                let (no, a, b) = (Transpose::No, tiled.view(&a), tiled.view(b));
                tiled.gemm(no, no, Dd::ONE, a, b, Dd::ZERO, tiled.view_mut(c));
            }
            (None, Some(copy)) if task == Task::Cholesky => {
                drop(Cholesky::new(tiled.clone(), copy)?);
            }
            (None, Some(copy)) => drop(Lu::new(tiled.clone(), copy)?),
            (None, None) => {}
        }
        cuda.finish().map_err(failed)?;
        let mut seconds = [start.elapsed().as_secs_f64()];
        ranks.all_reduce(Reduction::Greatest, &mut seconds).map_err(failed)?;
        best = best.min(seconds[0]);
        if seconds[0] > 20.0 {
            break;
        }
    }
    Ok(best)
}

fn failed(error: impl Error + Send + Sync + 'static) -> nonius_linalg::Error {
    nonius_linalg::Error::Device(DeviceFailure::new(error))
}
