//! Hexahedra: modes, the mean gradient, tangents.

use nonius_linalg::cpu::simd::real::Real;

use super::{Gradients, Growth, ROOT, SIGNS};
use crate::solid::vector::{V3, add, cross_add, dot_add, negative, scale, scale_add, sub};

/// The modes of a hexahedron: `a₁, a₂, a₃, h₁₂, h₁₃, h₂₃, h₁₂₃`.
type Modes<T> = [V3<T>; 7];

/// Modes of numbers at nodes, of which eighths are given.
#[inline(always)]
pub(crate) fn modes<T: Real>(x: &[V3<T>; 8]) -> Modes<T> {
    // Pairs along ξ, then η, then ζ: sums and differences.
    let ((s00, d00), (s10, d10)) = (pair(x[0], x[1]), pair(x[3], x[2]));
    let ((s01, d01), (s11, d11)) = (pair(x[4], x[5]), pair(x[7], x[6]));
    let ((ss0, sd0), (ds0, dd0)) = (pair(s00, s10), pair(d00, d10));
    let ((ss1, sd1), (ds1, dd1)) = (pair(s01, s11), pair(d01, d11));
    let [a1, h13] = [add(ds1, ds0), sub(ds1, ds0)];
    let [a2, h23] = [add(sd1, sd0), sub(sd1, sd0)];
    let [h12, h123] = [add(dd1, dd0), sub(dd1, dd0)];
    [a1, a2, sub(ss1, ss0), h12, h13, h23, h123]
}

/// The sum and the difference.
#[inline(always)]
fn pair<T: Real>(a: V3<T>, b: V3<T>) -> (V3<T>, V3<T>) {
    (add(b, a), sub(b, a))
}

/// Numbers at nodes of modes, without the mean.
#[inline(always)]
pub(crate) fn at_nodes<T: Real>(m: &Modes<T>) -> [V3<T>; 8] {
    let [a1, a2, a3, h12, h13, h23, h123] = *m;
    let [l0, l1, l2, l3] = layer(negative(a3), sub(a1, h13), sub(a2, h23), sub(h12, h123));
    let [u0, u1, u2, u3] = layer(a3, add(a1, h13), add(a2, h23), add(h12, h123));
    [l0, l1, l2, l3, u0, u1, u2, u3]
}

/// Numbers at four nodes of one sign of ζ, of the coefficients of 1, ξ, η and ξη.
#[inline(always)]
pub(crate) fn layer<T: Real>(one: V3<T>, xi: V3<T>, eta: V3<T>, both: V3<T>) -> [V3<T>; 4] {
    let (front, back) = (sub(one, eta), add(one, eta));
    let (along_front, along_back) = (sub(xi, both), add(xi, both));
    [sub(front, along_front), add(front, along_front), add(back, along_back), sub(back, along_back)]
}

/// The weight of the mean gradient of a hexahedron.
pub(crate) const MEAN_WEIGHT: f64 = 8.0;

const A1: usize = 0;
const A2: usize = 1;
const A3: usize = 2;
const H12: usize = 3;
const H13: usize = 4;
const H23: usize = 5;

/// A form of pairs of vectors.
trait Form<T: Real> {
    /// Of the modes `i` and `j`, plus a vector.
    fn add(&self, i: usize, j: usize, c: V3<T>) -> V3<T>;
}

/// `x_i × x_j`.
struct Products<'a, T>(&'a [V3<T>; 6]);

impl<T: Real> Form<T> for Products<'_, T> {
    #[inline(always)]
    fn add(&self, i: usize, j: usize, c: V3<T>) -> V3<T> {
        cross_add(self.0[i], self.0[j], c)
    }
}

/// `x_i × y_j + y_i × x_j`.
struct Mixed<'a, T>(&'a [V3<T>; 6], &'a [V3<T>; 6]);

impl<T: Real> Form<T> for Mixed<'_, T> {
    #[inline(always)]
    fn add(&self, i: usize, j: usize, c: V3<T>) -> V3<T> {
        cross_add(self.0[i], self.1[j], cross_add(self.1[i], self.0[j], c))
    }
}

/// The six gradients of a form.
#[inline(always)]
fn gradients<T: Real>(form: &impl Form<T>) -> [V3<T>; 6] {
    let (zero, third) = ([T::zero(); 3], T::splat(1.0 / 3.0));
    [
        form.add(A2, A3, scale(third, form.add(H12, H13, zero))),
        form.add(A3, A1, scale(third, form.add(H23, H12, zero))),
        form.add(A1, A2, scale(third, form.add(H13, H23, zero))),
        scale(third, form.add(A2, H23, form.add(H13, A1, zero))),
        scale(third, form.add(H23, A3, form.add(A1, H12, zero))),
        scale(third, form.add(A3, H13, form.add(H12, A2, zero))),
    ]
}

/// The mean gradient of a hexahedron, by its first six modes.
#[inline(always)]
pub(crate) fn mean_hexahedron<A: Real>(x: &[V3<A>; 6]) -> Gradients<A, 6> {
    let g = gradients(&Products(x));
    let mut v = A::zero();
    for k in 0..6 {
        v = dot_add(x[k], g[k], v);
    }
    // A third of the weight has a rounding error, which would be one of the elements' stiffness;
    // three has none.
    Gradients { g, v: A::splat(MEAN_WEIGHT) * v / A::splat(3.0) }
}

/// How it changes in a step of its modes.
#[inline(always)]
pub(crate) fn mean_hexahedron_growth<A: Real>(
    here: &Gradients<A, 6>,
    x: &[V3<A>; 6],
    step: &[V3<A>; 6],
) -> Growth<A, 6> {
    let dg = gradients(&Mixed(x, step));
    let mut q = gradients(&Products(step));
    let (mut dv, mut bulge) = (A::zero(), A::zero());
    for k in 0..6 {
        q[k] = scale(A::splat(0.25), q[k]);
        let mean = scale_add(A::splat(1.0 / 3.0), q[k], here.g[k]);
        dv = dot_add(mean, step[k], dv);
        bulge = dot_add(x[k], q[k], bulge);
    }
    let weight = A::splat(MEAN_WEIGHT);
    Growth { dg, q, dv: weight * dv, bulge: weight * bulge }
}

/// Where the points of a hexahedron lie.
#[inline(always)]
pub(crate) fn place(point: usize) -> [f64; 3] {
    let [xi, eta, zeta] = SIGNS[point];
    [xi * ROOT, eta * ROOT, zeta * ROOT]
}

/// `x_ξ`, `x_η`, `x_ζ`.
#[inline(always)]
pub(crate) fn tangents<T: Real>(m: &Modes<T>, [xi, eta, zeta]: [f64; 3]) -> [V3<T>; 3] {
    let [a1, a2, a3, h12, h13, h23, h123] = *m;
    [
        tangent(a1, (h12, eta), (h13, zeta), h123),
        tangent(a2, (h12, xi), (h23, zeta), h123),
        tangent(a3, (h13, xi), (h23, eta), h123),
    ]
}

/// `a + s·p + t·q + st·r`.
#[inline(always)]
fn tangent<T: Real>(a: V3<T>, (p, s): (V3<T>, f64), (q, t): (V3<T>, f64), r: V3<T>) -> V3<T> {
    let linear = scale_add(T::splat(s), p, scale_add(T::splat(t), q, a));
    scale_add(T::splat(s * t), r, linear)
}

/// Adds to forces on modes those on tangents, but for a factor of eight.
#[inline(always)]
pub(crate) fn add_tangents<T: Real>(m: &mut Modes<T>, f: &[V3<T>; 3], [xi, eta, zeta]: [f64; 3]) {
    let weights = [
        (0, 1.0, 0),
        (1, 1.0, 1),
        (2, 1.0, 2),
        (3, eta, 0),
        (3, xi, 1),
        (4, zeta, 0),
        (4, xi, 2),
        (5, zeta, 1),
        (5, eta, 2),
        (6, eta * zeta, 0),
        (6, xi * zeta, 1),
        (6, xi * eta, 2),
    ];
    for (mode, weight, tangent) in weights {
        m[mode] = scale_add(T::splat(weight), f[tangent], m[mode]);
    }
}
