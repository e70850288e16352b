//! The time of products and factors at dd on many GPUs, by a model: the schedules of
//! `nonius_comm::dense` step by step, each step as long as its arithmetic on the rank that has most
//! of it, and its messages.
//!
//! Rates are those that [`parts`](super::parts) measured. A message of `x` bytes takes `α + x/β`
//! (R. W. Hockney, *The communication challenge for MPP*, Parallel Computing 20, 1994). Nothing is
//! done at the same time as something else, but for the messages of a product.

use std::error::Error;
use std::path::PathBuf;

use super::many::Task;
use crate::record::{Record, read_all};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Columns that are factored before a product.
const SPAN: usize = 512;
/// Bytes of a number.
const BYTES: f64 = 16.0;
/// Copies of each byte of a message in a GPU's memory: into it, out of it, and of what stays.
const COPIES: f64 = 3.0;
/// GPUs of one host.
const OF_A_HOST: usize = 8;
/// Between hosts, assumed: 400 Gbit/s for each GPU, and a few switches.
const NETWORK: Link = Link { start: 20e-6, byte: 1.0 / 50e9 };

/// What a message takes: to begin, and for each byte.
#[derive(Clone, Copy, Debug)]
struct Link {
    start: f64,
    byte: f64,
}

/// Seconds of the parts of one GPU's work.
#[derive(Clone, Copy, Debug)]
struct Rates {
    /// Of an entry of a product, and of each of its terms.
    product: [f64; 2],
    /// Of a span of columns, and of each of its rows.
    cholesky: [f64; 2],
    lu: [f64; 2],
    /// Of a right-hand side of a triangular system of a span's order.
    triangle: f64,
    /// Of a byte that is copied.
    copy: f64,
    link: Link,
}

/// The line through points that has the least squares of relative errors.
fn line(points: &[(f64, f64)]) -> [f64; 2] {
    let weighted = points.iter().map(|&(x, y)| (1.0 / (y * y), x, y));
    let [w, x, y, xx, xy] = weighted.fold([0.0; 5], |[sw, sx, sy, sxx, sxy], (w, x, y)| {
        [sw + w, sx + w * x, sy + w * y, sxx + w * x * x, sxy + w * x * y]
    });
    let slope = (w * xy - x * y) / (w * xx - x * x);
    [(y - slope * x) / w, slope]
}

impl Rates {
    fn of(records: &[Record]) -> Outcome<Self> {
        let points = |operation: &str, x: &dyn Fn(&Record) -> f64, y: &dyn Fn(&Record) -> f64| {
            let of = records.iter().filter(|record| record.operation == operation);
            let points: Vec<_> = of.map(|record| (x(record), y(record))).collect();
            if points.len() < 2 {
                return Err(format!("no two records of {operation}: see gpus-parts"));
            }
            Ok(points)
        };
        let (rows, seconds) = (|r: &Record| r.m as f64, |r: &Record| r.seconds);
        let entry = |r: &Record| r.seconds / (r.m as f64 * r.n as f64);
        let terms = |r: &Record| r.k as f64;
        let [start, byte] = line(&points("exchange", &rows, &seconds)?);
        let each = |operation: &str| -> Outcome<f64> {
            let points = points(operation, &rows, &|r| r.seconds / r.m as f64)?;
            Ok(points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min))
        };
        Ok(Self {
            product: line(&points("gemm", &terms, &entry)?),
            cholesky: line(&points("cholesky-span", &rows, &seconds)?),
            lu: line(&points("lu-span", &rows, &seconds)?),
            triangle: each("triangle")?,
            copy: each("copy")? / BYTES,
            link: Link { start, byte },
        })
    }
}

/// A schedule that is replayed on a grid of ranks.
#[derive(Clone, Debug)]
struct Replay {
    rates: Rates,
    grid: [usize; 2],
    tile: usize,
    /// Seconds so far: of products, of spans, of other arithmetic, and of messages.
    parts: [f64; 4],
}

const NAMES: [&str; 4] = ["products", "spans", "swaps and triangles", "messages"];
const PRODUCTS: usize = 0;
const SPANS: usize = 1;
const OTHERS: usize = 2;
const MESSAGES: usize = 3;

impl Replay {
    /// The grid is tall for Cholesky's factors, wide for the others.
    fn of(rates: Rates, task: Task, n: usize, gpus: usize, tile: usize) -> Self {
        let side = (1..=gpus).rev().find(|s| gpus.is_multiple_of(*s) && s * s <= gpus).unwrap_or(1);
        let (short, long) = (side, gpus / side);
        let tall = task == Task::Cholesky;
        let grid = if tall { [long, short] } else { [short, long] };
        let rates = if gpus > OF_A_HOST { Rates { link: NETWORK, ..rates } } else { rates };
        let mut replay = Self { rates, grid, tile, parts: [0.0; 4] };
        match task {
            Task::Gemm => replay.product(n, n, n),
            Task::Cholesky => replay.cholesky(n, n),
            Task::Lu => replay.lu(n, n),
        }
        replay
    }

    /// What the rank with most has of `count` rows (side 0) or columns (side 1).
    fn most(&self, count: usize, side: usize) -> f64 {
        let tiles = count.div_ceil(self.tile).div_ceil(self.grid[side]);
        (tiles * self.tile).min(count) as f64
    }

    /// Numbers that a rank receives from some others, of what `parts` ranks have.
    fn fetch(&mut self, numbers: f64, parts: usize) {
        if parts == 1 {
            return;
        }
        let (others, bytes) = ((parts - 1) as f64, numbers * BYTES);
        let Rates { link, copy, .. } = self.rates;
        let received = bytes * others / parts as f64;
        self.parts[MESSAGES] += link.start * others.min(8.0) + link.byte * received;
        self.parts[MESSAGES] += COPIES * copy * bytes;
    }

    fn multiply(&mut self, entries: f64, terms: usize) {
        let [entry, term] = self.rates.product;
        self.parts[PRODUCTS] += entries * (entry + term * terms as f64);
    }

    /// A product whose left operand comes while a share of its rows is multiplied.
    fn product(&mut self, m: usize, n: usize, k: usize) {
        let [p, q] = self.grid;
        let (rows, cols) = (self.most(m, 0), self.most(n, 1));
        self.fetch(cols * k as f64, p);
        self.fetch(rows / q as f64 * k as f64, q);
        self.multiply(rows * cols, k);
    }

    fn cholesky(&mut self, m: usize, n: usize) {
        if n > SPAN {
            let half = halve(n);
            self.cholesky(m, half);
            let ([p, q], rest) = (self.grid, n - half);
            self.fetch(self.most(m - half, 0) * half as f64, q);
            self.fetch(self.most(rest, 1) * half as f64, p);
            let above = (rest * rest) as f64 / 2.0 / (p * q) as f64;
            self.multiply(self.most(m - half, 0) * self.most(rest, 1) - above, half);
            return self.cholesky(m - half, rest);
        }
        let [start, row] = self.rates.cholesky;
        let ranks = self.grid.iter().product();
        self.fetch((n * n) as f64, ranks);
        self.parts[SPANS] += start + row * (n as f64 + self.most(m - n, 0)).min(m as f64);
    }

    fn lu(&mut self, m: usize, n: usize) {
        let [p, q] = self.grid;
        if n > SPAN {
            let half = halve(n);
            self.lu(m, half);
            let rest = self.most(n - half, 1);
            // Rows are read and written, on the right now and on the left when all is factored.
            self.parts[OTHERS] += self.rates.copy * BYTES * 4.0 * half as f64 * rest;
            self.fetch(2.0 * half as f64 * rest, p);
            self.fetch((half as f64 + self.most(m - half, 0)) * half as f64, q);
            let spans = half.div_ceil(SPAN);
            self.parts[OTHERS] += self.rates.triangle * rest * spans as f64;
            self.multiply(rest * half as f64 / 2.0, half);
            self.multiply(self.most(m - half, 0) * rest, half);
            return self.lu(m - half, n - half);
        }
        let [start, row] = self.rates.lu;
        self.fetch((m * n) as f64, p * q);
        self.parts[SPANS] += start + row * m as f64;
    }

    fn seconds(&self) -> f64 {
        self.parts.iter().sum()
    }
}

/// As the factorisations halve their columns.
fn halve(n: usize) -> usize {
    n.div_ceil(SPAN) / 2 * SPAN
}

/// Prints what the model says of matrices of these orders on so many GPUs, and beside it what was
/// measured.
pub(crate) fn print(parts: &[PathBuf], measured: &[PathBuf], tile: usize) -> Outcome<()> {
    let rates = Rates::of(&read_all(parts)?)?;
    let measured = read_all(measured)?;
    println!("{rates:?}\n");
    println!("| task | n | GPUs | model | measured | TFLOPS a GPU | most time in |");
    println!("|---|---|---|---|---|---|---|");
    for task in [Task::Gemm, Task::Cholesky, Task::Lu] {
        for (n, gpus) in cases() {
            let replay = Replay::of(rates, task, n, gpus, tile);
            let seconds = replay.seconds();
            let found = measured.iter().filter(|record| {
                record.operation == task.on(gpus) && (record.n, record.threads) == (n, gpus)
            });
            let found = found.map(|record| record.seconds).reduce(f64::min);
            let found = found.map_or("".to_string(), |seconds| format!("{seconds:.3} s"));
            let rate = task.flops(n) / seconds / gpus as f64 / 1e12;
            let longest = (0..4).max_by(|&i, &j| replay.parts[i].total_cmp(&replay.parts[j]));
            let (name, part) = longest.map_or(("", 0.0), |i| (NAMES[i], replay.parts[i]));
            println!(
                "| {} | {n} | {gpus} | {seconds:.3} s | {found} | {rate:.1} | {name}, {:.0} % |",
                task.name(),
                100.0 * part / seconds
            );
        }
    }
    Ok(())
}

/// Orders and GPUs: those that were measured, and as large as the memories of more hold.
fn cases() -> impl Iterator<Item = (usize, usize)> {
    let measured = [16_384, 32_768].into_iter().flat_map(|n| [1, 2].map(|gpus| (n, gpus)));
    measured.chain([(65_536, 8), (131_072, 8), (131_072, 64), (524_288, 64), (1_048_576, 1024)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates() -> Rates {
        Rates {
            product: [1e-10, 1e-13],
            cholesky: [1e-3, 1e-7],
            lu: [3e-3, 1e-7],
            triangle: 1e-8,
            copy: 1e-13,
            link: Link { start: 1e-5, byte: 1.0 / 3e11 },
        }
    }

    #[test]
    fn lines_go_through_points() {
        // Powers of two in their places: all sums are exact.
        assert_eq!(line(&[(1.0, 4.0), (3.0, 8.0), (7.0, 16.0)]), [2.0, 2.0]);
    }

    /// All entries of all products, each with its terms: as many multiply-adds as there are.
    #[test]
    fn replays_do_all_of_the_arithmetic() {
        let n = 16_384;
        let only = Rates { product: [0.0, 1.0], cholesky: [0.0; 2], lu: [0.0; 2], ..rates() };
        for (task, share) in [(Task::Gemm, 1.0), (Task::Cholesky, 1.0 / 6.0), (Task::Lu, 1.0 / 3.0)]
        {
            let found = Replay::of(only, task, n, 1, 1024).parts[PRODUCTS];
            let expected = share * (n as f64).powi(3);
            // Spans do the rest.
            assert!(found <= expected && found > 0.9 * expected, "{task:?} {found} {expected}");
        }
    }

    #[test]
    fn more_gpus_take_less_time_and_messages() {
        for task in [Task::Gemm, Task::Cholesky, Task::Lu] {
            let seconds = |gpus| Replay::of(rates(), task, 32_768, gpus, 1024).seconds();
            assert!(seconds(2) < seconds(1) && seconds(2) > seconds(1) / 2.0);
            assert_eq!(Replay::of(rates(), task, 32_768, 1, 1024).parts[MESSAGES], 0.0);
        }
    }
}
