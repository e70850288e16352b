// An element's step, in the order of operations of crates/fem/src/cpu/element.rs.
#pragma once

#include "fem/geometry.cuh"
#include "fem/law.cuh"
#include "fem/step.cuh"

namespace fem {

// What an element's step comes to, but for forces: the longest stable step; work on strains, of
// plastic flow, against hourglass modes, of viscosity; the least volume.
template <class S, class A>
struct Found {
    S stable;
    S work[4];
    A least;
};

// Waves through an element: the modulus of compression, the time in which one goes through, how
// fast the volume grows, how much more viscosity damps than in a wave through many elements.
template <class A>
struct Waves {
    A modulus, time, rate, swelling;

    template <class C>
    DEVICE Waves(const Step<C>& step, const Material& material, A modulus, A mass_by_square, A trace, A bound, A dilatation)
        : modulus(modulus), rate(dilatation * A(step.rate)) {
        const A shear = A(2) * A(material.mu);
        const A stiffness = mul_add(greater(modulus - shear, A(0)), trace, shear * bound);
        time = root(mass_by_square / stiffness);
        swelling = modulus * trace / stiffness;
    }

    // The pressure of bulk viscosity.
    template <class C>
    DEVICE A viscosity(const Step<C>& step) const {
        const A slow = A(step.linear) * rate;
        const A quick = A(step.quadratic) * time * lesser(rate, A(0));
        return modulus * (time * slow - quick * quick);
    }

    // The longest stable step, which viscosity makes shorter.
    template <class S, class C>
    DEVICE S stable_step(const Step<C>& step) const {
        const S t = S(time), compression = lesser(S(rate), S(0));
        const S damping = (S(step.linear) - S(step.square) * t * compression) * S(swelling);
        return (root(mul_add(damping, damping, S(1))) - damping) * t;
    }
};

// a + k·b of vectors.
template <class A, int K>
DEVICE void moved(const V3<A> (&a)[K], A k, const V3<A> (&b)[K], V3<A> (&to)[K]) {
#pragma unroll
    for (int i = 0; i < K; i++) to[i] = scale_add(k, b[i], a[i]);
}

// Σ Δ_k ⊗ g_k, times a factor.
template <bool AXISYMMETRIC, class A, int K>
DEVICE M3<A> deformation(const V3<A> (&g)[K], const V3<A> (&d)[K], A factor) {
    M3<A> l = zero33<A>();
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (AXISYMMETRIC) {
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) l[i][j] = mul_add(d[k][i], g[k][j], l[i][j]);
            l[2][2] = mul_add(d[k][0], g[k][2], l[2][2]);
        } else {
            add_outer(l, d[k], g[k]);
        }
    }
    return scale_matrix(factor, l);
}

// Σ g_k·g_kᵀ.
template <class A, int K>
DEVICE M3<A> squares_of(const V3<A> (&g)[K]) {
    M3<A> matrix = zero33<A>();
#pragma unroll
    for (int k = 0; k < K; k++) add_outer(matrix, g[k], g[k]);
    return matrix;
}

template <class A>
DEVICE void trace_and_bound(const M3<A>& m, A& trace, A& bound) {
    A row[3];
#pragma unroll
    for (int i = 0; i < 3; i++) row[i] = magnitude(m[i][0]) + magnitude(m[i][1]) + magnitude(m[i][2]);
    trace = m[0][0] + m[1][1] + m[2][2];
    bound = greater(greater(row[0], row[1]), row[2]);
}

} // namespace fem
