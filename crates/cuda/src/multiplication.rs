//! What is asked of an engine that multiplies matrices.

use nonius_linalg::Number;
use nonius_linalg::dense::{Transpose, Triangle};

use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef, Layout, assert_formats};
use crate::operand::Operand;

/// `C ← α·op(A)·op(B) + β·C`, or one triangle of it, for shapes that fit.
#[derive(Clone, Copy)]
pub(crate) struct Multiplication<T: Number> {
    pub(crate) format: T::Format,
    pub(crate) part: Option<Triangle>,
    pub(crate) alpha: T,
    pub(crate) a: Operand,
    pub(crate) b: Operand,
    pub(crate) beta: T,
    pub(crate) c: Layout,
}

impl<T: Number> Multiplication<T> {
    /// A product of square matrices that are nowhere: what is asked about it depends on sizes
    /// alone.
    pub(crate) fn plain_square(format: T::Format, order: usize) -> Self {
        let (rows, cols) = (order as i64, order as i64);
        let layout = Layout { rows, cols, ..Layout::NONE };
        let operand = Operand::new(Transpose::No, layout);
        let (alpha, beta) = (T::ONE, T::ZERO);
        Self { format, part: None, alpha, a: operand, b: operand, beta, c: layout }
    }

    /// Rows and columns of `C`, and terms. Panics where shapes do not fit.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        let ((m, k), (inner, n)) = (self.a.shape(), self.b.shape());
        assert_eq!(k, inner, "inner dimensions");
        assert_eq!(self.c.shape(), (m, n), "shape of C");
        [m, n, k]
    }

    /// What the numbers consist of.
    pub(crate) fn kind(&self) -> Kind {
        Kind::of::<T>(self.format)
    }
}

/// A product of all of `C`. Panics where formats differ.
pub(crate) fn multiplication<T: Number>(
    (transpose_a, a): (Transpose, DeviceRef<'_, T>),
    (transpose_b, b): (Transpose, DeviceRef<'_, T>),
    alpha: T,
    beta: T,
    c: DeviceMut<'_, T>,
) -> Multiplication<T> {
    assert_formats::<T, _>(c.format, [a.format, b.format]);
    Multiplication {
        format: c.format,
        part: None,
        alpha,
        a: Operand::new(transpose_a, a.layout),
        b: Operand::new(transpose_b, b.layout),
        beta,
        c: c.layout,
    }
}

/// One triangle of a product with the transpose, which has as many columns as `C`. Panics where
/// formats differ.
pub(crate) fn update<T: Number>(
    triangle: Triangle,
    (transpose, a): (Transpose, DeviceRef<'_, T>),
    alpha: T,
    beta: T,
    c: DeviceMut<'_, T>,
) -> Multiplication<T> {
    assert_formats::<T, _>(c.format, [a.format]);
    let (_, k) = transpose.shape(a.layout.shape());
    let (rows, cols) = transpose.shape((c.layout.shape().1, k));
    Multiplication {
        format: c.format,
        part: Some(triangle),
        alpha,
        a: Operand::new(transpose, a.layout),
        b: Operand::new(transpose.flipped(), a.layout.block(0, 0, rows, cols)),
        beta,
        c: c.layout,
    }
}
