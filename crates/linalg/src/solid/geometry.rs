//! Gradients of shape functions, integrated over elements, and how they change in a step.
//!
//! **What.** At a point `p` of an element its volume is `v` and `g_I = ∫∂N_I/∂x`, so that a mean velocity gradient is `Σ u̇_I ⊗ g_I/v` and a stress `σ` has the nodal forces `σ·g_I`. In space `g` is a
//! quadratic form of the coordinates, `g = B(x, x)`. With `x̄` half way and `Δ` the step,
//!
//! `g(x̄ ± ½Δ) = B(x̄, x̄) ± B(x̄, Δ) + ¼·B(Δ, Δ)`,
//!
//! where the middle term, called the increment below, is as exact as `Δ` is: nothing cancels. So are all forces' increments that are computed from it. The volume is `v = ⅓·Σ x_I·g_I`, its
//! increment `Σ (g_I + ⅓·q_I)·Δ_I` with `q = ¼·B(Δ, Δ)`.
//!
//! **Hexahedra with one point** take the mean of the gradient over the volume (Flanagan and Belytschko, *A uniform strain hexahedron and quadrilateral with orthogonal hourglass control*, 1981), which here is
//! written by the modes of the coordinates, `x = x₀ + a₁ξ + a₂η + a₃ζ + h₁₂ξη + h₁₃ξζ + h₂₃ηζ + h₁₂₃ξηζ`. Of
//! `∫(∂N_I/∂ξ·(x_η × x_ζ) + …)` there is left, by the signs of the node,
//!
//! `ξ·(a₂×a₃ + ⅓h₁₂×h₁₃) + η·(a₃×a₁ + ⅓h₂₃×h₁₂) + ζ·(a₁×a₂ + ⅓h₁₃×h₂₃) + ⅓ξη·(a₂×h₂₃ + h₁₃×a₁) + ⅓ξζ·(h₂₃×a₃ + a₁×h₁₂) + ⅓ηζ·(a₃×h₁₃ + h₁₂×a₂)`.
//!
//! **Around an axis** `v = ∫r dA` and `g` is `∫∂N_I/∂x r dA`; a third entry, `∫N_I dA`, makes hoop strains of radial motion.

use super::real::{Narrow, Real, V3, add, cross, dot, narrow, scale, sub};

/// A point of an element: half way, and what the step changes.
#[derive(Clone, Copy)]
pub struct Point<S, A, const N: usize> {
    /// `g` half way.
    pub g: [V3<A>; N],
    /// Its increment.
    pub dg: [V3<S>; N],
    /// `q`: the mean of both ends is `g + q`.
    pub q: [V3<S>; N],
    /// The volume half way.
    pub v: A,
    /// Its increment.
    pub dv: S,
}

/// Signs of the nodes of a hexahedron in the three directions, in Abaqus's order.
pub const SIGNS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// The modes of a hexahedron: `a₁, a₂, a₃, h₁₂, h₁₃, h₂₃, h₁₂₃`.
pub type Modes<T> = [V3<T>; 7];

/// Modes of numbers at nodes.
#[inline(always)]
pub fn modes<T: Real>(x: &[V3<T>; 8]) -> Modes<T> {
    let eighth = T::splat(0.125);
    // Pairs along ξ, then η, then ζ: sums and differences.
    let pair = |a: V3<T>, b: V3<T>| (add(b, a), sub(b, a));
    let ((s00, d00), (s10, d10)) = (pair(x[0], x[1]), pair(x[3], x[2]));
    let ((s01, d01), (s11, d11)) = (pair(x[4], x[5]), pair(x[7], x[6]));
    let ((ss0, sd0), (ds0, dd0)) = (pair(s00, s10), pair(d00, d10));
    let ((ss1, sd1), (ds1, dd1)) = (pair(s01, s11), pair(d01, d11));
    let [a1, h13] = [add(ds1, ds0), sub(ds1, ds0)];
    let [a2, h23] = [add(sd1, sd0), sub(sd1, sd0)];
    let [h12, h123] = [add(dd1, dd0), sub(dd1, dd0)];
    [a1, a2, sub(ss1, ss0), h12, h13, h23, h123].map(|mode| scale(eighth, mode))
}

/// Numbers at nodes of six modes, without the seventh and the mean.
#[inline(always)]
pub fn at_nodes<T: Real>(m: &[V3<T>; 6]) -> [V3<T>; 8] {
    // ±a₁ ± a₂ ± a₃ ± …, shared between nodes.
    let [a1, a2, a3, h12, h13, h23] = *m;
    // Below and above: of each sign of ζ the coefficients of 1, ξ, η and ξη.
    let (one_low, one_high) = (scale(T::splat(-1.0), a3), a3);
    let (xi_low, xi_high) = (sub(a1, h13), add(a1, h13));
    let (eta_low, eta_high) = (sub(a2, h23), add(a2, h23));
    let layer = |one: V3<T>, xi: V3<T>, eta: V3<T>| {
        let (front, back) = (sub(one, eta), add(one, eta));
        let (along_front, along_back) = (sub(xi, h12), add(xi, h12));
        [
            sub(front, along_front),
            add(front, along_front),
            add(back, along_back),
            sub(back, along_back),
        ]
    };
    let [l0, l1, l2, l3] = layer(one_low, xi_low, eta_low);
    let [u0, u1, u2, u3] = layer(one_high, xi_high, eta_high);
    [l0, l1, l2, l3, u0, u1, u2, u3]
}

/// The six modes of the mean gradient, from those of two sets of coordinates: `B(m, n)` is half of that of either order.
#[inline(always)]
fn gradient_modes<T: Real>(pair: impl Fn(usize, usize) -> V3<T>) -> [V3<T>; 6] {
    const A1: usize = 0;
    const A2: usize = 1;
    const A3: usize = 2;
    const H12: usize = 3;
    const H13: usize = 4;
    const H23: usize = 5;
    let third = T::splat(1.0 / 3.0);
    let with = |a: V3<T>, b: V3<T>| add(a, scale(third, b));
    [
        with(pair(A2, A3), pair(H12, H13)),
        with(pair(A3, A1), pair(H23, H12)),
        with(pair(A1, A2), pair(H13, H23)),
        scale(third, add(pair(A2, H23), pair(H13, A1))),
        scale(third, add(pair(H23, A3), pair(A1, H12))),
        scale(third, add(pair(A3, H13), pair(H12, A2))),
    ]
}

/// The mean gradient of a hexahedron.
#[inline(always)]
pub fn mean_hexahedron<A: Narrow<S>, S: Real>(x: &Modes<A>, step: &Modes<S>) -> Point<S, A, 8> {
    let g = gradient_modes(|i, j| cross(x[i], x[j]));
    let m = x.map(narrow);
    let dg = gradient_modes(|i, j| add(cross(m[i], step[j]), cross(step[i], m[j])));
    let quarter = S::splat(0.25);
    let q = gradient_modes(|i, j| scale(quarter, cross(step[i], step[j])));
    // Sums over nodes are eight times those over modes.
    let mut v = A::zero();
    let mut dv = S::zero();
    for mode in 0..6 {
        v = v + dot(x[mode], g[mode]);
        let mean = add(narrow(g[mode]), scale(S::splat(1.0 / 3.0), q[mode]));
        dv = dv + dot(mean, step[mode]);
    }
    Point {
        g: at_nodes(&g),
        dg: at_nodes(&dg),
        q: at_nodes(&q),
        v: A::splat(8.0 / 3.0) * v,
        dv: S::splat(8.0) * dv,
    }
}

/// `±1/√3` in the three directions: the points of a hexahedron, by their signs.
pub(super) const ROOT: f64 = 0.577_350_269_189_625_8;

/// A point of a hexahedron with eight.
#[inline(always)]
pub fn hexahedron_point<A: Narrow<S>, S: Real>(
    x: &Modes<A>,
    step: &Modes<S>,
    point: usize,
) -> Point<S, A, 8> {
    let at = SIGNS[point].map(|sign| sign * ROOT);
    let j = tangents(x, at);
    let d = tangents(step, at);
    let m = j.map(narrow);
    let pairs = [(1, 2), (2, 0), (0, 1)];
    let cofactors = pairs.map(|(k, l)| cross(j[k], j[l]));
    let increments = pairs.map(|(k, l)| add(cross(m[k], d[l]), cross(d[k], m[l])));
    let quarters = pairs.map(|(k, l)| scale(S::splat(0.25), cross(d[k], d[l])));
    let v = dot(j[0], cofactors[0]);
    let mut dv = S::zero();
    for k in 0..3 {
        let mean = add(narrow(cofactors[k]), scale(S::splat(1.0 / 3.0), quarters[k]));
        dv = dv + dot(mean, d[k]);
    }
    Point {
        g: by_nodes(&cofactors, at),
        dg: by_nodes(&increments, at),
        q: by_nodes(&quarters, at),
        v,
        dv,
    }
}

/// `x_ξ`, `x_η`, `x_ζ`.
#[inline(always)]
fn tangents<T: Real>(m: &Modes<T>, [xi, eta, zeta]: [f64; 3]) -> [V3<T>; 3] {
    let [a1, a2, a3, h12, h13, h23, h123] = *m;
    let along = |a: V3<T>, p: V3<T>, s: f64, q: V3<T>, t: f64| {
        let linear = add(scale(T::splat(s), p), scale(T::splat(t), q));
        add(add(a, linear), scale(T::splat(s * t), h123))
    };
    [along(a1, h12, eta, h13, zeta), along(a2, h12, xi, h23, zeta), along(a3, h13, xi, h23, eta)]
}

/// `Σ_k ∂N_I/∂ξ_k·c_k` of all nodes.
#[inline(always)]
fn by_nodes<T: Real>(c: &[V3<T>; 3], at: [f64; 3]) -> [V3<T>; 8] {
    SIGNS.map(|s| {
        let factor = |k: usize| 1.0 + s[k] * at[k];
        let [f, g, h] = [factor(0), factor(1), factor(2)];
        let along = |k: usize, weight: f64| scale(T::splat(0.125 * s[k] * weight), c[k]);
        add(add(along(0, g * h), along(1, f * h)), along(2, f * g))
    })
}

/// A tetrahedron.
#[inline(always)]
pub fn tetrahedron<A: Narrow<S>, S: Real>(x: &[V3<A>; 4], step: &[V3<S>; 4]) -> Point<S, A, 4> {
    let j = [sub(x[1], x[0]), sub(x[2], x[0]), sub(x[3], x[0])];
    let d = [sub(step[1], step[0]), sub(step[2], step[0]), sub(step[3], step[0])];
    let m = j.map(narrow);
    let pairs = [(1, 2), (2, 0), (0, 1)];
    let (sixth, small) = (A::splat(1.0 / 6.0), S::splat(1.0 / 6.0));
    let g = pairs.map(|(k, l)| scale(sixth, cross(j[k], j[l])));
    let dg = pairs.map(|(k, l)| scale(small, add(cross(m[k], d[l]), cross(d[k], m[l]))));
    let q = pairs.map(|(k, l)| scale(small * S::splat(0.25), cross(d[k], d[l])));
    let v = dot(j[0], g[0]);
    let mut dv = S::zero();
    for k in 0..3 {
        dv = dv + dot(add(narrow(g[k]), scale(S::splat(1.0 / 3.0), q[k])), d[k]);
    }
    Point { g: with_first(g), dg: with_first(dg), q: with_first(q), v, dv }
}

/// The first node has minus the sum of the others.
#[inline(always)]
fn with_first<T: Real>(c: [V3<T>; 3]) -> [V3<T>; 4] {
    [scale(T::splat(-1.0), add(add(c[0], c[1]), c[2])), c[0], c[1], c[2]]
}

/// A plane quadrilateral of thickness one.
#[inline(always)]
pub fn quadrilateral<A: Narrow<S>, S: Real>(x: &[V3<A>; 4], step: &[V3<S>; 4]) -> Point<S, A, 4> {
    let g = plane_gradient(x);
    let dg = plane_gradient(step);
    let (mut v, mut dv) = (A::zero(), S::zero());
    for i in 0..4 {
        v = v + dot(g[i], x[i]);
        dv = dv + dot(narrow(g[i]), step[i]);
    }
    Point { g, dg, q: [[S::zero(); 3]; 4], v: A::splat(0.5) * v, dv }
}

/// `∫∂N_I/∂x dA`, linear in coordinates.
#[inline(always)]
fn plane_gradient<T: Real>(x: &[V3<T>; 4]) -> [V3<T>; 4] {
    let half = T::splat(0.5);
    let (first, second) = (sub(x[2], x[0]), sub(x[3], x[1]));
    let turned = |d: V3<T>| [half * d[1], -(half * d[0]), T::zero()];
    let (first, second) = (turned(first), turned(second));
    let minus = |a: V3<T>| scale(T::splat(-1.0), a);
    [minus(second), first, second, minus(first)]
}

/// A quadrilateral around the second axis: of a radian.
#[inline(always)]
pub fn axisymmetric<A: Narrow<S>, S: Real>(x: &[V3<A>; 4], step: &[V3<S>; 4]) -> Point<S, A, 4> {
    let mut point = Point {
        g: [[A::zero(); 3]; 4],
        dg: [[S::zero(); 3]; 4],
        q: [[S::zero(); 3]; 4],
        v: A::zero(),
        dv: S::zero(),
    };
    let quarter = S::splat(0.25);
    for s in &SIGNS[..4] {
        let at = [s[0] * ROOT, s[1] * ROOT];
        let (r, j1, j2) = plane_point(x, at);
        let (dr, d1, d2) = plane_point(step, at);
        let (m_r, m1, m2): (S, V3<S>, V3<S>) = (r.narrow(), narrow(j1), narrow(j2));
        let flat = |a: V3<A>, b: V3<A>| a[0] * b[1] - a[1] * b[0];
        let flat_step = |a: V3<S>, b: V3<S>| a[0] * b[1] - a[1] * b[0];
        let area = flat(j1, j2);
        let d_area = flat_step(d1, m2) + flat_step(m1, d2);
        let q_area = quarter * flat_step(d1, d2);
        point.v = point.v + r * area;
        let mean_area = area.narrow() + q_area;
        point.dv = point.dv + m_r * d_area + dr * mean_area;
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

    fn mean(x: &[V3<f64>; 8], step: &[V3<f64>; 8]) -> Point<f64, f64, 8> {
        mean_hexahedron(&modes(x), &modes(step))
    }

    #[test]
    fn gradients_are_derivatives_of_volumes() {
        derives(&BOX, false, mean);
        let tetrahedron_nodes = [BOX[0], BOX[1], BOX[3], BOX[4]];
        derives(&tetrahedron_nodes, false, tetrahedron);
        let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
        let plane = [flat(0), flat(1), flat(2), flat(3)];
        derives(&plane, false, quadrilateral);
        derives(&plane, true, axisymmetric);
    }

    #[test]
    fn increments_close() {
        closes(&BOX, mean);
        for point in 0..8 {
            closes(&BOX, |x, step| hexahedron_point(&modes(x), &modes(step), point));
        }
        closes(&[BOX[0], BOX[1], BOX[3], BOX[4]], tetrahedron);
        let flat = |i: usize| [BOX[i][0] + 0.5, BOX[i][1], 0.0];
        let plane = [flat(0), flat(1), flat(2), flat(3)];
        closes(&plane, quadrilateral);
        closes(&plane, axisymmetric);
    }

    /// The mean gradient is the sum of those of eight points, which integrate it exactly.
    #[test]
    fn the_mean_is_the_sum_of_points() {
        let rest = [[0.0; 3]; 8];
        let whole = mean(&BOX, &rest);
        let points: Vec<Point<f64, f64, 8>> =
            (0..8).map(|p| hexahedron_point(&modes(&BOX), &modes(&rest), p)).collect();
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
        assert!((quadrilateral(&plane, &rest).v - 1.0).abs() < 1e-15);
        // A ring between the radii 1.5 and 2.5, of one radian.
        assert!((axisymmetric(&plane, &rest).v - 2.0).abs() < 1e-15);
        let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!((tetrahedron(&corner, &rest).v - 1.0 / 6.0).abs() < 1e-16);
    }
}
