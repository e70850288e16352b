//! Products of the transpose of a matrix of numbers of any precision with few columns.

use core::ops::RangeInclusive;

use nonius_gpu::{Buffer, Error, Shape, Source, argument_of_words};

use super::launch::THREADS;
use crate::backend::Cuda;
use crate::mp_matrix::MpMatrix;
use crate::texts;
use crate::words::Words;

/// Words of numbers of a matrix and of a vector, with one more, that `mp/gemv.cu` is compiled for, and columns for which it is the better way.
const MATRIX_WORDS: RangeInclusive<usize> = 1..=4;
const VECTOR_WORDS: RangeInclusive<usize> = 2..=6;
const FEW_COLUMNS: usize = 4;
/// Columns of `A` that a warp multiplies.
const COLUMNS: usize = 4;

fn source(matrix: usize, vector: usize) -> Source {
    let numbers = [("MATRIX_WORDS", matrix), ("VECTOR_WORDS", vector), ("GEMV_COLUMNS", COLUMNS)];
    texts::of_limbs(&format!("mp-gemv-{matrix}-{vector}"), 1, "mp/gemv.cu").define_all(&numbers)
}

/// Every module of this capability.
pub(super) fn sources() -> impl Iterator<Item = Source> {
    MATRIX_WORDS.flat_map(|matrix| VECTOR_WORDS.map(move |vector| source(matrix, vector)))
}

/// Whether there is a kernel for these, and it is the better way.
pub(super) fn is_for(a: &MpMatrix, y: &MpMatrix) -> bool {
    let (matrix, vector) = (a.precision().words(), y.precision().words() + 1);
    MATRIX_WORDS.contains(&matrix)
        && VECTOR_WORDS.contains(&vector)
        && (1..=FEW_COLUMNS).contains(&y.shape().1)
}

impl Cuda {
    /// `Aᵀ·Y` for few columns.
    pub(super) fn gemv_mp(&self, a: &MpMatrix, y: &MpMatrix) -> Result<MpMatrix, Error> {
        let (rows, cols) = a.shape();
        let result = MpMatrix::new(self, y.precision(), (cols, y.shape().1))?;
        let (codes, y_codes) = (self.codes(a)?, self.codes(y)?);
        let vectors = y.shape().1;
        let (matrix_words, vector_words) = (a.precision().words(), y.precision().words() + 1);
        let module = self.device().module(&source(matrix_words, vector_words))?;
        let launch = |name: &'static core::ffi::CStr, blocks: usize, words: &Words| {
            let grid = [blocks as u32, vectors as u32, 1];
            let shape = Shape { grid, block: [THREADS, 1, 1], shared: 0 };
            // SAFETY: as for `matrix_kernel`; the word counts are those of the module.
            unsafe {
                let arguments = &mut [argument_of_words(words.as_slice())];
                module.kernel(name)?.launch(self.stream(), shape, arguments)
            }
        };
        let integers = Buffer::new(self.stream(), 8 * vector_words * rows * vectors)?;
        let negative = Buffer::new(self.stream(), rows * vectors)?;
        let [heads, numbers] = y.addresses();
        let words = Words::default().address(heads).address(numbers);
        let words = words.long(y.precision().words()).long(rows).long(vectors);
        let words = words.address(y_codes.address()).address(integers.address());
        launch(c"integers", rows.div_ceil(THREADS as usize), &words.address(negative.address()))?;
        let [heads, numbers] = a.addresses();
        let [to_heads, to_numbers] = result.addresses();
        let words = Words::default().address(heads).address(numbers).long(rows).long(cols);
        let words = words.address(codes.address()).address(y_codes.address());
        let words = words.address(integers.address()).address(negative.address());
        let words = words.address(to_heads).address(to_numbers);
        let words = words.long(y.precision().words()).long(y.precision().get() as usize);
        let columns = COLUMNS * THREADS as usize / 32;
        launch(c"gemv", cols.div_ceil(columns), &words)?;
        Ok(result)
    }
}
