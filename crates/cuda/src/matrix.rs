//! Matrices on a device, their limbs in planes.
//!
//! Limb `l` of entry `(i, j)` is number `l·plane + i·row + j·column` from the start. Planes begin at multiples of 256 bytes and columns
//! at multiples of 16, so that kernels can move two numbers at a time.
//! A matrix [like the host's](DeviceMatrix::like_host) has its limbs side by side and no gaps.

use core::ffi::c_void;
use core::marker::PhantomData;

use nonius_gpu::{Arguments, Buffer, Error, KernelType, Plain, Stream};
use nonius_linalg::Scalar;
use nonius_linalg::backend::View;
use nonius_linalg::dense::Transpose;

use crate::host::Part;

/// A rectangle as kernels see it (`Matrix` in `matrix.cuh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// The address of the first limb of the first entry; 0 where there is no memory.
    pub data: u64,
    /// Rows.
    pub rows: i64,
    /// Columns.
    pub cols: i64,
    /// Numbers from one row to the next: 1, but for transposes and matrices that lie as on the host.
    pub row: i64,
    /// Numbers from one column to the next.
    pub column: i64,
    /// Numbers from one limb to the next.
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

/// A number as kernels receive it (`Factor` in `factor.cuh`): limbs, then zeros.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Factor(pub(crate) [f64; 4]);

impl KernelType for Factor {
    fn declare(name: &str) -> String {
        format!("Factor {name}")
    }
}

// SAFETY: `repr(C)`, four numbers.
unsafe impl Plain for Factor {}

impl Factor {
    /// Zero.
    pub const ZERO: Self = Self([0.0; 4]);

    /// That number.
    pub fn of<T: Scalar>(x: T) -> Self {
        Self(core::array::from_fn(|l| if l < T::LIMBS { x.limb(l) } else { 0.0 }))
    }
}

/// A matrix in a device's memory.
#[derive(Debug)]
pub struct DeviceMatrix<T> {
    buffer: Buffer,
    layout: Layout,
    scalar: PhantomData<T>,
}

impl<T: Scalar> DeviceMatrix<T> {
    /// A matrix with anything in it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(stream: &Stream, rows: usize, cols: usize) -> Result<Self, Error> {
        // Long columns begin at lines of 128 bytes.
        let ld = rows.checked_next_multiple_of(if rows >= 64 { 16 } else { 2 });
        let plane = ld.and_then(|ld| ld.checked_mul(cols)?.checked_next_multiple_of(32));
        let numbers = plane.and_then(|plane| plane.checked_mul(T::LIMBS));
        let buffer = Buffer::of_numbers(stream, numbers)?;
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
        Ok(Self { buffer, layout, scalar: PhantomData })
    }

    /// A matrix with anything in it that lies as on the host: limbs of a number side by side,
    /// columns without gaps.
    pub(crate) fn like_host(stream: &Stream, rows: usize, cols: usize) -> Result<Self, Error> {
        let count = rows.checked_mul(cols).and_then(|count| count.checked_mul(T::LIMBS));
        let buffer = Buffer::of_numbers(stream, count)?;
        let limbs = T::LIMBS as i64;
        let (rows, cols) = (rows as i64, cols as i64);
        let column = limbs * rows;
        let layout = Layout { data: buffer.address(), rows, cols, row: limbs, column, plane: 1 };
        Ok(Self { buffer, layout, scalar: PhantomData })
    }

    /// A matrix of that shape without memory: what a failed backend hands out.
    pub(crate) fn absent(stream: &Stream, rows: usize, cols: usize) -> Self {
        let (rows, cols) = (rows as i64, cols as i64);
        let layout = Layout { data: 0, rows, cols, row: 1, column: rows, plane: 0 };
        Self { buffer: Buffer::empty(stream), layout, scalar: PhantomData }
    }

    /// Makes every limb zero, the ones between the columns too.
    ///
    /// # Errors
    /// Those of the driver.
    pub fn clear(&mut self) -> Result<(), Error> {
        self.buffer.clear()
    }

    /// Makes entries on the diagonal one, and all others zero.
    ///
    /// # Errors
    /// Those of the driver.
    pub(crate) fn set_identity(&mut self, stream: &Stream) -> Result<(), Error> {
        /// The upper half of the bits of the `f64` one, whose lower half is zero.
        const ONE: u32 = (1.0_f64.to_bits() >> 32) as u32;
        self.clear()?;
        let Layout { rows, cols, row, column, .. } = self.layout;
        let pitch = 8 * (row + column) as usize;
        self.buffer.set_words(stream, 4, pitch, rows.min(cols) as usize, ONE)
    }

    /// The whole matrix, to be read.
    pub fn as_ref(&self) -> DeviceRef<'_, T> {
        DeviceRef { layout: self.layout, borrowed: PhantomData }
    }

    /// The whole matrix, to be written.
    pub fn as_mut(&mut self) -> DeviceMut<'_, T> {
        DeviceMut { layout: self.layout, borrowed: PhantomData }
    }
}

/// A rectangle of a [`DeviceMatrix`] that is only read.
#[derive(Debug)]
pub struct DeviceRef<'a, T> {
    pub(crate) layout: Layout,
    borrowed: PhantomData<&'a T>,
}

impl<T> Clone for DeviceRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceRef<'_, T> {}

/// A rectangle of a [`DeviceMatrix`] that is written.
#[derive(Debug)]
pub struct DeviceMut<'a, T> {
    pub(crate) layout: Layout,
    borrowed: PhantomData<&'a mut T>,
}

impl<T: Scalar> View<T> for DeviceRef<'_, T> {
    fn shape(&self) -> (usize, usize) {
        self.layout.shape()
    }

    fn format(&self) {}

    fn block(self, row: usize, col: usize, rows: usize, cols: usize) -> Self {
        Self { layout: self.layout.block(row, col, rows, cols), ..self }
    }
}

impl<T> DeviceRef<'_, T> {
    /// Where it lies.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// A rectangle that lies so.
    ///
    /// # Safety
    /// The rectangle is memory of a matrix of such numbers that is borrowed as long as this.
    pub unsafe fn of_layout(layout: Layout) -> Self {
        Self::of(layout)
    }

    /// A rectangle of memory that has an owner of another kind.
    pub(crate) fn of(layout: Layout) -> Self {
        Self { layout, borrowed: PhantomData }
    }
}

impl<T> DeviceMut<'_, T> {
    /// Where it lies.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// As [`DeviceRef::of_layout`].
    ///
    /// # Safety
    /// The matrix is borrowed mutably as long as this.
    pub unsafe fn of_layout(layout: Layout) -> Self {
        Self::of(layout)
    }

    /// As [`DeviceRef::of`]; the owner is borrowed mutably.
    pub(crate) fn of(layout: Layout) -> Self {
        Self { layout, borrowed: PhantomData }
    }
}

#[cfg(test)]
mod tests {
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
    #[should_panic(expected = "8 × 4 block at (3, 2) of 10 × 6")]
    fn a_block_lies_inside() {
        WHOLE.block(3, 2, 8, 4);
    }
}
