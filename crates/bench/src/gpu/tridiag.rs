//! Batches of tridiagonal systems on a GPU: the solvers beside what memory allows and cuSPARSE, and
//! the tables of the paper of 2012.

use std::error::Error;
use std::time::Instant;

use nonius::tridiag::Form;
use nonius_cuda::{Cuda, DeviceNumber, Transfer};
use nonius_linalg::Plain;
use nonius_linalg::tridiag::{Method, Options, Order};
use nonius_num::{Dd, Qd};

use super::peers;
use super::rows::{kernel_times, wall_time};
use crate::papers::cyclic_reduction;
use crate::record::Record;

/// Bytes a second that a copy of long vectors moves on an H200, reading and writing.
const COPY: f64 = 4.07e12;
/// Unknowns of all systems together, where a batch is large.
const UNKNOWNS: usize = 1 << 26;
/// Launches in a row, and how often: the fastest counts.
const LAUNCHES: usize = 10;
const REPEATS: usize = 5;

/// Equations and systems of batches that cuSPARSE solved, contiguous and interleaved.
const BATCHES: [(usize, usize); 11] = [
    (64, 4096),
    (64, 65_536),
    (64, 262_144),
    (256, 4096),
    (256, 65_536),
    (256, 262_144),
    (512, 4096),
    (512, 65_536),
    (512, 262_144),
    (1024, 4096),
    (1024, 65_536),
];

/// Runs of a batch over the bus, of which the shortest counts.
const RUNS: usize = 20;

pub(crate) fn measure(gpu: &Cuda) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut bench = Bench { gpu, records: Vec::new() };
    for order in [Order::Contiguous, Order::Interleaved] {
        for (n, m) in BATCHES {
            bench.kernel::<f64>(m, n, order, Method::Hybrid, false)?;
        }
        for n in [16, 64, 250, 256, 512, 1024, 2048, 4096, 16_384, 65_536] {
            bench.kernel::<f64>(UNKNOWNS / n, n, order, Method::Hybrid, false)?;
        }
        bench.kernel::<f64>(1_000_000, 256, order, Method::Hybrid, false)?;
        for n in [64, 256, 1024] {
            let m = UNKNOWNS / n;
            bench.kernel::<f32>(m, n, order, Method::Hybrid, false)?;
            bench.kernel::<Dd>(m / 2, n, order, Method::Hybrid, false)?;
            bench.kernel::<Qd>(m / 4, n, order, Method::Hybrid, false)?;
            bench.kernel::<f64>(m, n, order, Method::Pcr, false)?;
            bench.kernel::<f64>(m, n, order, Method::Thomas, false)?;
            bench.kernel::<f64>(m, n, order, Method::Thomas, true)?;
        }
    }
    for transfer in [Transfer::Synchronous, Transfer::Asynchronous, Transfer::Mapped] {
        bench.way::<f64>(262_144, 256, transfer)?;
    }
    Ok(bench.records)
}

/// The tables of the paper of 2012 on a GPU, by cyclic reduction and by the hybrid method.
pub(crate) fn paper(gpu: &Cuda) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    paper_in::<f32>(gpu, &mut records)?;
    paper_in::<f64>(gpu, &mut records)?;
    Ok(records)
}

fn paper_in<T: DeviceNumber + Plain>(
    gpu: &Cuda,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    for (m, n) in cyclic_reduction::shapes() {
        let systems = Form::Random.coefficients::<T>((), (m, n), Order::Contiguous)?;
        let batch = systems.batch()?;
        let mut there = gpu.upload_tridiagonal(&batch)?;
        let mut pinned = gpu.pin_tridiagonal(&batch)?;
        for method in [Method::Pcr, Method::Hybrid] {
            let options = Options { method, ..Options::default() };
            for way in cyclic_reduction::WAYS {
                let transfer = match way {
                    "kernel" => None,
                    "sync" => Some(Transfer::Synchronous),
                    "async" => Some(Transfer::Asynchronous),
                    _ => Some(Transfer::Mapped),
                };
                let seconds = if let Some(transfer) = transfer {
                    let mut outcome = Ok(());
                    let seconds = (0..RUNS).fold(f64::INFINITY, |best, _| {
                        let start = Instant::now();
                        outcome = gpu.solve_pinned(&mut pinned, &options, transfer).map(drop);
                        best.min(start.elapsed().as_secs_f64())
                    });
                    outcome?;
                    seconds
                } else {
                    let mut outcome = Ok(Method::Auto);
                    let times = kernel_times(gpu, REPEATS, || {
                        for _ in 0..LAUNCHES {
                            outcome = gpu.queue_tridiagonal(&mut there, &options);
                        }
                    })?;
                    outcome?;
                    times[0] / LAUNCHES as f64
                };
                let name = format!("{method}-{way}");
                records.push(cyclic_reduction::row::<T>("nonius-cuda", &name, (m, n), seconds));
            }
        }
    }
    Ok(())
}

struct Bench<'a> {
    gpu: &'a Cuda,
    records: Vec<Record>,
}

impl Bench<'_> {
    fn kernel<T: DeviceNumber + Plain>(
        &mut self,
        m: usize,
        n: usize,
        order: Order,
        method: Method,
        pivoting: bool,
    ) -> Result<(), Box<dyn Error>> {
        let options = Options { method, pivoting, periodic: false };
        let mut batch =
            self.gpu.generate_tridiagonal::<T>((), (m, n), order, &Form::Random.generator())?;
        let mut outcome = Ok(Method::Auto);
        let times = kernel_times(self.gpu, REPEATS, || {
            for _ in 0..LAUNCHES {
                outcome = self.gpu.queue_tridiagonal(&mut batch, &options);
            }
        })?;
        outcome?;
        let seconds = times[0] / LAUNCHES as f64;
        let name = format!(
            "{method}{}{}",
            if pivoting { "-pivoting" } else { "" },
            if order == Order::Interleaved { "-interleaved" } else { "" }
        );
        let peer = if order == Order::Contiguous { "strided" } else { "interleaved" };
        let found = peers::seconds(&T::name(()), &format!("tridiag-{peer}"), [m, n]);
        let beside = found
            .filter(|_| method == Method::Hybrid)
            .map(|theirs| format!("   cuSPARSE {} ms ({:.2}×)", theirs * 1e3, theirs / seconds));
        self.row::<T>(&name, m, n, seconds, &beside.unwrap_or_default());
        Ok(())
    }

    /// A large batch over the bus.
    fn way<T: DeviceNumber + Plain>(
        &mut self,
        m: usize,
        n: usize,
        transfer: Transfer,
    ) -> Result<(), Box<dyn Error>> {
        let systems = Form::Random.coefficients::<T>((), (m, n), Order::Contiguous)?;
        let mut pinned = self.gpu.pin_tridiagonal(&systems.batch()?)?;
        let options = Options { method: Method::Hybrid, ..Options::default() };
        let seconds =
            wall_time(|| self.gpu.solve_pinned(&mut pinned, &options, transfer).map(drop));
        let there = (4 * m * n * size_of::<T>()) as f64 / seconds / 1e9;
        let beside = format!("   {there:.1} GB/s to the device");
        self.row::<T>(&format!("hybrid-{transfer:?}").to_lowercase(), m, n, seconds, &beside);
        Ok(())
    }

    fn row<T: DeviceNumber + Plain>(
        &mut self,
        name: &str,
        m: usize,
        n: usize,
        seconds: f64,
        beside: &str,
    ) {
        let bytes = 5.0 * (m * n * size_of::<T>()) as f64;
        let (rate, share) = (bytes / seconds / 1e9, 100.0 * bytes / seconds / COPY);
        println!(
            "{:4} {name:28} {m:8} × {n:6} {:10.4} ms {rate:8.0} GB/s {share:6.1} %{beside}",
            T::name(()),
            seconds * 1e3
        );
        self.records.push(Record {
            library: "nonius-cuda".into(),
            precision: T::name(()).into(),
            operation: format!("tridiag-{name}"),
            m,
            n,
            k: 0,
            threads: 0,
            seconds,
            rate,
            unit: "GB/s".into(),
        });
    }
}
