//! Products of the transpose of a matrix of numbers of any precision with few columns.

use core::ops::RangeInclusive;

use nonius_gpu::{
    Arguments, Buffer, Entry, Error, Module, Pointer, Shape, Source, kernel_arguments, kernel_types,
};

use nonius_num::Mp;
use nonius_num::mp::Bits;

use super::launch::THREADS;
use crate::backend::Cuda;
use crate::matrix::DeviceMatrix;
use crate::texts;

/// Words of numbers of a matrix and of a vector, with one more, that `mp/gemv.cu` is compiled for,
/// and columns for which it is the better way.
const MATRIX_WORDS: RangeInclusive<usize> = 1..=4;
const VECTOR_WORDS: RangeInclusive<usize> = 2..=6;
const FEW_COLUMNS: usize = 4;
/// Columns of `A` that a warp multiplies.
const COLUMNS: usize = 4;

kernel_types! {
    /// Whether a number is negative.
    Flag;
}

kernel_arguments! {
    /// Numbers of `Y` that become integers.
    struct Integers {
        /// `Y`, the words of a number, and its greatest exponents column by column.
        y: Pointer<u64>,
        count: i64,
        rows: i64,
        cols: i64,
        codes: Pointer<i32>,
        /// For each column `VECTOR_WORDS` planes of words; for each number whether it is negative.
        integers: Pointer<u64>,
        negative: Pointer<Flag>,
    }

    /// `Aᵀ·Y`
    struct Gemv {
        a: Pointer<u64>,
        /// Rows and columns of `A`.
        rows: i64,
        cols: i64,
        /// Greatest exponents of the columns of `A`, and of `Y`.
        codes: Pointer<i32>,
        y_codes: Pointer<i32>,
        /// What the kernel `integers` makes of `Y`.
        integers: Pointer<u64>,
        negative: Pointer<Flag>,
        /// The sums, with their words and bits.
        to: Pointer<u64>,
        to_count: i64,
        to_bits: i64,
    }
}

const INTEGERS: Entry<Integers> = Entry::new(c"integers");
const GEMV: Entry<Gemv> = Entry::new(c"gemv");

fn source(matrix: usize, vector: usize) -> Source {
    let numbers = [("MATRIX_WORDS", matrix), ("VECTOR_WORDS", vector), ("GEMV_COLUMNS", COLUMNS)];
    texts::of_limbs(&format!("mp-gemv-{matrix}-{vector}"), 1, "mp/gemv.cu")
        .define_all(&numbers)
        .entry(INTEGERS)
        .entry(GEMV)
}

/// Every module of this capability.
pub(super) fn sources() -> impl Iterator<Item = Source> {
    MATRIX_WORDS.flat_map(|matrix| VECTOR_WORDS.map(move |vector| source(matrix, vector)))
}

/// Whether there is a kernel for numbers with these bits, and it is the better way.
pub(super) fn is_for([a, y]: [Bits; 2], columns: usize) -> bool {
    MATRIX_WORDS.contains(&a.words())
        && VECTOR_WORDS.contains(&(y.words() + 1))
        && (1..=FEW_COLUMNS).contains(&columns)
}

impl Cuda {
    /// `Aᵀ·Y` for few columns.
    pub(super) fn gemv_mp(
        &self,
        a: &DeviceMatrix<Mp>,
        y: &DeviceMatrix<Mp>,
    ) -> Result<DeviceMatrix<Mp>, Error> {
        let (rows, cols) = a.shape();
        let result = DeviceMatrix::new_in(self.stream(), y.format(), cols, y.shape().1)?;
        let (codes, y_codes) = (self.codes(a)?, self.codes(y)?);
        let vectors = y.shape().1;
        let (matrix_words, vector_words) = (a.format().words(), y.format().words() + 1);
        let module = self.device().module(&source(matrix_words, vector_words))?;
        let integers = Buffer::new(self.stream(), 8 * vector_words * rows * vectors)?;
        let negative = Buffer::new(self.stream(), rows * vectors)?;
        let lanes = |a: &DeviceMatrix<Mp>| Pointer::at(a.as_ref().layout.data);
        let arguments = Integers {
            y: lanes(y),
            count: y.format().words() as i64,
            rows: rows as i64,
            cols: vectors as i64,
            codes: y_codes.pointer(),
            integers: integers.pointer(),
            negative: negative.pointer(),
        };
        let blocks = rows.div_ceil(THREADS as usize);
        self.gemv_kernel(&module, INTEGERS, [blocks, vectors], &arguments)?;
        let arguments = Gemv {
            a: lanes(a),
            rows: rows as i64,
            cols: cols as i64,
            codes: codes.pointer(),
            y_codes: y_codes.pointer(),
            integers: integers.pointer(),
            negative: negative.pointer(),
            to: lanes(&result),
            to_count: y.format().words() as i64,
            to_bits: y.format().get().into(),
        };
        let blocks = cols.div_ceil(COLUMNS * THREADS as usize / 32);
        self.gemv_kernel(&module, GEMV, [blocks, vectors], &arguments)?;
        Ok(result)
    }

    fn gemv_kernel<A: Arguments>(
        &self,
        module: &Module,
        entry: Entry<A>,
        [blocks, vectors]: [usize; 2],
        arguments: &A,
    ) -> Result<(), Error> {
        let grid = [blocks as u32, vectors as u32, 1];
        let shape = Shape { grid, block: [THREADS, 1, 1], shared: 0 };
        // SAFETY: as for `matrix_kernel`; the word counts are those of the module.
        unsafe { module.kernel(entry)?.launch(self.stream(), shape, arguments) }
    }
}
