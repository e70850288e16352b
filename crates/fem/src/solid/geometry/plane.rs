//! Quadrilaterals, plane and around an axis.

use nonius_linalg::cpu::simd::real::Real;

use super::{Gradients, Growth};
use crate::solid::vector::{V3, add, dot, scale, sub};

/// A plane quadrilateral of thickness one, by its diagonals.
#[inline(always)]
pub(crate) fn quadrilateral<A: Real>(x: &[V3<A>; 2]) -> Gradients<A, 2> {
    let g = turned(x);
    Gradients { g, v: x[0][0].mul_add(g[0][0], x[0][1] * g[0][1]) }
}

/// How it changes in a step: bilinear in both diagonals' steps.
#[inline(always)]
pub(crate) fn quadrilateral_growth<A: Real>(
    here: &Gradients<A, 2>,
    step: &[V3<A>; 2],
) -> Growth<A, 2> {
    let dg = turned(step);
    let dv = dot(here.g[0], step[0]) + dot(here.g[1], step[1]);
    let bulge = A::splat(0.25) * dot(step[0], dg[0]);
    Growth { dg, q: [[A::zero(); 3]; 2], dv, bulge }
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

/// The modes of a quadrilateral around the second axis, `x = x₀ + aξ + bη + hξη`, of nodes: of each
/// its radius, its height, and what its radius has over that of the first node. Of the mean `x₀`
/// there is the radius alone.
#[inline(always)]
pub(crate) fn ring_modes<T: Real>(x: &[V3<T>; 4]) -> [V3<T>; 4] {
    let (zero, quarter) = (T::zero(), T::splat(0.25));
    let radius = quarter * ((x[0][0] + x[1][0]) + (x[2][0] + x[3][0]));
    let mut at = *x;
    for x in &mut at {
        *x = [x[2], x[1], zero];
    }
    let (lower, upper) = (sub(at[1], at[0]), sub(at[2], at[3]));
    let (left, right) = (sub(at[3], at[0]), sub(at[2], at[1]));
    [
        [radius, zero, zero],
        scale(quarter, add(lower, upper)),
        scale(quarter, add(left, right)),
        scale(quarter, sub(upper, lower)),
    ]
}

/// The weight of gradients of a quadrilateral around an axis.
pub(crate) const RING_WEIGHT: f64 = 4.0;

/// A quadrilateral around the second axis, of a radian, by its modes.
///
/// The area at a point is `J₀ + J₁ξ + J₂η`, with `J₀ = a × b`, `J₁ = a × h` and `J₂ = h × b`. So
/// all integrals have closed forms without constants that are rounded: points of integration would
/// have rounded places, and their errors would be there in every step.
#[inline(always)]
pub(crate) fn axisymmetric<A: Real>(x: &[V3<A>; 4]) -> Gradients<A, 4> {
    let g = ring(x, x);
    let mut v = A::zero();
    for k in 0..4 {
        v = x[k][0].mul_add(g[k][2], v);
    }
    Gradients { g, v: A::splat(RING_WEIGHT) * v }
}

/// How it changes in a step of its modes.
#[inline(always)]
pub(crate) fn axisymmetric_growth<A: Real>(
    here: &Gradients<A, 4>,
    x: &[V3<A>; 4],
    step: &[V3<A>; 4],
) -> Growth<A, 4> {
    let quarter = A::splat(0.25);
    let (mut dg, mut q) = (ring(x, step), ring(step, step));
    let others = ring(step, x);
    let (mut dv, mut bulge) = (A::zero(), A::zero());
    for k in 0..4 {
        dg[k] = add(dg[k], others[k]);
        q[k] = scale(quarter, q[k]);
        let (r, dr) = (x[k][0], step[k][0]);
        dv = r.mul_add(dg[k][2], dr.mul_add(here.g[k][2] + q[k][2], dv));
        bulge = r.mul_add(q[k][2], (quarter * dr).mul_add(dg[k][2], bulge));
    }
    let weight = A::splat(RING_WEIGHT);
    Growth { dg, q, dv: weight * dv, bulge: weight * bulge }
}

/// The form whose values `B(x, x)` are gradients: of the radii of `x`, the tangents of `y` and, for
/// hoop strains, the areas between tangents of both.
#[inline(always)]
fn ring<T: Real>(x: &[V3<T>; 4], y: &[V3<T>; 4]) -> [V3<T>; 4] {
    let (zero, three) = (T::zero(), T::splat(3.0));
    let ([mean, a, b, h], [_, along, across, both]) = (*x, *y);
    let radius = mean[0];
    let third = [both[0] / three, both[1] / three];
    [
        [zero, zero, flat(a, across)],
        [
            radius.mul_add(across[1], a[0] * third[1]),
            -radius.mul_add(across[0], a[0] * third[0]),
            flat(a, both) / three,
        ],
        [
            -radius.mul_add(along[1], b[0] * third[1]),
            radius.mul_add(along[0], b[0] * third[0]),
            flat(h, across) / three,
        ],
        [
            (b[0] * across[1] - a[0] * along[1]) / three,
            (a[0] * along[0] - b[0] * across[0]) / three,
            zero,
        ],
    ]
}

#[inline(always)]
fn flat<T: Real>(a: V3<T>, b: V3<T>) -> T {
    a[0] * b[1] - a[1] * b[0]
}
