//! Batches of tridiagonal systems by parallel cyclic reduction, on one thread of a Core i5 at
//! 3.8 GHz and on a GeForce GTX 580 (2012): tables 1 to 4, figure 3 and the residuals.
//!
//! The thread runs Thomas's elimination. Two programs stand for it here: the library's, which takes
//! as many systems at a time as a register has lanes and checks every residual, and a plain sweep
//! over one system after the other. The GPU runs cyclic reduction, alone (`kernel`) and from
//! the start of the upload to the result in the host's memory, with synchronous copies,
//! asynchronous copies and mapped memory. Table 1 has one system; its unit is printed as ms, and
//! tables 2 to 4 imply µs. Tables 2 to 4 have systems of 256 equations.

use std::error::Error;

use nonius::tridiag::Form;
use nonius_cuda::DeviceNumber;
use nonius_linalg::Error as LinalgError;
use nonius_linalg::Plain;
use nonius_linalg::tridiag::{Batch, Method, Options, Order, residual, solve};
use serde::Deserialize;

use super::{figure, heads, line, published, quotient};
use crate::record::Record;
use crate::timing::best_of;

/// Equations of a system in tables 2 to 4 and figure 3.
pub(crate) const EQUATIONS: usize = 256;
/// Equations of the only system in table 1.
const SIZES: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Systems in tables 2 to 4 and figure 3.
const SYSTEMS: [usize; 10] = [1, 4, 16, 64, 256, 512, 1024, 2048, 4096, 16_384];
/// Systems whose residuals are looked at.
const RESIDUALS: usize = 256;
/// Equations of the residuals, and the paper's figures by cyclic reduction and by Thomas's method.
const PUBLISHED_RESIDUALS: [(usize, &str, &str); 3] =
    [(8, "8e-?, exponent illegible", "—"), (64, "1.2e-6", "—"), (300, "8.5e-5", "7.8e-6")];
/// The least work that a time is taken of, in equations.
const WORK: usize = 1 << 14;

/// A row of table 1, in µs.
#[derive(Debug, Deserialize)]
struct One {
    equations: usize,
    kernel: f64,
    whole: f64,
    cpu: f64,
}

/// A row of tables 2 to 4, in ms, with the thread's time over each of the others.
#[derive(Debug, Deserialize)]
struct Many {
    systems: usize,
    kernel: f64,
    synchronous: f64,
    cpu: f64,
    over_kernel: f64,
    over_synchronous: f64,
    asynchronous: f64,
    over_asynchronous: f64,
    mapped: f64,
    over_mapped: f64,
}

impl Many {
    /// Times of the GPU by [`WAYS`], and the thread's over each.
    fn ways(&self) -> [(f64, f64); 4] {
        [
            (self.kernel, self.over_kernel),
            (self.synchronous, self.over_synchronous),
            (self.asynchronous, self.over_asynchronous),
            (self.mapped, self.over_mapped),
        ]
    }
}

/// How data get to a GPU, as records name it.
pub(crate) const WAYS: [&str; 4] = ["kernel", "sync", "async", "mapped"];

/// Systems and equations of all tables.
pub(crate) fn shapes() -> impl Iterator<Item = (usize, usize)> {
    SIZES.into_iter().map(|n| (1, n)).chain(SYSTEMS.into_iter().map(|m| (m, EQUATIONS)))
}

/// Times of one thread, and residuals.
pub(crate) fn measure() -> Result<Vec<Record>, Box<dyn Error>> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let measured: Result<_, LinalgError> = one.install(|| {
        let mut records = Vec::new();
        thread::<f32>(&mut records)?;
        thread::<f64>(&mut records)?;
        residuals::<f32>(&mut records)?;
        residuals::<f64>(&mut records)?;
        Ok(records)
    });
    Ok(measured?)
}

fn thread<T: DeviceNumber + Plain>(records: &mut Vec<Record>) -> Result<(), LinalgError> {
    let options = Options { method: Method::Thomas, ..Options::default() };
    for (m, n) in shapes() {
        let systems = Form::Random.coefficients::<T>((), (m, n), Order::Contiguous)?;
        let batch = systems.batch()?;
        let mut x = vec![T::ZERO; m * n];
        let repeats = (WORK / (m * n)).max(1);
        let mut outcome = Ok(());
        let seconds = best_of(|| {
            for _ in 0..repeats {
                outcome = solve(&batch, &options, &mut x).map(drop);
            }
        });
        outcome?;
        records.push(row::<T>("nonius", "thomas", (m, n), seconds / repeats as f64));
        let mut factors = vec![T::ZERO; n];
        let seconds = best_of(|| (0..repeats).for_each(|_| sweep(&batch, &mut factors, &mut x)));
        records.push(row::<T>("nonius", "sweep", (m, n), seconds / repeats as f64));
    }
    Ok(())
}

/// Thomas's elimination of contiguous systems, one after the other and without checks.
fn sweep<T: DeviceNumber + Plain>(batch: &Batch<'_, T>, factors: &mut [T], x: &mut [T]) {
    let n = batch.size();
    let [lower, diagonal, upper] = batch.matrix().map(|entries| entries.cells().chunks_exact(n));
    let systems = lower.zip(diagonal).zip(upper).zip(batch.right().cells().chunks_exact(n));
    for ((((a, b), c), d), x) in systems.zip(x.chunks_exact_mut(n)) {
        let mut reciprocal = T::ONE / b[0];
        factors[0] = c[0] * reciprocal;
        x[0] = d[0] * reciprocal;
        for i in 1..n {
            reciprocal = T::ONE / (b[i] - a[i] * factors[i - 1]);
            factors[i] = c[i] * reciprocal;
            x[i] = (d[i] - a[i] * x[i - 1]) * reciprocal;
        }
        for i in (0..n - 1).rev() {
            x[i] = x[i] - factors[i] * x[i + 1];
        }
    }
}

/// A record of a time.
pub(crate) fn row<T: DeviceNumber + Plain>(
    library: &str,
    way: &str,
    (m, n): (usize, usize),
    seconds: f64,
) -> Record {
    let bytes = 5.0 * (m * n * size_of::<T>()) as f64;
    eprintln!("{:4} {way:14} {m:6} × {n:4} {:12.3} µs", T::name(()), seconds * 1e6);
    Record {
        library: library.into(),
        precision: T::name(()).into(),
        operation: format!("tridiag-{way}"),
        m,
        n,
        k: 0,
        threads: usize::from(library == "nonius"),
        seconds,
        rate: bytes / seconds / 1e9,
        unit: "GB/s".into(),
    }
}

/// The greatest `‖right − A·x‖∞ / ‖right‖∞` of [`RESIDUALS`] systems, dominant ones and second
/// differences. Methods have the same bits on a GPU.
fn residuals<T: DeviceNumber + Plain>(records: &mut Vec<Record>) -> Result<(), LinalgError> {
    for (form, name) in [(Form::Random, "random"), (Form::Poisson, "poisson")] {
        for (n, ..) in PUBLISHED_RESIDUALS {
            for method in [Method::Pcr, Method::Thomas, Method::Hybrid] {
                let systems = form.coefficients::<T>((), (RESIDUALS, n), Order::Contiguous)?;
                let batch = systems.batch()?;
                let mut x = vec![T::ZERO; RESIDUALS * n];
                solve(&batch, &Options { method, ..Options::default() }, &mut x)?;
                records.push(Record {
                    library: "nonius".into(),
                    precision: T::name(()).into(),
                    operation: format!("residual-{method}-{name}"),
                    m: RESIDUALS,
                    n,
                    k: 0,
                    threads: 1,
                    seconds: 0.0,
                    rate: residual(&batch, false, &x)?.relative.to_f64(),
                    unit: "of the right-hand side".into(),
                });
            }
        }
    }
    Ok(())
}

/// Prints all tables. Of repeated measurements the last counts.
pub(crate) fn print(records: &[Record]) {
    let tables = Tables { records };
    for precision in ["f32", "f64"] {
        tables.one(precision);
        tables.times(precision);
        tables.ratios(precision);
        tables.rates(precision);
    }
    tables.residuals();
}

struct Tables<'a> {
    records: &'a [Record],
}

impl Tables<'_> {
    fn find(
        &self,
        library: &str,
        precision: &str,
        operation: &str,
        m: usize,
        n: usize,
    ) -> Option<&Record> {
        self.records.iter().rev().find(|r| {
            r.library == library
                && r.precision == precision
                && r.operation == operation
                && (r.m, r.n) == (m, n)
        })
    }

    /// Times of the plain sweep and of the library.
    fn threads(&self, precision: &str, m: usize, n: usize) -> [Option<f64>; 2] {
        ["tridiag-sweep", "tridiag-thomas"]
            .map(|operation| Some(self.find("nonius", precision, operation, m, n)?.seconds))
    }

    /// The shorter one.
    fn thread(&self, precision: &str, m: usize, n: usize) -> Option<f64> {
        self.threads(precision, m, n).into_iter().flatten().reduce(f64::min)
    }

    fn gpu(&self, precision: &str, method: Method, way: &str, m: usize, n: usize) -> Option<f64> {
        let operation = format!("tridiag-{method}-{way}");
        Some(self.find("nonius-cuda", precision, &operation, m, n)?.seconds)
    }

    /// Table 1.
    fn one(&self, precision: &str) {
        heads(
            &format!("Table 1, one system, µs; ours in {precision}"),
            &[
                "N",
                "Tk",
                "ours, PCR",
                "hybrid",
                "Tf",
                "ours, PCR",
                "hybrid",
                "Tcpu",
                "ours, sweep",
                "library",
            ],
        );
        let rows: Vec<One> = published(include_str!("../../data/papers/cyclic-reduction-one.csv"));
        for row in rows {
            let n = row.equations;
            let ours = |method, way| micro(self.gpu(precision, method, way, 1, n));
            line(&[
                n.to_string(),
                row.kernel.to_string(),
                ours(Method::Pcr, "kernel"),
                ours(Method::Hybrid, "kernel"),
                row.whole.to_string(),
                ours(Method::Pcr, "sync"),
                ours(Method::Hybrid, "sync"),
                row.cpu.to_string(),
                micro(self.threads(precision, 1, n)[0]),
                micro(self.threads(precision, 1, n)[1]),
            ]);
        }
    }

    /// The times of tables 2 to 4.
    fn times(&self, precision: &str) {
        let title = format!("Tables 2, 3 and 4, ms: published / PCR / hybrid; ours in {precision}");
        heads(
            &title,
            &["M", "Tk", "Tf, synchronous", "asynchronous", "mapped", "Tcpu / sweep / library"],
        );
        for row in many() {
            let m = row.systems;
            let mut cells = vec![m.to_string()];
            for (way, (theirs, _)) in WAYS.into_iter().zip(row.ways()) {
                let ours = |method| milli(self.gpu(precision, method, way, m, EQUATIONS));
                let (pcr, hybrid) = (ours(Method::Pcr), ours(Method::Hybrid));
                cells.push(format!("{theirs} / {pcr} / {hybrid}"));
            }
            let [sweep, library] = self.threads(precision, m, EQUATIONS).map(milli);
            cells.push(format!("{} / {sweep} / {library}", row.cpu));
            line(&cells);
        }
    }

    /// The ratios of tables 2 to 4.
    fn ratios(&self, precision: &str) {
        let title = format!(
            "Tables 2, 3 and 4, Tcpu (the shorter one) over each: published / PCR / hybrid; ours in \
             {precision}"
        );
        heads(&title, &["M", "Tk", "Tf, synchronous", "asynchronous", "mapped"]);
        for row in many() {
            let m = row.systems;
            let mut cells = vec![m.to_string()];
            let thread = self.thread(precision, m, EQUATIONS);
            for (way, (_, theirs)) in WAYS.into_iter().zip(row.ways()) {
                let ours = |method| {
                    figure(quotient(thread, self.gpu(precision, method, way, m, EQUATIONS)))
                };
                let (pcr, hybrid) = (ours(Method::Pcr), ours(Method::Hybrid));
                cells.push(format!("{theirs} / {pcr} / {hybrid}"));
            }
            line(&cells);
        }
    }

    /// Figure 3.
    fn rates(&self, precision: &str) {
        let title = format!("Figure 3, ms and systems a ms, PCR, N = {EQUATIONS}; {precision}");
        heads(&title, &["M", "Tk", "Tf", "Tcpu", "M/Tk", "M/Tf", "M/Tcpu"]);
        for m in SYSTEMS {
            let gpu = |way| self.gpu(precision, Method::Pcr, way, m, EQUATIONS);
            let times = [gpu("kernel"), gpu("sync"), self.thread(precision, m, EQUATIONS)];
            let rates = times.map(|time| figure(time.map(|s| m as f64 / s / 1e3)));
            let mut cells = vec![m.to_string()];
            cells.extend(times.map(milli));
            cells.extend(rates);
            line(&cells);
        }
    }

    fn residuals(&self) {
        let title = "Residuals: published (type and norm not said), ours relative to the \
                     right-hand side, greatest of 256 systems";
        let ours = ["f32 PCR", "f32 Thomas", "f32 hybrid", "f64 PCR", "f64 Thomas", "f64 hybrid"];
        let mut columns = vec!["N", "systems", "PCR", "Thomas"];
        columns.extend(ours);
        heads(title, &columns);
        for (n, pcr, thomas) in PUBLISHED_RESIDUALS {
            for form in ["random", "poisson"] {
                let mut cells = [&n.to_string(), form, pcr, thomas].map(str::to_string).to_vec();
                for precision in ["f32", "f64"] {
                    for method in [Method::Pcr, Method::Thomas, Method::Hybrid] {
                        let operation = format!("residual-{method}-{form}");
                        let found = self.find("nonius", precision, &operation, RESIDUALS, n);
                        cells.push(found.map_or("—".into(), |r| format!("{:.1e}", r.rate)));
                    }
                }
                line(&cells);
            }
        }
    }
}

fn many() -> Vec<Many> {
    published(include_str!("../../data/papers/cyclic-reduction-many.csv"))
}

fn micro(seconds: Option<f64>) -> String {
    figure(seconds.map(|s| s * 1e6))
}

fn milli(seconds: Option<f64>) -> String {
    figure(seconds.map(|s| s * 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_times() {
        for row in many() {
            // Times have three decimals, which is little for a thread's 0.005 ms.
            let tolerance = 0.02 + 0.0006 / row.cpu;
            for (time, ratio) in row.ways() {
                let found = row.cpu / time;
                assert!((found - ratio).abs() <= tolerance * found + 0.006, "{row:?}");
            }
        }
    }

    #[test]
    fn every_published_row_is_measured() {
        let shapes: Vec<_> = shapes().collect();
        assert!(many().iter().all(|row| shapes.contains(&(row.systems, EQUATIONS))));
        let one: Vec<One> = published(include_str!("../../data/papers/cyclic-reduction-one.csv"));
        assert!(one.iter().all(|row| shapes.contains(&(1, row.equations))));
    }
}
