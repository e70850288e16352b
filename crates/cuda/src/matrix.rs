//! Matrices on a device, the [lanes](Kind) of numbers in planes or side by side.
//!
//! Lane `l` of entry `(i, j)` is number `l·plane + i·row + j·column` from the start. Limbs lie in
//! planes, which begin at multiples of 256 bytes, their columns at multiples of 16, so that kernels
//! can move two numbers at a time. Lanes of numbers of any precision lie side by side, as those of
//! any matrix [like the host's](DeviceMatrix::like_host), and without gaps.

use core::ffi::c_void;
use core::marker::PhantomData;

use nonius_gpu::{Arguments, Buffer, Error, KernelType, Plain, Stream};
use nonius_linalg::backend::View;
use nonius_linalg::dense::Transpose;
use nonius_linalg::{Matrix, Number, Scalar};
use nonius_num::Element;

use crate::host::{Part, gather};
use crate::kind::Kind;

/// A rectangle as kernels see it (`Matrix` in `matrix.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// The address of the first lane of the first entry; 0 where there is no memory.
    pub data: u64,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Lanes from one row to the next: 1, but for transposes and where lanes lie side by side.
    pub row: i64,
    /// Lanes from one column to the next.
    pub column: i64,
    /// Lanes from one lane of a number to the next.
    pub plane: i64,
}

impl KernelType for Layout {
    fn declare(name: &str) -> String {
        format!("Matrix {name}")
    }
}

/// Kernels that take one matrix know it from `matrix.cuh`.
impl Arguments for Layout {
    fn types() -> String {
        "Matrix".into()
    }

    fn structures() -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn places(&self) -> Vec<*const c_void> {
        vec![core::ptr::from_ref(self).cast()]
    }
}

// SAFETY: `repr(C)`, six members of eight bytes each.
unsafe impl Plain for Layout {}

impl Layout {
    /// No matrix.
    pub(crate) const NONE: Self = Self { data: 0, rows: 0, cols: 0, row: 1, column: 0, plane: 0 };

    /// Number of rows and columns.
    pub fn shape(self) -> (usize, usize) {
        (self.rows as usize, self.cols as usize)
    }

    /// Whether it has no entries.
    pub fn is_empty(self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// Whether each column of each plane begins at a multiple of 16 bytes.
    pub(crate) fn is_paired(self) -> bool {
        let even = |stride: i64| stride % 2 == 0;
        let columns = even(self.column) || self.cols <= 1;
        self.data.is_multiple_of(16) && self.row == 1 && even(self.plane) && columns
    }

    /// The rectangle of `rows × cols` entries whose first is `(row, col)`. Panics outside.
    pub fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        let inside = |start: usize, count: usize, all: i64| {
            start.checked_add(count).is_some_and(|end| end <= all as usize)
        };
        assert!(
            inside(row, rows, self.rows) && inside(col, cols, self.cols),
            "{rows} × {cols} block at ({row}, {col}) of {} × {}",
            self.rows,
            self.cols
        );
        let offset = row as u64 * self.row as u64 + col as u64 * self.column as u64;
        // A block that holds nothing may begin behind the end; nobody follows its address.
        let data = if self.data == 0 { 0 } else { self.data + 8 * offset };
        Self { data, rows: rows as i64, cols: cols as i64, ..self }
    }

    /// A part of it. Panics outside.
    pub(crate) fn part(self, part: Part) -> Self {
        self.block(part.row, part.col, part.rows, part.cols)
    }

    /// `op` of the rectangle.
    pub(crate) fn op(self, transpose: Transpose) -> Self {
        let Self { rows, cols, row, column, .. } = self;
        match transpose {
            Transpose::No => self,
            Transpose::Yes => Self { rows: cols, cols: rows, row: column, column: row, ..self },
        }
    }
}

/// A matrix in a device's memory.
#[derive(Debug)]
pub struct DeviceMatrix<T: Element> {
    buffer: Buffer,
    layout: Layout,
    format: T::Format,
}

impl<T: Scalar> DeviceMatrix<T> {
    /// A matrix with anything in it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(stream: &Stream, rows: usize, cols: usize) -> Result<Self, Error> {
        Self::new_in(stream, (), rows, cols)
    }
}

impl<T: Number> DeviceMatrix<T> {
    /// A matrix with anything in it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new_in(
        stream: &Stream,
        format: T::Format,
        rows: usize,
        cols: usize,
    ) -> Result<Self, Error> {
        let Kind::Limbs(limbs) = Kind::of::<T>(format) else {
            return Self::like_host(stream, format, rows, cols);
        };
        // Long columns begin at lines of 128 bytes.
        let ld = rows.checked_next_multiple_of(if rows >= 64 { 16 } else { 2 });
        let plane = ld.and_then(|ld| ld.checked_mul(cols)?.checked_next_multiple_of(32));
        let buffer = Buffer::of_numbers(stream, plane.and_then(|plane| plane.checked_mul(limbs)))?;
        // Below the number of bytes that could be allocated.
        let number = |x: Option<usize>| x.unwrap_or(0) as i64;
        let layout = Layout {
            data: buffer.address(),
            rows: rows as i64,
            cols: cols as i64,
            row: 1,
            column: number(ld),
            plane: number(plane),
        };
        Ok(Self { buffer, layout, format })
    }

    /// A matrix with anything in it that lies as on the host: lanes of a number side by side,
    /// columns without gaps.
    pub(crate) fn like_host(
        stream: &Stream,
        format: T::Format,
        rows: usize,
        cols: usize,
    ) -> Result<Self, Error> {
        let lanes = Kind::of::<T>(format).lanes();
        let count = rows.checked_mul(cols).and_then(|count| count.checked_mul(lanes));
        let buffer = Buffer::of_numbers(stream, count)?;
        let (rows, cols, row) = (rows as i64, cols as i64, lanes as i64);
        let layout =
            Layout { data: buffer.address(), rows, cols, row, column: row * rows, plane: 1 };
        Ok(Self { buffer, layout, format })
    }

    /// A matrix of that shape without memory: what a failed backend hands out.
    pub(crate) fn absent(stream: &Stream, format: T::Format, rows: usize, cols: usize) -> Self {
        let (rows, cols) = (rows as i64, cols as i64);
        let layout = Layout { data: 0, rows, cols, row: 1, column: rows, plane: 0 };
        Self { buffer: Buffer::empty(stream), layout, format }
    }

    /// Makes every number zero.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.buffer.clear()?;
        // Zeros of limbs are zeros in every bit; other numbers lie without gaps.
        let Layout { rows, cols, row, .. } = self.layout;
        self.fill(T::ZERO, size_of::<f64>() * row as usize, (rows * cols) as usize)
    }

    /// Makes entries on the diagonal one, and all others zero.
    ///
    /// # Errors
    /// Those of the driver.
    pub(crate) fn set_identity(&mut self) -> Result<(), Error> {
        self.clear()?;
        let Layout { rows, cols, row, column, .. } = self.layout;
        let pitch = size_of::<f64>() * (row + column) as usize;
        self.fill(T::ONE, pitch, rows.min(cols) as usize)
    }

    /// Writes the halves of lanes of `x` that are not zero to `count` places, `pitch` bytes apart.
    /// Of limbs only the first lane may have such halves.
    fn fill(&self, x: T, pitch: usize, count: usize) -> Result<(), Error> {
        let lanes = lanes_of(x, self.format);
        let halves = lanes.iter().flat_map(|&lane| [lane as u32, (lane >> 32) as u32]);
        for (index, half) in halves.enumerate().filter(|&(_, half)| half != 0) {
            let offset = size_of::<u32>() * index;
            self.buffer.set_words(self.buffer.stream(), offset, pitch, count, half)?;
        }
        Ok(())
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    /// What its numbers lie in: as many bytes for every matrix of that shape and format.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The same, to be written.
    pub fn buffer_mut(&mut self) -> &mut Buffer {
        &mut self.buffer
    }

    /// What the entries have in common beside their type.
    pub fn format(&self) -> T::Format {
        self.format
    }

    /// The whole matrix, to be read.
    pub fn as_ref(&self) -> DeviceRef<'_, T> {
        DeviceRef::of(self.layout, self.format)
    }

    /// The whole matrix, to be written.
    pub fn as_mut(&mut self) -> DeviceMut<'_, T> {
        DeviceMut::of(self.layout, self.format)
    }
}

/// Panics unless numbers have one format, which tells kernels where the lanes of numbers lie.
pub(crate) fn assert_formats<T: Element, const N: usize>(
    format: T::Format,
    others: [T::Format; N],
) {
    others.iter().for_each(|other| assert_eq!(*other, format, "formats of operands"));
}

/// The lanes of a number, rounded to a format: those that kernels read.
pub(crate) fn lanes_of<T: Number>(x: T, format: T::Format) -> Vec<u64> {
    let x = Matrix::<T>::from_fn_in(format, 1, 1, |_, _| x);
    let mut lanes = vec![0.0; Kind::of::<T>(format).lanes()];
    gather(&mut lanes, x.view());
    lanes.into_iter().map(f64::to_bits).collect()
}

/// A rectangle of a [`DeviceMatrix`] that is only read.
#[derive(Debug)]
pub struct DeviceRef<'a, T: Element> {
    pub(crate) layout: Layout,
    pub(crate) format: T::Format,
    borrowed: PhantomData<&'a T>,
}

impl<T: Element> Clone for DeviceRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element> Copy for DeviceRef<'_, T> {}

/// A rectangle of a [`DeviceMatrix`] that is written.
#[derive(Debug)]
pub struct DeviceMut<'a, T: Element> {
    pub(crate) layout: Layout,
    pub(crate) format: T::Format,
    borrowed: PhantomData<&'a mut T>,
}

impl<T: Number> View<T> for DeviceRef<'_, T> {
    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn format(&self) -> T::Format {
        self.format
    }

    fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        Self { layout: self.layout.block(row, col, rows, cols), ..self }
    }
}

impl<T: Element> DeviceRef<'_, T> {
    /// Where it lies.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The transpose, in the same memory.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { layout: self.layout.op(Transpose::Yes), ..self }
    }

    /// A rectangle of memory that has an owner of another kind.
    pub(crate) fn of(layout: Layout, format: T::Format) -> Self {
        Self { layout, format, borrowed: PhantomData }
    }

    /// A rectangle of numbers of a format that lies so.
    ///
    /// # Safety
    /// The rectangle is memory of a matrix of such numbers that is borrowed as long as this.
    pub unsafe fn of_layout(layout: Layout, format: T::Format) -> Self {
        Self::of(layout, format)
    }
}

impl<T: Element> DeviceMut<'_, T> {
    /// Where it lies.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// As [`DeviceRef::of`]; the owner is borrowed mutably.
    pub(crate) fn of(layout: Layout, format: T::Format) -> Self {
        Self { layout, format, borrowed: PhantomData }
    }

    /// As [`DeviceRef::of_layout`].
    ///
    /// # Safety
    /// The matrix is borrowed mutably as long as this.
    pub unsafe fn of_layout(layout: Layout, format: T::Format) -> Self {
        Self::of(layout, format)
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::Mp;
    use nonius_num::mp::Bits;

    use super::*;

    const WHOLE: Layout = Layout { data: 4096, rows: 10, cols: 6, row: 1, column: 12, plane: 96 };

    #[test]
    fn blocks_begin_where_their_first_entry_lies() {
        let block = WHOLE.block(3, 2, 7, 4);
        assert_eq!(block, Layout { data: 4096 + 8 * (3 + 2 * 12), rows: 7, cols: 4, ..WHOLE });
        assert_eq!(block.block(1, 1, 2, 2).data, WHOLE.block(4, 3, 2, 2).data);
        assert!(WHOLE.block(10, 6, 0, 0).is_empty());
        assert_eq!(Layout { data: 0, ..WHOLE }.block(3, 2, 7, 4).data, 0);
    }

    #[test]
    fn a_transpose_exchanges_strides() {
        let transpose = WHOLE.op(Transpose::Yes);
        assert_eq!(transpose, Layout { rows: 6, cols: 10, row: 12, column: 1, ..WHOLE });
        assert_eq!(transpose.block(2, 3, 4, 5), WHOLE.block(3, 2, 5, 4).op(Transpose::Yes));
        assert!(transpose.op(Transpose::Yes) == WHOLE && !transpose.is_paired());
    }

    #[test]
    fn pairs_need_even_strides() {
        assert!(WHOLE.is_paired() && WHOLE.block(2, 1, 3, 3).is_paired());
        assert!(!WHOLE.block(1, 0, 3, 3).is_paired());
        let odd = Layout { column: 11, ..WHOLE };
        assert!(!odd.is_paired() && odd.block(0, 0, 10, 1).is_paired());
        assert!(!Layout { plane: 97, ..WHOLE }.is_paired());
    }

    #[test]
    #[should_panic(expected = "formats of operands")]
    fn operands_have_one_format() {
        let of = |bits: u32| Bits::new(bits).expect("a precision");
        assert_formats::<Mp, _>(of(64), [of(64), of(128)]);
    }

    #[test]
    #[should_panic(expected = "8 × 4 block at (3, 2) of 10 × 6")]
    fn a_block_lies_inside() {
        WHOLE.block(3, 2, 8, 4);
    }
}
