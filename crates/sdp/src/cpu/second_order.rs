//! The algebra of a [second-order cone](crate::cone), on vectors `x = (x₀, x̄)`.
//!
//! **Error.** With `u` the unit roundoff and `γ` a small multiple of `n·u`:
//!
//! - a square root `w` has `w∘w` within `γ·x₀` of `x`, however near the boundary `x` is;
//! - an inverse `m` of `w` is off by `γ·w₀·m₀` times the magnitude of its entries;
//! - all else is off by `γ` times the sum of the magnitudes of what its formula adds.

use nonius_linalg::cpu::reduce::{dot, nrm2};
use nonius_linalg::{Number, Numbers, Slice, SliceMut};

/// `x₀` and `‖x̄‖`.
fn parts<T: Number>(x: Slice<'_, T>) -> [T; 2] {
    [x.at(0), nrm2(x.range(1..x.len()))]
}

/// `det x = (x₀ − ‖x̄‖)·(x₀ + ‖x̄‖)`.
fn det<T: Number>(x: Slice<'_, T>) -> T {
    let [head, norm] = parts(x);
    (head - norm) * (head + norm)
}

/// `to ← f(i, i = 0)` for each entry.
fn write<T: Number>(to: &mut SliceMut<'_, T>, f: impl Fn(usize, bool) -> T) {
    (0..to.len()).for_each(|i| to.set(i, f(i, i == 0)));
}

/// `x ← α·(1, 0)`.
pub(super) fn identity<T: Number>(alpha: T, mut x: SliceMut<'_, T>) {
    x.reborrow().clear();
    x.set(0, alpha);
}

/// `w ← x^½`; whether `x` is in the interior of the cone, else `w` is of no use.
pub(super) fn root<T: Number>(x: Slice<'_, T>, mut w: SliceMut<'_, T>) -> bool {
    let [head, norm] = parts(x);
    let gap = head - norm;
    // `w₀² = (x₀ + √det x)/2`, where nothing cancels, and `2·w₀·w̄ = x̄`.
    let first = (head + gap.sqrt() * (head + norm).sqrt()).ldexp(-1).sqrt();
    let twice = first.ldexp(1);
    write(&mut w, |i, is_first| if is_first { first } else { x.at(i) / twice });
    gap > T::ZERO && head.is_finite() && first.is_finite()
}

/// `m ← w⁻¹ = (w₀, −w̄)/det w`.
pub(super) fn invert<T: Number>(w: Slice<'_, T>, mut m: SliceMut<'_, T>) {
    let det = det(w);
    write(&mut m, |i, is_first| if is_first { w.at(i) } else { -w.at(i) } / det);
}

/// `a ← m∘m`.
pub(super) fn square<T: Number>(m: Slice<'_, T>, mut a: SliceMut<'_, T>) {
    let twice = m.at(0).ldexp(1);
    let first = dot(m, m);
    write(&mut a, |i, is_first| if is_first { first } else { twice * m.at(i) });
}

/// `det(u, v) = u₀v₀ − ū·v̄`, of terms none of which is negative where both are in the cone:
/// `((u₀ + ‖ū‖)(v₀ − ‖v̄‖) + (u₀ − ‖ū‖)(v₀ + ‖v̄‖))/2 + ‖ū‖‖v̄‖·‖ū/‖ū‖ − v̄/‖v̄‖‖²/2`.
pub(super) fn polar_det<T: Number>(u: Slice<'_, T>, v: Slice<'_, T>) -> T {
    let ([x, a], [y, b]) = (parts(u), parts(v));
    let of_lengths = ((x + a) * (y - b) + (x - a) * (y + b)).ldexp(-1);
    if a == T::ZERO || b == T::ZERO {
        return of_lengths;
    }
    let mut apart = Numbers::with_capacity(u.format(), u.len());
    (1..u.len()).for_each(|i| apart.push(u.at(i) / a - v.at(i) / b));
    of_lengths + (a * b * dot(&apart, &apart)).ldexp(-1)
}

/// `c ← α·{u, d, v} + β·c`; `c` is not read where `β` is zero.
pub(super) fn triple<T: Number>(
    alpha: T,
    [u, d, v]: [Slice<'_, T>; 3],
    beta: T,
    mut c: SliceMut<'_, T>,
) {
    let (of_u, of_v, det) = (dot(u, d), dot(v, d), polar_det(u, v));
    let is_new = beta == T::ZERO;
    for i in 0..c.len() {
        let last = det * d.at(i);
        let sum = of_u * v.at(i) + of_v * u.at(i) + if i == 0 { -last } else { last };
        let product = alpha * sum;
        c.set(i, if is_new { product } else { product + beta * c.at(i) });
    }
}

/// The least eigenvalue of `{m, a, m}`.
pub(super) fn least_eigenvalue<T: Number>(m: Slice<'_, T>, a: Slice<'_, T>) -> f64 {
    let (twice, det) = (dot(m, a).ldexp(1), det(m));
    let mut product = Numbers::zeros(m.format(), m.len());
    write(&mut product.as_mut_slice(), |i, is_first| {
        let last = det * a.at(i);
        twice * m.at(i) + if is_first { -last } else { last }
    });
    let [head, norm] = parts(product.as_slice());
    (head - norm).to_f64()
}
