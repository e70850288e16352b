//! Parts of parallelepipeds of three edges: points of hexahedra by their tangents, tetrahedra,
//! sixth parts, by their edges from the first node.

use nonius_linalg::cpu::simd::real::{Real, each};

use super::{Gradients, Growth};
use crate::solid::vector::{V3, cross, cross_add, dot, dot_add, scale, scale_add};

/// The cofactors of three edges, over a number of parts: that has no rounding error, which one over
/// it would have in every step.
#[inline(always)]
pub(crate) fn edges<A: Real>(j: &[V3<A>; 3], parts: f64) -> Gradients<A, 3> {
    let mut g = [cross(j[1], j[2]), cross(j[2], j[0]), cross(j[0], j[1])];
    if parts != 1.0 {
        let parts = A::splat(parts);
        g = each!(3, K => each!(3, I => g[K][I] / parts));
    }
    Gradients { g, v: dot(j[0], g[0]) }
}

/// How they change in a step.
#[inline(always)]
pub(crate) fn edges_growth<A: Real>(
    here: &Gradients<A, 3>,
    m: &[V3<A>; 3],
    d: &[V3<A>; 3],
    parts: f64,
) -> Growth<A, 3> {
    let weight = 1.0 / parts;
    let mut dg = [
        cross_add(m[1], d[2], cross(d[1], m[2])),
        cross_add(m[2], d[0], cross(d[2], m[0])),
        cross_add(m[0], d[1], cross(d[0], m[1])),
    ];
    let mut q = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let (mut dv, mut bulge) = (A::zero(), A::zero());
    for k in 0..3 {
        if weight != 1.0 {
            dg[k] = scale(A::splat(weight), dg[k]);
        }
        q[k] = scale(A::splat(0.25 * weight), q[k]);
        dv = dot_add(scale_add(A::splat(1.0 / 3.0), q[k], here.g[k]), d[k], dv);
        bulge = dot_add(m[k], q[k], bulge);
    }
    Growth { dg, q, dv, bulge }
}
