//! Matrices on several GPUs of this machine, beside the same on one of them.

use std::time::Instant;

use nonius_comm::dense::{Grid, Ranks};
use nonius_comm::{Communicator, Reduction, threads};
use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::{Device, device_count};
use nonius_linalg::backend::{Dense, Memory, ViewMut};
use nonius_linalg::dense::{Cholesky, Lu, Transpose};
use nonius_linalg::{DeviceFailure, Error, Matrix};
use nonius_num::Dd;
use rayon::prelude::*;

use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Orders from which a task is done once, and a factor takes the place of the matrix: for another
/// one there may be no room.
const ONCE_FROM: usize = 50_000;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Task {
    /// A product.
    Gemm,
    /// Cholesky factors.
    Cholesky,
    /// LU factors.
    Lu,
}

impl Task {
    pub(super) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// The operation of its records on so many GPUs.
    pub(super) fn on(self, gpus: usize) -> String {
        format!("{}-on-{gpus}", self.name())
    }

    pub(super) fn flops(self, n: usize) -> f64 {
        (n as f64).powi(3) * [2.0, 1.0 / 3.0, 2.0 / 3.0][self as usize]
    }
}

/// One GPU, and all of this machine.
pub(crate) fn counts() -> Outcome<Vec<usize>> {
    let all = device_count()?;
    Ok(if all > 1 { vec![1, all] } else { vec![1] })
}

/// Best of three times on one GPU, and on all.
pub(crate) fn measure(sizes: &[usize], tile: usize, only: &[Task]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    let all = [Task::Gemm, Task::Cholesky, Task::Lu];
    let tasks = if only.is_empty() { &all[..] } else { only };
    let counts = counts()?;
    for &n in sizes {
        for &task in tasks {
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
                let flops = task.flops(n);
                let times_one = one.map_or(1.0, |one: f64| one / seconds);
                one = one.or(Some(seconds));
                let name = task.name();
                eprintln!(
                    "{n:6} {name:8} {count} GPUs {seconds:9.4} s {:8.2} TFLOPS, {times_one:5.2} times",
                    flops / seconds / 1e12
                );
                records.push(Record {
                    library: "nonius".into(),
                    precision: "dd".into(),
                    operation: task.on(count),
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

/// Numbers in (−1, 1) of 106 bits that look random, for places of a matrix: as many as are quickly
/// made, and at each place another.
pub(super) struct Entries(Vec<Dd>);

impl Entries {
    const COUNT: usize = 1 << 16;

    pub(super) fn new() -> Self {
        // S. Vigna's splitmix64.
        let mixed = |x: u64| {
            let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((x ^ x >> 31) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
        };
        let number = |place: usize| {
            let turn = |turn: u64| (2 * place as u64 + turn).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            Dd::from(mixed(turn(1))) + Dd::from(mixed(turn(2)) * 2.0_f64.powi(-53))
        };
        Self((0..Self::COUNT).map(number).collect())
    }

    pub(super) fn at(&self, i: usize, j: usize) -> Dd {
        let place = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (j as u64) << 24;
        self.0[(place.wrapping_mul(0xd605_1e0b_5d3f_8a2b) >> 48) as usize % Self::COUNT]
    }
}

/// A matrix on one GPU, of which threads make some columns at a time.
pub(super) fn filled(
    cuda: &Cuda,
    (rows, cols): (usize, usize),
    entry: &Entry<'_>,
) -> DeviceMatrix<Dd> {
    /// Columns that a thread makes, and those that are brought to the device at a time.
    const PIECE: usize = 16;
    const SOME: usize = 1024;
    let mut found = Memory::<Dd>::room(cuda, (), rows, cols);
    for first in (0..cols).step_by(SOME) {
        let last = cols.min(first + SOME);
        let pieces = (first..last).into_par_iter().step_by(PIECE).map(|start| {
            let count = PIECE.min(last - start);
            (start, Matrix::from_fn(rows, count, |i, j| entry(i, start + j)))
        });
        for (start, piece) in pieces.collect::<Vec<_>>() {
            let piece = cuda.upload(piece.view());
            let place = cuda.view_mut(&mut found).block_mut(0, start, rows, piece.shape().1);
            cuda.copy(cuda.view(&piece), place);
        }
    }
    found
}

/// The slowest rank's seconds; a single rank has no tiles.
fn one_task(ranks: &Communicator, task: Task, n: usize, tile: usize) -> Result<f64, Error> {
    let cuda = Device::new(ranks.rank()).and_then(|device| Cuda::new(&device)).map_err(failed)?;
    let entries = Entries::new();
    if ranks.size() == 1 {
        let matrix = |entry: &Entry<'_>| Ok(filled(&cuda, (n, n), entry));
        return best(ranks, &cuda, &cuda, task, n, &entries, matrix);
    }
    let grid = match task {
        Task::Cholesky => Grid::tall(ranks, tile),
        Task::Gemm | Task::Lu => Grid::new(ranks, tile),
    };
    let tiled = Ranks::new(grid, cuda.clone())?;
    let matrix = |entry: &Entry<'_>| tiled.from_fn((), n, n, entry);
    best(ranks, &tiled, &cuda, task, n, &entries, matrix)
}

/// The entry at a row and a column.
pub(super) type Entry<'a> = dyn Fn(usize, usize) -> Dd + Sync + 'a;

fn best<B: Dense<Dd>>(
    ranks: &Communicator,
    backend: &B,
    cuda: &Cuda,
    task: Task,
    n: usize,
    entries: &Entries,
    matrix: impl Fn(&Entry<'_>) -> Result<B::Matrix, Error>,
) -> Result<f64, Error> {
    let definite = |i: usize, j: usize| {
        let x = entries.at(i.max(j), i.min(j));
        if i == j { x + n as f64 } else { x }
    };
    let a = match task {
        Task::Gemm | Task::Lu => matrix(&|i, j| entries.at(i, j))?,
        Task::Cholesky => matrix(&definite)?,
    };
    let mut product = match task {
        Task::Gemm => {
            Some((matrix(&|i, j| entries.at(i + n, j))?, Memory::<Dd>::zeros(backend, (), n, n)))
        }
        _ => None,
    };
    let (mut best, mut a) = (f64::INFINITY, Some(a));
    for _ in 0..if n < ONCE_FROM { 3 } else { 1 } {
        let factored = match task {
            Task::Gemm => None,
            Task::Cholesky | Task::Lu if n < ONCE_FROM => {
                a.as_ref().map(|a| backend.copy_of(backend.view(a)))
            }
            Task::Cholesky | Task::Lu => a.take(),
        };
        cuda.finish().map_err(failed)?;
        ranks.barrier().map_err(failed)?;
        let start = Instant::now();
        match (&mut product, &a, factored) {
            (Some((b, c)), Some(a), _) => {
                let (no, a, b) = (Transpose::No, backend.view(a), backend.view(b));
                backend.gemm(no, no, Dd::ONE, a, b, Dd::ZERO, backend.view_mut(c));
            }
            (_, _, Some(a)) if task == Task::Cholesky => {
                drop(Cholesky::new(backend.clone(), a)?);
            }
            (_, _, Some(a)) => drop(Lu::new(backend.clone(), a)?),
            _ => {}
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

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Device(DeviceFailure::new(error))
}
