//! Householder reflections of a few columns.
//!
//! Columns are finished from left to right. A column takes all reflections before it at once, as
//! `I − V·S⁻ᵀ·Vᵀ` with the triangular `S` of [`Reflectors`](crate::dense::qr), so that each entry
//! is touched by two long sums, which vectors and threads share. The same reflections as those of
//! [`reference::reflect`](crate::reference), but for rounding.

use super::gemv::gemv;
use super::reduce::{dot, nrm2};
use crate::dense::Transpose;
use crate::reference::reflect::reflector;
use crate::{MatMut, Matrix, Number, Numbers, SliceMut};

/// [`qr_panel`](crate::backend::Reflect::qr_panel).
pub(crate) fn qr_panel<T: Number>(mut a: MatMut<'_, T>) {
    let ((m, n), format) = (a.shape(), a.format());
    let (yes, no) = (Transpose::Yes, Transpose::No);
    let mut v = Matrix::<T>::zeros_in(format, m, n);
    let mut s = Matrix::<T>::zeros_in(format, n, n);
    let mut w = Numbers::<T>::zeros(format, n);
    for j in 0..n {
        let mut x = a.column_mut(j);
        let before = v.view().block(0, 0, m, j);
        let mut w = w.as_mut_slice().range(0..j);
        gemv(yes, T::ONE, before, x.as_slice(), T::ZERO, w.reborrow());
        for i in 0..j {
            let known = (0..i).fold(T::ZERO, |sum, k| sum + s.at(k, i) * w.at(k));
            w.set(i, (w.at(i) - known) / s.at(i, i));
        }
        gemv(no, -T::ONE, before, w.as_slice(), T::ONE, x.reborrow());
        let beta = reflect(x.reborrow().range(j..m));
        v.column_mut(j).range(j..m).copy_from(x.as_slice().range(j..m));
        v.set(j, j, T::ONE);
        x.set(j, beta);
        let (column, before) = (v.column(j).range(j..m), v.view().block(j, 0, m - j, j));
        s.set(j, j, dot(column, column).ldexp(-1));
        gemv(yes, T::ONE, before, column, T::ZERO, s.column_mut(j).range(0..j));
    }
}

/// [`reflector`] of a vector.
pub(crate) fn reflect<T: Number>(x: SliceMut<'_, T>) -> T {
    let norm = nrm2(x.as_slice());
    reflector(x, norm, T::divide)
}
