//! Elementwise operations: a kernel for each operation and precision, made from the name in
//! linalg's table; integer powers, and sines with their cosines.

use nonius_gpu::{Arguments, Entry, Error, Shape, Source, kernel_arguments, kernel_parameters};
use nonius_linalg::backend::{Cpu, Elementwise, Memory, ViewMut};
use nonius_linalg::dense::Operand;
use nonius_linalg::{BinaryOp, Matrix, Number, Operations, Scalar, TernaryOp, UnaryOp};

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::host;
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef, Layout, assert_formats};
use crate::texts;

/// Operands that a kernel has room for.
const OPERANDS: usize = 3;

/// Threads of a block of a long operation.
const LONG_THREADS: u32 = 128;

kernel_arguments! {
    /// An operand: entries, or where they have no memory the same number everywhere.
    struct Input {
        /// May be those of the output.
        entries: Layout,
        number: Factor,
    }
}

kernel_parameters! {
    /// `output ← operation(x, y, z)`, entry by entry.
    struct Entrywise {
        output: Layout,
        x: Input,
        y: Input,
        z: Input,
        /// How often, for [`CHAIN`].
        repeats: i64,
    }

    /// `output ← xⁿ`, entry by entry.
    struct Power {
        output: Layout,
        x: Layout,
        n: i64,
    }

    /// `sine ← sin x` and `cosine ← cos x`, entry by entry.
    struct SinCos {
        sine: Layout,
        cosine: Layout,
        x: Layout,
    }
}

const PAIRS: Entry<Entrywise> = Entry::new(c"pairs");
const SINGLES: Entry<Entrywise> = Entry::new(c"singles");
const CHAIN: Entry<Entrywise> = Entry::new(c"chain");
const POWI: Entry<Power> = Entry::new(c"powi");
const SIN_COS: Entry<SinCos> = Entry::new(c"sin_cos");

impl Input {
    /// What an operation does not take.
    const NONE: Self = Self { entries: Layout::NONE, number: Factor::NONE };

    fn is_paired(&self) -> bool {
        self.entries.data == 0 || self.entries.is_paired()
    }
}

/// The module of an operation.
pub(crate) fn source<const K: usize>(operation: impl Operations<K>, kind: Kind) -> Source {
    let name = format!("elementwise-{}", operation.name());
    let definitions = [
        ("OPERATION", operation.name()),
        ("ARITY", ["0", "1", "2", "3"][K]),
        ("LONG", if operation.is_long() { "1" } else { "0" }),
    ];
    let source = kind.module(&name, "dense/elementwise.cu").define_all(&definitions).entry(SINGLES);
    match kind {
        Kind::Mp(_) => source,
        Kind::Limbs(_) if operation.is_long() => source.entry(CHAIN),
        Kind::Limbs(_) => source.entry(CHAIN).entry(PAIRS),
    }
}

fn powi_source(limbs: usize) -> Source {
    texts::of_limbs("powi", limbs, "dense/powi.cu").entry(POWI)
}

fn sin_cos_source(limbs: usize) -> Source {
    texts::of_limbs("sin_cos", limbs, "dense/sin_cos.cu").entry(SIN_COS)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    fn those<const K: usize, O: Operations<K>>(
        all: &'static [O],
        kind: Kind,
    ) -> impl Iterator<Item = Source> {
        let here = all.iter().filter(move |&&operation| is_here(operation, kind));
        here.map(move |&operation| source(operation, kind))
    }
    let operations = those(UnaryOp::ALL, kind).chain(those(BinaryOp::ALL, kind));
    let operations = operations.chain(those(TernaryOp::ALL, kind));
    let others = match kind {
        Kind::Limbs(limbs) => vec![powi_source(limbs), sin_cos_source(limbs)],
        Kind::Mp(_) => Vec::new(),
    };
    operations.chain(others).collect()
}

/// Whether a kernel does the operation: functions of numbers of any precision are the host's.
fn is_here<const K: usize>(operation: impl Operations<K>, kind: Kind) -> bool {
    matches!(kind, Kind::Limbs(_)) || !operation.is_long()
}

/// Threads for a matrix, each of which takes `entries` entries of a column at a time. A block of
/// `threads` threads is as tall as the columns allow and as wide as is left.
fn shape(rows: usize, cols: usize, entries: usize, threads: u32) -> Shape {
    let groups = rows.div_ceil(entries);
    let tall = u32::try_from(groups.next_power_of_two()).unwrap_or(u32::MAX).clamp(1, threads);
    let most = u32::try_from(cols.next_power_of_two()).unwrap_or(u32::MAX);
    let wide = (threads / tall).min(most).max(1);
    let blocks = |count: usize, size: u32, limit: u32| {
        count.div_ceil(size as usize).min(limit as usize) as u32
    };
    Shape {
        grid: [blocks(groups, tall, i32::MAX as u32), blocks(cols, wide, 65_535), 1],
        block: [tall, wide, 1],
        shared: 0,
    }
}

impl<T: Number> Elementwise<T> for Cuda {
    fn elementwise<const K: usize>(
        &self,
        operation: impl Operations<K>,
        operands: [Operand<T, DeviceRef<'_, T>>; K],
        output: DeviceMut<'_, T>,
    ) {
        const { assert!(K <= OPERANDS) };
        for operand in &operands {
            if let Operand::Entries(x) = operand {
                assert_eq!(x.layout.shape(), output.layout.shape(), "shape of an operand");
                assert_formats::<T, _>(output.format, [x.format]);
            }
        }
        if is_here(operation, Kind::of::<T>(output.format)) {
            self.attempt(|| self.run(operation, operands, &output, None));
        } else {
            self.on_host(operation, operands, output);
        }
    }

    fn powi(&self, x: DeviceRef<'_, T>, n: i32, output: DeviceMut<'_, T>) {
        assert_eq!(x.layout.shape(), output.layout.shape(), "shape of the result");
        assert_formats::<T, _>(output.format, [x.format]);
        let Kind::Limbs(limbs) = Kind::of::<T>(x.format) else {
            let Ok(there) = self.download(x) else { return };
            let mut found = Matrix::zeros_in(x.format, there.rows(), there.cols());
            Cpu::default().powi(there.view(), n, found.view_mut());
            self.attempt(|| self.write(found.view(), output));
            return;
        };
        let (x, output) = (x.layout, output.layout);
        let source = powi_source(limbs);
        let arguments = Power { output, x, n: n.into() };
        // SAFETY: the kernel reaches entries of the views' shape, which is the same. Their memory
        // is freed in the order of the stream, and the output is borrowed mutably.
        self.attempt(|| unsafe { self.run_long(&source, POWI, x, &arguments) });
    }

    fn sin_cos(&self, x: DeviceRef<'_, T>, sin: DeviceMut<'_, T>, cos: DeviceMut<'_, T>) {
        let shapes = (sin.layout.shape(), cos.layout.shape());
        assert_eq!(shapes, (x.layout.shape(), x.layout.shape()), "shapes of the results");
        assert_formats::<T, _>(x.format, [sin.format, cos.format]);
        let Kind::Limbs(limbs) = Kind::of::<T>(x.format) else {
            let Ok(there) = self.download(x) else { return };
            let zeros = || Matrix::zeros_in(x.format, there.rows(), there.cols());
            let (mut sines, mut cosines) = (zeros(), zeros());
            Cpu::default().sin_cos(there.view(), sines.view_mut(), cosines.view_mut());
            self.attempt(|| self.write(sines.view(), sin));
            self.attempt(|| self.write(cosines.view(), cos));
            return;
        };
        let (x, sin, cos) = (x.layout, sin.layout, cos.layout);
        let source = sin_cos_source(limbs);
        let arguments = SinCos { sine: sin, cosine: cos, x };
        // SAFETY: as above, with three views.
        self.attempt(|| unsafe { self.run_long(&source, SIN_COS, x, &arguments) });
    }
}

impl Cuda {
    /// Does an operation `repeats` times in registers, each time on entries that depend on the
    /// result before, and leaves something that depends on all results in `output`: the speed of
    /// the operation apart from that of memory, for benchmarks.
    pub fn elementwise_chain<const K: usize, T: Scalar>(
        &self,
        operation: impl Operations<K>,
        operands: [Operand<T, DeviceRef<'_, T>>; K],
        output: DeviceMut<'_, T>,
        repeats: u32,
    ) {
        self.attempt(|| self.run(operation, operands, &output, Some(repeats)));
    }

    /// The operation on the host.
    fn on_host<const K: usize, T: Number>(
        &self,
        operation: impl Operations<K>,
        operands: [Operand<T, DeviceRef<'_, T>>; K],
        output: DeviceMut<'_, T>,
    ) {
        let is_read = operands.iter().any(|operand| matches!(operand, Operand::Output));
        let result = if is_read {
            self.download(output.as_ref()).ok()
        } else {
            let (rows, cols) = output.layout.shape();
            let numbers = self.attempt(|| host::numbers::<T>(output.format, rows * cols));
            numbers.and_then(|numbers| Matrix::from_numbers(rows, cols, numbers))
        };
        let Some(mut result) = result else { return };
        let mut there = Vec::new();
        for operand in &operands {
            let Operand::Entries(x) = operand else { continue };
            let Ok(entries) = self.download(*x) else { return };
            there.push(entries);
        }
        let mut entries = there.iter();
        let operands = operands.map(|operand| match operand {
            Operand::Entries(_) => {
                entries.next().map_or(Operand::Output, |x| Operand::Entries(x.view()))
            }
            Operand::Output => Operand::Output,
            Operand::Scalar(x) => Operand::Scalar(x),
        });
        Cpu::default().elementwise(operation, operands, result.view_mut());
        self.attempt(|| self.write(result.view(), output));
    }

    /// Launches a kernel that does something long with each entry of rectangles of the shape of
    /// `x`.
    ///
    /// # Safety
    /// As [`Kernel::launch`](nonius_gpu::Kernel::launch).
    unsafe fn run_long<A: Arguments>(
        &self,
        source: &Source,
        entry: Entry<A>,
        x: Layout,
        arguments: &A,
    ) -> Result<(), Error> {
        if x.is_empty() {
            return Ok(());
        }
        let kernel = self.device().module(source)?.kernel(entry)?;
        let (rows, cols) = x.shape();
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(self.stream(), shape(rows, cols, 1, LONG_THREADS), arguments) }
    }

    fn run<const K: usize, T: Number>(
        &self,
        operation: impl Operations<K>,
        operands: [Operand<T, DeviceRef<'_, T>>; K],
        output: &DeviceMut<'_, T>,
        repeats: Option<u32>,
    ) -> Result<(), Error> {
        let (output, format) = (output.layout, output.format);
        if output.is_empty() {
            return Ok(());
        }
        let (mut inputs, mut held) = ([Input::NONE; OPERANDS], Vec::new());
        for (input, operand) in inputs.iter_mut().zip(operands) {
            match operand {
                Operand::Entries(x) => input.entries = x.layout,
                Operand::Output => input.entries = output,
                Operand::Scalar(x) => {
                    let factor = self.factor(x, format)?;
                    input.number = factor.number;
                    held.push(factor);
                }
            }
        }
        let kind = Kind::of::<T>(format);
        let paired = output.is_paired() && inputs.iter().all(Input::is_paired);
        let (entry, entries) = match repeats {
            Some(_) => (CHAIN, 1),
            None if paired && !operation.is_long() => (PAIRS, 2),
            None => (SINGLES, 1),
        };
        let kernel = self.device().module(&source(operation, kind))?.kernel(entry)?;
        let (rows, cols) = output.shape();
        let shape =
            shape(rows, cols, entries, if operation.is_long() { LONG_THREADS } else { 256 });
        let repeats = i64::from(repeats.unwrap_or(1));
        let [x, y, z] = inputs;
        let arguments = Entrywise { output, x, y, z, repeats };
        // SAFETY: the kernels reach entries of the views' shape only, as all operands have it.
        // Their memory is freed in the order of the stream, and the output is borrowed mutably.
        unsafe { kernel.launch(self.stream(), shape, &arguments) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_thread() {
        for (rows, cols, entries) in [
            (1, 1, 1),
            (5, 3, 2),
            (512, 1, 2),
            (513, 7, 2),
            (3, 1 << 20, 1),
            (1 << 22, 1, 2),
            (usize::MAX / 64, 1, 1),
        ] {
            for threads in [128, 256] {
                let Shape { grid, block, .. } = shape(rows, cols, entries, threads);
                assert!(block[0] * block[1] <= threads && block[0] * block[1] >= 1);
                assert!(grid[0] >= 1 && grid[1] >= 1 && grid[1] <= 65_535);
                // Either enough blocks, or the most that a grid has, which then go through the
                // matrix in steps.
                let enough =
                    |grid: u32, block: u32, count: usize| grid as usize * block as usize >= count;
                assert!(
                    grid[0] == i32::MAX as u32 || enough(grid[0], block[0], rows.div_ceil(entries))
                );
                assert!(grid[1] == 65_535 || enough(grid[1], block[1], cols));
            }
        }
        assert_eq!(shape(1 << 22, 1, 2, 256).grid, [8192, 1, 1]);
        assert_eq!(shape(8, 1000, 2, 256).block, [4, 64, 1]);
    }

    #[test]
    fn modules_are_named_after_operations() {
        let source = source(TernaryOp::MulAdd, Kind::Limbs(3));
        assert_eq!(source.name(), "elementwise-mul_add-3");
        assert!(source.text().contains("#define OPERATION mul_add\n#define ARITY 3\n"));
        assert!(sources(Kind::Limbs(2)).iter().any(|source| source.name() == "elementwise-div-2"));
    }
}
