// Increments of forces of hexahedra with eight points, in the order of operations of
// crates/fem/src/cpu/element/selective_increments.rs.
#pragma once

#include "fem/selective.cuh"

namespace fem {

// Takes an element through a step, and finds what it adds to its forces.
template <int STRIDE, int LAW, class S, class A, class C, class Nodes, class Memory>
DEVICE Found<S, A> increments_of_selective(const Material& material, const Step<C>& step, const Nodes& nodes, const A* masses, Memory memory, V3<A> (&forces)[8]) {
    const S half = S(0.5), unit = S(step.scale);
    V3<A> x[7], d[7];
    V3<S> small[7];
    {
        V3<A> at[8];
        nodes.places(at);
        modes(at, x);
        nodes.steps(at);
        modes(at, d);
    }
#pragma unroll
    for (int k = 0; k < 7; k++) small[k] = change_as<S>(d[k]);
    Whole<A> whole;
    whole_of<STRIDE, LAW>(material, x, d, masses, whole);
    Growth<S, 6> growth;
    mean_hexahedron_growth(whole.here, x, small, growth);
    const A whole_after = mul_add(A(0.5), A(growth.dv), whole.here.v + A(growth.bulge));

    V3<A> main[7];
    V3<S> rest[7];
#pragma unroll
    for (int k = 0; k < 7; k++) main[k] = zero3<A>(), rest[k] = zero3<S>();
    Found<S, A> found;
    found.work[0] = found.work[1] = found.work[2] = S(0);
    found.least = lesser(whole.here.v, whole_after);
    // Σ p·v before, its change by pressure and by volume.
    S pressure = S(0), by_volume = S(0);
    A by_pressure = A(0);
#pragma unroll 1
    for (int p = 0; p < 8; p++) {
        const Place at = place(p);
        V3<A> own[3], steps[3];
        V3<S> moved[3];
        tangents(x, at, own);
        tangents(d, at, steps);
        tangents(small, at, moved);
        Gradients<A, 3> point;
        const Change<A> done = follow_point<LAW, S, A>(material, step, own, steps, masses[p * STRIDE], memory.beyond(p * material.numbers), whole, point, found);
        Growth<S, 3> grown;
        edges_growth(point, own, moved, 1.0, grown);
        // Deviators make forces here, pressures together below.
        S mean_before;
        A mean_change;
        const Symmetric<S> shape = deviator(as<S>(done.before), mean_before);
        const Symmetric<A> increments = deviator(done.stress, mean_change);
        const M3<S> change = scale_matrix(unit, full(as<S>(increments)));
        const M3<S> shapes = scale_matrix(unit, full(shape));
        M3<S> mean;
#pragma unroll
        for (int i = 0; i < 3; i++) mean[i] = scale_add(half, change[i], shapes[i]);
        const M3<A> stress = full(increments);
        V3<A> at_first[3];
        V3<S> others[3];
#pragma unroll
        for (int k = 0; k < 3; k++)
#pragma unroll
            for (int i = 0; i < 3; i++) {
                at_first[k][i] = dot(stress[i], point.g[k]);
                others[k][i] = dot_add(change[i], grown.q[k], dot(mean[i], grown.dg[k]));
            }
        add_tangents(main, at_first, at);
        add_tangents(rest, others, at);
        const S low = mul_add(-half, grown.dv, S(point.v) + grown.bulge);
        pressure = mul_add(mean_before, low, pressure);
        by_volume = mul_add(mean_before, grown.dv, by_volume);
        const A after = mul_add(A(0.5), A(grown.dv), point.v + A(grown.bulge));
        by_pressure = mul_add(mean_change, after, by_pressure);
        found.least = lesser(found.least, after);
    }

    const S before = pressure / mul_add(-half, growth.dv, S(whole.here.v) + growth.bulge);
    // Of the mean pressure: what new pressures make, and what volumes do that change.
    const A inverse_after = A(1) / whole_after;
    A fresh = by_pressure * inverse_after;
    S old = mul_add(before, -growth.dv, by_volume) * S(inverse_after);
    A viscous_before, viscous;
    viscosity_of(material, step, whole, memory, found, viscous_before, viscous);

    // All of this is pressure, for which a number stands.
    fresh = fresh + (viscous - viscous_before);
    old = unit * old;
    const S change = mul_add(unit, S(fresh), old);
    const S mean = mul_add(half, change, unit * (before + S(viscous_before)));
    const A back = A(step.back);
    V3<A> nodal[7];
#pragma unroll
    for (int k = 0; k < 7; k++) {
        V3<A> large = scale(A(0.125), main[k]);
        V3<S> rounded = scale(S(0.125), rest[k]);
        if (k < 6) {
            large = scale_add(fresh, whole.here.g[k], large);
            const V3<S> moved = scale_add(change, growth.q[k], scale(mean, growth.dg[k]));
            rounded = add(rounded, scale_add(old, as<S>(whole.here.g[k]), moved));
        }
        nodal[k] = scale_add(back, as<A>(rounded), large);
    }
    at_nodes(nodal, forces);
    return found;
}

} // namespace fem
