//! What the parts of factorisations at dd take on one GPU, and messages between two: the rates that
//! a model of time on many GPUs is made of.

use std::error::Error;
use std::time::Instant;

use nonius_comm::{Communicator, threads};
use nonius_cuda::{Cuda, DeviceMatrix};
use nonius_gpu::nccl::{Key, Links};
use nonius_gpu::{Buffer, Device, device_count};
use nonius_linalg::backend::{Breakdown, Gemm, Memory, Panel, Syrk, View, ViewMut};
use nonius_linalg::dense::{
    Diagonal, Transpose, Triangle, TriangularSystem, cholesky_columns, lu_in_place,
};
use nonius_num::Dd;

use super::many::{Entries, filled};
use crate::record::Record;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Columns that are factored one after the other before a product with many terms.
const SPAN: usize = 512;
/// Terms of products.
const TERMS: [usize; 4] = [512, 1024, 2048, 8192];
/// Bytes of messages.
const MESSAGES: [usize; 5] = [1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28];

/// Best of three times of everything, for matrices of these orders.
pub(crate) fn measure(cuda: &Cuda, sizes: &[usize]) -> Outcome<Vec<Record>> {
    let mut records = Vec::new();
    for &n in sizes {
        let (a, general) = (symmetric(cuda, n, n as f64)?, symmetric(cuda, n, 0.0)?);
        for k in TERMS.into_iter().filter(|&k| k <= n) {
            let mut c = cuda.zeros(n, n);
            let seconds = best(cuda, || {
                let a = cuda.view(&general);
                let (no, left, right) = (Transpose::No, a.block(0, 0, n, k), a.block(0, 0, k, n));
                cuda.queue_gemm(no, no, -Dd::ONE, left, right, Dd::ONE, cuda.view_mut(&mut c));
            })?;
            let flops = 2.0 * n as f64 * n as f64 * k as f64;
            records.push(record("gemm", [n, n, k], seconds, flops));
            let seconds = best(cuda, || {
                let left = cuda.view(&general).block(0, 0, n, k);
                let c = cuda.view_mut(&mut c);
                cuda.syrk(Triangle::Lower, Transpose::No, -Dd::ONE, left, Dd::ONE, c);
            })?;
            records.push(record("syrk", [n, n, k], seconds, flops / 2.0));
        }
        let mut c = cuda.zeros(n, n);
        let seconds = best(cuda, || cuda.copy(cuda.view(&a), cuda.view_mut(&mut c)))?;
        records.push(record("copy", [n * n, 1, 1], seconds, 0.0));
        let system = TriangularSystem::left(Triangle::Lower, Transpose::No, Diagonal::Unit);
        let flops = n as f64 * (SPAN * SPAN) as f64;
        let seconds = best(cuda, || {
            let square = cuda.view(&a).block(0, 0, SPAN, SPAN);
            let rights = cuda.view_mut(&mut c).block_mut(0, 0, SPAN, n);
            system.solve(cuda, Dd::ONE, square, rights);
        })?;
        records.push(record("triangle", [n, SPAN, SPAN], seconds, flops));
        drop(c);
        let mut columns = cuda.zeros(n, SPAN);
        let renew = |columns: &mut DeviceMatrix<Dd>| {
            cuda.copy(cuda.view(&a).block(0, 0, n, SPAN), cuda.view_mut(columns));
        };
        let watch = Panel::<Dd>::watch(cuda);
        let seconds = best_after(cuda, &mut columns, renew, |columns| {
            cholesky_columns(cuda, cuda.view_mut(columns), 0, &watch)
        })?;
        records.push(record("cholesky-span", [n, SPAN, SPAN], seconds, flops));
        let seconds = best_after(cuda, &mut columns, renew, |columns| {
            lu_in_place(cuda, cuda.view_mut(columns), &mut [0; SPAN]).map(drop)
        })?;
        records.push(record("lu-span", [n, SPAN, SPAN], seconds, flops));
        let width = <Cuda as Panel<Dd>>::WIDTH;
        let seconds = best_after(cuda, &mut columns, renew, |columns| {
            let panel = cuda.view_mut(columns).block_mut(0, 0, n, width);
            cuda.lu_panel(panel, &mut vec![0; width])
        })?;
        records.push(record("lu-panel", [n, width, width], seconds, flops));
        let seconds = best_after(cuda, &mut columns, renew, |columns| {
            let panel = cuda.view_mut(columns).block_mut(0, 0, n, width);
            cuda.cholesky_panel(panel, 0, &watch)
        })?;
        records.push(record("cholesky-panel", [n, width, width], seconds, flops));
    }
    if device_count()? > 1 {
        records.extend(messages()?);
    }
    Ok(records)
}

/// Messages each way between two GPUs, at the same time.
fn messages() -> Outcome<Vec<Record>> {
    let times = threads::run(2, |ranks| message_times(ranks).map_err(|e| e.to_string()));
    let times = times.map_err(|failure| failure.to_string())?.swap_remove(0);
    let records = MESSAGES.into_iter().zip(times).map(|(bytes, seconds)| Record {
        unit: "GB/s".into(),
        rate: bytes as f64 / seconds / 1e9,
        ..record("exchange", [bytes, 1, 1], seconds, 0.0)
    });
    Ok(records.collect())
}

fn message_times(ranks: &Communicator) -> Outcome<Vec<f64>> {
    let cuda = Cuda::new(&Device::new(ranks.rank())?)?;
    let mut key = [0; Key::BYTES];
    if ranks.rank() == 0 {
        key = Key::new()?.bytes();
    }
    ranks.broadcast(0, &mut key)?;
    let links = Links::join(cuda.device(), Key::from_bytes(key), ranks.rank(), ranks.size())?;
    let other = 1 - ranks.rank();
    let mut times = Vec::new();
    for bytes in MESSAGES {
        let mut mine = Buffer::new(cuda.stream(), bytes)?;
        mine.clear()?;
        let mut theirs = Buffer::new(cuda.stream(), bytes)?;
        // In a row, as in an algorithm that queues its steps.
        const IN_A_ROW: usize = 20;
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            cuda.finish()?;
            ranks.barrier()?;
            let start = Instant::now();
            for _ in 0..IN_A_ROW {
                links.exchange(cuda.stream(), [(other, &mine)], [(other, &mut theirs)])?;
            }
            cuda.finish()?;
            seconds = seconds.min(start.elapsed().as_secs_f64() / IN_A_ROW as f64);
        }
        times.push(seconds);
    }
    Ok(times)
}

fn record(operation: &str, [m, n, k]: [usize; 3], seconds: f64, flops: f64) -> Record {
    eprintln!(
        "{operation:16} {m:10} {n:6} {k:6} {:10.3} ms {:8.2} TFLOPS",
        seconds * 1e3,
        flops / seconds / 1e12
    );
    Record {
        library: "nonius".into(),
        precision: "dd".into(),
        operation: operation.into(),
        m,
        n,
        k,
        threads: 1,
        seconds,
        rate: flops / seconds / 1e9,
        unit: "GFLOPS".into(),
    }
}

/// A symmetric matrix with numbers on its diagonal that are larger by so much.
fn symmetric(cuda: &Cuda, n: usize, diagonal: f64) -> Outcome<DeviceMatrix<Dd>> {
    let entries = Entries::new();
    let found = filled(cuda, (n, n), &|i, j| {
        let x = entries.at(i.max(j), i.min(j));
        if i == j { x + diagonal } else { x }
    });
    cuda.finish()?;
    Ok(found)
}

fn best(cuda: &Cuda, mut work: impl FnMut()) -> Outcome<f64> {
    best_after(
        cuda,
        &mut (),
        |()| {},
        |()| {
            work();
            Ok(())
        },
    )
}

/// Best of three times of some work, of which each needs something made new before.
fn best_after<S>(
    cuda: &Cuda,
    state: &mut S,
    renew: impl Fn(&mut S),
    mut work: impl FnMut(&mut S) -> Result<(), Breakdown>,
) -> Outcome<f64> {
    let mut seconds = f64::INFINITY;
    for _ in 0..4 {
        renew(state);
        cuda.finish()?;
        let start = Instant::now();
        work(state).map_err(|breakdown| format!("{breakdown:?}"))?;
        cuda.finish()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    Ok(seconds)
}
