//! Copies of matrices whose entries stand elsewhere: strides do it all.

use nonius_linalg::Number;
use nonius_linalg::backend::{Memory, Rearrange, Reflect};
use nonius_linalg::dense::{Transpose, Triangle};

use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};

impl Layout {
    /// The diagonal of a square matrix, as a column.
    fn diagonal(self) -> Self {
        Self { cols: 1, row: self.row + self.column, ..self }
    }
}

impl<T: Number> Rearrange<T> for Cuda {
    fn transpose_of(&self, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        self.copy_of(DeviceRef::of(a.layout.op(Transpose::Yes), a.format))
    }

    fn triangle_of(&self, triangle: Triangle, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        assert_eq!(a.layout.rows, a.layout.cols, "a square matrix");
        let lower = match triangle {
            Triangle::Lower => a,
            Triangle::Upper => DeviceRef::of(a.layout.op(Transpose::Yes), a.format),
        };
        let mut found = self.unit_lower(lower);
        let diagonal = DeviceMut::<T>::of(found.as_mut().layout.diagonal(), a.format);
        self.copy(DeviceRef::of(a.layout.diagonal(), a.format), diagonal);
        match triangle {
            Triangle::Lower => found,
            Triangle::Upper => self.transpose_of(found.as_ref()),
        }
    }

    fn diagonal_of(&self, a: DeviceRef<'_, T>) -> DeviceMatrix<T> {
        assert_eq!(a.layout.rows, a.layout.cols, "a square matrix");
        self.copy_of(DeviceRef::of(a.layout.diagonal(), a.format))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_goes_down_and_right() {
        let whole = Layout { data: 4096, rows: 6, cols: 6, row: 1, column: 12, plane: 96 };
        let diagonal = whole.diagonal();
        assert_eq!(diagonal, Layout { cols: 1, row: 13, ..whole });
        assert_eq!(diagonal.block(4, 0, 1, 1).data, whole.block(4, 4, 1, 1).data);
        assert_eq!(whole.op(Transpose::Yes).diagonal().row, 13);
        assert_eq!(Layout { rows: 0, cols: 0, ..whole }.diagonal().shape(), (0, 1));
    }
}
