// Gradients of shape functions and how a step changes them, in the order of operations of crates/linalg/src/cpu/solid/geometry.
#pragma once

#include "fem_vector.cuh"

namespace fem {

// Gradients and the volume of a point.
template <class A, int K>
struct Gradients {
    V3<A> g[K];
    A v;
};

// What a step changes about a point that is given half way: g by dg, and its mean is g + q; the volume by dv, and the mean of both ends is larger by bulge.
template <class S, int K>
struct Growth {
    V3<S> dg[K], q[K];
    S dv, bulge;
};

// Modes a₁, a₂, a₃, h₁₂, h₁₃, h₂₃, h₁₂₃ of numbers at nodes, of which eighths are given.
template <class T>
DEVICE void modes(const V3<T> (&x)[8], V3<T> (&m)[7]) {
    V3<T> s00 = add(x[1], x[0]), d00 = sub(x[1], x[0]), s10 = add(x[2], x[3]), d10 = sub(x[2], x[3]);
    V3<T> s01 = add(x[5], x[4]), d01 = sub(x[5], x[4]), s11 = add(x[6], x[7]), d11 = sub(x[6], x[7]);
    V3<T> ss0 = add(s10, s00), sd0 = sub(s10, s00), ds0 = add(d10, d00), dd0 = sub(d10, d00);
    V3<T> ss1 = add(s11, s01), sd1 = sub(s11, s01), ds1 = add(d11, d01), dd1 = sub(d11, d01);
    m[0] = add(ds1, ds0);
    m[1] = add(sd1, sd0);
    m[2] = sub(ss1, ss0);
    m[3] = add(dd1, dd0);
    m[4] = sub(ds1, ds0);
    m[5] = sub(sd1, sd0);
    m[6] = sub(dd1, dd0);
}

template <class T>
DEVICE void layer(V3<T> one, V3<T> xi, V3<T> eta, V3<T> both, V3<T>* at) {
    V3<T> front = sub(one, eta), back = add(one, eta);
    V3<T> along_front = sub(xi, both), along_back = add(xi, both);
    at[0] = sub(front, along_front);
    at[1] = add(front, along_front);
    at[2] = add(back, along_back);
    at[3] = sub(back, along_back);
}

// Numbers at nodes of modes, without the mean.
template <class T>
DEVICE void at_nodes(const V3<T> (&m)[7], V3<T> (&x)[8]) {
    layer(negative(m[2]), sub(m[0], m[4]), sub(m[1], m[5]), sub(m[3], m[6]), x);
    layer(m[2], add(m[0], m[4]), add(m[1], m[5]), add(m[3], m[6]), x + 4);
}

// x_i × x_j
template <class T>
struct Products {
    const V3<T>* x;
    DEVICE V3<T> operator()(int i, int j, V3<T> c) const {
        return cross_add(x[i], x[j], c);
    }
};

// x_i × y_j + y_i × x_j
template <class T>
struct Mixed {
    const V3<T>*x, *y;
    DEVICE V3<T> operator()(int i, int j, V3<T> c) const {
        return cross_add(x[i], y[j], cross_add(y[i], x[j], c));
    }
};

template <class T, class Form>
DEVICE void gradients(Form form, V3<T>* g) {
    const V3<T> zero = zero3<T>();
    const T third = T(1.0 / 3.0);
    g[0] = form(1, 2, scale(third, form(3, 4, zero)));
    g[1] = form(2, 0, scale(third, form(5, 3, zero)));
    g[2] = form(0, 1, scale(third, form(4, 5, zero)));
    g[3] = scale(third, form(1, 5, form(4, 0, zero)));
    g[4] = scale(third, form(5, 2, form(0, 3, zero)));
    g[5] = scale(third, form(2, 4, form(3, 1, zero)));
}

constexpr double MEAN_WEIGHT = 8.0;

// The mean gradient of a hexahedron, by its first six modes.
template <class A>
DEVICE void mean_hexahedron(const V3<A>* x, Gradients<A, 6>& here) {
    gradients<A>(Products<A>{x}, here.g);
    here.v = A(0);
#pragma unroll
    for (int k = 0; k < 6; k++) here.v = dot_add(x[k], here.g[k], here.v);
    here.v = A(MEAN_WEIGHT / 3.0) * here.v;
}

template <class S, class A>
DEVICE void mean_hexahedron_growth(const Gradients<A, 6>& here, const V3<A>* x, const V3<S>* step, Growth<S, 6>& to) {
    V3<S> m[6];
#pragma unroll
    for (int k = 0; k < 6; k++) m[k] = as<S>(x[k]);
    gradients<S>(Mixed<S>{m, step}, to.dg);
    gradients<S>(Products<S>{step}, to.q);
    to.dv = to.bulge = S(0);
#pragma unroll
    for (int k = 0; k < 6; k++) {
        to.q[k] = scale(S(0.25), to.q[k]);
        to.dv = dot_add(scale_add(S(1.0 / 3.0), to.q[k], as<S>(here.g[k])), step[k], to.dv);
        to.bulge = dot_add(m[k], to.q[k], to.bulge);
    }
    to.dv = S(MEAN_WEIGHT) * to.dv;
    to.bulge = S(MEAN_WEIGHT) * to.bulge;
}

// The cofactors of three edges, times a weight.
template <class A>
DEVICE void edges(const V3<A>* j, double weight, Gradients<A, 3>& here) {
#pragma unroll
    for (int k = 0; k < 3; k++) {
        here.g[k] = cross(j[(k + 1) % 3], j[(k + 2) % 3]);
        if (weight != 1.0) here.g[k] = scale(A(weight), here.g[k]);
    }
    here.v = dot(j[0], here.g[0]);
}

template <class S, class A>
DEVICE void edges_growth(const Gradients<A, 3>& here, const V3<A>* j, const V3<S>* d, double weight, Growth<S, 3>& to) {
    const V3<S> m[3] = {as<S>(j[0]), as<S>(j[1]), as<S>(j[2])};
    to.dv = to.bulge = S(0);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        to.dg[k] = cross_add(m[a], d[b], cross(d[a], m[b]));
        if (weight != 1.0) to.dg[k] = scale(S(weight), to.dg[k]);
        to.q[k] = scale(S(0.25 * weight), cross(d[a], d[b]));
        to.dv = dot_add(scale_add(S(1.0 / 3.0), to.q[k], as<S>(here.g[k])), d[k], to.dv);
        to.bulge = dot_add(m[k], to.q[k], to.bulge);
    }
}

// Where the points of a hexahedron and of a quadrilateral lie.
constexpr double ROOT = 0.5773502691896258;

DEVICE double sign_xi(int node) { return (node + 1) % 4 < 2 ? -1.0 : 1.0; }
DEVICE double sign_eta(int node) { return node % 4 < 2 ? -1.0 : 1.0; }
DEVICE double sign_zeta(int node) { return node < 4 ? -1.0 : 1.0; }

struct Place {
    double xi, eta, zeta;
};

DEVICE Place place(int point) { return {sign_xi(point) * ROOT, sign_eta(point) * ROOT, sign_zeta(point) * ROOT}; }

// a + s·p + t·q + st·r
template <class T>
DEVICE V3<T> tangent(V3<T> a, V3<T> p, double s, V3<T> q, double t, V3<T> r) {
    V3<T> linear = scale_add(T(s), p, scale_add(T(t), q, a));
    return scale_add(T(s * t), r, linear);
}

template <class T>
DEVICE void tangents(const V3<T> (&m)[7], Place p, V3<T> (&to)[3]) {
    to[0] = tangent(m[0], m[3], p.eta, m[4], p.zeta, m[6]);
    to[1] = tangent(m[1], m[3], p.xi, m[5], p.zeta, m[6]);
    to[2] = tangent(m[2], m[4], p.xi, m[5], p.eta, m[6]);
}

// Adds to forces on modes those on tangents, but for a factor of eight.
template <class T>
DEVICE void add_tangents(V3<T> (&m)[7], const V3<T> (&f)[3], Place p) {
    m[0] = scale_add(T(1), f[0], m[0]);
    m[1] = scale_add(T(1), f[1], m[1]);
    m[2] = scale_add(T(1), f[2], m[2]);
    m[3] = scale_add(T(p.xi), f[1], scale_add(T(p.eta), f[0], m[3]));
    m[4] = scale_add(T(p.xi), f[2], scale_add(T(p.zeta), f[0], m[4]));
    m[5] = scale_add(T(p.eta), f[2], scale_add(T(p.zeta), f[1], m[5]));
    m[6] = scale_add(T(p.eta * p.zeta), f[0], m[6]);
    m[6] = scale_add(T(p.xi * p.zeta), f[1], m[6]);
    m[6] = scale_add(T(p.xi * p.eta), f[2], m[6]);
}

// The gradients of two diagonals: half of the other, turned.
template <class T>
DEVICE void turned(const V3<T>* x, V3<T>* g) {
    const T half = T(0.5);
    g[0] = V3<T>{{half * x[1][1], -(half * x[1][0]), T(0)}};
    g[1] = V3<T>{{-(half * x[0][1]), half * x[0][0], T(0)}};
}

// A plane quadrilateral of thickness one, by its diagonals.
template <class A>
DEVICE void quadrilateral(const V3<A>* x, Gradients<A, 2>& here) {
    turned(x, here.g);
    here.v = mul_add(x[0][0], here.g[0][0], x[0][1] * here.g[0][1]);
}

template <class S, class A>
DEVICE void quadrilateral_growth(const Gradients<A, 2>& here, const V3<S>* step, Growth<S, 2>& to) {
    turned(step, to.dg);
    to.dv = dot(as<S>(here.g[0]), step[0]) + dot(as<S>(here.g[1]), step[1]);
    to.q[0] = to.q[1] = zero3<S>();
    to.bulge = S(0.25) * dot(step[0], to.dg[0]);
}

// A point of a plane element: the radius, and tangents.
template <class T>
struct PlanePoint {
    T r;
    V3<T> xi, eta;
};

template <class T>
DEVICE PlanePoint<T> plane_point(const V3<T>* x, double xi, double eta) {
    PlanePoint<T> p = {T(0), zero3<T>(), zero3<T>()};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        double f = 1.0 + sign_xi(i) * xi, h = 1.0 + sign_eta(i) * eta;
        p.r = p.r + T(0.25 * f * h) * x[i][0];
        p.xi = add(p.xi, scale(T(0.25 * sign_xi(i) * h), x[i]));
        p.eta = add(p.eta, scale(T(0.25 * sign_eta(i) * f), x[i]));
    }
    return p;
}

template <class T>
DEVICE T flat(V3<T> a, V3<T> b) {
    return a[0] * b[1] - a[1] * b[0];
}

// A shape function at a point: its derivatives along both directions, and its value.
struct Function {
    double along, across, value;

    // Its gradient times the area of two tangents.
    template <class T>
    DEVICE void cofactor(V3<T> j1, V3<T> j2, T (&c)[2]) const {
        const T s = T(along), t = T(across);
        c[0] = s * j2[1] - t * j1[1];
        c[1] = t * j1[0] - s * j2[0];
    }
};

DEVICE Function function(int node, double xi, double eta) {
    const double f = 1.0 + sign_xi(node) * xi, h = 1.0 + sign_eta(node) * eta;
    return {0.25 * sign_xi(node) * h, 0.25 * sign_eta(node) * f, 0.25 * f * h};
}

// A quadrilateral around the second axis, of a radian, by its nodes.
template <class A>
DEVICE void axisymmetric(const V3<A>* x, Gradients<A, 4>& here) {
    here.v = A(0);
#pragma unroll
    for (int i = 0; i < 4; i++) here.g[i] = zero3<A>();
#pragma unroll
    for (int point = 0; point < 4; point++) {
        const double xi = sign_xi(point) * ROOT, eta = sign_eta(point) * ROOT;
        const PlanePoint<A> p = plane_point(x, xi, eta);
        const A area = flat(p.xi, p.eta);
        here.v = here.v + p.r * area;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const Function shape = function(i, xi, eta);
            A c[2];
            shape.cofactor(p.xi, p.eta, c);
            here.g[i][0] = here.g[i][0] + p.r * c[0];
            here.g[i][1] = here.g[i][1] + p.r * c[1];
            here.g[i][2] = here.g[i][2] + A(shape.value) * area;
        }
    }
}

template <class S, class A>
DEVICE void axisymmetric_growth(const V3<A>* x, const V3<S>* step, Growth<S, 4>& to) {
    const S quarter = S(0.25);
    to.dv = to.bulge = S(0);
#pragma unroll
    for (int i = 0; i < 4; i++) to.dg[i] = to.q[i] = zero3<S>();
#pragma unroll
    for (int point = 0; point < 4; point++) {
        const double xi = sign_xi(point) * ROOT, eta = sign_eta(point) * ROOT;
        const PlanePoint<A> here = plane_point(x, xi, eta);
        const PlanePoint<S> d = plane_point(step, xi, eta);
        const S area = S(flat(here.xi, here.eta)), r = S(here.r);
        const V3<S> j1 = as<S>(here.xi), j2 = as<S>(here.eta);
        const S d_area = flat(d.xi, j2) + flat(j1, d.eta), q_area = quarter * flat(d.xi, d.eta);
        to.dv = to.dv + r * d_area + d.r * (area + q_area);
        to.bulge = to.bulge + r * q_area + quarter * d.r * d_area;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const Function shape = function(i, xi, eta);
            S c[2], dc[2];
            shape.cofactor(j1, j2, c);
            shape.cofactor(d.xi, d.eta, dc);
#pragma unroll
            for (int k = 0; k < 2; k++) {
                to.dg[i][k] = to.dg[i][k] + d.r * c[k] + r * dc[k];
                to.q[i][k] = to.q[i][k] + quarter * d.r * dc[k];
            }
            to.dg[i][2] = to.dg[i][2] + S(shape.value) * d_area;
            to.q[i][2] = to.q[i][2] + S(shape.value) * q_area;
        }
    }
}

} // namespace fem
