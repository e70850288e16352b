//! How the kernels of certified solvers are launched, and what those of `mp/matrix.cu` take.

use nonius_gpu::{Entry, Pointer, kernel_arguments};

use crate::matrix::Layout;
use crate::mp_numbers::Numbers;

/// Threads of a block, and the side of a square that is transposed.
pub(super) const THREADS: u32 = 256;

kernel_arguments! {
    /// `m·2^e` with `1/2 ≤ m < 1`, or 0, or infinity: see `mp/magnitude.cuh`.
    #[derive(Default)]
    pub(super) struct Magnitude {
        pub(super) m: f64,
        pub(super) e: i64,
    }

    /// What is known of a column: [`nonius_linalg::certified::Judged`], with `bounded` an integer.
    #[derive(Default)]
    pub(super) struct Judged {
        pub(super) worst: Magnitude,
        pub(super) error: Magnitude,
        pub(super) open: Magnitude,
        pub(super) least: Magnitude,
        pub(super) largest: Magnitude,
        pub(super) bounded: i64,
    }

    /// Numbers that are rounded.
    pub(super) struct Pair {
        pub(super) to: Numbers,
        pub(super) from: Numbers,
    }

    /// `to ← a − b`
    pub(super) struct Difference {
        pub(super) to: Numbers,
        pub(super) a: Numbers,
        pub(super) b: Numbers,
    }

    /// Numbers of any precision, and a matrix of `f64`.
    pub(super) struct Conversion {
        pub(super) numbers: Numbers,
        pub(super) matrix: Layout,
        /// For each column. May be null for transposes.
        pub(super) exponents: Pointer<i64>,
    }

    /// Columns that move.
    pub(super) struct Places {
        pub(super) to: Layout,
        pub(super) from: Layout,
        /// Where each column goes.
        pub(super) places: Pointer<i64>,
    }

    /// Sums of the magnitudes of columns.
    pub(super) struct Sums {
        pub(super) numbers: Numbers,
        pub(super) weights: Pointer<f64>,
        /// Where the sums are those of `I − A`, the row of the one in column 0; else negative.
        pub(super) diagonal: i64,
        pub(super) sums: Pointer<Magnitude>,
    }

    /// Greatest exponents of columns.
    pub(super) struct Codes {
        pub(super) numbers: Numbers,
        pub(super) codes: Pointer<i32>,
    }

    /// Sums of the magnitudes of rows.
    pub(super) struct Rows {
        pub(super) matrix: Layout,
        pub(super) weights: Pointer<f64>,
        /// Columns that a block sums.
        pub(super) chunk: i64,
        /// Of `I − A`: the column of the one in row 0.
        pub(super) first: i64,
        /// Sums of the rows, chunk by chunk.
        pub(super) sums: Pointer<f64>,
    }

    /// Largest magnitudes of columns.
    pub(super) struct Maxima {
        pub(super) matrix: Layout,
        pub(super) maxima: Pointer<f64>,
    }

    /// The correction of `Y`, and what is found of its entries.
    pub(super) struct Correction {
        pub(super) y: Numbers,
        /// What is added: a matrix with exponents for its columns, or numbers.
        pub(super) in_f64: i64,
        pub(super) z: Layout,
        pub(super) exponents: Pointer<i64>,
        pub(super) numbers: Numbers,
        /// [`nonius_linalg::certified::Bounds`].
        pub(super) row_sums: Pointer<Magnitude>,
        pub(super) shares: Pointer<f64>,
        pub(super) noise: Pointer<Magnitude>,
        pub(super) reach: Pointer<Magnitude>,
        pub(super) floors: Pointer<Magnitude>,
        pub(super) scales: Pointer<i64>,
        pub(super) result_bits: i64,
        pub(super) tolerance: Magnitude,
        /// For each column, of each of the blocks that share it out.
        pub(super) judged: Pointer<Judged>,
    }
}

pub(super) const ROUND_NUMBERS: Entry<Pair> = Entry::new(c"round_numbers");
pub(super) const SUBTRACT: Entry<Difference> = Entry::new(c"subtract");
pub(super) const WIDEN: Entry<Conversion> = Entry::new(c"widen");
pub(super) const NEAREST: Entry<Conversion> = Entry::new(c"nearest");
pub(super) const SCALE: Entry<Conversion> = Entry::new(c"scale_columns");
pub(super) const MOVE_COLUMNS: Entry<Places> = Entry::new(c"move_columns");
pub(super) const COLUMN_SUMS: Entry<Sums> = Entry::new(c"column_sums");
pub(super) const COLUMN_CODES: Entry<Codes> = Entry::new(c"column_codes");
pub(super) const ROW_SUMS: Entry<Rows> = Entry::new(c"row_sums");
pub(super) const ROW_DEFECTS: Entry<Rows> = Entry::new(c"row_defects");
pub(super) const COLUMN_MAXIMA: Entry<Maxima> = Entry::new(c"column_maxima");
pub(super) const CORRECT: Entry<Correction> = Entry::new(c"correct");
