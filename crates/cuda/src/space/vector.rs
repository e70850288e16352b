//! Vectors of numbers of any kind in a device's memory.

use core::any::Any;
use core::marker::PhantomData;
use std::sync::Arc;

use nonius_gpu::{Buffer, Error, KernelType, Plain, Pointer, bytes_of, bytes_of_mut, kernel_types};
use nonius_linalg::{Number, Numbers};
use nonius_num::mp::Head;
use nonius_num::rns::float::{RnsNumbers, RnsRef};
use nonius_num::{Mp, RnsFloat};
use rayon::prelude::*;

use super::kind::Kind;
use crate::backend::Cuda;
use crate::host::{bytes_of_cells, bytes_of_cells_mut};
use crate::matrix::{DeviceMut, DeviceRef, Layout};
use crate::transfer;

kernel_types! {
    /// A vector.
    pub(crate) Vector;
    /// The same where other blocks of the same kernel write.
    pub(crate) FreshVector;
    /// The values of a matrix.
    pub(crate) Values;
}

/// A kernel's parameter of type `T`, which is one of these.
///
/// Its words are the members of the kernel's type, which are others for each kind of numbers: see
/// `sparse/limb_space.cuh`, `mp/vector.cuh` and `rns/vector.cuh`. Kernels may have fewer members.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Planes<T>([u64; 3], PhantomData<T>);

impl<T> Clone for Planes<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Planes<T> {}

// SAFETY: words of any value.
unsafe impl<T> Plain for Planes<T> {}

impl<T: KernelType> KernelType for Planes<T> {
    fn declare(name: &str) -> String {
        T::declare(name)
    }

    /// Kernels declare the type themselves; here is only that the host's words are enough for it.
    fn structures() -> Vec<(&'static str, String)> {
        let (declared, size) = (T::declare(""), size_of::<Self>());
        let name = declared.trim_end();
        let check = format!("static_assert(sizeof({name}) <= {size}, \"{name} in words\");\n");
        vec![(core::any::type_name::<T>(), check)]
    }
}

/// A vector of a [`CudaSpace`](super::CudaSpace), or one of its numbers: limbs in planes; heads and
/// words in planes; or bounds and residues in planes, and heads.
#[derive(Debug)]
pub struct CudaVector {
    buffer: Buffer,
    kind: Kind,
    length: usize,
    /// Numbers from one plane to the next.
    plane: usize,
    /// Bytes before the first plane of words.
    heads: usize,
    /// Those of the format of numbers in residues.
    tables: Option<Arc<Buffer>>,
}

impl CudaVector {
    /// With anything in it.
    pub(crate) fn new(cuda: &Cuda, kind: Kind, length: usize) -> Result<Self, Error> {
        let too_large = || Error::OutOfMemory { asked: u64::MAX, free: 0 };
        // Planes begin at multiples of 256 bytes, as heads do.
        let plane = length.checked_next_multiple_of(64).ok_or_else(too_large)?;
        let bytes = plane.checked_mul(kind.bytes()).filter(|&bytes| bytes < 1 << 48);
        let buffer = Buffer::new(cuda.stream(), bytes.ok_or_else(too_large)?)?;
        let heads = if matches!(kind, Kind::Mp(_)) { 4 * plane } else { 0 };
        let tables = match &kind {
            Kind::Rns(format) => Some(cuda.tables_of(format)?),
            Kind::Limbs(_) | Kind::Mp(_) => None,
        };
        Ok(Self { buffer, kind, length, plane, heads, tables })
    }

    /// One without memory, where there was a failure.
    pub(crate) fn absent(cuda: &Cuda, kind: Kind, length: usize) -> Self {
        Self {
            buffer: Buffer::empty(cuda.stream()),
            kind,
            length,
            plane: 0,
            heads: 0,
            tables: None,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// All its memory, in whole words: as many, in the same order, for each vector of as many such
    /// numbers.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The same, to be written over by that of such a vector.
    pub fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    /// Overwrites all memory with the words of such a vector.
    pub(super) fn write_words(&mut self, cuda: &Cuda, words: &[u64]) -> Result<(), Error> {
        assert_eq!(size_of_val(words), self.buffer.bytes(), "words");
        // SAFETY: not locked memory.
        unsafe { self.buffer.write(cuda.stream(), 0, bytes_of(words)) }
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The format of its numbers; `None` where they are of another kind.
    fn format<T: Number>(&self) -> Option<T::Format> {
        let format: &dyn Any = match &self.kind {
            Kind::Limbs(_) => &(),
            Kind::Mp(bits) => bits,
            Kind::Rns(_) => return None,
        };
        let format = format.downcast_ref::<T::Format>().copied()?;
        (Kind::of::<T>(format) == self.kind).then_some(format)
    }

    /// What kernels for its kind of numbers take.
    pub(crate) fn planes<T>(&self) -> Planes<T> {
        let (first, plane) = (self.buffer.address(), self.plane as u64);
        let words = match &self.kind {
            Kind::Limbs(_) => [first, plane, 0],
            Kind::Mp(_) => [first, first + self.heads as u64, plane],
            Kind::Rns(_) => {
                [first, plane, self.tables.as_ref().map_or(0, |tables| tables.address())]
            }
        };
        Planes(words, PhantomData)
    }

    /// The entries of a vector of single limbs.
    pub(super) fn limbs(&self) -> Pointer<f64> {
        self.buffer.pointer()
    }

    /// What stands where the heads of numbers in residues do.
    pub(crate) fn heads(&self, cuda: &Cuda) -> Result<Vec<i32>, Error> {
        let mut heads = vec![0; self.length];
        let place = self.plane * (self.kind.bytes() - 4);
        // SAFETY: looked at when the stream has been waited for; any bits are such numbers.
        unsafe { self.buffer.read(cuda.stream(), place, bytes_of_mut(&mut heads))? };
        cuda.stream().synchronize()?;
        Ok(heads)
    }

    /// The column of limbs.
    fn layout(&self) -> Layout {
        let (rows, plane) = (self.length as i64, self.plane as i64);
        Layout { data: self.buffer.address(), rows, cols: 1, row: 1, column: plane, plane }
    }
}

/// Numbers of the host that lie one after the other, and their copies on a device.
pub trait Planar: Sized {
    /// The kind.
    #[doc(hidden)]
    fn upload(&self, cuda: &Cuda) -> Result<CudaVector, Error>;

    /// Panics for another kind.
    #[doc(hidden)]
    fn download(cuda: &Cuda, from: &CudaVector) -> Result<Self, Error>;
}

/// Entries that a thread moves between planes and numbers at a time.
const ENTRIES_OF_A_THREAD: usize = 4096;

impl<T: Number> Planar for Numbers<T> {
    fn upload(&self, cuda: &Cuda) -> Result<CudaVector, Error> {
        let count = self.len();
        let mut vector = CudaVector::new(cuda, Kind::of::<T>(self.format()), count)?;
        let (n, numbers, plane) = (T::words(self.format()), self.as_slice(), vector.plane);
        if n == 0 {
            let to = DeviceMut::<T>::of(vector.layout(), self.format());
            transfer::upload(cuda.device(), cuda.stream(), cuda.transfer(), numbers.into(), to)?;
            return Ok(vector);
        }
        let mut planes = vec![0_u64; n * plane];
        planes.par_chunks_mut(ENTRIES_OF_A_THREAD).enumerate().for_each(|(index, part)| {
            for (word, at) in part.iter_mut().zip(index * ENTRIES_OF_A_THREAD..) {
                let (q, i) = (at / plane, at % plane);
                if i < count {
                    *word = numbers.words()[i * n + q];
                }
            }
        });
        // SAFETY: not locked memory.
        unsafe {
            vector.buffer.write(cuda.stream(), 0, bytes_of_cells::<T>(numbers.cells()))?;
            vector.buffer.write(cuda.stream(), vector.heads, bytes_of(&planes))?;
        }
        Ok(vector)
    }

    fn download(cuda: &Cuda, from: &CudaVector) -> Result<Self, Error> {
        let format = from.format::<T>().expect("kind of numbers");
        let n = T::words(format);
        if n == 0 {
            let from = DeviceRef::<T>::of(from.layout(), format);
            let matrix = transfer::download(cuda.device(), cuda.stream(), cuda.transfer(), from)?;
            return Ok(matrix.into_numbers());
        }
        let mut numbers = Self::try_zeros(format, from.length)
            .ok_or(Error::OutOfHostMemory { asked: 8 * (n * from.length) as u64 })?;
        let mut planes = vec![0_u64; n * from.plane];
        let (heads, words) = numbers.as_mut_slice().into_parts();
        // SAFETY: both live, and are not looked at, until the stream has been waited for; heads are
        // read as they were written by the host, or by kernels, which write heads of numbers.
        unsafe {
            from.buffer.read(cuda.stream(), 0, bytes_of_cells_mut::<T>(heads))?;
            from.buffer.read(cuda.stream(), from.heads, bytes_of_mut(&mut planes))?;
        }
        cuda.stream().synchronize()?;
        words.par_chunks_exact_mut(n).enumerate().for_each(|(i, words)| {
            words.iter_mut().enumerate().for_each(|(q, word)| *word = planes[q * from.plane + i]);
        });
        Ok(numbers)
    }
}

impl Planar for RnsNumbers {
    fn upload(&self, cuda: &Cuda) -> Result<CudaVector, Error> {
        let (format, count) = (self.format(), self.len());
        let mut vector = CudaVector::new(cuda, Kind::Rns(format.clone()), count)?;
        let (plane, moduli) = (vector.plane, format.moduli().len());
        let numbers = || (0..count).map(|i| self.at(i));
        let heads: Vec<Head> = numbers().map(RnsRef::head).collect();
        let mut bounds = vec![0_u64; 2 * plane];
        for (i, x) in numbers().enumerate() {
            (bounds[i], bounds[i + plane]) = (x.bounds().low(), x.bounds().high());
        }
        let mut residues = vec![0_u32; moduli * plane];
        residues.par_chunks_exact_mut(plane.max(1)).enumerate().for_each(|(k, of_modulus)| {
            of_modulus.iter_mut().zip(numbers()).for_each(|(to, x)| *to = x.stored()[k]);
        });
        // SAFETY: not locked memory.
        unsafe {
            vector.buffer.write(cuda.stream(), 0, bytes_of(&bounds))?;
            vector.buffer.write(cuda.stream(), 16 * plane, bytes_of(&residues))?;
            vector.buffer.write(
                cuda.stream(),
                (16 + 4 * moduli) * plane,
                bytes_of_cells::<Mp>(&heads),
            )?;
        }
        Ok(vector)
    }

    /// What is no number of the format, which only a fault of the device could leave, is NaN.
    fn download(cuda: &Cuda, from: &CudaVector) -> Result<Self, Error> {
        let Kind::Rns(format) = &from.kind else { panic!("kind of numbers") };
        let (plane, moduli, count) = (from.plane, format.moduli().len(), from.length);
        let asked = (plane * from.kind.bytes()) as u64;
        let mut numbers = Self::try_zeros(format, count).ok_or(Error::OutOfHostMemory { asked })?;
        let mut heads = vec![Head::default(); count];
        let (mut bounds, mut residues) = (vec![0_u64; 2 * plane], vec![0_u32; moduli * plane]);
        // SAFETY: all live, and are not looked at, until the stream has been waited for; heads are
        // read as they were written by the host, or by kernels, which write heads of numbers.
        unsafe {
            from.buffer.read(cuda.stream(), 0, bytes_of_mut(&mut bounds))?;
            from.buffer.read(cuda.stream(), 16 * plane, bytes_of_mut(&mut residues))?;
            let place = (16 + 4 * moduli) * plane;
            from.buffer.read(cuda.stream(), place, bytes_of_cells_mut::<Mp>(&mut heads))?;
        }
        cuda.stream().synchronize()?;
        let mut stored = vec![0; format.lanes()];
        for (i, &head) in heads.iter().enumerate() {
            (0..moduli).for_each(|k| stored[k] = residues[i + k * plane]);
            let bounds = (bounds[i], bounds[i + plane]);
            let number = RnsFloat::from_stored(format, head, bounds, &stored)
                .unwrap_or_else(|| RnsFloat::nan(format));
            numbers.set(i, number.view());
        }
        Ok(numbers)
    }
}
