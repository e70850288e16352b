// The kinds of elements, by the coordinates that their gradients consist of
// (crates/fem/src/cpu/element/shapes.rs): N nodes, K coordinates, M hourglass modes; elements are
// given PART of their nodes' coordinates.
#pragma once

#include "fem/element.cuh"

namespace fem {

struct ReducedHexahedron {
    static constexpr int N = 8, K = 6, M = 4, POINTS = 1;
    static constexpr bool AXISYMMETRIC = false;
    static constexpr int DIMENSIONS = 3;
    static constexpr double WEIGHT = MEAN_WEIGHT, HOURGLASS = 8.0, PART = 0.125;

    template <class A>
    DEVICE static void coordinates(const V3<A> (&x)[8], V3<A> (&own)[6], V3<A> (&hourglass)[4]) {
        V3<A> m[7];
        modes(x, m);
#pragma unroll
        for (int k = 0; k < 6; k++) own[k] = m[k];
#pragma unroll
        for (int k = 0; k < 4; k++) hourglass[k] = m[3 + k];
    }

    template <class A>
    DEVICE static void gradients(const V3<A> (&x)[6], Gradients<A, 6>& here) {
        mean_hexahedron(x, here);
    }

    template <class S, class A>
    DEVICE static void growth(const Gradients<A, 6>& here, const V3<A> (&x)[6], const V3<S> (&d)[6], Growth<S, 6>& to) {
        mean_hexahedron_growth(here, x, d, to);
    }

    template <class A>
    DEVICE static void nodal(const V3<A> (&main)[6], const V3<A> (&hourglass)[4], V3<A> (&f)[8]) {
        V3<A> m[7];
#pragma unroll
        for (int k = 0; k < 6; k++) m[k] = k < 3 ? main[k] : add(main[k], hourglass[k < 3 ? 0 : k - 3]);
        m[6] = hourglass[3];
        at_nodes(m, f);
    }

    template <class A>
    DEVICE static M3<A> squares(const V3<A> (&g)[6]) {
        return scale_matrix(A(8), squares_of(g));
    }
};

struct Tetrahedron {
    static constexpr int N = 4, K = 3, M = 0, POINTS = 1;
    static constexpr bool AXISYMMETRIC = false;
    static constexpr int DIMENSIONS = 3;
    static constexpr double WEIGHT = 1.0, HOURGLASS = 1.0, PART = 1.0;

    template <class A>
    DEVICE static void coordinates(const V3<A> (&x)[4], V3<A> (&own)[3], V3<A> (&)[1]) {
#pragma unroll
        for (int k = 0; k < 3; k++) own[k] = sub(x[k + 1], x[0]);
    }

    template <class A>
    DEVICE static void gradients(const V3<A> (&x)[3], Gradients<A, 3>& here) {
        edges(x, 6.0, here);
    }

    template <class S, class A>
    DEVICE static void growth(const Gradients<A, 3>& here, const V3<A> (&x)[3], const V3<S> (&d)[3], Growth<S, 3>& to) {
        edges_growth(here, x, d, 6.0, to);
    }

    template <class A>
    DEVICE static void nodal(const V3<A> (&main)[3], const V3<A> (&)[1], V3<A> (&f)[4]) {
#pragma unroll
        for (int k = 0; k < 3; k++) f[k + 1] = main[k];
        f[0] = negative(add(add(f[1], f[2]), f[3]));
    }

    template <class A>
    DEVICE static M3<A> squares(const V3<A> (&g)[3]) {
        const V3<A> all[4] = {add(add(g[0], g[1]), g[2]), g[0], g[1], g[2]};
        return squares_of(all);
    }
};

// x₀ − x₁ + x₂ − x₃
template <class A>
DEVICE V3<A> alternating(const V3<A> (&x)[4]) {
    return add(sub(x[0], x[1]), sub(x[2], x[3]));
}

struct PlaneStrain {
    static constexpr int N = 4, K = 2, M = 1, POINTS = 1;
    static constexpr bool AXISYMMETRIC = false;
    static constexpr int DIMENSIONS = 3;
    static constexpr double WEIGHT = 1.0, HOURGLASS = 1.0, PART = 1.0;

    template <class A>
    DEVICE static void coordinates(const V3<A> (&x)[4], V3<A> (&own)[2], V3<A> (&hourglass)[1]) {
        own[0] = sub(x[2], x[0]);
        own[1] = sub(x[3], x[1]);
        hourglass[0] = alternating(x);
    }

    template <class A>
    DEVICE static void gradients(const V3<A> (&x)[2], Gradients<A, 2>& here) {
        quadrilateral(x, here);
    }

    template <class S, class A>
    DEVICE static void growth(const Gradients<A, 2>& here, const V3<A> (&x)[2], const V3<S> (&d)[2], Growth<S, 2>& to) {
        quadrilateral_growth(here, d, to);
    }

    template <class A>
    DEVICE static void nodal(const V3<A> (&main)[2], const V3<A> (&hourglass)[1], V3<A> (&f)[4]) {
        const V3<A> a = main[0], b = main[1], h = hourglass[0];
        f[0] = sub(h, a);
        f[1] = negative(add(b, h));
        f[2] = add(a, h);
        f[3] = sub(b, h);
    }

    template <class A>
    DEVICE static M3<A> squares(const V3<A> (&g)[2]) {
        return scale_matrix(A(2), squares_of(g));
    }
};

struct Axisymmetric {
    static constexpr int N = 4, K = 4, M = 1, POINTS = 1;
    static constexpr bool AXISYMMETRIC = true;
    static constexpr int DIMENSIONS = 2;
    static constexpr double WEIGHT = RING_WEIGHT, HOURGLASS = 4.0, PART = 1.0;

    // Third entries of nodes are their radii beside that of the first.
    template <class A>
    DEVICE static void coordinates(const V3<A> (&x)[4], V3<A> (&own)[4], V3<A> (&hourglass)[1]) {
        ring_modes(x, own);
        hourglass[0] = own[3];
    }

    template <class A>
    DEVICE static void gradients(const V3<A> (&x)[4], Gradients<A, 4>& here) {
        axisymmetric(x, here);
    }

    template <class S, class A>
    DEVICE static void growth(const Gradients<A, 4>& here, const V3<A> (&x)[4], const V3<S> (&d)[4], Growth<S, 4>& to) {
        axisymmetric_growth(here, x, d, to);
    }

    template <class A>
    DEVICE static void nodal(const V3<A> (&main)[4], const V3<A> (&hourglass)[1], V3<A> (&f)[4]) {
        layer(main[0], main[1], main[2], add(main[3], hourglass[0]), f);
    }

    // Hoop strain is of radial motion.
    template <class A>
    DEVICE static M3<A> squares(const V3<A> (&g)[4]) {
        V3<A> flat[4], hoop[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            flat[k] = V3<A>{{g[k][0], g[k][1], A(0)}};
            hoop[k] = V3<A>{{g[k][2], A(0), A(0)}};
        }
        M3<A> m = squares_of(flat);
        m[0][0] = m[0][0] + squares_of(hoop)[0][0];
        // Of each coefficient there are four nodes.
        return scale_matrix(A(4), m);
    }
};

} // namespace fem
