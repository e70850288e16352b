//! Quadrilaterals, plane and around an axis.

use super::super::vector::{V3, add, dot, narrow, scale};
use super::{Gradients, Growth, ROOT, SIGNS};
use crate::cpu::simd::real::{Narrow, Real};

/// A plane quadrilateral of thickness one, by its diagonals.
#[inline(always)]
pub(in super::super) fn quadrilateral<A: Real>(x: &[V3<A>; 2]) -> Gradients<A, 2> {
    let g = turned(x);
    Gradients { g, v: x[0][0].mul_add(g[0][0], x[0][1] * g[0][1]) }
}

/// How it changes in a step: bilinear in both diagonals' steps.
#[inline(always)]
pub(in super::super) fn quadrilateral_growth<A: Narrow<S>, S: Real>(
    here: &Gradients<A, 2>,
    step: &[V3<S>; 2],
) -> Growth<S, 2> {
    let dg = turned(step);
    let dv = dot(narrow(here.g[0]), step[0]) + dot(narrow(here.g[1]), step[1]);
    let bulge = S::splat(0.25) * dot(step[0], dg[0]);
    Growth { dg, q: [[S::zero(); 3]; 2], dv, bulge }
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
pub(in super::super) fn axisymmetric<A: Real>(x: &[V3<A>; 4]) -> Gradients<A, 4> {
    let mut here = Gradients { g: [[A::zero(); 3]; 4], v: A::zero() };
    for s in &SIGNS[..4] {
        let at = [s[0] * ROOT, s[1] * ROOT];
        let (r, j1, j2) = plane_point(x, at);
        let area = flat(j1, j2);
        here.v = here.v + r * area;
        for (i, g) in here.g.iter_mut().enumerate() {
            let shape = Function::new(i, at);
            // ∂N/∂x times the area: linear in coordinates.
            let c = shape.cofactor(j1, j2);
            g[0] = g[0] + r * c[0];
            g[1] = g[1] + r * c[1];
            g[2] = g[2] + A::splat(shape.value) * area;
        }
    }
    here
}

/// How it changes in a step.
#[inline(always)]
pub(in super::super) fn axisymmetric_growth<A: Narrow<S>, S: Real>(
    x: &[V3<A>; 4],
    step: &[V3<S>; 4],
) -> Growth<S, 4> {
    let (zero, quarter) = (S::zero(), S::splat(0.25));
    let mut growth = Growth { dg: [[zero; 3]; 4], q: [[zero; 3]; 4], dv: zero, bulge: zero };
    for s in &SIGNS[..4] {
        let at = [s[0] * ROOT, s[1] * ROOT];
        let (r, j1, j2) = plane_point(x, at);
        let (dr, d1, d2) = plane_point(step, at);
        let area: S = flat(j1, j2).narrow();
        let (r, j1, j2): (S, V3<S>, V3<S>) = (r.narrow(), narrow(j1), narrow(j2));
        let d_area = flat(d1, j2) + flat(j1, d2);
        let q_area = quarter * flat(d1, d2);
        growth.dv = growth.dv + r * d_area + dr * (area + q_area);
        growth.bulge = growth.bulge + r * q_area + quarter * dr * d_area;
        for i in 0..4 {
            let shape = Function::new(i, at);
            let (c, dc) = (shape.cofactor(j1, j2), shape.cofactor(d1, d2));
            let (dg, q) = (&mut growth.dg[i], &mut growth.q[i]);
            for k in 0..2 {
                dg[k] = dg[k] + dr * c[k] + r * dc[k];
                q[k] = q[k] + quarter * dr * dc[k];
            }
            dg[2] = dg[2] + S::splat(shape.value) * d_area;
            q[2] = q[2] + S::splat(shape.value) * q_area;
        }
    }
    growth
}

/// A shape function at a point: its derivatives along both directions, and its value.
struct Function {
    along: f64,
    across: f64,
    value: f64,
}

impl Function {
    #[inline(always)]
    fn new(node: usize, at: [f64; 2]) -> Self {
        let s = SIGNS[node];
        let (f, h) = (1.0 + s[0] * at[0], 1.0 + s[1] * at[1]);
        Self { along: 0.25 * s[0] * h, across: 0.25 * s[1] * f, value: 0.25 * f * h }
    }

    /// Its gradient times the area of two tangents.
    #[inline(always)]
    fn cofactor<T: Real>(&self, j1: V3<T>, j2: V3<T>) -> [T; 2] {
        let (along, across) = (T::splat(self.along), T::splat(self.across));
        [along * j2[1] - across * j1[1], across * j1[0] - along * j2[0]]
    }
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
