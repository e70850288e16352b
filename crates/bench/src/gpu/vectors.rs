//! Rates on a GPU, of the kernels alone and of transfers: the three regimes of elementwise work
//! (bound by memory, on the largest grid, in registers), sums, products with a vector, and matrices
//! on their way.

use std::error::Error;
use std::hint::black_box;

use clap::ValueEnum;
use nonius_cuda::{Cuda, DeviceMatrix, Transfer};
use nonius_linalg::backend::{Elementwise, Gemv, Memory, Reduce, View, ViewMut};
use nonius_linalg::dense::{Operand, Transpose};
use nonius_linalg::{BinaryOp, Matrix, Operations, Scalar, TernaryOp, UnaryOp};
use nonius_num::{Dd, Qd, Td};

use super::peers::{self, MEMORY_BOUND_LENGTH};
use super::rows::kernel_times;
use crate::inputs::near_one;
use crate::record::Record;
use crate::timing::best_of;

/// Elements on the largest grid.
const LARGEST_LENGTH: usize = 1 << 26;
/// Elements of a chain in registers: every multiprocessor has work.
pub(crate) const CHAIN_LENGTH: usize = 1 << 19;
/// Order of matrices that are multiplied with a vector.
const ORDER: usize = 4096;
/// Launches in a row, whose mean leaves the start of the first aside, and how often: the fastest
/// counts.
const LAUNCHES: usize = 10;
const REPEATS: usize = 5;

/// Figures of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    Elementwise,
    Chains,
    Sums,
    Products,
    Transfers,
}

/// Figures at every precision: those of the given groups, or all where none is given.
pub(crate) fn measure(gpu: &Cuda, only: &[Group]) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut bench = Bench { gpu, only, records: Vec::new() };
    bench.one_precision::<f64>()?;
    bench.one_precision::<Dd>()?;
    bench.one_precision::<Td>()?;
    bench.one_precision::<Qd>()?;
    Ok(bench.records)
}

struct Bench<'a> {
    gpu: &'a Cuda,
    only: &'a [Group],
    records: Vec<Record>,
}

/// A column of `n` numbers around 1: 65 536 different ones again and again.
fn column<T: Scalar>(gpu: &Cuda, n: usize, seed: u64) -> DeviceMatrix<T> {
    const PERIOD: usize = 1 << 16;
    let numbers = near_one::<T>(n.min(PERIOD), seed);
    let part = Matrix::from_columns(numbers.len(), 1, numbers).map(|part| gpu.upload(part.view()));
    let mut whole = gpu.zeros::<T>(n, 1);
    if let Some(part) = part {
        for start in (0..n).step_by(PERIOD) {
            gpu.copy(part.as_ref(), whole.as_mut().block_mut(start, 0, n.min(PERIOD), 1));
        }
    }
    whole
}

impl Bench<'_> {
    fn one_precision<T: Scalar>(&mut self) -> Result<(), Box<dyn Error>> {
        for &group in
            Group::value_variants().iter().filter(|g| self.only.is_empty() || self.only.contains(g))
        {
            match group {
                Group::Elementwise => {
                    self.elementwise::<T>(MEMORY_BOUND_LENGTH, "")?;
                    self.elementwise::<T>(LARGEST_LENGTH, " max")?;
                }
                Group::Chains => self.chains::<T>()?,
                Group::Sums => self.sums::<T>()?,
                Group::Products => self.products::<T>()?,
                Group::Transfers => self.transfers::<T>()?,
            }
        }
        Ok(())
    }

    /// The shortest time of a piece of work on the device.
    fn time(&self, mut work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
        let times = kernel_times(self.gpu, REPEATS, || (0..LAUNCHES).for_each(|_| work()))?;
        Ok(times[0] / LAUNCHES as f64)
    }

    fn elementwise<T: Scalar>(&mut self, n: usize, regime: &str) -> Result<(), Box<dyn Error>> {
        let [x, y] = [1, 2].map(|seed| column::<T>(self.gpu, n, seed));
        let mut z = self.gpu.zeros::<T>(n, 1);
        let seconds = self.time(|| self.gpu.copy(x.as_ref(), z.as_mut()))?;
        let bytes = 2 * T::LIMBS * size_of::<f64>() * n;
        self.row::<T>(&format!("copy{regime}"), (n, 1), seconds, n, bytes);
        for &operation in UnaryOp::ALL.iter().filter(|o| n == MEMORY_BOUND_LENGTH || !o.is_long()) {
            self.one_operation(operation, [&x], &mut z, regime)?;
        }
        for &operation in BinaryOp::ALL.iter().filter(|o| n == MEMORY_BOUND_LENGTH || !o.is_long())
        {
            self.one_operation(operation, [&x, &y], &mut z, regime)?;
        }
        for &operation in TernaryOp::ALL {
            self.one_operation(operation, [&x, &y, &x], &mut z, regime)?;
        }
        Ok(())
    }

    fn one_operation<const K: usize, T: Scalar>(
        &mut self,
        operation: impl Operations<K>,
        operands: [&DeviceMatrix<T>; K],
        output: &mut DeviceMatrix<T>,
        regime: &str,
    ) -> Result<(), Box<dyn Error>> {
        let (n, _) = View::shape(&output.as_ref());
        let operands = operands.map(|x| Operand::Entries(x.as_ref()));
        let seconds = self.time(|| self.gpu.elementwise(operation, operands, output.as_mut()))?;
        // Operands that are given twice travel once.
        let bytes = (K.min(2) + 1) * T::LIMBS * size_of::<f64>() * n;
        self.row::<T>(&format!("{}{regime}", operation.name()), (n, 1), seconds, n, bytes);
        Ok(())
    }

    fn chains<T: Scalar>(&mut self) -> Result<(), Box<dyn Error>> {
        let [x, y] = [3, 4].map(|seed| column::<T>(self.gpu, CHAIN_LENGTH, seed));
        let mut z = self.gpu.zeros::<T>(CHAIN_LENGTH, 1);
        for &operation in UnaryOp::ALL {
            self.chain(operation, [&x], &mut z)?;
        }
        for &operation in BinaryOp::ALL {
            self.chain(operation, [&x, &y], &mut z)?;
        }
        for &operation in TernaryOp::ALL {
            self.chain(operation, [&x, &y, &x], &mut z)?;
        }
        Ok(())
    }

    fn chain<const K: usize, T: Scalar>(
        &mut self,
        operation: impl Operations<K>,
        operands: [&DeviceMatrix<T>; K],
        output: &mut DeviceMatrix<T>,
    ) -> Result<(), Box<dyn Error>> {
        let repeats = if operation.is_long() { 8 } else { 128 };
        let operands = operands.map(|x| Operand::Entries(x.as_ref()));
        let seconds = self.time(|| {
            self.gpu.elementwise_chain(operation, operands, output.as_mut(), repeats);
        })?;
        let count = CHAIN_LENGTH * repeats as usize;
        let name = format!("{} chain", operation.name());
        self.row::<T>(&name, (CHAIN_LENGTH, repeats as usize), seconds, count, 0);
        Ok(())
    }

    fn sums<T: Scalar>(&mut self) -> Result<(), Box<dyn Error>> {
        let [x, y] = [5, 6].map(|seed| column::<T>(self.gpu, MEMORY_BOUND_LENGTH, seed));
        let mut z = self.gpu.zeros::<T>(1, 1);
        let bytes = T::LIMBS * size_of::<f64>() * MEMORY_BOUND_LENGTH;
        let gpu = self.gpu;
        let seconds = self.time(|| gpu.dot(x.as_ref(), y.as_ref(), z.as_mut()))?;
        self.row::<T>("dot", (MEMORY_BOUND_LENGTH, 1), seconds, MEMORY_BOUND_LENGTH, 2 * bytes);
        let seconds = self.time(|| gpu.sum(x.as_ref(), z.as_mut()))?;
        self.row::<T>("sum", (MEMORY_BOUND_LENGTH, 1), seconds, MEMORY_BOUND_LENGTH, bytes);
        let seconds = self.time(|| gpu.asum(x.as_ref(), z.as_mut()))?;
        self.row::<T>("asum", (MEMORY_BOUND_LENGTH, 1), seconds, MEMORY_BOUND_LENGTH, bytes);
        let seconds = self.time(|| gpu.nrm2(x.as_ref(), z.as_mut()))?;
        self.row::<T>("nrm2", (MEMORY_BOUND_LENGTH, 1), seconds, MEMORY_BOUND_LENGTH, 2 * bytes);
        let seconds = self.time(|| drop(black_box(gpu.iamax(x.as_ref()))))?;
        self.row::<T>("iamax", (MEMORY_BOUND_LENGTH, 1), seconds, MEMORY_BOUND_LENGTH, bytes);
        Ok(())
    }

    fn products<T: Scalar>(&mut self) -> Result<(), Box<dyn Error>> {
        let numbers = near_one::<T>(ORDER, 7);
        let a = Matrix::from_fn(ORDER, ORDER, |i, j| numbers[(i + j) % ORDER]);
        let a = self.gpu.upload(a.view());
        let x = column::<T>(self.gpu, ORDER, 8);
        let mut y = self.gpu.zeros::<T>(ORDER, 1);
        let bytes = T::LIMBS * size_of::<f64>() * ORDER * ORDER;
        for (transpose, name) in [(Transpose::No, "gemv n"), (Transpose::Yes, "gemv t")] {
            let gpu = self.gpu;
            let seconds = self.time(|| {
                let (a, x, y) = (a.as_ref(), x.as_ref(), y.as_mut());
                gpu.gemv(transpose, T::ONE, a, x, T::ZERO, y);
            })?;
            self.row::<T>(name, (ORDER, ORDER), seconds, ORDER * ORDER, bytes);
        }
        Ok(())
    }

    /// Host matrices to the device and back, in the time of the clock on the wall.
    fn transfers<T: Scalar>(&mut self) -> Result<(), Box<dyn Error>> {
        let host = Matrix::from_columns(MEMORY_BOUND_LENGTH, 1, vec![T::ONE; MEMORY_BOUND_LENGTH])
            .ok_or("a column")?;
        let bytes = T::LIMBS * size_of::<f64>() * MEMORY_BOUND_LENGTH;
        for (mode, name) in [
            (Transfer::Synchronous, "synchronous"),
            (Transfer::Asynchronous, "asynchronous"),
            (Transfer::Mapped, "mapped"),
        ] {
            let gpu = self.gpu.clone().with_transfer(mode);
            let there: DeviceMatrix<T> = gpu.upload(host.view());
            let seconds = best_of(|| {
                let there: DeviceMatrix<T> = gpu.upload(host.view());
                drop(black_box(there));
            });
            self.row::<T>(
                &format!("upload {name}"),
                (MEMORY_BOUND_LENGTH, 1),
                seconds,
                MEMORY_BOUND_LENGTH,
                bytes,
            );
            let seconds = best_of(|| drop(black_box(gpu.download(there.as_ref()))));
            self.row::<T>(
                &format!("download {name}"),
                (MEMORY_BOUND_LENGTH, 1),
                seconds,
                MEMORY_BOUND_LENGTH,
                bytes,
            );
            gpu.finish()?;
        }
        Ok(())
    }

    fn row<T: Scalar>(
        &mut self,
        operation: &str,
        (m, n): (usize, usize),
        seconds: f64,
        count: usize,
        bytes: usize,
    ) {
        let rate = count as f64 / seconds / 1e6;
        eprintln!(
            "{:4} {operation:22} {:10.3} Gop/s {:8.1} GB/s {:10.1} us{}",
            T::NAME,
            rate / 1e3,
            bytes as f64 / seconds / 1e9,
            seconds * 1e6,
            peers::beside(T::NAME, operation, m, rate / 1e3)
        );
        self.records.push(of_elements::<T>(operation, [m, n], seconds, rate));
    }
}

/// A record of operations on elements, `n` times on each of `m`.
pub(super) fn of_elements<T: Scalar>(
    operation: &str,
    [m, n]: [usize; 2],
    seconds: f64,
    rate: f64,
) -> Record {
    Record {
        library: "nonius-cuda".into(),
        precision: T::NAME.into(),
        operation: operation.into(),
        m,
        n,
        k: 1,
        threads: 0,
        seconds,
        rate,
        unit: "M/s".into(),
    }
}
