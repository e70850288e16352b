// An element's step, in the order of operations of crates/linalg/src/cpu/solid/element.rs.
#pragma once

#include "fem_geometry.cuh"
#include "fem_law.cuh"

namespace fem {

// What a step is like for all elements.
struct Step {
    // Its length; linear and quadratic bulk viscosity; stiffness against hourglass modes; what rounded parts of forces are multiplied by.
    double dt, linear, quadratic, hourglass, scale;
};

// What an element's step comes to, but for forces: the longest stable step; work on strains, of plastic flow, against hourglass modes, of viscosity; the least volume.
template <class S, class A>
struct Advanced {
    S stable;
    S work[4];
    A least;
};

// Waves through an element: the modulus of compression, the density, the square of the way that they have to go.
template <class A>
struct Waves {
    A modulus, density, square;

    // The pressure of bulk viscosity.
    DEVICE A viscosity(const Step& step, A dilatation) const {
        A rate = dilatation * A(1.0 / step.dt);
        A compression = lesser(rate, A(0));
        A inertia = density * square;
        A slow = A(step.linear) * root(modulus * inertia) * rate;
        A quick = A(step.quadratic * step.quadratic) * inertia;
        return slow - quick * (compression * compression);
    }

    // The longest stable step, which viscosity makes shorter.
    template <class S>
    DEVICE S stable_step(const Step& step, S dilatation) const {
        S compression = lesser(dilatation * S(1.0 / step.dt), S(0));
        S inertia = S(density) * S(square);
        S time = root(inertia / S(modulus));
        S damping = S(step.linear) - S(step.quadratic * step.quadratic) * time * compression;
        S r = root(mul_add(damping, damping, S(1)));
        return (r - damping) * time;
    }
};

// Σ Δ_k ⊗ g_k, times a factor.
template <bool AXISYMMETRIC, class A, class P, int K>
DEVICE M3<A> deformation(const P& point, const V3<A> (&d)[K], A factor) {
    M3<A> l = zero33<A>();
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (AXISYMMETRIC) {
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) l[i][j] = mul_add(d[k][i], point.g[k][j], l[i][j]);
            l[2][2] = mul_add(d[k][0], point.g[k][2], l[2][2]);
        } else {
            add_outer(l, d[k], point.g[k]);
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
