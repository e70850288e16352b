//! Sums over vectors and the index of the largest entry, with the bits of [`nonius_linalg::cpu::reduce`].

use nonius_gpu::{Buffer, Const, Entry, Error, Module, Pointer, Shape, Source, kernel_parameters};
use nonius_linalg::backend::{Cpu, Memory, Reduce};
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};
use nonius_linalg::{Matrix, Number};

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef, Layout};
use crate::texts;

/// Threads of a block that sum, a partial sum each.
const WARP: usize = 32;
/// Threads of a block in the other kernels.
const THREADS: u32 = 256;
/// Blocks that look for the largest entry at the most, so that one block can go through their results.
const SEARCHERS: usize = 1024;

/// What is summed (`Terms` in `reduce.cu`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    Products,
    Squares,
    Entries,
    Magnitudes,
}

impl Terms {
    const ALL: [Self; 4] = [Self::Products, Self::Squares, Self::Entries, Self::Magnitudes];

    fn kernel(self) -> Entry<BlockSums> {
        Entry::new(match self {
            Self::Products => c"sum_products",
            Self::Squares => c"sum_squares",
            Self::Entries => c"sum_entries",
            Self::Magnitudes => c"sum_magnitudes",
        })
    }
}

kernel_parameters! {
    /// Sums over blocks of rows.
    struct BlockSums {
        x: Layout,
        /// One column, for products.
        y: Layout,
        /// A row for each block.
        sums: Layout,
        /// The index of the largest entry, for squares. May be null.
        largest: Pointer<Const<i64>>,
    }

    /// `output(j) ← alpha·(sum of column j) + beta·output(j)`; with squares, the root of the sum.
    struct Finish {
        x: Layout,
        y: Layout,
        /// A column of block sums for each column of `x`, and as much room again below; it is
        /// spoilt.
        sums: Layout,
        largest: Pointer<Const<i64>>,
        output: Layout,
        alpha: Factor,
        beta: Factor,
        terms: i64,
    }

    /// The index of the greatest entry.
    struct Search {
        x: Layout,
        /// Indices of the entries that are compared, or null for all entries.
        candidates: Pointer<Const<i64>>,
        count: i64,
        /// One for each block of threads.
        results: Pointer<i64>,
    }
}

const FINISH: Entry<Finish> = Entry::new(c"finish");
const IAMAX: Entry<Search> = Entry::new(c"iamax");

fn source(limbs: usize) -> Source {
    let source = texts::of_limbs("reduce", limbs, "dense/reduce.cu");
    let sums = Terms::ALL.into_iter().fold(source, |source, terms| source.entry(terms.kernel()));
    sums.entry(FINISH).entry(IAMAX)
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

/// Blocks of threads in one dimension; the kernels take several steps where there are fewer than `count` needs.
fn blocks(count: usize, limit: u32) -> u32 {
    count.min(limit as usize) as u32
}

/// Vectors of numbers of any precision are summed by the host.
impl<T: Number> Reduce<T> for Cuda {
    fn dot(&self, x: DeviceRef<'_, T>, y: DeviceRef<'_, T>, result: DeviceMut<'_, T>) {
        self.reduce(Terms::Products, x, y, result);
    }

    fn sum(&self, x: DeviceRef<'_, T>, result: DeviceMut<'_, T>) {
        self.reduce(Terms::Entries, x, x, result);
    }

    fn asum(&self, x: DeviceRef<'_, T>, result: DeviceMut<'_, T>) {
        self.reduce(Terms::Magnitudes, x, x, result);
    }

    fn nrm2(&self, x: DeviceRef<'_, T>, result: DeviceMut<'_, T>) {
        self.reduce(Terms::Squares, x, x, result);
    }

    fn iamax(&self, x: DeviceRef<'_, T>) -> Result<Option<usize>, nonius_linalg::Error> {
        assert_eq!(x.layout.cols, 1, "a vector has one column");
        let Kind::Limbs(limbs) = Kind::of::<T>(x.format) else {
            return Reduce::<T>::iamax(&Cpu::default(), self.download(x)?.view());
        };
        self.fetch(|| {
            let module = self.device().module(&source(limbs))?;
            let result = self.largest(&module, x.layout)?;
            let mut index = [0_u8; size_of::<i64>()];
            // SAFETY: `index` is looked at when the stream has been waited for.
            unsafe { result.read(self.stream(), 0, &mut index)? };
            self.stream().synchronize()?;
            Ok(usize::try_from(i64::from_le_bytes(index)).ok())
        })
    }
}

impl Cuda {
    fn reduce<T: Number>(
        &self,
        terms: Terms,
        x: DeviceRef<'_, T>,
        y: DeviceRef<'_, T>,
        result: DeviceMut<'_, T>,
    ) {
        assert_eq!(x.layout.cols, 1, "a vector has one column");
        assert_eq!(x.layout.shape(), y.layout.shape(), "lengths");
        assert_eq!(result.layout.shape(), (1, 1), "shape of a result");
        let Kind::Limbs(limbs) = Kind::of::<T>(x.format) else {
            return self.reduce_on_host(terms, x, y, result);
        };
        let (one, zero) = (Factor::of(1.0), Factor::ZERO);
        self.attempt(|| {
            self.column_sums(limbs, terms, x.layout, y.layout, one, zero, result.layout)
        });
    }

    fn reduce_on_host<T: Number>(
        &self,
        terms: Terms,
        x: DeviceRef<'_, T>,
        y: DeviceRef<'_, T>,
        result: DeviceMut<'_, T>,
    ) {
        let Ok(x) = self.download(x) else { return };
        let mut found = Matrix::zeros_in(x.format(), 1, 1);
        let (cpu, to) = (Cpu::default(), found.view_mut());
        match terms {
            Terms::Products => {
                let Ok(y) = self.download(y) else { return };
                cpu.dot(x.view(), y.view(), to);
            }
            Terms::Squares => cpu.nrm2(x.view(), to),
            Terms::Entries => cpu.sum(x.view(), to),
            Terms::Magnitudes => cpu.asum(x.view(), to),
        }
        self.attempt(|| self.write(found.view(), result));
    }

    /// `output(j) ← α·(sum over column j of x) + β·output(j)` for numbers of so many limbs;
    /// products are with the vector `y`.
    #[expect(clippy::too_many_arguments, reason = "those of the kernels")]
    pub(crate) fn column_sums(
        &self,
        limbs: usize,
        terms: Terms,
        x: Layout,
        y: Layout,
        alpha: Factor,
        beta: Factor,
        output: Layout,
    ) -> Result<(), Error> {
        let (rows, cols) = x.shape();
        if cols == 0 {
            return Ok(());
        }
        let module = self.device().module(&source(limbs))?;
        let largest = match terms {
            Terms::Squares => Some(self.largest(&module, x)?),
            _ => None,
        };
        let largest = largest.as_ref().map_or(Pointer::NULL, Buffer::pointer);
        let count = rows.div_ceil(BLOCKS[limbs]);
        let partials = PARTIALS[limbs];
        // Twice the room, since each round of additions writes beside what it reads.
        let (rows, plane) = (2 * count, 2 * count * cols);
        let memory = Buffer::of_numbers(self.stream(), limbs.checked_mul(plane))?;
        let (rows, plane) = (rows as i64, plane as i64);
        let sums =
            Layout { data: memory.address(), rows, cols: cols as i64, row: 1, column: rows, plane };
        let shape = Shape {
            grid: [blocks(count.div_ceil(WARP / partials), u32::MAX >> 1), blocks(cols, 65_535), 1],
            block: [WARP as u32, 1, 1],
            shared: 0,
        };
        let arguments = BlockSums { x, y, sums, largest };
        // SAFETY: `x` and `y` are of the same length, and `sums` has a row for each block. All
        // memory is freed in the order of the stream.
        unsafe { module.kernel(terms.kernel())?.launch(self.stream(), shape, &arguments)? };
        let shape =
            Shape { grid: [blocks(cols, u32::MAX >> 1), 1, 1], block: [THREADS, 1, 1], shared: 0 };
        let terms = terms as i64;
        let arguments = Finish { x, y, sums, largest, output, alpha, beta, terms };
        // SAFETY: as above; the output has an entry for each column and is borrowed mutably by the callers.
        unsafe { module.kernel(FINISH)?.launch(self.stream(), shape, &arguments) }
    }

    /// The index of the largest entry of a vector, or −1, in the device's memory.
    fn largest(&self, module: &Module, x: Layout) -> Result<Buffer, Error> {
        let kernel = module.kernel(IAMAX)?;
        let (rows, _) = x.shape();
        let searchers = rows.div_ceil(THREADS as usize).clamp(1, SEARCHERS);
        let candidates = Buffer::new(self.stream(), searchers * size_of::<i64>())?;
        let result = Buffer::new(self.stream(), size_of::<i64>())?;
        for (blocks, from, count, to) in [
            (searchers, Pointer::NULL, rows, &candidates),
            (1, candidates.pointer(), searchers, &result),
        ] {
            let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 };
            let (count, results) = (count as i64, to.pointer());
            let arguments = Search { x, candidates: from, count, results };
            // SAFETY: the kernel reads `count` candidates or entries and writes one result for each
            // block. All memory is freed in the order of the stream.
            unsafe { kernel.launch(self.stream(), shape, &arguments)? };
        }
        Ok(result)
    }
}
