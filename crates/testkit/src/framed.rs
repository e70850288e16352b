//! Matrices inside larger ones, to see what an operation touches.

use core::ops::Range;
use nonius_num::Element;

use nonius_linalg::Matrix;
use nonius_linalg::backend::{Memory, View, ViewMut};

use crate::Sample;

/// A matrix surrounded by NaN inside a larger one.
///
/// An operation that reads the frame spoils its result; one that writes it is found out by
/// [`Framed::update`].
#[derive(Clone, Debug)]
pub struct Framed<T: Element> {
    whole: Matrix<T>,
    rows: Range<usize>,
    cols: Range<usize>,
}

/// Rows above, rows below, columns to the left and to the right.
const FRAME: (usize, usize, usize, usize) = (2, 3, 1, 1);

impl<T: Sample> Framed<T> {
    /// The matrix with entries `f(row, column)`.
    pub fn from_fn_in(
        format: T::Format,
        rows: usize,
        cols: usize,
        mut f: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let (above, below, left, right) = FRAME;
        let (inside_rows, inside_cols) = (above..above + rows, left..left + cols);
        let whole =
            Matrix::from_fn_in(format, above + rows + below, left + cols + right, |i, j| {
                if inside_rows.contains(&i) && inside_cols.contains(&j) {
                    f(i - above, j - left)
                } else {
                    nan()
                }
            });
        Self { whole, rows: inside_rows, cols: inside_cols }
    }

    /// The format of the entries.
    pub fn format(&self) -> T::Format {
        self.whole.format()
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows.len(), self.cols.len())
    }

    /// Entry `(i, j)`.
    pub fn at(&self, i: usize, j: usize) -> T {
        self.whole.at(self.rows.start + i, self.cols.start + j)
    }

    /// The matrix without its frame.
    pub fn inside(&self) -> Matrix<T> {
        Matrix::from_fn_in(self.format(), self.rows.len(), self.cols.len(), |i, j| self.at(i, j))
    }

    /// The transpose, framed.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::from_fn_in(self.format(), self.cols.len(), self.rows.len(), |i, j| self.at(j, i))
    }

    /// The larger matrix in a backend's memory.
    pub fn upload<M: Memory<T>>(&self, memory: &M) -> M::Matrix {
        memory.upload(self.whole.view())
    }

    /// The matrix within the larger one that [`upload`](Self::upload) returned.
    pub fn view<'a, M: Memory<T>>(&self, memory: &M, uploaded: &'a M::Matrix) -> M::Ref<'a> {
        let (rows, cols) = self.shape();
        memory.view(uploaded).block(self.rows.start, self.cols.start, rows, cols)
    }

    /// Lets `work` change the matrix and returns it; panics when the frame has changed.
    pub fn update<M: Memory<T>>(&self, memory: &M, work: impl FnOnce(M::Mut<'_>)) -> Matrix<T> {
        let (rows, cols) = self.shape();
        let mut uploaded = self.upload(memory);
        let whole = memory.view_mut(&mut uploaded);
        work(whole.block_mut(self.rows.start, self.cols.start, rows, cols));
        let whole = memory.download(memory.view(&uploaded)).expect("a backend that works");
        for j in 0..whole.cols() {
            for i in 0..whole.rows() {
                if !(self.rows.contains(&i) && self.cols.contains(&j)) {
                    let (now, before) = (whole.at(i, j), self.whole.at(i, j));
                    assert!(now.same_bits(before), "({i}, {j}) of the frame was written: {now:?}");
                }
            }
        }
        Matrix::from_fn_in(self.format(), rows, cols, |i, j| {
            whole.at(self.rows.start + i, self.cols.start + j)
        })
    }
}

/// NaN.
pub fn nan<T: Sample>() -> T {
    T::from_f64(f64::NAN)
}

/// Panics unless two matrices are the same bit for bit.
pub fn assert_same_bits<T: Sample>(x: &Matrix<T>, y: &Matrix<T>, what: &str) {
    assert_eq!(x.shape(), y.shape(), "{what}");
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            let (found, expected) = (x.at(i, j), y.at(i, j));
            assert!(
                found.same_bits(expected),
                "{what}: {} ({i}, {j}): {found:?} is not {expected:?}",
                T::name(x.format())
            );
        }
    }
}
