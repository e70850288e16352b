//! Householder reflections, column by column.
//!
//! Golub and Van Loan, *Matrix Computations*, 4th ed.: Algorithms 5.1.1 (a reflection) and 5.2.1
//! (factorisation).

use nonius_num::Real;

use super::reduce::{dot, nrm2};
use crate::{MatMut, Number, Numbers, SliceMut};

/// `β` of the reflection that maps a vector of this first entry and 2-norm to `β` times the first
/// unit vector. Its sign is that for which `x₀ − β` does not cancel.
pub fn reflected<T: Real>(first: T, norm: T) -> T {
    if first > T::ZERO { -norm } else { norm }
}

/// Turns `x` of the given 2-norm into the reflection `H = I − 2·v·vᵀ/vᵀv`, `v₀ = 1`, that maps it
/// to a multiple `β` of the first unit vector: the rest of `v` stands in the place of the rest of
/// `x`. `β` is returned, and `x₀` left to the caller.
///
/// The sign of `β` is that for which `x₀ − β` does not cancel, so that `v` is within a few units of
/// roundoff of the exact one (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
/// Lemma 19.1). For a zero vector `v` is the first unit vector.
pub(crate) fn reflector<T: Real>(
    x: SliceMut<'_, T>,
    norm: T,
    divide: impl Fn(SliceMut<'_, T>, T),
) -> T {
    if x.is_empty() {
        return norm;
    }
    let first = x.at(0);
    let beta = reflected(first, norm);
    let pivot = first - beta;
    if pivot != T::ZERO {
        let end = x.len();
        divide(x.range(1..end), pivot);
    }
    beta
}

/// [`qr_panel`](crate::backend::Reflect::qr_panel).
pub(crate) fn qr_panel<T: Number>(mut a: MatMut<'_, T>) {
    let (m, n) = a.shape();
    let mut v = Numbers::<T>::zeros(a.format(), m);
    for j in 0..n {
        let mut x = a.column_mut(j).range(j..m);
        let norm = nrm2(x.as_slice());
        let beta = reflector(x.reborrow(), norm, |mut rest, by| {
            (0..rest.len()).for_each(|i| rest.set(i, rest.at(i) / by));
        });
        x.set(0, T::ONE);
        v.as_mut_slice().range(j..m).copy_from(x.as_slice());
        x.set(0, beta);
        let v = v.as_slice().range(j..m);
        let factor = T::from_f64(2.0) / dot(v, v);
        for k in j + 1..n {
            let mut column = a.column_mut(k).range(j..m);
            let product = factor * dot(v, column.as_slice());
            for (i, v) in v.iter().enumerate() {
                column.set(i, column.at(i) - product * v);
            }
        }
    }
}
