//! Batches of tridiagonal systems on a GPU: the solvers beside what memory allows and cuSPARSE, and the ways of moving data of the paper of 2012.

use std::error::Error;

use nonius::Form;
use nonius_cuda::{Cuda, DeviceNumber, Transfer};
use nonius_linalg::tridiag::{Method, Options, Order, solve};
use nonius_num::{Dd, Qd};

use super::{kernel_times, wall_time};
use crate::record::Record;
use crate::timing::best_of;

/// Bytes a second that a copy of long vectors moves on an H200, reading and writing.
const COPY: f64 = 4.07e12;
/// Unknowns of all systems together, where a batch is large.
const UNKNOWNS: usize = 1 << 26;
/// Launches in a row, and how often: the fastest counts.
const LAUNCHES: usize = 10;
const REPEATS: usize = 5;

/// Milliseconds of cuSPARSE (13.0) in `f64` on an H200: equations, systems, `gtsv2StridedBatch`, `gtsvInterleavedBatch`.
const CUSPARSE: &[(usize, usize, f64, f64)] = &[
    (64, 4096, 0.017, 0.046),
    (64, 65_536, 0.19, 0.12),
    (64, 262_144, 0.72, 0.34),
    (256, 4096, 0.061, 0.18),
    (256, 65_536, 0.87, 0.49),
    (256, 262_144, 3.45, 1.40),
    (512, 4096, 0.14, 0.63),
    (512, 65_536, 1.97, 0.98),
    (512, 262_144, 7.86, 2.81),
    (1024, 4096, 0.27, 1.30),
    (1024, 65_536, 3.91, 1.96),
];

/// Milliseconds of the paper (GeForce GTX 580, 256 equations, 4096 systems), and how many times faster than one thread of its CPU.
const PAPER: [(&str, f64, f64); 4] =
    [("kernel", 0.893, 25.8), ("sync", 8.76, 2.6), ("async", 5.14, 4.5), ("mapped", 3.10, 7.4)];

pub(crate) fn measure(gpu: &Cuda) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut bench = Bench { gpu, records: Vec::new() };
    for order in [Order::Contiguous, Order::Interleaved] {
        for &(n, m, ..) in CUSPARSE {
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
    bench.paper::<f32>()?;
    bench.paper::<f64>()?;
    for transfer in [Transfer::Synchronous, Transfer::Asynchronous, Transfer::Mapped] {
        bench.way::<f64>(262_144, 256, transfer)?;
    }
    Ok(bench.records)
}

/// What the methods leave of right sides, by equations: the paper's comparison.
pub(crate) fn residuals() -> Result<(), Box<dyn Error>> {
    println!("greatest ‖right − A·x‖∞ / ‖right‖∞ of 256 systems");
    println!(
        "    n  f32 thomas    f32 pcr  f32 hybrid  f64 thomas    f64 pcr   dd thomas     dd pcr"
    );
    for n in [16, 32, 64, 128, 256, 512, 1024] {
        let mut line = format!("{n:5}");
        for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
            line += &format!("  {:10.2e}", residual::<f32>(n, method)?);
        }
        for method in [Method::Thomas, Method::Pcr] {
            line += &format!("  {:10.2e}", residual::<f64>(n, method)?);
        }
        for method in [Method::Thomas, Method::Pcr] {
            line += &format!("  {:10.2e}", residual::<Dd>(n, method)?);
        }
        println!("{line}");
    }
    Ok(())
}

fn residual<T: DeviceNumber>(n: usize, method: Method) -> Result<f64, Box<dyn Error>> {
    let systems = Form::Random.coefficients::<T>((256, n), Order::Contiguous)?;
    let batch = systems.batch()?;
    let mut x = vec![T::ZERO; 256 * n];
    solve(&batch, &Options { method, ..Options::default() }, &mut x)?;
    Ok(nonius_linalg::tridiag::residual(&batch, false, &x)?.relative)
}

struct Bench<'a> {
    gpu: &'a Cuda,
    records: Vec<Record>,
}

impl Bench<'_> {
    fn kernel<T: DeviceNumber>(
        &mut self,
        m: usize,
        n: usize,
        order: Order,
        method: Method,
        pivoting: bool,
    ) -> Result<(), Box<dyn Error>> {
        let options = Options { method, pivoting, periodic: false };
        let mut batch =
            self.gpu.generate_tridiagonal::<T>(m, n, order, &Form::Random.generator())?;
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
        let peer = CUSPARSE.iter().find(|peer| (peer.0, peer.1) == (n, m));
        let beside = peer.filter(|_| T::LIMBS == 1 && method == Method::Hybrid).map(|peer| {
            let theirs = if order == Order::Contiguous { peer.2 } else { peer.3 };
            format!("   cuSPARSE {theirs} ms ({:.2}×)", theirs / seconds / 1e3)
        });
        self.row::<T>(&name, m, n, seconds, &beside.unwrap_or_default());
        Ok(())
    }

    /// One batch of the paper's size, in all its ways.
    fn paper<T: DeviceNumber>(&mut self) -> Result<(), Box<dyn Error>> {
        let (m, n) = (4096, 256);
        let options = Options { method: Method::Pcr, ..Options::default() };
        let systems = Form::Random.coefficients::<T>((m, n), Order::Contiguous)?;
        let batch = systems.batch()?;
        let mut x = vec![T::ZERO; m * n];
        let host = Options { method: Method::Thomas, ..options };
        let cpu = best_of(|| drop(solve(&batch, &host, &mut x)));
        println!("{} {m} systems of {n} equations: {:.3} ms on the CPU", T::NAME, cpu * 1e3);
        let mut there = self.gpu.upload_tridiagonal(&batch)?;
        let mut pinned = self.gpu.pin_tridiagonal(&batch)?;
        for method in [Method::Pcr, Method::Hybrid] {
            let options = Options { method, ..options };
            for (way, published, gain) in PAPER {
                let transfer = match way {
                    "sync" => Transfer::Synchronous,
                    "async" => Transfer::Asynchronous,
                    _ => Transfer::Mapped,
                };
                let seconds = if way == "kernel" {
                    kernel_times(self.gpu, REPEATS, || {
                        let _ = self.gpu.queue_tridiagonal(&mut there, &options);
                    })?[0]
                } else {
                    wall_time(|| self.gpu.solve_pinned(&mut pinned, &options, transfer).map(drop))
                };
                let beside = format!(
                    "   {:.1}× the CPU   the paper {published} ms, {gain}× its CPU",
                    cpu / seconds
                );
                self.row::<T>(&format!("{method}-{way}"), m, n, seconds, &beside);
            }
        }
        Ok(())
    }

    /// A large batch over the bus.
    fn way<T: DeviceNumber>(
        &mut self,
        m: usize,
        n: usize,
        transfer: Transfer,
    ) -> Result<(), Box<dyn Error>> {
        let systems = Form::Random.coefficients::<T>((m, n), Order::Contiguous)?;
        let mut pinned = self.gpu.pin_tridiagonal(&systems.batch()?)?;
        let options = Options { method: Method::Hybrid, ..Options::default() };
        let seconds =
            wall_time(|| self.gpu.solve_pinned(&mut pinned, &options, transfer).map(drop));
        let there = (4 * m * n * size_of::<T>()) as f64 / seconds / 1e9;
        let beside = format!("   {there:.1} GB/s to the device");
        self.row::<T>(&format!("hybrid-{transfer:?}").to_lowercase(), m, n, seconds, &beside);
        Ok(())
    }

    fn row<T: DeviceNumber>(&mut self, name: &str, m: usize, n: usize, seconds: f64, beside: &str) {
        let bytes = 5.0 * (m * n * size_of::<T>()) as f64;
        let (rate, share) = (bytes / seconds / 1e9, 100.0 * bytes / seconds / COPY);
        println!(
            "{:4} {name:28} {m:8} × {n:6} {:10.4} ms {rate:8.0} GB/s {share:6.1} %{beside}",
            T::NAME,
            seconds * 1e3
        );
        self.records.push(Record {
            library: "nonius-cuda".into(),
            precision: T::NAME.into(),
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
