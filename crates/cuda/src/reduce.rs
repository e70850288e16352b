//! Sums over vectors and the index of the largest entry, with the bits of [`nonius_linalg::cpu::reduce`].

use core::ffi::CStr;

use nonius_gpu::{Buffer, Error, Module, Shape, Source, argument};
use nonius_linalg::Scalar;
use nonius_linalg::backend::Reduce;
use nonius_linalg::cpu::reduce::{BLOCKS, PARTIALS};

use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Factor, Layout};
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
    fn kernel(self) -> &'static CStr {
        match self {
            Self::Products => c"sum_products",
            Self::Squares => c"sum_squares",
            Self::Entries => c"sum_entries",
            Self::Magnitudes => c"sum_magnitudes",
        }
    }
}

fn source(limbs: usize) -> Source {
    texts::of_limbs("reduce", limbs, "dense/reduce.cu")
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    vec![source(limbs)]
}

/// Blocks of threads in one dimension; the kernels take several steps where there are fewer than `count` needs.
fn blocks(count: usize, limit: u32) -> u32 {
    count.min(limit as usize) as u32
}

impl<T: Scalar> Reduce<T> for Cuda {
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
            let module = self.device().module(&source(T::LIMBS))?;
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
    fn reduce<T: Scalar>(
        &self,
        terms: Terms,
        x: DeviceRef<'_, T>,
        y: DeviceRef<'_, T>,
        result: DeviceMut<'_, T>,
    ) {
        assert_eq!(x.layout.cols, 1, "a vector has one column");
        assert_eq!(x.layout.shape(), y.layout.shape(), "lengths");
        assert_eq!(result.layout.shape(), (1, 1), "shape of a result");
        let (one, zero) = (Factor::of(T::ONE), Factor::of(T::ZERO));
        self.attempt(|| self.column_sums::<T>(terms, x.layout, y.layout, one, zero, result.layout));
    }

    /// `output(j) ← α·(sum over column j of x) + β·output(j)`; products are with the vector `y`.
    pub(crate) fn column_sums<T: Scalar>(
        &self,
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
        let module = self.device().module(&source(T::LIMBS))?;
        let largest = match terms {
            Terms::Squares => Some(self.largest(&module, x)?),
            _ => None,
        };
        let largest = largest.as_ref().map_or(0, Buffer::address);
        let count = rows.div_ceil(BLOCKS[T::LIMBS]);
        let partials = PARTIALS[T::LIMBS];
        // Twice the room, since each round of additions writes beside what it reads.
        let sums = DeviceMatrix::<T>::new(self.stream(), 2 * count, cols)?;
        let sums = sums.as_ref().layout;
        let shape = Shape {
            grid: [blocks(count.div_ceil(WARP / partials), u32::MAX >> 1), blocks(cols, 65_535), 1],
            block: [WARP as u32, 1, 1],
            shared: 0,
        };
        let arguments = &mut [argument(&x), argument(&y), argument(&sums), argument(&largest)];
        // SAFETY: the kernel takes three views and an address; `x` and `y` are of the same length, `sums` has a row for each
        // block; all memory is freed in the order of the stream.
        unsafe { module.kernel(terms.kernel())?.launch(self.stream(), shape, arguments)? };
        let shape =
            Shape { grid: [blocks(cols, u32::MAX >> 1), 1, 1], block: [THREADS, 1, 1], shared: 0 };
        let kind = terms as i64;
        let arguments = &mut [
            argument(&x),
            argument(&y),
            argument(&sums),
            argument(&largest),
            argument(&output),
            argument(&alpha),
            argument(&beta),
            argument(&kind),
        ];
        // SAFETY: as above; the output has an entry for each column and is borrowed mutably by the callers.
        unsafe { module.kernel(c"finish")?.launch(self.stream(), shape, arguments) }
    }

    /// The index of the largest entry of a vector, or −1, in the device's memory.
    fn largest(&self, module: &Module, x: Layout) -> Result<Buffer, Error> {
        let kernel = module.kernel(c"iamax")?;
        let (rows, _) = x.shape();
        let searchers = rows.div_ceil(THREADS as usize).clamp(1, SEARCHERS);
        let candidates = Buffer::new(self.stream(), searchers * size_of::<i64>())?;
        let result = Buffer::new(self.stream(), size_of::<i64>())?;
        for (blocks, from, count, to) in
            [(searchers, 0, rows, &candidates), (1, candidates.address(), searchers, &result)]
        {
            let shape = Shape { grid: [blocks as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 };
            let (count, to) = (count as i64, to.address());
            let arguments = &mut [argument(&x), argument(&from), argument(&count), argument(&to)];
            // SAFETY: the kernel takes a view, an address, a number and an address; it reads `count` candidates or entries and
            // writes one result for each block; all memory is freed in the order of the stream.
            unsafe { kernel.launch(self.stream(), shape, arguments)? };
        }
        Ok(result)
    }
}
