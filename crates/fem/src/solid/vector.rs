//! Vectors, matrices and symmetric tensors of three dimensions.

use nonius_linalg::cpu::simd::real::{Real, each};

/// A vector.
pub(crate) type V3<T> = [T; 3];

/// Rows of a matrix.
pub(crate) type M3<T> = [V3<T>; 3];

/// A symmetric tensor: `11, 22, 33, 12, 23, 13`.
pub(crate) type Symmetric<T> = [T; 6];

/// `a × b + c`.
#[inline(always)]
pub(crate) fn cross_add<T: Real>(a: V3<T>, b: V3<T>, c: V3<T>) -> V3<T> {
    [
        a[1].mul_add(b[2], (-a[2]).mul_add(b[1], c[0])),
        a[2].mul_add(b[0], (-a[0]).mul_add(b[2], c[1])),
        a[0].mul_add(b[1], (-a[1]).mul_add(b[0], c[2])),
    ]
}

/// `a × b`.
#[inline(always)]
pub(crate) fn cross<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [
        a[1].mul_add(b[2], -(a[2] * b[1])),
        a[2].mul_add(b[0], -(a[0] * b[2])),
        a[0].mul_add(b[1], -(a[1] * b[0])),
    ]
}

/// `a · b + c`.
#[inline(always)]
pub(crate) fn dot_add<T: Real>(a: V3<T>, b: V3<T>, c: T) -> T {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul_add(b[2], c)))
}

/// `a · b`.
#[inline(always)]
pub(crate) fn dot<T: Real>(a: V3<T>, b: V3<T>) -> T {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// Entry by entry.
#[inline(always)]
pub(crate) fn add<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Entry by entry.
#[inline(always)]
pub(crate) fn sub<T: Real>(a: V3<T>, b: V3<T>) -> V3<T> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// All entries times a number.
#[inline(always)]
pub(crate) fn scale<T: Real>(k: T, a: V3<T>) -> V3<T> {
    [k * a[0], k * a[1], k * a[2]]
}

/// `k·a + b`.
#[inline(always)]
pub(crate) fn scale_add<T: Real>(k: T, a: V3<T>, b: V3<T>) -> V3<T> {
    [k.mul_add(a[0], b[0]), k.mul_add(a[1], b[1]), k.mul_add(a[2], b[2])]
}

/// What a step changes by less than this part of an element's size is zero in what is of the second
/// order: products of such numbers would leave the range of `f32`, where processors are slow.
const LEAST_RELATIVE_CHANGE: f64 = 1e-18;

/// All vectors, and zero for entries that are tiny.
#[inline(always)]
pub(crate) fn without_tiny<T: Real, const K: usize>(a: &[V3<T>; K]) -> [V3<T>; K] {
    let mut all = *a;
    for a in &mut all {
        *a = each!(3, I => a[I].without_tiny(LEAST_RELATIVE_CHANGE));
    }
    all
}

/// All entries with the other sign.
#[inline(always)]
pub(crate) fn negative<T: Real>(a: V3<T>) -> V3<T> {
    [-a[0], -a[1], -a[2]]
}

/// A matrix times a number.
#[inline(always)]
pub(crate) fn scale_matrix<T: Real>(k: T, m: &M3<T>) -> M3<T> {
    each!(3, I => scale(k, m[I]))
}

/// The deviator of a symmetric tensor, and its mean.
#[inline(always)]
pub(crate) fn deviator<T: Real>(s: &Symmetric<T>) -> (Symmetric<T>, T) {
    // By a quotient: a third has a rounding error, which would be there in every step.
    let mean = (s[0] + s[1] + s[2]) / T::splat(3.0);
    ([s[0] - mean, s[1] - mean, s[2] - mean, s[3], s[4], s[5]], mean)
}

/// `A·B`.
#[inline(always)]
pub(crate) fn product<T: Real>(a: &M3<T>, b: &M3<T>) -> M3<T> {
    each!(3, I => scale_add(a[I][2], b[2], scale_add(a[I][1], b[1], scale(a[I][0], b[0]))))
}

/// `A·Bᵀ`, of which only what a symmetric tensor keeps.
#[inline(always)]
pub(crate) fn symmetric_product<T: Real>(a: &M3<T>, b: &M3<T>) -> Symmetric<T> {
    [
        dot(a[0], b[0]),
        dot(a[1], b[1]),
        dot(a[2], b[2]),
        dot(a[0], b[1]),
        dot(a[1], b[2]),
        dot(a[0], b[2]),
    ]
}

/// The matrix of a symmetric tensor.
#[inline(always)]
pub(crate) fn full<T: Real>(s: &Symmetric<T>) -> M3<T> {
    [[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]]
}

/// Adds `a ⊗ b` to a matrix.
#[inline(always)]
pub(crate) fn add_outer<T: Real>(m: &mut M3<T>, a: V3<T>, b: V3<T>) {
    for i in 0..3 {
        m[i] = scale_add(a[i], b, m[i]);
    }
}

/// `σ : ε`.
#[inline(always)]
pub(crate) fn contraction<S: Real>(stress: &Symmetric<S>, strain: &Symmetric<S>) -> S {
    let normal = stress[0].mul_add(strain[0], stress[1].mul_add(strain[1], stress[2] * strain[2]));
    let shear = stress[3].mul_add(strain[3], stress[4].mul_add(strain[4], stress[5] * strain[5]));
    normal + shear + shear
}
