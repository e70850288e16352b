//! Increments of forces of hexahedra with eight points.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::Substance;
use super::selective_deformation::{Whole, six};
use super::{Found, Remembered, Step};
use crate::solid::geometry::{
    add_tangents, at_nodes, edges_growth, mean_hexahedron_growth, modes, place, tangents,
};
use crate::solid::vector::{
    M3, V3, add, deviator, dot, dot_add, full, scale, scale_add, scale_matrix, without_tiny,
};

/// Takes elements through a step, and finds what it adds to their forces.
#[inline(always)]
pub(super) fn increments<A: Real, W: Narrow<A>>(
    (substance, step): (&Substance<'_>, &Step),
    (x, d): (&[V3<A>; 8], &[V3<A>; 8]),
    remembered: &mut Remembered<'_, A, W>,
) -> ([V3<A>; 8], Found<A>) {
    let half = A::splat(0.5);
    let unit = A::splat(step.scale);
    let (x, d) = (modes(x), modes(d));
    let small = without_tiny(&d);
    let mut whole = Whole::new(substance, &x, &d, remembered);
    let growth = mean_hexahedron_growth(&whole.here, &six(&x), &six(&small));
    let after = |v: A, dv: A, bulge: A| half.mul_add(dv, v + bulge);
    let whole_after = after(whole.here.v, growth.dv, growth.bulge);

    let mut found = Found::at_rest(whole.here.v.min(whole_after));
    let mut main = [[A::zero(); 3]; 7];
    let mut rest = [[A::zero(); 3]; 7];
    // Σ p·v before, its change by pressure and by volume.
    let (mut pressure, mut by_pressure, mut by_volume) = (A::zero(), A::zero(), A::zero());
    for p in 0..8 {
        let at = place(p);
        let edges = tangents(&x, at);
        let (point, done) =
            whole.point((substance, step), p, (&edges, &tangents(&d, at)), remembered, &mut found);
        let grown = edges_growth(&point, &edges, &tangents(&small, at), 1.0);
        // Deviators make forces here, pressures together below.
        let (shape, mean_before) = deviator(&done.before);
        let (increments, mean_change) = deviator(&done.stress);
        let change = scale_matrix(unit, &full(&increments));
        let shape = scale_matrix(unit, &full(&shape));
        let mean: M3<A> = each!(3, I => scale_add(half, change[I], shape[I]));
        let stress = full(&increments);
        let mut forces = [[A::zero(); 3]; 3];
        let mut others = [[A::zero(); 3]; 3];
        for k in 0..3 {
            let (g, dg, q) = (point.g[k], grown.dg[k], grown.q[k]);
            forces[k] = each!(3, I => dot(stress[I], g));
            others[k] = each!(3, I => dot_add(change[I], q, dot(mean[I], dg)));
        }
        add_tangents(&mut main, &forces, at);
        add_tangents(&mut rest, &others, at);
        let low = (-half).mul_add(grown.dv, point.v + grown.bulge);
        pressure = mean_before.mul_add(low, pressure);
        by_volume = mean_before.mul_add(grown.dv, by_volume);
        let after = after(point.v, grown.dv, grown.bulge);
        by_pressure = mean_change.mul_add(after, by_pressure);
        found.least = found.least.min(after);
    }

    let before = pressure / (-half).mul_add(growth.dv, whole.here.v + growth.bulge);
    // Of the mean pressure: what new pressures make, and what volumes do that change.
    let inverse_after = A::splat(1.0) / whole_after;
    let fresh = by_pressure * inverse_after;
    let old = before.mul_add(-growth.dv, by_volume) * inverse_after;
    let [viscous_before, viscous] = whole.viscosity((substance, step), remembered, &mut found);

    // All of this is pressure, for which a number stands.
    let fresh = fresh + (viscous - viscous_before);
    let old = unit * old;
    let change = unit.mul_add(fresh, old);
    let mean = half.mul_add(change, unit * (before + viscous_before));
    let eighth = A::splat(0.125);
    let mut nodal = [[A::zero(); 3]; 7];
    for k in 0..7 {
        let (mut sum, mut small) = (scale(eighth, main[k]), scale(eighth, rest[k]));
        if k < 6 {
            let g = whole.here.g[k];
            sum = scale_add(fresh, g, sum);
            let moved = scale_add(change, growth.q[k], scale(mean, growth.dg[k]));
            small = add(small, scale_add(old, g, moved));
        }
        nodal[k] = scale_add(A::splat(1.0 / step.scale), small, sum);
    }
    (at_nodes(&nodal), found)
}
