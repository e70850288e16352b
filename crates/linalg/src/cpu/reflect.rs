//! Householder reflections of a few columns.
//!
//! Columns are finished from left to right. A column takes all reflections before it at once, as `I − V·S⁻ᵀ·Vᵀ` with the
//! triangular `S` of [`Reflectors`](crate::dense::qr), so that each entry is touched by two long sums, which vectors and
//! threads share. The same reflections as those of [`reference::reflect`](crate::reference), but for rounding.

use super::elementwise::elementwise;
use super::gemv::gemv;
use super::reduce::{dot, nrm2};
use crate::dense::{Operand, Transpose};
use crate::operation::BinaryOp;
use crate::reference::reflect::reflector;
use crate::{MatMut, Matrix, Scalar};

/// [`qr_panel`](crate::backend::Reflect::qr_panel).
pub(crate) fn qr_panel<T: Scalar>(mut a: MatMut<'_, T>) {
    let (m, n) = a.shape();
    let mut v = Matrix::<T>::zeros(m, n);
    let mut s = Matrix::<T>::zeros(n, n);
    let mut w = vec![T::ZERO; n];
    for j in 0..n {
        let x = a.col_mut(j);
        let before = v.view().block(0, 0, m, j);
        let w = &mut w[..j];
        gemv(Transpose::Yes, T::ONE, before, x, T::ZERO, w);
        for i in 0..j {
            let known = (0..i).fold(T::ZERO, |sum, k| sum + s[(k, i)] * w[k]);
            w[i] = (w[i] - known) / s[(i, i)];
        }
        gemv(Transpose::No, -T::ONE, before, w, T::ONE, x);
        let beta = reflect(&mut x[j..]);
        let column = &mut v.col_mut(j)[j..];
        column.copy_from_slice(&x[j..]);
        column[0] = T::ONE;
        x[j] = beta;
        let (column, before) = (&v.col(j)[j..], v.view().block(j, 0, m - j, j));
        s[(j, j)] = dot(column, column).ldexp(-1);
        gemv(Transpose::Yes, T::ONE, before, column, T::ZERO, &mut s.col_mut(j)[..j]);
    }
}

/// [`reflector`] of a vector.
pub(crate) fn reflect<T: Scalar>(x: &mut [T]) -> T {
    let norm = nrm2(x);
    reflector(x, norm, |rest, by| {
        let operands = [Operand::Output, Operand::Scalar(by)];
        elementwise(BinaryOp::Div, operands, MatMut::from_column(rest));
    })
}
