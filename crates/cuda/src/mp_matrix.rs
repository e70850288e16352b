//! Matrices of numbers of any precision on a device.

use nonius_gpu::{Buffer, Error, Pointer, bytes_of, bytes_of_mut, kernel_arguments};
use nonius_linalg::dense::Transpose;
use nonius_linalg::mp::{Bits, Matrix, MpRef};
use nonius_num::mp::Head;

use crate::backend::Cuda;
use crate::head::{bytes_of_heads, bytes_of_heads_mut, word_of_head};

kernel_arguments! {
    /// A matrix of numbers of any precision as kernels see it, column by column.
    pub(crate) struct Numbers {
        heads: Pointer<i32>,
        words: Pointer<u64>,
        /// Words of a number, and its bits.
        count: i64,
        bits: i64,
        rows: i64,
        cols: i64,
    }
}

impl Numbers {
    /// No numbers.
    pub(crate) const NONE: Self =
        Self { heads: Pointer::NULL, words: Pointer::NULL, count: 0, bits: 0, rows: 0, cols: 0 };
}

/// A rectangle as kernels see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MpLayout {
    /// The addresses of the first head and of the first word.
    pub(crate) heads: u64,
    pub(crate) words: u64,
    pub(crate) bits: Bits,
    /// Number of rows and columns.
    pub(crate) shape: (usize, usize),
    /// Numbers from one row to the next, and from one column to the next.
    pub(crate) strides: [usize; 2],
}

impl MpLayout {
    /// `op` of it.
    pub(crate) fn op(self, transpose: Transpose) -> Self {
        let [row, column] = self.strides;
        match transpose {
            Transpose::No => self,
            Transpose::Yes => {
                Self { shape: transpose.shape(self.shape), strides: [column, row], ..self }
            }
        }
    }
}

/// A matrix of numbers of any precision on a device: heads, and words, as [`nonius_linalg::mp::Numbers`] has them.
#[derive(Debug)]
pub struct MpMatrix {
    bits: Bits,
    shape: (usize, usize),
    heads: Buffer,
    words: Buffer,
}

impl MpMatrix {
    pub(crate) fn new(cuda: &Cuda, bits: Bits, shape: (usize, usize)) -> Result<Self, Error> {
        let too_large = Error::OutOfMemory { asked: u64::MAX, free: 0 };
        let count = shape.0.checked_mul(shape.1).filter(|&count| count < 1 << 48);
        let count = count.ok_or(too_large)?;
        let heads = Buffer::new(cuda.stream(), 4 * count)?;
        let words = Buffer::new(cuda.stream(), 8 * bits.words() * count)?;
        Ok(Self { bits, shape, heads, words })
    }

    /// Zeros.
    pub(crate) fn zeros(cuda: &Cuda, bits: Bits, shape: (usize, usize)) -> Result<Self, Error> {
        let mut matrix = Self::new(cuda, bits, shape)?;
        let zero = word_of_head(Head::zero(false));
        matrix.heads.set_words(cuda.stream(), 0, 4, shape.0 * shape.1, zero)?;
        matrix.words.clear()?;
        Ok(matrix)
    }

    /// A copy of heads and words.
    fn of(
        cuda: &Cuda,
        bits: Bits,
        shape: (usize, usize),
        heads: &[Head],
        words: &[u64],
    ) -> Result<Self, Error> {
        let mut matrix = Self::new(cuda, bits, shape)?;
        // SAFETY: not locked memory.
        unsafe {
            matrix.heads.write(cuda.stream(), 0, bytes_of_heads(heads))?;
            matrix.words.write(cuda.stream(), 0, bytes_of(words))?;
        }
        Ok(matrix)
    }

    /// A column of some numbers of that precision.
    pub(crate) fn of_numbers(
        cuda: &Cuda,
        bits: Bits,
        numbers: &[MpRef<'_>],
    ) -> Result<Self, Error> {
        let heads: Vec<Head> = numbers.iter().map(|x| x.head()).collect();
        let words: Vec<u64> = numbers.iter().flat_map(|x| x.words()).copied().collect();
        Self::of(cuda, bits, (numbers.len(), 1), &heads, &words)
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// The precision.
    pub fn precision(&self) -> Bits {
        self.bits
    }

    /// Where the heads and the words are.
    pub(crate) fn pointers(&self) -> (Pointer<i32>, Pointer<u64>) {
        (self.heads.pointer(), self.words.pointer())
    }

    /// What kernels take.
    pub(crate) fn kernel_numbers(&self) -> Numbers {
        let (heads, words) = self.pointers();
        Numbers {
            heads,
            words,
            count: self.bits.words() as i64,
            bits: self.bits.get().into(),
            rows: self.shape.0 as i64,
            cols: self.shape.1 as i64,
        }
    }

    pub(crate) fn layout(&self) -> MpLayout {
        let (heads, words) = (self.heads.address(), self.words.address());
        let Self { bits, shape, .. } = *self;
        MpLayout { heads, words, bits, shape, strides: [1, shape.0] }
    }
}

impl Cuda {
    /// Copies a matrix of numbers of any precision to the device.
    ///
    /// # Errors
    /// [`nonius_linalg::Error::Device`]: the first failure of the backend.
    pub fn upload_mp(&self, a: &Matrix) -> Result<MpMatrix, nonius_linalg::Error> {
        self.fetch(|| {
            let numbers = a.numbers().as_slice();
            MpMatrix::of(self, a.bits(), a.shape(), numbers.heads(), numbers.words())
        })
    }

    /// Copies a matrix of numbers of any precision to the host.
    ///
    /// # Errors
    /// As [`upload_mp`](Self::upload_mp); [`nonius_linalg::Error::TooLarge`].
    pub fn download_mp(&self, a: &MpMatrix) -> Result<Matrix, nonius_linalg::Error> {
        let mut matrix = Matrix::try_zeros_in(a.bits, a.shape.0, a.shape.1)?;
        self.fetch(|| {
            let (heads, words) = matrix.numbers_mut().into_parts();
            // SAFETY: both live, and are not looked at, until the stream has been waited for; heads are read as they were written by
            // the host, or by kernels, which write heads of numbers.
            unsafe {
                a.heads.read(self.stream(), 0, bytes_of_heads_mut(heads))?;
                a.words.read(self.stream(), 0, bytes_of_mut(words))?;
            }
            self.stream().synchronize()
        })?;
        Ok(matrix)
    }
}
