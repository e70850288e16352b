//! Parallelepipeds of three edges, times a weight: points of hexahedra by their tangents, tetrahedra by their edges from the first node.

use super::super::vector::{
    V3, cross, cross_add, dot, dot_add, narrow, narrow_all, scale, scale_add,
};
use super::{Gradients, Growth};
use crate::cpu::simd::real::{Narrow, Real, each};

/// The cofactors of three edges.
#[inline(always)]
pub(in super::super) fn edges<A: Real>(j: &[V3<A>; 3], weight: f64) -> Gradients<A, 3> {
    let mut g = [cross(j[1], j[2]), cross(j[2], j[0]), cross(j[0], j[1])];
    if weight != 1.0 {
        g = each!(3, K => scale(A::splat(weight), g[K]));
    }
    Gradients { g, v: dot(j[0], g[0]) }
}

/// How they change in a step.
#[inline(always)]
pub(in super::super) fn edges_growth<A: Narrow<S>, S: Real>(
    here: &Gradients<A, 3>,
    j: &[V3<A>; 3],
    d: &[V3<S>; 3],
    weight: f64,
) -> Growth<S, 3> {
    let m = narrow_all(j);
    let mut dg = [
        cross_add(m[1], d[2], cross(d[1], m[2])),
        cross_add(m[2], d[0], cross(d[2], m[0])),
        cross_add(m[0], d[1], cross(d[0], m[1])),
    ];
    let mut q = [cross(d[1], d[2]), cross(d[2], d[0]), cross(d[0], d[1])];
    let (mut dv, mut bulge) = (S::zero(), S::zero());
    for k in 0..3 {
        if weight != 1.0 {
            dg[k] = scale(S::splat(weight), dg[k]);
        }
        q[k] = scale(S::splat(0.25 * weight), q[k]);
        dv = dot_add(scale_add(S::splat(1.0 / 3.0), q[k], narrow(here.g[k])), d[k], dv);
        bulge = dot_add(m[k], q[k], bulge);
    }
    Growth { dg, q, dv, bulge }
}
