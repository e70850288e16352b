//! Gradients of shape functions, integrated over elements, and how they change in a step.
//!
//! **What.** Coordinates of an element are written by some vectors `x_k` of which its gradients consist: modes, edges or diagonals (*coordinates* below). At a point `p` its volume is `v`, and `g_k` are such that a mean
//! velocity gradient is `w·Σ ẋ_k ⊗ g_k/v` and a stress `σ` has the forces `σ·g_k` on the coordinates, `w` a constant of the kind. In space `g` is a quadratic form of the coordinates, `g = B(x, x)`. With
//! `x̄` half way and `Δ` the step,
//!
//! `g(x̄ ± ½Δ) = B(x̄, x̄) ± B(x̄, Δ) + ¼·B(Δ, Δ)`,
//!
//! where the middle term, called the increment below, is as exact as `Δ` is: nothing cancels. So are all forces' increments that are computed from it. The volume is `v = ⅓·w·Σ x_k·g_k`, its
//! increment `w·Σ (g_k + ⅓·q_k)·Δ_k` with `q = ¼·B(Δ, Δ)`.
//!
//! **Hexahedra with one point** take the mean of the gradient over the volume (Flanagan and Belytschko, *A uniform strain hexahedron and quadrilateral with orthogonal hourglass control*, 1981), which here is
//! written by the modes of the coordinates, `x = x₀ + a₁ξ + a₂η + a₃ζ + h₁₂ξη + h₁₃ξζ + h₂₃ηζ + h₁₂₃ξηζ`. Of
//! `∫(∂N_I/∂ξ·(x_η × x_ζ) + …)` there is left, by the signs of the node,
//!
//! `ξ·(a₂×a₃ + ⅓h₁₂×h₁₃) + η·(a₃×a₁ + ⅓h₂₃×h₁₂) + ζ·(a₁×a₂ + ⅓h₁₃×h₂₃) + ⅓ξη·(a₂×h₂₃ + h₁₃×a₁) + ⅓ξζ·(h₂₃×a₃ + a₁×h₁₂) + ⅓ηζ·(a₃×h₁₃ + h₁₂×a₂)`,
//!
//! of which the coefficients are the `g_k` of six modes, with `w = 8`.
//!
//! **Points of hexahedra with eight** have the tangents `x_ξ, x_η, x_ζ` as coordinates, whose gradients are the cofactors.
//!
//! **Around an axis** `v = ∫r dA` and `g` is `∫∂N_I/∂x r dA`; a third entry, `∫N_I dA`, makes hoop strains of radial motion.

use super::vector::{
    V3, add, cross, cross_add, dot, dot_add, narrow, narrow_all, negative, scale, scale_add, sub,
};
use crate::cpu::simd::real::{Narrow, Real};

/// A point of an element: half way, and what the step changes.
#[derive(Clone, Copy)]
pub(super) struct Point<S, A, const K: usize> {
    /// `g` half way.
    pub(super) g: [V3<A>; K],
    /// Its increment.
    pub(super) dg: [V3<S>; K],
    /// `q`: the mean of both ends is `g + q`.
    pub(super) q: [V3<S>; K],
    /// The volume half way.
    pub(super) v: A,
    /// Its increment.
    pub(super) dv: S,
    /// What the mean of the volumes at both ends has over it.
    pub(super) bulge: S,
}

/// Signs of the nodes of a hexahedron in the three directions, in Abaqus's order.
pub(crate) const SIGNS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// `1/√3`: with signs, where the points of a hexahedron lie.
pub(crate) const ROOT: f64 = 0.577_350_269_189_625_8;

/// The modes of a hexahedron: `a₁, a₂, a₃, h₁₂, h₁₃, h₂₃, h₁₂₃`.
pub(crate) type Modes<T> = [V3<T>; 7];

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
pub(super) fn at_nodes<T: Real>(m: &Modes<T>) -> [V3<T>; 8] {
    let [a1, a2, a3, h12, h13, h23, h123] = *m;
    let [l0, l1, l2, l3] = layer(negative(a3), sub(a1, h13), sub(a2, h23), sub(h12, h123));
    let [u0, u1, u2, u3] = layer(a3, add(a1, h13), add(a2, h23), add(h12, h123));
    [l0, l1, l2, l3, u0, u1, u2, u3]
}

/// Numbers at four nodes of one sign of ζ, of the coefficients of 1, ξ, η and ξη.
#[inline(always)]
fn layer<T: Real>(one: V3<T>, xi: V3<T>, eta: V3<T>, both: V3<T>) -> [V3<T>; 4] {
    let (front, back) = (sub(one, eta), add(one, eta));
    let (along_front, along_back) = (sub(xi, both), add(xi, both));
    [sub(front, along_front), add(front, along_front), add(back, along_back), sub(back, along_back)]
}

/// The weight of the mean gradient of a hexahedron.
pub(super) const MEAN_WEIGHT: f64 = 8.0;

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
pub(super) fn mean_hexahedron<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 6],
    step: &[V3<S>; 6],
) -> Point<S, A, 6> {
    let g = gradients(&Products(x));
    let m = narrow_all(x);
    let dg = gradients(&Mixed(&m, step));
    let mut q = gradients(&Products(step));
    let mut v = A::zero();
    let (mut dv, mut bulge) = (S::zero(), S::zero());
    for k in 0..6 {
        q[k] = scale(S::splat(0.25), q[k]);
        v = dot_add(x[k], g[k], v);
        let mean = scale_add(S::splat(1.0 / 3.0), q[k], narrow(g[k]));
        dv = dot_add(mean, step[k], dv);
        bulge = dot_add(m[k], q[k], bulge);
    }
    let weight = S::splat(MEAN_WEIGHT);
    let v = A::splat(MEAN_WEIGHT / 3.0) * v;
    Point { g, dg, q, v, dv: weight * dv, bulge: weight * bulge }
}

/// A parallelepiped of three edges, times a weight.
#[inline(always)]
fn cofactors<A: Narrow<S>, S: Real>(j: &[V3<A>; 3], d: &[V3<S>; 3], weight: f64) -> Point<S, A, 3> {
    let m: [V3<S>; 3] = narrow_all(j);
    let mut g = [cross(j[1], j[2]), cross(j[2], j[0]), cross(j[0], j[1])];
    let mut dg = [
        cross_add(m[1], d[2], cross(d[1], m[2])),
        cross_add(m[2], d[0], cross(d[2], m[0])),
        cross_add(m[0], d[1], cross(d[0], m[1])),
    ];
    let mut q = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let (mut dv, mut bulge) = (S::zero(), S::zero());
    for k in 0..3 {
        if weight != 1.0 {
            g[k] = scale(A::splat(weight), g[k]);
            dg[k] = scale(S::splat(weight), dg[k]);
        }
        q[k] = scale(S::splat(0.25 * weight), q[k]);
        dv = dot_add(scale_add(S::splat(1.0 / 3.0), q[k], narrow(g[k])), d[k], dv);
        bulge = dot_add(m[k], q[k], bulge);
    }
    Point { g, dg, q, v: dot(j[0], g[0]), dv, bulge }
}

/// A point of a hexahedron with eight, by its tangents.
#[inline(always)]
pub(super) fn hexahedron_point<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 3],
    step: &[V3<S>; 3],
) -> Point<S, A, 3> {
    cofactors(x, step, 1.0)
}

/// Where the points of a hexahedron lie.
#[inline(always)]
pub(super) fn place(point: usize) -> [f64; 3] {
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
pub(super) fn add_tangents<T: Real>(m: &mut Modes<T>, f: &[V3<T>; 3], [xi, eta, zeta]: [f64; 3]) {
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

/// A tetrahedron, by its edges from the first node.
#[inline(always)]
pub(super) fn tetrahedron<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 3],
    step: &[V3<S>; 3],
) -> Point<S, A, 3> {
    cofactors(x, step, 1.0 / 6.0)
}

/// A plane quadrilateral of thickness one, by its diagonals.
#[inline(always)]
pub(super) fn quadrilateral<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 2],
    step: &[V3<S>; 2],
) -> Point<S, A, 2> {
    let (g, dg) = (turned(x), turned(step));
    let m: [V3<S>; 2] = narrow_all(&g);
    let v = x[0][0].mul_add(g[0][0], x[0][1] * g[0][1]);
    // Bilinear: of both diagonals' steps.
    let dv = dot(m[0], step[0]) + dot(m[1], step[1]);
    let bulge = S::splat(0.25) * dot(step[0], dg[0]);
    Point { g, dg, q: [[S::zero(); 3]; 2], v, dv, bulge }
}

/// The gradients of two diagonals: half of the other, turned.
#[inline(always)]
fn turned<T: Real>(x: &[V3<T>; 2]) -> [V3<T>; 2] {
    let half = T::splat(0.5);
    let [first, second] = *x;
    [
        [half * second[1], -(half * second[0]), T::zero()],
        [-(half * first[1]), half * first[0], T::zero()],
    ]
}

/// A quadrilateral around the second axis, of a radian, by its nodes.
#[inline(always)]
pub(super) fn axisymmetric<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 4],
    step: &[V3<S>; 4],
) -> Point<S, A, 4> {
    let mut point = Point {
        g: [[A::zero(); 3]; 4],
        dg: [[S::zero(); 3]; 4],
        q: [[S::zero(); 3]; 4],
        v: A::zero(),
        dv: S::zero(),
        bulge: S::zero(),
    };
    let quarter = S::splat(0.25);
    for s in &SIGNS[..4] {
        let at = [s[0] * ROOT, s[1] * ROOT];
        let (r, j1, j2) = plane_point(x, at);
        let (dr, d1, d2) = plane_point(step, at);
        let (m_r, m1, m2): (S, V3<S>, V3<S>) = (r.narrow(), narrow(j1), narrow(j2));
        let area = flat(j1, j2);
        let d_area = flat(d1, m2) + flat(m1, d2);
        let q_area = quarter * flat(d1, d2);
        point.v = point.v + r * area;
        let mean_area = area.narrow() + q_area;
        point.dv = point.dv + m_r * d_area + dr * mean_area;
        point.bulge = point.bulge + m_r * q_area + quarter * dr * d_area;
        for (i, s) in SIGNS[..4].iter().enumerate() {
            let (f, h) = (1.0 + s[0] * at[0], 1.0 + s[1] * at[1]);
            let (along, across) = (0.25 * s[0] * h, 0.25 * s[1] * f);
            let n = 0.25 * f * h;
            // ∂N/∂x times the area: linear in coordinates.
            let c = cofactor(along, across, j1, j2);
            let dc = cofactor(along, across, d1, d2);
            let m_c = cofactor(along, across, m1, m2);
            for k in 0..2 {
                point.g[i][k] = point.g[i][k] + r * c[k];
                point.dg[i][k] = point.dg[i][k] + dr * m_c[k] + m_r * dc[k];
                point.q[i][k] = point.q[i][k] + quarter * dr * dc[k];
            }
            point.g[i][2] = point.g[i][2] + A::splat(n) * area;
            point.dg[i][2] = point.dg[i][2] + S::splat(n) * d_area;
            point.q[i][2] = point.q[i][2] + S::splat(n) * q_area;
        }
    }
    point
}

/// The radius, `x_ξ` and `x_η`.
#[inline(always)]
fn plane_point<T: Real>(x: &[V3<T>; 4], [xi, eta]: [f64; 2]) -> (T, V3<T>, V3<T>) {
    let mut r = T::zero();
    let (mut j1, mut j2) = ([T::zero(); 3], [T::zero(); 3]);
    for (x, s) in x.iter().zip(&SIGNS) {
        let (f, h) = (1.0 + s[0] * xi, 1.0 + s[1] * eta);
        r = r + T::splat(0.25 * f * h) * x[0];
        j1 = add(j1, scale(T::splat(0.25 * s[0] * h), *x));
        j2 = add(j2, scale(T::splat(0.25 * s[1] * f), *x));
    }
    (r, j1, j2)
}

#[inline(always)]
fn flat<T: Real>(a: V3<T>, b: V3<T>) -> T {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn cofactor<T: Real>(along: f64, across: f64, j1: V3<T>, j2: V3<T>) -> [T; 2] {
    let (along, across) = (T::splat(along), T::splat(across));
    [along * j2[1] - across * j1[1], across * j1[0] - along * j2[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: [V3<f64>; 8] = [
        [0.1, -0.1, 0.0],
        [1.0, 0.05, 0.1],
        [1.1, 0.9, -0.05],
        [-0.05, 1.0, 0.02],
        [0.0, 0.1, 1.2],
        [0.93, 0.0, 1.0],
        [1.0, 1.07, 0.9],
        [0.08, 0.97, 1.1],
    ];

    fn step(i: usize) -> V3<f64> {
        let i = i as f64;
        [0.03 * (1.7 * i).sin(), 0.04 * (2.3 * i + 1.0).cos(), 0.02 * (3.1 * i).sin()]
    }

    /// `g` and `v` at both ends agree with those half way, their increments and means.
    fn closes<const N: usize>(
        half_way: &[V3<f64>; N],
        point: impl Fn(&[V3<f64>; N], &[V3<f64>; N]) -> Point<f64, f64, N>,
    ) {
        let steps: [V3<f64>; N] = core::array::from_fn(step);
        let end = |sign: f64| -> [V3<f64>; N] {
            core::array::from_fn(|i| add(half_way[i], scale(0.5 * sign, steps[i])))
        };
        let middle = point(half_way, &steps);
        let rest = [[0.0; 3]; N];
        let (before, after) = (point(&end(-1.0), &rest), point(&end(1.0), &rest));
        assert!((after.v - before.v - middle.dv).abs() < 1e-14, "{}", middle.dv);
        let over = 0.5 * (after.v + before.v) - middle.v;
        assert!((over - middle.bulge).abs() < 1e-14, "{over} {}", middle.bulge);
        for i in 0..N {
            for k in 0..3 {
                let change = after.g[i][k] - before.g[i][k];
                assert!((change - middle.dg[i][k]).abs() < 1e-14, "{i} {k}");
                let mean = 0.5 * (after.g[i][k] + before.g[i][k]);
                assert!((mean - middle.g[i][k] - middle.q[i][k]).abs() < 1e-14, "{i} {k}");
            }
        }
    }

    /// `g` is the derivative of the volume.
    fn derives<const N: usize>(
        x: &[V3<f64>; N],
        axisymmetric: bool,
        point: impl Fn(&[V3<f64>; N], &[V3<f64>; N]) -> Point<f64, f64, N>,
    ) {
        let rest = [[0.0; 3]; N];
        let g = point(x, &rest).g;
        for i in 0..N {
            for k in 0..if axisymmetric { 2 } else { 3 } {
                let moved = |by: f64| {
                    let mut x = *x;
                    x[i][k] += by;
                    point(&x, &rest).v
                };
                let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                let hoop = if axisymmetric && k == 0 { g[i][2] } else { 0.0 };
                assert!((slope - g[i][k] - hoop).abs() < 1e-9, "{i} {k}: {slope}");
            }
        }
    }

    type Nodal<const N: usize> = Point<f64, f64, N>;

    fn six(x: &[V3<f64>; 8]) -> [V3<f64>; 6] {
        let m = modes(&x.map(|x| scale(0.125, x)));
        [m[0], m[1], m[2], m[3], m[4], m[5]]
    }

    fn mean(x: &[V3<f64>; 8], step: &[V3<f64>; 8]) -> Nodal<8> {
        let point = mean_hexahedron::<f64, f64>(&six(x), &six(step));
        let nodal = |g: [V3<f64>; 6]| at_nodes(&[g[0], g[1], g[2], g[3], g[4], g[5], [0.0; 3]]);
        let (g, dg, q) = (nodal(point.g), nodal(point.dg), nodal(point.q));
        Point { g, dg, q, v: point.v, dv: point.dv, bulge: point.bulge }
    }

    fn one_of_eight(x: &[V3<f64>; 8], step: &[V3<f64>; 8], p: usize) -> Nodal<8> {
        let along = |x: &[V3<f64>; 8]| tangents(&modes(&x.map(|x| scale(0.125, x))), place(p));
        let point = hexahedron_point::<f64, f64>(&along(x), &along(step));
        let nodal = |g: [V3<f64>; 3]| {
            let mut m = [[0.0; 3]; 7];
            add_tangents(&mut m, &g, place(p));
            at_nodes(&m.map(|g| scale(0.125, g)))
        };
        let (g, dg, q) = (nodal(point.g), nodal(point.dg), nodal(point.q));
        Point { g, dg, q, v: point.v, dv: point.dv, bulge: point.bulge }
    }

    fn by_edges(x: &[V3<f64>; 4], step: &[V3<f64>; 4]) -> Nodal<4> {
        let edges = |x: &[V3<f64>; 4]| [sub(x[1], x[0]), sub(x[2], x[0]), sub(x[3], x[0])];
        let point = tetrahedron::<f64, f64>(&edges(x), &edges(step));
        let nodal = |g: [V3<f64>; 3]| {
            let all = add(add(g[0], g[1]), g[2]);
            [all.map(|g| -g), g[0], g[1], g[2]]
        };
        let (g, dg, q) = (nodal(point.g), nodal(point.dg), nodal(point.q));
        Point { g, dg, q, v: point.v, dv: point.dv, bulge: point.bulge }
    }

    fn by_diagonals(x: &[V3<f64>; 4], step: &[V3<f64>; 4]) -> Nodal<4> {
        let diagonals = |x: &[V3<f64>; 4]| [sub(x[2], x[0]), sub(x[3], x[1])];
        let point = quadrilateral::<f64, f64>(&diagonals(x), &diagonals(step));
        let nodal = |g: [V3<f64>; 2]| [g[0].map(|g| -g), g[1].map(|g| -g), g[0], g[1]];
        let (g, dg, q) = (nodal(point.g), nodal(point.dg), nodal(point.q));
        Point { g, dg, q, v: point.v, dv: point.dv, bulge: point.bulge }
    }

    #[test]
    fn gradients_are_derivatives_of_volumes() {
        derives(&BOX, false, mean);
        let tetrahedron_nodes = [BOX[0], BOX[1], BOX[3], BOX[4]];
        derives(&tetrahedron_nodes, false, by_edges);
        let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
        let plane = [flat(0), flat(1), flat(2), flat(3)];
        derives(&plane, false, by_diagonals);
        derives(&plane, true, axisymmetric);
    }

    #[test]
    fn increments_close() {
        closes(&BOX, mean);
        for point in 0..8 {
            closes(&BOX, |x, step| one_of_eight(x, step, point));
        }
        closes(&[BOX[0], BOX[1], BOX[3], BOX[4]], by_edges);
        let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
        let plane = [flat(0), flat(1), flat(2), flat(3)];
        closes(&plane, by_diagonals);
        closes(&plane, axisymmetric);
    }

    /// The mean gradient is the sum of those of eight points, which integrate it exactly.
    #[test]
    fn the_mean_is_the_sum_of_points() {
        let rest = [[0.0; 3]; 8];
        let whole = mean(&BOX, &rest);
        let points: Vec<Nodal<8>> = (0..8).map(|p| one_of_eight(&BOX, &rest, p)).collect();
        let volume: f64 = points.iter().map(|point| point.v).sum();
        assert!((volume - whole.v).abs() < 1e-14);
        for i in 0..8 {
            for k in 0..3 {
                let sum: f64 = points.iter().map(|point| point.g[i][k]).sum();
                assert!((sum - whole.g[i][k]).abs() < 1e-14, "{i} {k}");
            }
        }
    }

    #[test]
    fn unit_shapes_have_their_volumes() {
        let cube: [V3<f64>; 8] = SIGNS.map(|s| s.map(|s| 0.5 * s));
        assert!((mean(&cube, &[[0.0; 3]; 8]).v - 1.0).abs() < 1e-15);
        let plane: [V3<f64>; 4] = core::array::from_fn(|i| [2.0 + cube[i][0], cube[i][1], 0.0]);
        let rest = [[0.0; 3]; 4];
        assert!((by_diagonals(&plane, &rest).v - 1.0).abs() < 1e-15);
        // A ring between the radii 1.5 and 2.5, of one radian.
        assert!((axisymmetric(&plane, &rest).v - 2.0).abs() < 1e-15);
        let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!((by_edges(&corner, &rest).v - 1.0 / 6.0).abs() < 1e-16);
    }
}
