//! Double-double and quad-double arithmetic by the QD library on CUDA (2011): operations, vectors,
//! products and systems of equations on a C1060, a GTX480 and a C2050.
//!
//! Tables 5.1-1 (128 blocks of 128 threads) and 5.1-3 (a thread for each element) have vectors in
//! memory; table 5.1-5 does 10 000 operations on each of 16 384 elements. Tables 5.2.5-1 and -3 are
//! the same of functions. Here vectors in memory have 2²² elements, and 16 384 elements stay in the
//! cache of a CPU, or in registers of a GPU. Where raw results have no such rows, those of
//! `elementwise` (4096 elements) and of `gpu` (2¹⁹ elements in registers) stand for them. The
//! paper's CPU has four threads for vectors.

use std::hint::black_box;

use clap::ValueEnum;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::{Products, gemm_on};
use nonius_linalg::dense::{Transpose, gauss_jordan};
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd};
use serde::Deserialize;

use super::{figure, heads, line, published, quotient};
use crate::dense::row;
use crate::elementwise;
use crate::gpu::vectors::CHAIN_LENGTH;
use crate::inputs::{matrix, number};
use crate::record::Record;
use crate::timing::best_of;

/// Rows, columns and inner dimension of the product.
pub(crate) const PRODUCT: [usize; 3] = [1600, 1600, 3200];
/// Equations and right-hand sides.
pub(crate) const SOLUTION: [usize; 2] = [2400, 1600];
/// Elements of vectors in memory, and of vectors in a cache or in registers.
pub(crate) const IN_MEMORY: usize = 1 << 22;
pub(crate) const IN_CACHE: usize = 1 << 14;
/// Operations on each element of the latter, on a GPU.
pub(crate) const CHAIN: u32 = 10_000;
/// Elements in a cache where raw results have no others.
const FEW_IN_CACHE: usize = 1 << 12;
/// The operations and functions of the tables.
pub(crate) const OPERATIONS: [&str; 8] = ["add", "sub", "mul", "div", "sqrt", "exp", "ln", "sin"];
/// Operations of a chain on a CPU.
const REPEATS: usize = 100_000;

/// A section of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Section 3.6: one operation again and again.
    Operations,
    /// Sections 5.1 and 5.2.5.
    Vectors,
    /// Sections 6.2.2 and 6.3.2.
    Matrices,
}

/// A row of tables 3.6-1 to 3.6-3: operations a ms.
#[derive(Debug, Deserialize)]
struct Operation {
    operation: String,
    precision: String,
    rate_f64: f64,
    rate: f64,
    /// Operations on `f64` that one takes.
    flops: u32,
    /// These over the nanoseconds that it takes.
    coefficient: f64,
    /// `rate_f64 / rate`.
    slower: f64,
}

/// A row of the tables of sections 5.1 and 5.2.5: operations a ms, and cards over the CPU.
#[derive(Debug, Deserialize)]
struct Rate {
    table: String,
    operation: String,
    precision: String,
    cpu: f64,
    c1060: f64,
    gtx480: f64,
    c2050: f64,
    over_cpu_c1060: f64,
    over_cpu_gtx480: f64,
    over_cpu_c2050: f64,
}

impl Rate {
    /// Whether operands come from memory.
    fn in_memory(&self) -> bool {
        matches!(&*self.table, "5.1-1" | "5.1-3" | "5.2.5-1")
    }
}

/// A row of the tables of sections 6.2.2 and 6.3.2.
#[derive(Debug, Deserialize)]
struct Seconds {
    table: String,
    /// The shape of a block of threads.
    blocks: String,
    precision: String,
    c1060: f64,
    gtx480: f64,
    c2050: f64,
    cpu: f64,
    over_cpu_c1060: f64,
    over_cpu_gtx480: f64,
    over_cpu_c2050: f64,
}

/// Measures on a CPU. Every dimension of a matrix is divided by `shrink`.
pub(crate) fn measure(shrink: usize, threads: usize, only: &[Part]) -> Vec<Record> {
    let asked = |part: Part| only.is_empty() || only.contains(&part);
    let mut records = Vec::new();
    if asked(Part::Operations) {
        chains::<f64>(&mut records);
        chains::<Dd>(&mut records);
        chains::<Qd>(&mut records);
    }
    if asked(Part::Vectors) {
        let only = OPERATIONS.map(str::to_string);
        for length in [IN_CACHE, IN_MEMORY] {
            records.extend(elementwise::measure(length, threads, &only));
        }
    }
    if asked(Part::Matrices) {
        matrices::<f64>(shrink, threads, &mut records);
        matrices::<Dd>(shrink, threads, &mut records);
        matrices::<Qd>(shrink, threads, &mut records);
    }
    records
}

/// One operation again and again, each on the result of the one before.
fn chains<T: Scalar>(records: &mut Vec<Record>) {
    let mut random = rand::SeedableRng::seed_from_u64(9);
    // So near to 1 that products stay in range.
    let y = black_box(T::ONE + number::<T>(&mut random).ldexp(-40));
    let mut push = |name: &str, step: fn(T, T) -> T| {
        let seconds = best_of(|| {
            let mut x = black_box(T::ONE);
            for _ in 0..REPEATS {
                x = step(x, y);
            }
            black_box(x);
        });
        let rate = REPEATS as f64 / seconds / 1e6;
        eprintln!("{:4} {name:5} chain {rate:10.2} M/s", T::NAME);
        records.push(Record {
            library: "nonius".into(),
            precision: T::NAME.into(),
            operation: format!("{name} chain"),
            m: 1,
            n: REPEATS,
            k: 1,
            threads: 1,
            seconds,
            rate,
            unit: "M/s".into(),
        });
    };
    push("add", |x, y| x + y);
    push("sub", |x, y| x - y);
    push("mul", |x, y| x * y);
    push("div", |x, y| x / y);
}

fn matrices<T: Scalar>(shrink: usize, threads: usize, records: &mut Vec<Record>) {
    let [m, n, k] = PRODUCT.map(|size| size / shrink);
    let (a, b) = (matrix::<T>(m, k, 1), matrix::<T>(k, n, 2));
    let mut c = Matrix::zeros(m, n);
    let flops = product_flops([m, n, k]);
    for (name, products) in [("gemm", Products::default()), ("gemm-direct", Products::direct())] {
        let (cpu, no) = (Cpu::new(products), Transpose::No);
        let seconds = best_of(|| {
            let (a, b, c) = (a.view(), b.view(), c.view_mut());
            gemm_on(&cpu, no, no, T::ONE, a, b, T::ZERO, c).expect("shapes fit");
        });
        records.push(row::<T>(name, [m, n, k], threads, seconds, flops));
    }
    let [n, sides] = SOLUTION.map(|size| size / shrink);
    let (a, b) = (matrix::<T>(n, n, 3), matrix::<T>(n, sides, 4));
    let seconds = best_of(|| {
        let mut x = b.clone();
        gauss_jordan(Cpu::default(), a.clone(), x.view_mut()).expect("not singular");
    });
    let flops = solution_flops([n, sides]);
    records.push(row::<T>("gauss-jordan", [n, sides, n], threads, seconds, flops));
}

pub(crate) fn product_flops([m, n, k]: [usize; 3]) -> f64 {
    2.0 * (m * n * k) as f64
}

pub(crate) fn solution_flops([n, sides]: [usize; 2]) -> f64 {
    let (n, sides) = (n as f64, sides as f64);
    n.powi(3) + 2.0 * n * n * sides
}

/// Prints all tables. Of repeated measurements the last counts.
pub(crate) fn print(records: &[Record]) {
    let tables = Tables { records };
    tables.operations();
    tables.rates();
    tables.seconds();
}

struct Tables<'a> {
    records: &'a [Record],
}

impl Tables<'_> {
    fn cpu(&self, precision: &str, operation: &str, m: usize, threads: usize) -> Option<&Record> {
        self.records.iter().rev().find(|r| {
            r.library == "nonius"
                && r.precision == precision
                && r.operation == operation
                && (r.m, r.threads) == (m, threads)
        })
    }

    /// Operations a ms on vectors.
    fn vectors(
        &self,
        precision: &str,
        operation: &str,
        in_memory: bool,
        threads: usize,
    ) -> Option<f64> {
        let find = |length| self.cpu(precision, operation, length, threads);
        let found =
            if in_memory { find(IN_MEMORY) } else { find(IN_CACHE).or_else(|| find(FEW_IN_CACHE)) };
        Some(found?.rate * 1e3)
    }

    fn gpu(&self, precision: &str, operation: &str, m: usize) -> Option<&Record> {
        self.records.iter().rev().find(|r| {
            r.library == "nonius-cuda"
                && r.precision == precision
                && r.operation == operation
                && r.m == m
        })
    }

    /// One thread, and the greatest number of threads of the CPU's records of an operation.
    fn threads(&self, operation: &str) -> Vec<usize> {
        let of = |r: &&Record| r.library == "nonius" && r.operation == operation;
        let most = self.records.iter().filter(of).map(|r| r.threads).max();
        let mut threads = vec![1];
        threads.extend(most.filter(|&most| most > 1));
        threads
    }

    /// Section 3.6.
    fn operations(&self) {
        heads(
            "Tables 3.6, operations a ms on one core; coefficients are flops a ns",
            &[
                "",
                "",
                "paper: f64",
                "rate",
                "flops",
                "coefficient",
                "f64 over it",
                "our chain: f64",
                "rate",
                "flops",
                "coefficient",
                "f64 over it",
                "our vectors: rate",
                "coefficient",
                "f64 over it",
            ],
        );
        let rows: Vec<Operation> =
            published(include_str!("../../data/papers/qd-on-cuda-operations.csv"));
        for row in rows {
            let chain = |precision: &str| {
                let name = format!("{} chain", row.operation);
                Some(self.cpu(precision, &name, 1, 1)?.rate * 1e3)
            };
            let vector = |precision: &str| self.vectors(precision, &row.operation, false, 1);
            let (plain, ours) = (chain("f64"), chain(&row.precision));
            let vectors = vector(&row.precision);
            let flops = our_flops(&row.operation, &row.precision);
            let flops_a_ns = |rate: Option<f64>| Some(f64::from(flops?) * rate? / 1e6);
            let coefficient = |rate| figure(flops_a_ns(rate));
            line(&[
                row.operation.clone(),
                row.precision.clone(),
                figure(Some(row.rate_f64)),
                figure(Some(row.rate)),
                row.flops.to_string(),
                row.coefficient.to_string(),
                row.slower.to_string(),
                figure(plain),
                figure(ours),
                flops.map_or("—".into(), |flops| flops.to_string()),
                coefficient(ours),
                figure(quotient(plain, ours)),
                figure(vectors),
                coefficient(vectors),
                figure(quotient(vector("f64"), vectors)),
            ]);
        }
    }

    /// Sections 5.1 and 5.2.5.
    fn rates(&self) {
        let threads = self.threads("add");
        heads(
            "Tables 5.1 and 5.2.5, operations a ms; cards in brackets over the CPU's four threads, \
             the GPU over the last CPU column",
            &columns(&["", "", "", "CPU", "C1060", "GTX480", "C2050"], &threads),
        );
        let rows: Vec<Rate> = published(include_str!("../../data/papers/qd-on-cuda-rates.csv"));
        for row in rows {
            let (precision, in_memory) = (&row.precision, row.in_memory());
            let of_cpu = |&count| self.vectors(precision, &row.operation, in_memory, count);
            let length = if in_memory { IN_MEMORY } else { IN_CACHE };
            let chain = format!("{} chain", row.operation);
            let name = if in_memory { &row.operation } else { &chain };
            let gpu = self.gpu(precision, name, length);
            let gpu = gpu.or_else(|| self.gpu(precision, name, CHAIN_LENGTH)).map(|r| r.rate * 1e3);
            let whole = self.gpu(precision, &format!("{}-transfers", row.operation), length);
            let whole = whole.map(|r| r.rate * 1e3);
            let cpus: Vec<_> = threads.iter().map(of_cpu).collect();
            let cpu = cpus.last().copied().flatten();
            let mut cells = vec![
                row.table.clone(),
                row.operation.clone(),
                row.precision.clone(),
                figure(Some(row.cpu)),
                with_ratio(row.c1060, row.over_cpu_c1060),
                with_ratio(row.gtx480, row.over_cpu_gtx480),
                with_ratio(row.c2050, row.over_cpu_c2050),
            ];
            cells.extend(cpus.into_iter().map(figure));
            cells.extend([gpu, quotient(gpu, cpu), whole, quotient(whole, cpu)].map(figure));
            line(&cells);
        }
    }

    /// Sections 6.2.2 and 6.3.2.
    fn seconds(&self) {
        let threads = self.threads("gauss-jordan");
        let first = ["", "blocks", "", "CPU", "C1060", "GTX480", "C2050", "our engine"];
        heads(
            "Tables 6.2.2 (product) and 6.3.2 (AX = B), seconds; cards in brackets over the CPU, \
             the GPU over the last CPU column",
            &columns(&first, &threads),
        );
        let rows: Vec<Seconds> =
            published(include_str!("../../data/papers/qd-on-cuda-seconds.csv"));
        for row in rows {
            let ours: &[Work] = if row.table == "6.2.2" { &PRODUCTS } else { &[ELIMINATION] };
            for work in ours {
                let (precision, m) = (&row.precision, work.rows);
                let of_cpu = |&count| Some(self.cpu(precision, work.cpu, m, count)?.seconds);
                let gpu = self.gpu(precision, work.gpu, m).map(|r| r.seconds);
                let whole = self.gpu(precision, work.whole, m).map(|r| r.seconds);
                let cpus: Vec<_> = threads.iter().map(of_cpu).collect();
                let cpu = cpus.last().copied().flatten();
                let mut cells = vec![
                    row.table.clone(),
                    row.blocks.replace('x', "×"),
                    row.precision.clone(),
                    figure(Some(row.cpu)),
                    with_ratio(row.c1060, row.over_cpu_c1060),
                    with_ratio(row.gtx480, row.over_cpu_gtx480),
                    with_ratio(row.c2050, row.over_cpu_c2050),
                    work.engine.to_string(),
                ];
                cells.extend(cpus.into_iter().map(figure));
                cells.extend([gpu, quotient(cpu, gpu), whole, quotient(cpu, whole)].map(figure));
                line(&cells);
            }
        }
    }
}

/// Operations on `f64` that one of ours takes, a fused multiply-add being one: the counts of the
/// tests in `nonius-num`, `multifloat/count.rs`.
fn our_flops(operation: &str, precision: &str) -> Option<u32> {
    match (precision, operation) {
        ("dd", "add" | "sub") => Some(20),
        ("dd", "mul" | "div") => Some(9),
        ("qd", "add" | "sub" | "mul") => Some(124),
        ("qd", "div") => Some(126),
        _ => None,
    }
}

/// The columns of a table: the first ones, and those of ours.
fn columns(first: &[&str], threads: &[usize]) -> Vec<String> {
    let cpu = threads.iter().map(|count| format!("our CPU, threads: {count}"));
    let gpu = ["our GPU, kernels", "over the CPU", "our GPU, with transfers", "over the CPU"];
    first.iter().map(|&name| name.into()).chain(cpu).chain(gpu.map(String::from)).collect()
}

/// What records call one of our ways, on a CPU and on a GPU without and with transfers.
struct Work {
    engine: &'static str,
    rows: usize,
    cpu: &'static str,
    gpu: &'static str,
    whole: &'static str,
}

const PRODUCTS: [Work; 2] = [
    Work {
        engine: "direct",
        rows: PRODUCT[0],
        cpu: "gemm-direct",
        gpu: "gemm",
        whole: "gemm-synchronous",
    },
    Work {
        engine: "auto",
        rows: PRODUCT[0],
        cpu: "gemm",
        gpu: "gemm-auto",
        whole: "gemm-auto-synchronous",
    },
];

const ELIMINATION: Work = Work {
    engine: "auto",
    rows: SOLUTION[0],
    cpu: "gauss-jordan",
    gpu: "gauss-jordan",
    whole: "gauss-jordan-transfers",
};

fn with_ratio(x: f64, ratio: f64) -> String {
    format!("{} ({ratio})", figure(Some(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows whose printed ratio is not that of the printed rates.
    const INCONSISTENT: [(&str, &str, &str); 3] =
        [("5.1-3", "div", "f64"), ("5.2.5-1", "sqrt", "f64"), ("5.2.5-3", "ln", "qd")];

    #[test]
    fn ratios_are_those_of_the_rates() {
        let rows: Vec<Rate> = published(include_str!("../../data/papers/qd-on-cuda-rates.csv"));
        assert_eq!(rows.len(), 3 * 9 + 2 * 12);
        for row in rows {
            if INCONSISTENT.contains(&(&row.table, &row.operation, &row.precision)) {
                continue;
            }
            for (rate, ratio) in [
                (row.c1060, row.over_cpu_c1060),
                (row.gtx480, row.over_cpu_gtx480),
                (row.c2050, row.over_cpu_c2050),
            ] {
                assert!((rate / row.cpu / ratio - 1.0).abs() < 0.03, "{row:?}");
            }
        }
    }

    #[test]
    fn coefficients_are_flops_a_nanosecond() {
        let rows: Vec<Operation> =
            published(include_str!("../../data/papers/qd-on-cuda-operations.csv"));
        assert_eq!(rows.len(), 8);
        for row in rows {
            let found = f64::from(row.flops) * row.rate / 1e6;
            assert!((found - row.coefficient).abs() < 0.06, "{row:?}");
            assert!((row.rate_f64 / row.rate / row.slower - 1.0).abs() < 0.01, "{row:?}");
        }
    }

    #[test]
    fn matrices_have_two_tables() {
        let rows: Vec<Seconds> =
            published(include_str!("../../data/papers/qd-on-cuda-seconds.csv"));
        assert_eq!(rows.iter().filter(|row| row.table == "6.2.2").count(), 3);
        assert_eq!(rows.iter().filter(|row| row.blocks == "128").count(), 3);
    }
}
