//! Congruences with vectors, by the products of all matrices.

use nonius_linalg::cpu::gemv::gemv;
use nonius_linalg::dense::Transpose;
use nonius_linalg::{Matrix, Scalar};

/// [`congruence`](crate::cpu::kernels::Kernels::congruence): three products with vectors.
pub(super) fn congruence<T: Scalar>(m: &Matrix<T>, a: &Matrix<T>, q: &[f64], w: &mut [f64]) {
    let mut x: Vec<T> = q.iter().map(|&x| T::from_f64(x)).collect();
    let mut y = x.clone();
    let product = |transpose, a: &Matrix<T>, x: &[T], y: &mut [T]| {
        gemv(transpose, T::ONE, a.view(), x, T::ZERO, y);
    };
    product(Transpose::Yes, m, &x, &mut y);
    product(Transpose::No, a, &y, &mut x);
    product(Transpose::No, m, &x, &mut y);
    w.iter_mut().zip(&y).for_each(|(w, y)| *w = y.to_f64());
}
