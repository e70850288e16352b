//! Householder reflections, column by column.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed.: Algorithms 5.1.1 (a reflection) and 5.2.1 (factorisation).

use nonius_num::Real;

use super::reduce::{dot, nrm2};
use crate::MatMut;

/// Turns `x` of the given 2-norm into the reflection `H = I − 2·v·vᵀ/vᵀv`, `v₀ = 1`, that maps it to a multiple `β` of
/// the first unit vector: the rest of `v` stands in the place of the rest of `x`. `β` is returned, and `x₀` left to the caller.
///
/// The sign of `β` is that for which `x₀ − β` does not cancel, so that `v` is within a few units of roundoff of the exact one
/// (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., Lemma 19.1). For a zero vector `v` is the first unit
/// vector.
pub(crate) fn reflector<T: Real>(x: &mut [T], norm: T, divide: impl Fn(&mut [T], T)) -> T {
    let Some((first, rest)) = x.split_first_mut() else { return norm };
    let beta = if *first > T::ZERO { -norm } else { norm };
    let pivot = *first - beta;
    if pivot != T::ZERO {
        divide(rest, pivot);
    }
    beta
}

/// [`qr_panel`](crate::backend::Reflect::qr_panel).
pub(crate) fn qr_panel<T: Real>(mut a: MatMut<'_, T>) {
    let (m, n) = a.shape();
    for j in 0..n {
        let x = &mut a.col_mut(j)[j..];
        let norm = nrm2(x);
        let beta = reflector(x, norm, |rest, by| rest.iter_mut().for_each(|x| *x /= by));
        x[0] = T::ONE;
        let v = x.to_vec();
        x[0] = beta;
        let factor = T::from_f64(2.0) / dot(&v, &v);
        for k in j + 1..n {
            let column = &mut a.col_mut(k)[j..m];
            let product = factor * dot(&v, column);
            for (x, &v) in column.iter_mut().zip(&v) {
                *x -= product * v;
            }
        }
    }
}
