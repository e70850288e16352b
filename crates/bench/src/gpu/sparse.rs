//! Vectors of iterative methods, products with sparse matrices and conjugate gradients on a GPU.

use std::error::Error;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use nonius_cuda::{Cuda, CudaSpace, CudaVector, Planar};
use nonius_linalg::backend::{Sign, Space};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Cg, Identity, Inverse, LinearOperator, Options, Preconditioner, jacobi,
};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Csr, Dia, Ell, Jad, Layout, matrix_market};
use nonius_linalg::{Numbers, Scalar};
use nonius_num::{Dd, Qd, Td};

use super::rows::kernel_times;
use crate::inputs::{five_points, near_one};
use crate::record::Record;

/// Entries of vectors: as many as the peer was measured with, and more than the caches hold.
const LENGTHS: [usize; 2] = [1_000_000, 1 << 24];
/// Bits of `mp` numbers.
const PRECISIONS: [u32; 3] = [106, 212, 424];
/// Points of the plane's side in products by sparse matrices.
const SIDE: usize = 1000;
/// Launches in a row, and how often: the fastest counts.
const LAUNCHES: usize = 10;
const REPEATS: usize = 5;
/// Bytes a second that a copy of long vectors moves, reading and writing.
const COPY: f64 = 4.07e12;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// axpy and dot.
    Vectors,
    /// Products with the matrix of five points.
    Products,
    /// Conjugate gradients for the same matrix.
    Laplacian,
    /// Conjugate gradients for the files.
    Files,
}

/// The figures of all parts that are asked for, or of all.
pub(crate) fn measure(
    gpu: &Cuda,
    only: &[Part],
    side: usize,
    files: &[PathBuf],
) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    let wanted = |part: Part| only.is_empty() || only.contains(&part);
    if wanted(Part::Vectors) {
        limb_vectors::<f64>(gpu, &mut records)?;
        limb_vectors::<Dd>(gpu, &mut records)?;
        limb_vectors::<Td>(gpu, &mut records)?;
        limb_vectors::<Qd>(gpu, &mut records)?;
        for bits in PRECISIONS {
            mp_vectors(gpu, Bits::new(bits)?, &mut records)?;
        }
    }
    if wanted(Part::Products) {
        products(gpu, &mut records)?;
    }
    if wanted(Part::Laplacian) {
        laplacian(gpu, side, &mut records)?;
    }
    if wanted(Part::Files) {
        for file in files {
            system(gpu, file, &mut records)?;
        }
    }
    Ok(records)
}

fn record(precision: &str, operation: &str, [m, k]: [usize; 2], seconds: f64, rate: f64) -> Record {
    Record {
        library: "nonius-cuda".into(),
        precision: precision.into(),
        operation: operation.into(),
        m,
        n: 1,
        k,
        threads: 0,
        seconds,
        rate: rate / 1e9,
        unit: "G/s".into(),
    }
}

/// The shortest mean time of a piece of work on the device.
fn time(gpu: &Cuda, mut work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
    let times = kernel_times(gpu, REPEATS, || (0..LAUNCHES).for_each(|_| work()))?;
    Ok(times[0] / LAUNCHES as f64)
}

fn limb_vectors<T: Scalar>(gpu: &Cuda, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let space = CudaSpace::numbers::<T>(gpu, (), Arithmetic::Delayed)?;
    vectors(space, T::NAME, 8 * T::LIMBS, &|n, seed| Numbers::from(near_one::<T>(n, seed)), records)
}

fn mp_vectors(gpu: &Cuda, bits: Bits, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let space = CudaSpace::numbers::<Mp>(gpu, bits, Arithmetic::Delayed)?;
    let name = format!("mp{bits}");
    vectors(space, &name, 4 + 8 * bits.words(), &|n, seed| mp_numbers(bits, n, seed), records)
}

/// Numbers near 1, 65 536 different ones again and again.
fn mp_numbers(bits: Bits, n: usize, seed: u64) -> Numbers<Mp> {
    let few = near_one::<Qd>(n.min(1 << 16), seed);
    let few: Vec<Mp> = few.iter().map(|x| Mp::from_limbs(bits, &x.limbs())).collect();
    let third = Mp::one(bits) / Mp::from_f64(bits, 3.0);
    let few: Vec<Mp> = few.iter().map(|x| x * &third).collect();
    let mut numbers = Numbers::new(bits);
    (0..n).for_each(|i| numbers.push(few[i % few.len()]));
    numbers
}

fn vectors<P: Planar>(
    mut space: CudaSpace,
    name: &str,
    bytes: usize,
    numbers: &dyn Fn(usize, u64) -> P,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    let gpu = space.cuda().clone();
    for n in LENGTHS {
        let (x, mut y) = (space.upload(&numbers(n, 1))?, space.upload(&numbers(n, 2))?);
        let (mut a, mut sum) = (space.number(), space.number());
        space.set(1e-9, &mut a);
        let seconds = time(&gpu, || space.axpy(Sign::Plus, &a, &x, &mut y))?;
        print_rate(name, "axpy", n, seconds, n, 3 * bytes * n);
        records.push(record(name, "axpy", [n, 0], seconds, n as f64 / seconds));
        let seconds = time(&gpu, || space.dot(&x, &y, &mut sum))?;
        print_rate(name, "dot", n, seconds, n, 2 * bytes * n);
        records.push(record(name, "dot", [n, 0], seconds, n as f64 / seconds));
    }
    Ok(())
}

fn print_rate(name: &str, what: &str, n: usize, seconds: f64, count: usize, bytes: usize) {
    let (rate, share) = (count as f64 / seconds / 1e9, bytes as f64 / seconds / COPY * 100.0);
    println!(
        "{name:6} {what:12} {n:9} {seconds:12.3e} s {rate:9.2} G/s {share:6.1} % of a copy's rate"
    );
}

fn products(gpu: &Cuda, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let csr = five_points(SIDE)?;
    let formats = (Ell::from_csr(&csr)?, Jad::from_csr(&csr)?, Dia::from_csr(&csr)?);
    limb_products::<f64>(gpu, &csr, &formats, records)?;
    limb_products::<Dd>(gpu, &csr, &formats, records)?;
    limb_products::<Td>(gpu, &csr, &formats, records)?;
    limb_products::<Qd>(gpu, &csr, &formats, records)?;
    let csr = csr.to_format::<Mp>(Bits::FEWEST)?;
    for bits in PRECISIONS {
        let bits = Bits::new(bits)?;
        let mut space = CudaSpace::numbers::<Mp>(gpu, bits, Arithmetic::Delayed)?;
        let (x, name) = (mp_numbers(bits, SIDE * SIDE, 1), format!("mp{bits}"));
        let x = space.upload(&x)?;
        product(&mut space, &csr, "csr", &name, &x, records)?;
        product(&mut space, &Ell::from_csr(&csr)?, "ell", &name, &x, records)?;
        product(&mut space, &Jad::from_csr(&csr)?, "jad", &name, &x, records)?;
        product(&mut space, &Dia::from_csr(&csr)?, "dia", &name, &x, records)?;
    }
    Ok(())
}

type Formats = (Ell<f64>, Jad<f64>, Dia<f64>);

fn limb_products<T: Scalar>(
    gpu: &Cuda,
    csr: &Csr<f64>,
    (ell, jad, dia): &Formats,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    let mut space = CudaSpace::numbers::<T>(gpu, (), Arithmetic::Delayed)?;
    let x = space.upload(&Numbers::from(near_one::<T>(SIDE * SIDE, 1)))?;
    product(&mut space, csr, "csr", T::NAME, &x, records)?;
    product(&mut space, ell, "ell", T::NAME, &x, records)?;
    product(&mut space, jad, "jad", T::NAME, &x, records)?;
    product(&mut space, dia, "dia", T::NAME, &x, records)
}

fn product<A: Layout>(
    space: &mut CudaSpace,
    a: &A,
    format: &str,
    name: &str,
    x: &CudaVector,
    records: &mut Vec<Record>,
) -> Result<(), Box<dyn Error>> {
    let (on_device, mut y) = (space.upload_matrix(a)?, space.vector(a.shape().0)?);
    let gpu = space.cuda().clone();
    let seconds = time(&gpu, || on_device.apply(space, x, &mut y))?;
    let (what, entries) = (format!("spmv-{format}"), a.entries());
    let rate = entries as f64 / seconds;
    println!("{name:6} {what:12} {entries:9} {seconds:12.3e} s {:9.2} G nonzeros/s", rate / 1e9);
    records.push(record(name, &what, [a.shape().0, entries], seconds, rate));
    Ok(())
}

/// Iterations that are timed where a system would take too many.
const ITERATIONS: usize = 256;

fn laplacian(gpu: &Cuda, side: usize, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let csr = five_points(side)?;
    let n = side * side;
    for (format, entries) in [("dia", 8), ("ell", 12), ("csr", 12)] {
        let mut space = CudaSpace::numbers::<Dd>(gpu, (), Arithmetic::Delayed)?;
        let a = match format {
            "dia" => space.upload_matrix(&Dia::from_csr(&csr)?)?,
            "ell" => space.upload_matrix(&Ell::from_csr(&csr)?)?,
            _ => space.upload_matrix(&csr)?,
        };
        let b = space.upload(&Numbers::from(vec![Dd::from(1.0); n]))?;
        let options = Options { max_iterations: ITERATIONS, tolerance: 0.0, ..Options::default() };
        let (seconds, _) = solve(&mut space, &a, &Identity, &b, &options)?;
        // Matrix, and 13 vectors: 2 for the product with it, 2 and 1 for sums, 3 each for three
        // updates less what no kernel reads twice.
        let bytes = (entries * 5 + 16 * (2 + 2 + 1 + 3 * 3)) * n;
        let what = format!("cg-5-points-{format}");
        print_rate("dd", &what, n, seconds, n, bytes);
        records.push(record("dd", &what, [n, 5 * n], seconds, n as f64 / seconds));
    }
    Ok(())
}

/// Seconds of an iteration, and the iterations.
fn solve(
    space: &mut CudaSpace,
    a: &impl LinearOperator<CudaSpace>,
    m: &impl Preconditioner<CudaSpace>,
    b: &CudaVector,
    options: &Options,
) -> Result<(f64, usize), Box<dyn Error>> {
    let n = a.size().0;
    let mut best = (f64::INFINITY, 0);
    for _ in 0..3 {
        let (mut x, mut cg) = (space.vector(n)?, Cg::new(space, n)?);
        space.cuda().finish()?;
        let start = Instant::now();
        let report = cg.solve(space, a, m, b, &mut x, options, |_| ControlFlow::Continue(()))?;
        space.cuda().finish()?;
        let seconds = start.elapsed().as_secs_f64() / report.iterations.max(1) as f64;
        if seconds < best.0 {
            best = (seconds, report.iterations);
        }
    }
    Ok(best)
}

/// A system of a file, with a right-hand side of ones, until the residual is `10^-8` of the first.
fn system(gpu: &Cuda, file: &PathBuf, records: &mut Vec<Record>) -> Result<(), Box<dyn Error>> {
    let text = std::io::BufReader::new(std::fs::File::open(file)?);
    let stored = matrix_market::read::<f64>(text)?;
    let a: Csr<f64> = Csr::from_coo(stored.into_coo().map_err(|e| format!("{e}"))?)?;
    let n = a.shape().0;
    let name = file.file_stem().map(|name| name.to_string_lossy()).unwrap_or_default();
    let diagonal = jacobi::<_, f64>(&a, (), |x| 1.0 / x)?.0;
    let options = Options::default();
    let mut report = |precision: &str, what: &str, (each, iterations): (f64, usize)| {
        let (seconds, operation) = (each * iterations as f64, format!("cg-{what}-{name}"));
        println!(
            "{precision:6} {operation:24} {iterations:6} iterations {seconds:8.4} s, {:7.1} µs each",
            each * 1e6
        );
        records.push(record(precision, &operation, [n, iterations], seconds, 1.0 / each));
    };
    let mut space = CudaSpace::numbers::<Dd>(gpu, (), Arithmetic::Delayed)?;
    let (on_device, b) =
        (space.upload_matrix(&a)?, space.upload(&Numbers::from(vec![Dd::from(1.0); n]))?);
    report("dd", "none", solve(&mut space, &on_device, &Identity, &b, &options)?);
    let m = Inverse(space.upload_matrix(&diagonal)?);
    report("dd", "jacobi", solve(&mut space, &on_device, &m, &b, &options)?);
    let mp = a.to_format::<Mp>(Bits::FEWEST)?;
    let mut values = Numbers::new(Bits::FEWEST);
    diagonal.values().plain().iter().for_each(|&x| values.push(Mp::from_f64(Bits::FEWEST, x)));
    let diagonal = Dia::diagonal(values);
    for arithmetic in [Arithmetic::Delayed, Arithmetic::Ieee] {
        for bits in PRECISIONS {
            let bits = Bits::new(bits)?;
            let mut space = CudaSpace::numbers::<Mp>(gpu, bits, arithmetic)?;
            let mut ones = Numbers::new(bits);
            (0..n).for_each(|_| ones.push(Mp::one(bits)));
            let (on_device, b) = (space.upload_matrix(&mp)?, space.upload(&ones)?);
            let precision = format!("mp{bits}");
            let sums = if arithmetic == Arithmetic::Ieee { "-ieee" } else { "" };
            let found = solve(&mut space, &on_device, &Identity, &b, &options)?;
            report(&precision, &format!("none{sums}"), found);
            let m = Inverse(space.upload_matrix(&diagonal)?);
            let found = solve(&mut space, &on_device, &m, &b, &options)?;
            report(&precision, &format!("jacobi{sums}"), found);
        }
    }
    Ok(())
}
