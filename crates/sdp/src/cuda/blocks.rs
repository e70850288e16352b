//! Matrices with blocks on their diagonal.

use nonius_cuda::{Cuda, DeviceMatrix, DeviceMut, DeviceRef, Layout};
use nonius_gpu::Error;
use nonius_linalg::backend::View;
use nonius_linalg::{Number, Numbers};

use super::small::{self, Position};

/// A matrix with blocks on its diagonal, on a GPU.
#[derive(Debug)]
pub struct CudaBlocks<T: Number> {
    /// The large squares. What their memory has between the columns is zero.
    pub(super) squares: Vec<DeviceMatrix<T>>,
    /// The small squares, one after the other in a column.
    pub(super) small: DeviceMatrix<T>,
    /// The entries of the diagonal block, a column.
    pub(super) diagonal: DeviceMatrix<T>,
}

impl<T: Number> CudaBlocks<T> {
    /// Zeros.
    pub(super) fn zeros(
        gpu: &Cuda,
        format: T::Format,
        squares: &[usize],
        small: usize,
        diagonal: usize,
    ) -> Result<Self, Error> {
        let zeros = |rows, cols| zeros(gpu, format, rows, cols);
        let squares = squares.iter().map(|&n| zeros(n, n)).collect::<Result<_, _>>()?;
        Ok(Self { squares, small: zeros(small, 1)?, diagonal: zeros(diagonal, 1)? })
    }

    /// The large squares, the small ones together, then the diagonal block.
    pub(super) fn matrices(&self) -> impl Iterator<Item = &DeviceMatrix<T>> {
        self.squares.iter().chain([&self.small, &self.diagonal])
    }

    /// The same, to be read.
    pub(super) fn parts(&self) -> impl Iterator<Item = DeviceRef<'_, T>> {
        self.matrices().map(DeviceMatrix::as_ref)
    }

    /// The same, to be written.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = DeviceMut<'_, T>> {
        let Self { squares, small, diagonal } = self;
        squares.iter_mut().chain([small, diagonal]).map(DeviceMatrix::as_mut)
    }

    /// Makes every number zero, the ones between the columns too.
    pub(super) fn clear(&mut self) -> Result<(), Error> {
        let Self { squares, small, diagonal } = self;
        squares.iter_mut().chain([small, diagonal]).try_for_each(DeviceMatrix::clear)
    }

    /// A square.
    pub(super) fn square(&self, position: Position, order: usize) -> DeviceRef<'_, T> {
        match position {
            Position::Alone(number) => self.squares[number].as_ref(),
            Position::Among(offset) => {
                let square = small::square(self.small.as_ref().layout(), offset, order);
                // SAFETY: entries of the small squares' column, which is borrowed.
                unsafe { DeviceRef::of_layout(square, self.small.format()) }
            }
        }
    }
}

/// A matrix of zeros, or the failure to get one.
pub(super) fn zeros<T: Number>(
    gpu: &Cuda,
    format: T::Format,
    rows: usize,
    cols: usize,
) -> Result<DeviceMatrix<T>, Error> {
    let mut matrix = DeviceMatrix::new_in(gpu.stream(), format, rows, cols)?;
    matrix.clear()?;
    Ok(matrix)
}

/// A vector.
pub(super) fn uploaded<T: Number>(gpu: &Cuda, x: &Numbers<T>) -> Result<DeviceMatrix<T>, Error> {
    let mut vector = zeros(gpu, x.format(), x.len(), 1)?;
    gpu.write(x.as_slice().into(), vector.as_mut())?;
    Ok(vector)
}

/// The diagonal of a square as a column.
pub(super) fn diagonal<T: Number>(a: DeviceRef<'_, T>) -> DeviceRef<'_, T> {
    let Layout { rows, row, column, .. } = a.layout();
    let diagonal =
        Layout { cols: 1, row: row + column, column: rows * (row + column), ..a.layout() };
    // SAFETY: entries of the square.
    unsafe { DeviceRef::of_layout(diagonal, a.format()) }
}

/// All of a matrix as one column, with what lies between its columns.
pub(super) fn flat<T: Number>(a: DeviceRef<'_, T>) -> DeviceRef<'_, T> {
    let Layout { cols, row, column, .. } = a.layout();
    let rows = if cols == 1 { a.layout().rows } else { cols * column / row };
    // SAFETY: the matrix's memory from its first entry to its last.
    unsafe { DeviceRef::of_layout(Layout { rows, cols: 1, ..a.layout() }, a.format()) }
}
