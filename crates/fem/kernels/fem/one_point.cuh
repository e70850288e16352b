// Elements with one point, and hourglass control where they need it, in the order of operations of
// crates/fem/src/cpu/element/one_point.rs.
#pragma once

#include "fem/shapes.cuh"

namespace fem {

// Coordinates, and those of hourglass modes.
template <class E, class A>
struct Coordinates {
    static constexpr int MODES = E::M > 0 ? E::M : 1;
    V3<A> own[E::K], hourglass[MODES];

    DEVICE explicit Coordinates(const V3<A> (&nodes)[E::N]) { E::coordinates(nodes, own, hourglass); }
    // At the end of a step that is given half way.
    DEVICE Coordinates(const Coordinates& x, const Coordinates& d) {
        moved(x.own, A(0.5), d.own, own);
        moved(x.hourglass, A(0.5), d.hourglass, hourglass);
    }
};

// What a step does to an element: the pressure of viscosity before and now; forces of hourglass
// modes before, and what they grow by.
template <class E, class S, class A>
struct Deformed {
    static constexpr int MODES = E::M > 0 ? E::M : 1;
    Change<A> change;
    A viscous_before, viscous;
    V3<A> held[MODES], growth[MODES];
    Found<S, A> found;
};

// What an element remembers through a step: what its point does, then three numbers of the force of
// each hourglass mode, then the pressure of viscosity.
template <class E, int LAW, class S, class A, class C, class Memory>
DEVICE void deform(const Material& material, const Step<C>& step, const Coordinates<E, A>& x, const Coordinates<E, A>& d, const Gradients<A, E::K>& here, A mass, Memory memory, Deformed<E, S, A>& to) {
    constexpr int N = E::N, K = E::K, M = E::M;
    const S half = S(0.5);
    const A v = here.v, inverse = A(1) / v;
    Motion<A, C> motion = {deformation<E::AXISYMMETRIC>(here.g, d.own, A(E::WEIGHT) * inverse), zero33<A>(), step.dt, v, mass, A(1)};
    const M3<A>& gradient = motion.gradient;
    motion.turn = rotation(gradient);
    A sum, bound;
    trace_and_bound(E::squares(here.g), sum, bound);

    S (&work)[4] = to.found.work;
    work[2] = S(0);
    const A stiffness = A(E::HOURGLASS / N) * A(step.hourglass) * A(material.elastic) * sum * inverse;
    const Memory forces = memory.beyond(material.numbers);
#pragma unroll
    for (int mode = 0; mode < M; mode++) {
        const V3<A> h = x.hourglass[mode], before = {{forces.load(3 * mode), forces.load(3 * mode + 1), forces.load(3 * mode + 2)}};
        V3<A> growth = zero3<A>();
#pragma unroll
        for (int i = 0; i < E::DIMENSIONS; i++) {
            const A linear = E::DIMENSIONS == 3 ? dot(gradient[i], h) : mul_add(gradient[i][0], h[0], gradient[i][1] * h[1]);
            const A free = d.hourglass[mode][i] - linear;
            growth[i] = mul_add(stiffness, free, dot(motion.turn[i], before));
            work[2] = mul_add(mul_add(half, S(growth[i]), S(before[i])), S(free), work[2]);
        }
#pragma unroll
        for (int i = 0; i < 3; i++) forces.grow(3 * mode + i, before[i], growth[i]);
        to.held[mode] = before;
        to.growth[mode] = growth;
    }

    const A dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
    const A after = mul_add(A(0.5) * dilatation, v, v);
    const A inertia = mass * (v * v) / (after * A(0.25 * N));
    if (LAW == NEO_HOOKEAN) {
        V3<A> end[K];
        Gradients<A, K> there;
        moved(x.own, A(0.5), d.own, end);
        E::gradients(end, there);
        motion.expansion = A(material.density) * there.v / mass;
    }
    to.change = follow<LAW, A>(material, memory, motion);
    const Waves<A> waves(step, material, to.change.modulus, inertia, sum, bound, dilatation);
    const int place = material.numbers + 3 * M;
    to.viscous_before = memory.load(place);
    to.viscous = waves.viscosity(step);
    memory.store(place, to.viscous);

    const S small_v = S(v);
    Symmetric<A> stress;
#pragma unroll
    for (int k = 0; k < 6; k++) stress[k] = mul_add(A(0.5), to.change.stress[k], to.change.before[k]);
    work[0] = small_v * contraction(as<S>(stress), as<S>(to.change.strain));
    work[1] = small_v * S(to.change.plastic_work);
    work[2] = S(E::HOURGLASS) * work[2];
    work[3] = small_v * half * S(to.viscous_before + to.viscous) * S(dilatation);
    to.found.stable = waves.template stable_step<S>(step);
    to.found.least = lesser(v, after);
}

// As above, of an element whose coordinates alone are known.
template <class E, int LAW, class S, class A, class C, class Memory>
DEVICE Found<S, A> deform_one_point(const Material& material, const Step<C>& step, const Coordinates<E, A>& x, const Coordinates<E, A>& d, A mass, Memory memory) {
    Gradients<A, E::K> here;
    E::gradients(x.own, here);
    Deformed<E, S, A> deformed;
    deform<E, LAW, S, A>(material, step, x, d, here, mass, memory, deformed);
    return deformed.found;
}

// Forces in full of an element by where it is; its volume. Memory begins with `numbers` of its
// point.
template <class E, class A, class Memory>
DEVICE A forces_of_one_point(int numbers, const Coordinates<E, A>& x, Memory memory, V3<A> (&forces)[E::N]) {
    constexpr int K = E::K, M = E::M;
    V3<A> main[K], modes[M > 0 ? M : 1];
    Gradients<A, K> here;
    E::gradients(x.own, here);
    Symmetric<A> stress;
#pragma unroll
    for (int k = 0; k < 6; k++) stress[k] = memory.load(k);
    const A viscous = memory.load(numbers + 3 * M);
    M3<A> tensor = full(stress);
#pragma unroll
    for (int k = 0; k < 3; k++) tensor[k][k] = tensor[k][k] + viscous;
    const A inverse = A(E::HOURGLASS) / here.v;
#pragma unroll
    for (int mode = 0; mode < M; mode++) {
        const int first = numbers + 3 * mode;
        modes[mode] = V3<A>{{memory.load(first), memory.load(first + 1), memory.load(first + 2)}};
#pragma unroll
        for (int i = 0; i < E::DIMENSIONS; i++) {
            const A part = -(inverse * modes[mode][i]);
#pragma unroll
            for (int j = 0; j < E::DIMENSIONS; j++) tensor[i][j] = mul_add(part, x.hourglass[mode][j], tensor[i][j]);
        }
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        const V3<A> g = here.g[k];
        if (E::AXISYMMETRIC) {
            main[k] = zero3<A>();
#pragma unroll
            for (int a = 0; a < 2; a++) main[k][a] = mul_add(tensor[a][0], g[0], tensor[a][1] * g[1]);
            main[k][0] = mul_add(tensor[2][2], g[2], main[k][0]);
        } else {
#pragma unroll
            for (int i = 0; i < 3; i++) main[k][i] = dot(tensor[i], g);
        }
    }
    E::nodal(main, modes, forces);
    return here.v;
}

} // namespace fem
