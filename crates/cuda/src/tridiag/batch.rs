//! Batches in a device's memory, and in memory of the host that a device reaches.

use nonius_gpu::{Buffer, Error, Pinned, Pointer, bytes_of, bytes_of_mut};
use nonius_linalg::tridiag::{Batch, Options, Order};
use nonius_linalg::{Element, Error as LinalgError, SliceMut};
use rayon::prelude::*;

use super::arguments;
use super::number::DeviceNumber;
use crate::backend::Cuda;
use crate::kind::Kind;

/// Numbers that a thread of the host copies at a time.
const NUMBERS_OF_A_THREAD: usize = 1 << 15;
/// Arrays of a batch: three diagonals, right sides, unknowns.
pub(super) const ARRAYS: usize = 5;
/// The unknowns.
pub(super) const UNKNOWNS: usize = 4;

/// How large a batch is, and how it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) systems: usize,
    pub(super) size: usize,
    pub(super) order: Order,
    /// What numbers consist of.
    pub(super) kind: Kind,
}

impl Extent {
    pub(super) fn count(&self) -> usize {
        self.systems * self.size
    }

    pub(super) fn planes(&self) -> usize {
        self.kind.lanes().max(1)
    }

    /// Bytes of a limb or word.
    pub(super) fn word(&self) -> usize {
        if self.kind == Kind::Limbs(0) { 4 } else { 8 }
    }

    /// Numbers from one plane to the next: planes begin at multiples of 256 bytes.
    pub(super) fn plane(&self) -> usize {
        self.count().next_multiple_of(64)
    }

    /// Bytes of an array.
    pub(super) fn array(&self) -> usize {
        self.planes() * self.plane() * self.word()
    }

    /// `Ok` where all arrays together can be addressed.
    fn check(&self) -> Result<(), Error> {
        let numbers = self.systems.checked_mul(self.size).filter(|&count| count < 1 << 40);
        numbers.map(|_| ()).ok_or(Error::OutOfMemory { asked: u64::MAX, free: 0 })
    }

    /// Rows and systems apart.
    pub(super) fn strides(&self) -> [usize; 2] {
        match self.order {
            Order::Contiguous => [1, self.size],
            Order::Interleaved => [self.systems, 1],
        }
    }
}

/// Where the arrays of a batch lie for a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) extent: Extent,
    /// Lower, main, upper diagonals, right sides, unknowns.
    pub(super) arrays: [u64; ARRAYS],
    /// A word for each system, or 0.
    pub(super) faults: u64,
    /// Whether this is memory of the host.
    pub(super) on_host: bool,
}

impl View {
    /// Arrays one after the other.
    pub(super) fn new(extent: Extent, base: u64, faults: u64) -> Self {
        let arrays = core::array::from_fn(|k| base + (k * extent.array()) as u64);
        Self { extent, arrays, faults, on_host: false }
    }

    /// As kernels take it.
    pub(super) fn batch(&self) -> arguments::Batch {
        let [row, system] = self.extent.strides();
        let [lower, diagonal, upper, right, x] = self.arrays.map(arguments::Array::at);
        arguments::Batch {
            systems: self.extent.systems as i64,
            size: self.extent.size as i64,
            row: row as i64,
            system: system as i64,
            plane: self.extent.plane() as i64,
            lower,
            diagonal,
            upper,
            right,
            x,
            faults: Pointer::at(self.faults),
        }
    }
}

/// A batch in a device's memory, with its unknowns.
#[derive(Debug)]
pub struct DeviceBatch<T: Element> {
    format: T::Format,
    extent: Extent,
    arrays: Buffer,
    faults: Buffer,
    /// How it was solved last: in the same way the same systems fail, and faults need not be
    /// cleared.
    solved: Option<Options>,
}

impl<T: DeviceNumber> DeviceBatch<T> {
    /// With anything in it.
    pub(super) fn new(
        cuda: &Cuda,
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
    ) -> Result<Self, Error> {
        let extent = Extent { systems, size, order, kind: T::kind(format) };
        extent.check()?;
        let arrays = Buffer::new(cuda.stream(), ARRAYS * extent.array())?;
        let faults = Buffer::new(cuda.stream(), 4 * systems)?;
        Ok(Self { format, extent, arrays, faults, solved: None })
    }

    pub(super) fn extent(&self) -> &Extent {
        &self.extent
    }

    pub(super) fn faults(&self) -> &Buffer {
        &self.faults
    }

    /// Before it is solved so.
    pub(super) fn clear_faults(&mut self, options: &Options) -> Result<(), Error> {
        if self.solved.replace(*options) == Some(*options) { Ok(()) } else { self.faults.clear() }
    }

    pub(super) fn view(&self) -> View {
        View::new(self.extent, self.arrays.address(), self.faults.address())
    }

    pub(super) fn arrays_mut(&mut self) -> &mut Buffer {
        &mut self.arrays
    }

    pub(super) fn arrays(&self) -> &Buffer {
        &self.arrays
    }
}

/// A batch in locked memory of the host, with its unknowns.
#[derive(Debug)]
pub struct PinnedBatch<T: Element> {
    format: T::Format,
    extent: Extent,
    memory: Pinned,
}

impl<T: DeviceNumber> PinnedBatch<T> {
    /// A batch of words that are zero.
    fn zeros(
        cuda: &Cuda,
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
    ) -> Result<Self, Error> {
        let extent = Extent { systems, size, order, kind: T::kind(format) };
        extent.check()?;
        let memory = Pinned::zeros(cuda.device().context(), ARRAYS * extent.array() / 8)?;
        Ok(Self { format, extent, memory })
    }

    /// A copy of a batch.
    pub(super) fn of(cuda: &Cuda, batch: &Batch<'_, T>) -> Result<Self, Error> {
        let shape = (batch.systems(), batch.size());
        let mut pinned = Self::zeros(cuda, batch.format(), shape, batch.order())?;
        let [lower, diagonal, upper] = batch.matrix();
        for (k, array) in [lower, diagonal, upper, batch.right()].into_iter().enumerate() {
            let plane = pinned.extent.plane();
            let words = pinned.array_mut(k);
            words.par_chunks_mut(plane.max(1)).enumerate().for_each(|(l, words)| {
                let pieces = words.par_chunks_mut(NUMBERS_OF_A_THREAD).enumerate();
                pieces.for_each(|(piece, words)| {
                    let numbers = piece * NUMBERS_OF_A_THREAD..array.len();
                    words
                        .iter_mut()
                        .zip(numbers)
                        .for_each(|(word, i)| *word = T::word(array, i, l));
                });
            });
        }
        Ok(pinned)
    }

    /// The unknowns, in the order of the batch.
    ///
    /// Panics where `x` has another length.
    pub fn unknowns<'x>(&self, x: impl Into<SliceMut<'x, T>>) {
        self.numbers(UNKNOWNS, x.into());
    }

    fn numbers(&self, k: usize, x: SliceMut<'_, T>) {
        assert_eq!(x.len(), self.extent.count(), "length");
        let (words, plane) = (self.array(k), self.extent.plane());
        let pieces = x.pieces(NUMBERS_OF_A_THREAD).into_par_iter().enumerate();
        pieces.for_each(|(piece, mut numbers)| {
            for i in 0..numbers.len() {
                let at = piece * NUMBERS_OF_A_THREAD + i;
                numbers.set(i, T::of_words(self.format, |l| words[l * plane + at]));
            }
        });
    }

    pub(super) fn format(&self) -> T::Format {
        self.format
    }

    pub(super) fn extent(&self) -> &Extent {
        &self.extent
    }

    /// As the device sees it.
    pub(super) fn view(&self, faults: u64) -> View {
        View { on_host: true, ..View::new(self.extent, self.memory.mapped(), faults) }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        bytes_of(self.memory.as_slice())
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        bytes_of_mut(self.memory.as_mut_slice())
    }

    fn array(&self, k: usize) -> &[T::Word] {
        let bytes = self.extent.array();
        words(&self.bytes()[k * bytes..][..bytes])
    }

    fn array_mut(&mut self, k: usize) -> &mut [T::Word] {
        let bytes = self.extent.array();
        words_mut(&mut self.bytes_mut()[k * bytes..][..bytes])
    }
}

/// Bytes as words; arrays begin at multiples of 256 bytes of memory that begins at a page.
fn words<W: super::number::Word>(bytes: &[u8]) -> &[W] {
    // SAFETY: any bytes are such a word; the parts that do not fit are empty, by the alignment.
    let (before, words, after) = unsafe { bytes.align_to::<W>() };
    assert!(before.is_empty() && after.is_empty(), "alignment");
    words
}

fn words_mut<W: super::number::Word>(bytes: &mut [u8]) -> &mut [W] {
    // SAFETY: as above.
    let (before, words, after) = unsafe { bytes.align_to_mut::<W>() };
    assert!(before.is_empty() && after.is_empty(), "alignment");
    words
}

impl Cuda {
    /// A copy of a batch in the device's memory.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn upload_tridiagonal<T: DeviceNumber>(
        &self,
        batch: &Batch<'_, T>,
    ) -> Result<DeviceBatch<T>, LinalgError> {
        self.fetch(|| {
            let pinned = PinnedBatch::of(self, batch)?;
            let shape = (batch.systems(), batch.size());
            let mut copy = DeviceBatch::new(self, batch.format(), shape, batch.order())?;
            let coefficients = &pinned.bytes()[..UNKNOWNS * pinned.extent.array()];
            // SAFETY: the locked memory lives until the stream has been waited for.
            unsafe { copy.arrays.write(self.stream(), 0, coefficients)? };
            self.stream().synchronize()?;
            Ok(copy)
        })
    }

    /// A copy of a batch in locked memory of the host.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn pin_tridiagonal<T: DeviceNumber>(
        &self,
        batch: &Batch<'_, T>,
    ) -> Result<PinnedBatch<T>, LinalgError> {
        self.fetch(|| PinnedBatch::of(self, batch))
    }

    /// Lower, main and upper diagonals of a batch and its right-hand sides, in its order.
    ///
    /// # Errors
    /// [`LinalgError::Shape`] where an array has another length; [`LinalgError::Device`].
    pub fn download_coefficients<T: DeviceNumber>(
        &self,
        batch: &DeviceBatch<T>,
        arrays: [SliceMut<'_, T>; UNKNOWNS],
    ) -> Result<(), LinalgError> {
        let extent = batch.extent;
        for array in &arrays {
            LinalgError::check_length("coefficients", extent.count(), array.len())?;
        }
        let shape = (extent.systems, extent.size);
        let pinned = self.fetch(|| {
            let mut pinned = PinnedBatch::<T>::zeros(self, batch.format, shape, extent.order)?;
            let bytes = UNKNOWNS * extent.array();
            // SAFETY: the locked memory lives until the stream has been waited for.
            unsafe { batch.arrays.read(self.stream(), 0, &mut pinned.bytes_mut()[..bytes])? };
            self.stream().synchronize()?;
            Ok(pinned)
        })?;
        arrays.into_iter().enumerate().for_each(|(k, array)| pinned.numbers(k, array));
        Ok(())
    }

    /// The unknowns of a batch, in its order.
    ///
    /// # Errors
    /// [`LinalgError::Shape`] where `x` has another length; [`LinalgError::Device`].
    pub fn download_unknowns<'x, T: DeviceNumber>(
        &self,
        batch: &DeviceBatch<T>,
        x: impl Into<SliceMut<'x, T>>,
    ) -> Result<(), LinalgError> {
        let (extent, x) = (batch.extent, x.into());
        LinalgError::check_length("x", extent.count(), x.len())?;
        let shape = (extent.systems, extent.size);
        let pinned = self.fetch(|| {
            let mut pinned = PinnedBatch::<T>::zeros(self, batch.format, shape, extent.order)?;
            let at = UNKNOWNS * extent.array();
            // SAFETY: the locked memory lives until the stream has been waited for.
            unsafe { batch.arrays.read(self.stream(), at, &mut pinned.bytes_mut()[at..])? };
            self.stream().synchronize()?;
            Ok(pinned)
        })?;
        pinned.unknowns(x);
        Ok(())
    }
}
