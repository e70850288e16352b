//! Sums over vectors and the index of the largest entry, with the bits of
//! [`nonius_linalg::cpu::reduce`].

use nonius_gpu::{Buffer, Const, Entry, Error, Module, Pointer, Shape, Source, kernel_parameters};
use nonius_linalg::Number;
use nonius_linalg::backend::Reduce;
use nonius_linalg::cpu::reduce::{BLOCK_OF_MP, BLOCKS, PARTIALS};

use crate::backend::Cuda;
use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout, assert_formats};

/// Threads of a block in the other kernels.
const THREADS: u32 = 256;
/// Blocks that look for the largest entry at the most, so that one block can go through their
/// results.
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

fn source(kind: Kind) -> Source {
    let threads = [("REDUCE_THREADS", Blocks::of(kind).threads)];
    let source = kind.module("reduce", "dense/reduce.cu").define_all(&threads);
    let sums = Terms::ALL.into_iter().fold(source, |source, terms| source.entry(terms.kernel()));
    sums.entry(FINISH).entry(IAMAX)
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    vec![source(kind)]
}

/// How entries are summed before pairs of sums are. A block of threads that sums limbs is a warp.
struct Blocks {
    /// Entries of a block.
    entries: usize,
    /// Blocks of entries that a block of threads sums, and its threads.
    together: usize,
    threads: u32,
}

impl Blocks {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Limbs(limbs) => {
                Self { entries: BLOCKS[limbs], together: 32 / PARTIALS[limbs], threads: 32 }
            }
            Kind::Mp(_) => Self { entries: BLOCK_OF_MP, together: 1, threads: 128 },
        }
    }
}

/// Blocks of threads in one dimension; the kernels take several steps where there are fewer than
/// `count` needs.
fn blocks(count: usize, limit: u32) -> u32 {
    count.min(limit as usize) as u32
}

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
        self.fetch(|| {
            let module = self.device().module(&source(Kind::of::<T>(x.format)))?;
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
        assert_formats::<T, _>(result.format, [x.format, y.format]);
        let format = x.format;
        self.attempt(|| {
            let (x, y, output) = (x.layout, y.layout, result.layout);
            self.column_sums::<T>(format, terms, [x, y], [T::ONE, T::ZERO], output)
        });
    }

    /// `output(j) ← α·(sum over column j of x) + β·output(j)`; products are with the vector `y`.
    pub(crate) fn column_sums<T: Number>(
        &self,
        format: T::Format,
        terms: Terms,
        [x, y]: [Layout; 2],
        [alpha, beta]: [T; 2],
        output: Layout,
    ) -> Result<(), Error> {
        let (rows, cols) = x.shape();
        if cols == 0 {
            return Ok(());
        }
        let kind = Kind::of::<T>(format);
        let module = self.device().module(&source(kind))?;
        let largest = match terms {
            Terms::Squares => Some(self.largest(&module, x)?),
            _ => None,
        };
        let largest = largest.as_ref().map_or(Pointer::NULL, Buffer::pointer);
        let of_block = Blocks::of(kind);
        let count = rows.div_ceil(of_block.entries);
        // Twice the room, since each round of additions writes beside what it reads.
        let mut memory = DeviceMatrix::<T>::new_in(self.stream(), format, 2 * count, cols)?;
        let sums = memory.as_mut().layout;
        let shape = Shape {
            grid: [
                blocks(count.div_ceil(of_block.together), u32::MAX >> 1),
                blocks(cols, 65_535),
                1,
            ],
            block: [of_block.threads, 1, 1],
            shared: 0,
        };
        if count > 0 {
            let arguments = BlockSums { x, y, sums, largest };
            // SAFETY: `x` and `y` are of the same length, and `sums` has a row for each block. All
            // memory is freed in the order of the stream.
            unsafe { module.kernel(terms.kernel())?.launch(self.stream(), shape, &arguments)? };
        }
        let shape =
            Shape { grid: [blocks(cols, u32::MAX >> 1), 1, 1], block: [THREADS, 1, 1], shared: 0 };
        let (alpha, beta) = (self.factor(alpha, format)?, self.factor(beta, format)?);
        let (alpha, beta) = (alpha.number, beta.number);
        let arguments = Finish { x, y, sums, largest, output, alpha, beta, terms: terms as i64 };
        // SAFETY: as above; the output has an entry for each column and is borrowed mutably by the
        // callers.
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
