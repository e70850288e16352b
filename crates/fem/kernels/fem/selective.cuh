// Hexahedra with eight points and one volume strain, in the order of operations of
// crates/fem/src/cpu/element/selective.rs.
#pragma once

#include "fem/shapes.cuh"

namespace fem {

struct Hexahedron {
    static constexpr int N = 8, M = 0, POINTS = 8;
    static constexpr bool AXISYMMETRIC = false;
    static constexpr double PART = 0.125;
};

// What all points of an element have in common in a step; the modulus is the greatest of the
// points.
template <class A>
struct Whole {
    Gradients<A, 6> here;
    A dilatation, mass, expansion, modulus;
};

// Of modes half way, and their steps; masses are those of points, STRIDE from one to the next.
template <int STRIDE, int LAW, class A>
DEVICE void whole_of(const Material& material, const V3<A> (&x)[7], const V3<A> (&d)[7], const A* masses, Whole<A>& whole) {
    mean_hexahedron(x, whole.here);
    const V3<A> six[6] = {d[0], d[1], d[2], d[3], d[4], d[5]};
    const M3<A> gradient = deformation<false>(whole.here.g, six, A(MEAN_WEIGHT) / whole.here.v);
    whole.dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
    whole.mass = A(0);
#pragma unroll
    for (int p = 0; p < 8; p++) whole.mass = whole.mass + masses[p * STRIDE];
    whole.expansion = A(1);
    if (LAW == NEO_HOOKEAN) {
        V3<A> end[7];
        Gradients<A, 6> there;
        moved(x, A(0.5), d, end);
        mean_hexahedron(end, there);
        whole.expansion = A(material.density) * there.v / whole.mass;
    }
    whole.modulus = A(0);
}

// Takes a point of tangents x and d through a step; memory is that of the point.
template <int LAW, class S, class A, class C, class Memory>
DEVICE Change<A> follow_point(const Material& material, const Step<C>& step, const V3<A> (&x)[3], const V3<A> (&d)[3], A mass, Memory memory, Whole<A>& whole, Gradients<A, 3>& point, Found<S, A>& found) {
    edges(x, 1.0, point);
    Motion<A, C> motion = {deformation<false>(point.g, d, A(1) / point.v), zero33<A>(), step.dt, point.v, mass, whole.expansion};
    M3<A>& gradient = motion.gradient;
    const A correction = (whole.dilatation - (gradient[0][0] + gradient[1][1] + gradient[2][2])) / A(3);
#pragma unroll
    for (int k = 0; k < 3; k++) gradient[k][k] = gradient[k][k] + correction;
    motion.turn = rotation(gradient);
    const Change<A> change = follow<LAW, A>(material, memory, motion);
    whole.modulus = greater(whole.modulus, change.modulus);
    const S v = S(point.v);
    Symmetric<A> mean;
#pragma unroll
    for (int k = 0; k < 6; k++) mean[k] = mul_add(A(0.5), change.stress[k], change.before[k]);
    found.work[0] = mul_add(v, contraction(as<S>(mean), as<S>(change.strain)), found.work[0]);
    found.work[1] = mul_add(v, S(change.plastic_work), found.work[1]);
    found.least = lesser(found.least, point.v);
    return change;
}

// The pressure of viscosity before and now.
template <class S, class A, class C, class Memory>
DEVICE void viscosity_of(const Material& material, const Step<C>& step, const Whole<A>& whole, Memory memory, Found<S, A>& found, A& before, A& now) {
    A sum, bound;
    trace_and_bound(ReducedHexahedron::squares(whole.here.g), sum, bound);
    const A v = whole.here.v, after = mul_add(A(0.5) * whole.dilatation, v, v);
    const A inertia = whole.mass * (v * v) / (after * A(2));
    const Waves<A> waves(step, material, whole.modulus, inertia, sum, bound, whole.dilatation);
    const int place = 8 * material.numbers;
    before = memory.load(place);
    now = waves.viscosity(step);
    memory.store(place, now);
    found.work[3] = S(v) * (S(0.5) * S(before + now)) * S(whole.dilatation);
    found.stable = waves.template stable_step<S>(step);
    found.least = lesser(found.least, after);
}

// What an element remembers through a step, as deform_one_point; memory has the eight points'
// numbers, then the pressure of viscosity.
template <int STRIDE, int LAW, class S, class A, class C, class Nodes, class Memory>
DEVICE Found<S, A> deform_selective(const Material& material, const Step<C>& step, const Nodes& nodes, const A* masses, Memory memory) {
    V3<A> x[7], d[7];
    {
        V3<A> at[8];
        nodes.places(at);
        modes(at, x);
        nodes.steps(at);
        modes(at, d);
    }
    Whole<A> whole;
    whole_of<STRIDE, LAW>(material, x, d, masses, whole);
    Found<S, A> found;
    found.work[0] = found.work[1] = found.work[2] = S(0);
    found.least = whole.here.v;
#pragma unroll 1
    for (int p = 0; p < 8; p++) {
        const Place at = place(p);
        V3<A> own[3], steps[3];
        tangents(x, at, own);
        tangents(d, at, steps);
        Gradients<A, 3> point;
        follow_point<LAW, S, A>(material, step, own, steps, masses[p * STRIDE], memory.beyond(p * material.numbers), whole, point, found);
    }
    A before, now;
    viscosity_of(material, step, whole, memory, found, before, now);
    return found;
}

// Forces in full, as forces_of_one_point; the least volume of the element and its points.
template <class A, class Nodes, class Memory>
DEVICE A forces_of_selective(int numbers, const Nodes& nodes, Memory memory, V3<A> (&forces)[8]) {
    V3<A> x[7], main[7];
    {
        V3<A> at[8];
        nodes.ends(at);
        modes(at, x);
    }
#pragma unroll
    for (int k = 0; k < 7; k++) main[k] = zero3<A>();
    Gradients<A, 6> whole;
    mean_hexahedron(x, whole);
    A pressure = A(0), least = whole.v;
#pragma unroll 1
    for (int p = 0; p < 8; p++) {
        const Place at = place(p);
        V3<A> own[3], on[3];
        tangents(x, at, own);
        Gradients<A, 3> point;
        edges(own, 1.0, point);
        Symmetric<A> stress;
#pragma unroll
        for (int k = 0; k < 6; k++) stress[k] = memory.load(p * numbers + k);
        A mean;
        const M3<A> shape = full(deviator(stress, mean));
#pragma unroll
        for (int k = 0; k < 3; k++)
#pragma unroll
            for (int i = 0; i < 3; i++) on[k][i] = dot(shape[i], point.g[k]);
        add_tangents(main, on, at);
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
