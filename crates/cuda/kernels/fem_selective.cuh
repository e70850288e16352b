// Hexahedra with eight points and one volume strain, in the order of operations of crates/linalg/src/cpu/solid/element/selective.rs.
#pragma once

#include "fem_shapes.cuh"

namespace fem {

struct Hexahedron {
    static constexpr int N = 8, M = 0, POINTS = 8;
    static constexpr double PART = 0.125;
};

// Takes an element through a step, as advance_one_point; memory has the eight points' numbers, and masses their masses, STRIDE from one to the next.
template <int STRIDE, int LAW, class S, class A, class Nodes, class Memory>
DEVICE Advanced<S, A> advance_selective(const Material& material, const Step& step, const Nodes& nodes, const A* masses, Memory memory, V3<A> (&forces)[8]) {
    const S half = S(0.5), unit = S(step.scale);
    const A third = A(1.0 / 3.0);
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
    Point<S, A, 6> whole;
    mean_hexahedron(x, small, whole);
    A dilatation;
    {
        V3<A> six[6] = {d[0], d[1], d[2], d[3], d[4], d[5]};
        const M3<A> gradient = deformation<false>(whole, six, A(MEAN_WEIGHT) / whole.v);
        dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
    }
    const A whole_after = mul_add(A(0.5), A(whole.dv), whole.v + A(whole.bulge));

    V3<A> main[7];
    V3<S> rest[7];
#pragma unroll
    for (int k = 0; k < 7; k++) main[k] = zero3<A>(), rest[k] = zero3<S>();
    Advanced<S, A> advanced;
    advanced.work[0] = advanced.work[1] = advanced.work[2] = S(0);
    A least = lesser(whole.v, whole_after), mass = A(0), modulus = A(0);
    // Σ p·v before, its change by pressure and by volume.
    S pressure = S(0), by_volume = S(0);
    A by_pressure = A(0);
#pragma unroll
    for (int p = 0; p < 8; p++) mass = mass + masses[p * STRIDE];
    const A expansion = A(material.density) * whole_after / mass;
#pragma unroll 1
    for (int p = 0; p < 8; p++) {
        const Place at = place(p);
        V3<A> here[3], edges[3];
        V3<S> moved[3];
        tangents(d, at, here);
        tangents(x, at, edges);
        tangents(small, at, moved);
        Point<S, A, 3> point;
        cofactors(edges, moved, 1.0, point);
        M3<A> own = deformation<false>(point, here, A(1) / point.v);
        const A correction = third * (dilatation - (own[0][0] + own[1][1] + own[2][2]));
#pragma unroll
        for (int k = 0; k < 3; k++) own[k][k] = own[k][k] + correction;
        const Change<A> done = follow<LAW, A>(material, memory.beyond(p * material.numbers), own, step.dt, point.v / masses[p * STRIDE], expansion);
        modulus = greater(modulus, done.modulus);
        const S v = S(point.v);
        const Symmetric<S> before = as<S>(done.before), increment = as<S>(done.stress);
        Symmetric<S> middle;
#pragma unroll
        for (int k = 0; k < 6; k++) middle[k] = mul_add(half, increment[k], before[k]);
        advanced.work[0] = mul_add(v, power(middle, as<S>(done.strain)), advanced.work[0]);
        advanced.work[1] = mul_add(v, S(done.plastic_work), advanced.work[1]);
        // Deviators make forces here, pressures together below.
        S mean_before;
        A mean_change;
        const Symmetric<S> shape = deviator(before, mean_before);
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
                others[k][i] = dot_add(change[i], point.q[k], dot(mean[i], point.dg[k]));
            }
        add_tangents(main, at_first, at);
        add_tangents(rest, others, at);
        const S low = mul_add(-half, point.dv, v + point.bulge);
        pressure = mul_add(mean_before, low, pressure);
        by_volume = mul_add(mean_before, point.dv, by_volume);
        const A after = mul_add(A(0.5), A(point.dv), point.v + A(point.bulge));
        by_pressure = mul_add(mean_change, after, by_pressure);
        least = lesser(lesser(least, point.v), after);
    }

    const S v = S(whole.v);
    const A inverse_after = A(1) / whole_after;
    const S before = pressure / mul_add(-half, whole.dv, v + whole.bulge);
    // Of the mean pressure: what new pressures make, and what volumes do that change.
    A fresh = by_pressure * inverse_after;
    S old = mul_add(before, -whole.dv, by_volume) * S(inverse_after);

    A sum, bound;
    trace_and_bound(ReducedHexahedron::squares(whole.g), sum, bound);
    const Waves<A> waves = {modulus, mass * inverse_after, whole.v * whole.v / (A(2) * bound)};
    const int place_of_viscosity = 8 * material.numbers;
    const A viscous = waves.viscosity(step, dilatation), viscous_before = memory.load(place_of_viscosity);
    memory.store(place_of_viscosity, viscous);
    const S small_dilatation = S(dilatation);
    advanced.work[3] = v * half * S(viscous + viscous_before) * small_dilatation;

    // All of this is pressure, for which a number stands.
    fresh = fresh + (viscous - viscous_before);
    old = unit * old;
    const S change = mul_add(unit, S(fresh), old);
    const S mean = mul_add(half, change, unit * (before + S(viscous_before)));
    const S eighth = S(0.125);
    const A back = A(1.0 / step.scale);
    V3<A> nodal[7];
#pragma unroll
    for (int k = 0; k < 7; k++) {
        V3<A> large = scale(A(0.125), main[k]);
        V3<S> rounded = scale(eighth, rest[k]);
        if (k < 6) {
            large = scale_add(fresh, whole.g[k], large);
            const V3<S> moved = scale_add(change, whole.q[k], scale(mean, whole.dg[k]));
            rounded = add(rounded, scale_add(old, as<S>(whole.g[k]), moved));
        }
        nodal[k] = scale_add(back, as<A>(rounded), large);
    }
    at_nodes(nodal, forces);
    advanced.stable = waves.stable_step(step, small_dilatation);
    advanced.least = least;
    return advanced;
}

// Forces in full, as one_point_in_full; the least volume of the element and its points.
template <class A, class Nodes, class Memory>
DEVICE A selective_in_full(int numbers, const Nodes& nodes, Memory memory, V3<A> (&forces)[8]) {
    V3<A> x[7], zeros[7], main[7];
    {
        V3<A> at[8];
        nodes.places(at);
        modes(at, x);
    }
#pragma unroll
    for (int k = 0; k < 7; k++) zeros[k] = main[k] = zero3<A>();
    Point<A, A, 6> whole;
    mean_hexahedron(x, zeros, whole);
    A pressure = A(0), least = whole.v;
#pragma unroll 1
    for (int p = 0; p < 8; p++) {
        const Place at = place(p);
        const V3<A> rest[3] = {zeros[0], zeros[1], zeros[2]};
        V3<A> edges[3], own[3];
        tangents(x, at, edges);
        Point<A, A, 3> point;
        cofactors(edges, rest, 1.0, point);
        Symmetric<A> stress;
#pragma unroll
        for (int k = 0; k < 6; k++) stress[k] = memory.load(p * numbers + k);
        A mean;
        const M3<A> shape = full(deviator(stress, mean));
#pragma unroll
        for (int k = 0; k < 3; k++)
#pragma unroll
            for (int i = 0; i < 3; i++) own[k][i] = dot(shape[i], point.g[k]);
        add_tangents(main, own, at);
        pressure = mul_add(mean, point.v, pressure);
        least = lesser(least, point.v);
    }
    pressure = pressure / whole.v + memory.load(8 * numbers);
    V3<A> nodal[7];
#pragma unroll
    for (int k = 0; k < 7; k++) {
        nodal[k] = scale(A(0.125), main[k]);
        if (k < 6) nodal[k] = scale_add(pressure, whole.g[k], nodal[k]);
    }
    at_nodes(nodal, forces);
    return least;
}

} // namespace fem
