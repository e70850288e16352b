// Increments of forces of elements with one point, in the order of operations of
// crates/fem/src/cpu/element/one_point_increments.rs.
#pragma once

#include "fem/one_point.cuh"

namespace fem {

// What keeps forces of hourglass modes orthogonal to linear fields: before; what their growth adds;
// what the element's motion adds.
template <class S, class A>
struct Balance {
    M3<S> tensor, change;
    M3<A> growth;
};

template <class E, class S, class A>
DEVICE Balance<S, A> balance(const Deformed<E, S, A>& deformed, const Coordinates<E, A>& x, const Coordinates<E, A>& d, S v_before, S dv, A inverse_after) {
    const S half = S(0.5), small_part = S(E::HOURGLASS);
    Balance<S, A> to = {zero33<S>(), zero33<S>(), zero33<A>()};
#pragma unroll
    for (int mode = 0; mode < E::M; mode++) {
        const V3<A> h = x.hourglass[mode], growth = deformed.growth[mode];
        const V3<S> small_dh = change_as<S>(d.hourglass[mode]), force = as<S>(deformed.held[mode]);
        const V3<S> mean = scale_add(half, as<S>(growth), force), low = scale_add(-half, small_dh, as<S>(h));
#pragma unroll
        for (int i = 0; i < E::DIMENSIONS; i++)
#pragma unroll
            for (int j = 0; j < E::DIMENSIONS; j++) {
                to.tensor[i][j] = mul_add(force[i], low[j], to.tensor[i][j]);
                to.growth[i][j] = mul_add(growth[i], h[j], to.growth[i][j]);
                to.change[i][j] = mul_add(mean[i], small_dh[j], to.change[i][j]);
            }
    }
    const S before = small_part / v_before, small_after = S(inverse_after);
    const A after = A(E::HOURGLASS) * inverse_after;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++) {
            const S old = to.tensor[i][j] * before;
            to.tensor[i][j] = old;
            to.growth[i][j] = to.growth[i][j] * after;
            to.change[i][j] = mul_add(small_part, to.change[i][j], -(old * dv)) * small_after;
        }
    return to;
}

// Takes an element through a step, and finds what it adds to its forces.
template <class E, int LAW, class S, class A, class C, class Nodes, class Memory>
DEVICE Found<S, A> increments_of_one_point(const Material& material, const Step<C>& step, const Nodes& nodes, A mass, Memory memory, V3<A> (&forces)[E::N]) {
    constexpr int K = E::K, M = E::M;
    const S half = S(0.5), unit = S(step.scale);
    V3<A> at[E::N];
    nodes.places(at);
    const Coordinates<E, A> x(at);
    nodes.steps(at);
    const Coordinates<E, A> d(at);
    Gradients<A, K> here;
    E::gradients(x.own, here);
    Growth<S, K> growth;
    {
        V3<S> small[K];
#pragma unroll
        for (int k = 0; k < K; k++) small[k] = change_as<S>(d.own[k]);
        E::growth(here, x.own, small, growth);
    }
    Deformed<E, S, A> deformed;
    deform<E, LAW, S, A>(material, step, x, d, here, mass, memory, deformed);
    const A v_after = mul_add(A(0.5), A(growth.dv), here.v + A(growth.bulge));

    // Of the first order in the step.
    M3<A> first = full(deformed.change.stress);
    // Of the second, and what is there before.
    M3<S> second = zero33<S>(), tensor = scale_matrix(unit, full(as<S>(deformed.change.before)));
#pragma unroll
    for (int k = 0; k < 3; k++) {
        first[k][k] = first[k][k] + (deformed.viscous - deformed.viscous_before);
        tensor[k][k] = mul_add(unit, S(deformed.viscous_before), tensor[k][k]);
    }
    if (M > 0) {
        const S v_before = mul_add(-half, growth.dv, S(here.v) + growth.bulge);
        const Balance<S, A> own = balance<E, S, A>(deformed, x, d, v_before, growth.dv, A(1) / v_after);
#pragma unroll
        for (int i = 0; i < 3; i++) {
            first[i] = sub(first[i], own.growth[i]);
            tensor[i] = scale_add(-unit, own.tensor[i], tensor[i]);
            second[i] = scale(-unit, own.change[i]);
        }
    }
    M3<S> change, mean;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        change[i] = scale_add(unit, as<S>(first[i]), second[i]);
        mean[i] = scale_add(half, change[i], tensor[i]);
    }
    const A back = A(step.back);
    V3<A> main[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
        const V3<S> dg = growth.dg[k], q = growth.q[k], g = as<S>(here.g[k]);
        V3<S> rest = zero3<S>();
        main[k] = zero3<A>();
        if (E::AXISYMMETRIC) {
#pragma unroll
            for (int a = 0; a < 2; a++)
#pragma unroll
                for (int b = 0; b < 2; b++) {
                    main[k][a] = mul_add(first[a][b], here.g[k][b], main[k][a]);
                    const S moved = mul_add(change[a][b], q[b], mean[a][b] * dg[b]);
                    rest[a] = rest[a] + mul_add(second[a][b], g[b], moved);
                }
            main[k][0] = mul_add(first[2][2], here.g[k][2], main[k][0]);
            const S moved = mul_add(change[2][2], q[2], mean[2][2] * dg[2]);
            rest[0] = rest[0] + mul_add(second[2][2], g[2], moved);
        } else {
#pragma unroll
            for (int i = 0; i < 3; i++) {
                main[k][i] = dot(first[i], here.g[k]);
                rest[i] = dot_add(second[i], g, dot_add(change[i], q, dot(mean[i], dg)));
            }
        }
        main[k] = scale_add(back, as<A>(rest), main[k]);
    }
    E::nodal(main, deformed.growth, forces);
    deformed.found.least = lesser(deformed.found.least, v_after);
    return deformed.found;
}

} // namespace fem
