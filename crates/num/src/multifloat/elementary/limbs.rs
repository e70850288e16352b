//! Limb by limb: look-up, selection, scaling.
//!
//! Loops, not closures: a closure that the compiler leaves out of line is compiled without the
//! instructions of the vector kernel around it, and then every operation in it becomes a call.

use crate::Lane;

/// The first `K` limbs of entry `index` of a table.
#[inline(always)]
pub(super) fn look_up<const K: usize, const M: usize, T: Lane>(
    table: &[[f64; M]],
    index: T,
) -> [T; K] {
    let mut z = [T::splat(0.0); K];
    for (limb, plane) in z.iter_mut().zip(table) {
        *limb = index.look_up(plane);
    }
    z
}

/// The first `K` limbs of a constant, in every lane.
#[inline(always)]
pub(super) fn splat<const K: usize, T: Lane>(constant: &[f64]) -> [T; K] {
    let mut z = [T::splat(0.0); K];
    for (limb, &x) in z.iter_mut().zip(constant) {
        *limb = T::splat(x);
    }
    z
}

/// The first `K` limbs of `x`, or all of them followed by zeros.
#[inline(always)]
pub(super) fn resize<const K: usize, T: Lane>(x: &[T]) -> [T; K] {
    let mut z = [T::splat(0.0); K];
    for (limb, &x) in z.iter_mut().zip(x) {
        *limb = x;
    }
    z
}

/// `x·power` for a power of two, or ±1.
#[inline(always)]
pub(super) fn scale<const N: usize, T: Lane>(mut x: [T; N], power: T) -> [T; N] {
    for limb in &mut x {
        *limb = *limb * power;
    }
    x
}

/// `x` where the mask is set, else `y`.
#[inline(always)]
pub(super) fn select<const N: usize, T: Lane>(mask: T::Mask, mut x: [T; N], y: [T; N]) -> [T; N] {
    for (x, &y) in x.iter_mut().zip(&y) {
        *x = T::select(mask, *x, y);
    }
    x
}

/// `−x` where the mask is set, else `x`.
#[inline(always)]
pub(super) fn negate_where<const N: usize, T: Lane>(mask: T::Mask, mut x: [T; N]) -> [T; N] {
    for limb in &mut x {
        *limb = T::select(mask, -*limb, *limb);
    }
    x
}
