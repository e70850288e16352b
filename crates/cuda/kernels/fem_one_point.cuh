// Elements with one point, and hourglass control where they need it, in the order of operations of crates/linalg/src/cpu/solid/element/one_point.rs.
#pragma once

#include "fem_shapes.cuh"

namespace fem {

// What hourglass control comes to: what forces grow by; what keeps them orthogonal to linear fields before, by their growth and by the element's motion.
template <class S, class A, int M>
struct Control {
    V3<A> increments[M];
    M3<S> tensor, change;
    M3<A> growth;
    S work;
};

// Of modes whose forces are remembered from number 0 of `forces` on.
template <class E, class S, class A, int M, class Memory>
DEVICE void control(Memory forces, const M3<A>& l, A stiffness, const V3<A> (&h)[M], const V3<A> (&dh)[M], S v_before, A inverse_after, S dv, Control<S, A, M>& c) {
    constexpr int DIMS = E::AXISYMMETRIC ? 2 : 3;
    const S half = S(0.5), small_part = S(E::HOURGLASS);
    const A part = A(E::HOURGLASS);
    stiffness = part * stiffness;
    const M3<S> turn = rotation(spin_of(M3<S>{{change_as<S>(l[0]), change_as<S>(l[1]), change_as<S>(l[2])}}));
    c.tensor = c.change = zero33<S>();
    c.growth = zero33<A>();
    c.work = S(0);
#pragma unroll
    for (int mode = 0; mode < M; mode++) {
        const V3<S> small_h = as<S>(h[mode]), small_dh = change_as<S>(dh[mode]);
        const V3<A> remembered = {{forces.load(3 * mode), forces.load(3 * mode + 1), forces.load(3 * mode + 2)}};
        const V3<S> force = as<S>(remembered);
        V3<A> increment = zero3<A>();
        V3<S> small = zero3<S>();
#pragma unroll
        for (int i = 0; i < DIMS; i++) {
            A linear = mul_add(l[i][0], h[mode][0], l[i][1] * h[mode][1]);
            if (DIMS == 3) linear = mul_add(l[i][2], h[mode][2], linear);
            const A free = dh[mode][i] - linear;
            increment[i] = mul_add(stiffness, free, A(dot(turn[i], force)));
            small[i] = S(increment[i]);
            c.work = mul_add(mul_add(half, small[i], force[i]), S(free), c.work);
        }
        const V3<S> mean = scale_add(half, small, force), low = scale_add(-half, small_dh, small_h);
#pragma unroll
        for (int i = 0; i < DIMS; i++)
#pragma unroll
            for (int j = 0; j < DIMS; j++) {
                c.tensor[i][j] = mul_add(force[i], low[j], c.tensor[i][j]);
                c.growth[i][j] = mul_add(increment[i], h[mode][j], c.growth[i][j]);
                c.change[i][j] = mul_add(mean[i], small_dh[j], c.change[i][j]);
            }
#pragma unroll
        for (int i = 0; i < 3; i++) forces.store(3 * mode + i, remembered[i] + increment[i]);
        c.increments[mode] = increment;
    }
    c.work = small_part * c.work;
    const S before = small_part / v_before;
    const A after = part * inverse_after;
    const S small_after = S(inverse_after);
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const S old = c.tensor[i][j] * before;
            c.tensor[i][j] = old;
            c.growth[i][j] = c.growth[i][j] * after;
            c.change[i][j] = mul_add(small_part, c.change[i][j], -(old * dv)) * small_after;
        }
}

// Takes an element through a step. `nodes` fills in its nodes' places half way and their steps; memory has what its point remembers, then three numbers of the force of each hourglass mode, then the pressure of viscosity.
template <class E, int LAW, class S, class A, class Nodes, class Memory>
DEVICE Advanced<S, A> advance_one_point(const Material& material, const Step& step, const Nodes& nodes, A mass, Memory memory, V3<A> (&forces)[E::N]) {
    constexpr int N = E::N, K = E::K, M = E::M, MODES = M > 0 ? M : 1;
    const S half = S(0.5);
    V3<A> h[MODES], dh[MODES];
    Point<S, A, K> point;
    M3<A> gradient;
    A inverse;
    {
        V3<A> at[N], x[K], d[K];
        V3<S> small[K];
        nodes.places(at);
        E::coordinates(at, x, h);
        nodes.steps(at);
        E::coordinates(at, d, dh);
#pragma unroll
        for (int k = 0; k < K; k++) small[k] = change_as<S>(d[k]);
        E::point(x, small, point);
        inverse = A(1) / point.v;
        gradient = deformation<E::AXISYMMETRIC>(point, d, A(E::WEIGHT) * inverse);
    }
    const A v_after = mul_add(A(0.5), A(point.dv), point.v + A(point.bulge)), inverse_after = A(1) / v_after, inverse_mass = A(1) / mass;
    const Change<A> done = follow<LAW, A>(material, memory, gradient, step.dt, point.v * inverse_mass, A(material.density) * v_after * inverse_mass);
    const A dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];

    A sum, bound;
    trace_and_bound(E::squares(point.g), sum, bound);
    const Waves<A> waves = {done.modulus, mass * inverse_after, point.v * point.v / (A(0.25 * N) * bound)};
    const int place = material.numbers + 3 * M;
    const A viscous = waves.viscosity(step, dilatation), viscous_before = memory.load(place);
    memory.store(place, viscous);

    // Of the first order in the step; of the second, and what is there before.
    M3<A> first = full(done.stress);
    M3<S> second = zero33<S>();
    const S unit = S(step.scale);
    const Symmetric<S> before = as<S>(done.before);
    M3<S> tensor = scale_matrix(unit, full(before));
#pragma unroll
    for (int k = 0; k < 3; k++) {
        first[k][k] = first[k][k] + (viscous - viscous_before);
        tensor[k][k] = mul_add(unit, S(viscous_before), tensor[k][k]);
    }
    const S small_v = S(point.v);
    Advanced<S, A> advanced;
    advanced.work[2] = S(0);
    V3<A> increments[MODES];
    if (M > 0) {
        const A stiffness = A(step.hourglass / (3.0 * N)) * done.modulus * sum * inverse;
        Control<S, A, MODES> c;
        control<E>(memory.beyond(material.numbers), gradient, stiffness, h, dh, mul_add(-half, point.dv, small_v + point.bulge), inverse_after, point.dv, c);
#pragma unroll
        for (int i = 0; i < 3; i++) {
            first[i] = sub(first[i], c.growth[i]);
            tensor[i] = scale_add(-unit, c.tensor[i], tensor[i]);
            second[i] = scale(-unit, c.change[i]);
        }
#pragma unroll
        for (int k = 0; k < MODES; k++) increments[k] = c.increments[k];
        advanced.work[2] = c.work;
    }
    M3<S> change, mean;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        change[i] = scale_add(unit, as<S>(first[i]), second[i]);
        mean[i] = scale_add(half, change[i], tensor[i]);
    }
    V3<A> main[K];
    V3<S> rest[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
        const V3<S> g = as<S>(point.g[k]), dg = point.dg[k], q = point.q[k];
        if (E::AXISYMMETRIC) {
            main[k] = zero3<A>();
            rest[k] = zero3<S>();
#pragma unroll
            for (int a = 0; a < 2; a++)
#pragma unroll
                for (int b = 0; b < 2; b++) {
                    main[k][a] = mul_add(first[a][b], point.g[k][b], main[k][a]);
                    rest[k][a] = rest[k][a] + mul_add(second[a][b], g[b], mul_add(change[a][b], q[b], mean[a][b] * dg[b]));
                }
            main[k][0] = mul_add(first[2][2], point.g[k][2], main[k][0]);
            rest[k][0] = rest[k][0] + mul_add(second[2][2], g[2], mul_add(change[2][2], q[2], mean[2][2] * dg[2]));
        } else {
#pragma unroll
            for (int i = 0; i < 3; i++) {
                main[k][i] = dot(first[i], point.g[k]);
                rest[k][i] = dot_add(second[i], g, dot_add(change[i], q, dot(mean[i], dg)));
            }
        }
    }
    E::nodal(main, rest, increments, A(1.0 / step.scale), forces);

    const Symmetric<S> increment = as<S>(done.stress);
    Symmetric<S> middle;
#pragma unroll
    for (int k = 0; k < 6; k++) middle[k] = mul_add(half, increment[k], before[k]);
    advanced.work[0] = small_v * power(middle, as<S>(done.strain));
    advanced.work[1] = small_v * S(done.plastic_work);
    const S small_dilatation = S(dilatation);
    advanced.work[3] = small_v * half * S(viscous + viscous_before) * small_dilatation;
    advanced.stable = waves.stable_step(step, small_dilatation);
    advanced.least = lesser(point.v, v_after);
    return advanced;
}

// Forces in full of an element at its nodes' places; its volume. Memory begins with `numbers` of its point.
template <class E, class A, class Nodes, class Memory>
DEVICE A one_point_in_full(int numbers, const Nodes& nodes, Memory memory, V3<A> (&forces)[E::N]) {
    constexpr int N = E::N, K = E::K, M = E::M, MODES = M > 0 ? M : 1, DIMS = E::AXISYMMETRIC ? 2 : 3;
    V3<A> at[N], x[K], rest[K], main[K], h[MODES], modes[MODES];
    nodes.places(at);
    E::coordinates(at, x, h);
#pragma unroll
    for (int k = 0; k < K; k++) rest[k] = zero3<A>();
    Point<A, A, K> point;
    E::point(x, rest, point);
    Symmetric<A> stress;
#pragma unroll
    for (int k = 0; k < 6; k++) stress[k] = memory.load(k);
    const A viscous = memory.load(numbers + 3 * M);
    M3<A> tensor = full(stress);
#pragma unroll
    for (int k = 0; k < 3; k++) tensor[k][k] = tensor[k][k] + viscous;
    const A inverse = A(E::HOURGLASS) / point.v;
#pragma unroll
    for (int mode = 0; mode < M; mode++) {
        const int first = numbers + 3 * mode;
        modes[mode] = V3<A>{{memory.load(first), memory.load(first + 1), memory.load(first + 2)}};
#pragma unroll
        for (int i = 0; i < DIMS; i++) {
            const A part = -(inverse * modes[mode][i]);
#pragma unroll
            for (int j = 0; j < DIMS; j++) tensor[i][j] = mul_add(part, h[mode][j], tensor[i][j]);
        }
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        const V3<A> g = point.g[k];
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
    E::nodal(main, rest, modes, A(1), forces);
    return point.v;
}

} // namespace fem
