// Gradients of shape functions and how a step changes them, in the order of operations of
// crates/fem/src/solid/geometry.
#pragma once

#include "fem/vector.cuh"

namespace fem {

// Gradients and the volume of a point.
template <class A, int K>
struct Gradients {
    V3<A> g[K];
    A v;
};

// What a step changes about a point that is given half way: g by dg, and its mean is g + q; the
// volume by dv, and the mean of both ends is larger by bulge.
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
    here.v = A(MEAN_WEIGHT) * here.v / A(3);
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

// The cofactors of three edges, over a number of parts.
template <class A>
DEVICE void edges(const V3<A>* j, double parts, Gradients<A, 3>& here) {
#pragma unroll
    for (int k = 0; k < 3; k++) {
        here.g[k] = cross(j[(k + 1) % 3], j[(k + 2) % 3]);
        if (parts != 1.0) here.g[k] = V3<A>{{here.g[k][0] / A(parts), here.g[k][1] / A(parts), here.g[k][2] / A(parts)}};
    }
    here.v = dot(j[0], here.g[0]);
}

template <class S, class A>
DEVICE void edges_growth(const Gradients<A, 3>& here, const V3<A>* j, const V3<S>* d, double parts, Growth<S, 3>& to) {
    const double weight = 1.0 / parts;
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

// Where a point lies: on the lower side of an axis, or on the upper one.
struct Place {
    bool xi, eta, zeta;
};

DEVICE Place place(int point) { return {(point + 1) % 4 >= 2, point % 4 >= 2, point >= 4}; }

template <class T>
DEVICE T signed_by(bool is_upper, double x) { return is_upper ? T(x) : T(-x); }

// a + s·p + t·q + s·t·r, with s and t of the point's coordinates.
template <class T>
DEVICE V3<T> tangent(V3<T> a, V3<T> p, bool s, V3<T> q, bool t, V3<T> r) {
    V3<T> linear = scale_add(signed_by<T>(s, ROOT), p, scale_add(signed_by<T>(t, ROOT), q, a));
    return scale_add(signed_by<T>(s == t, ROOT * ROOT), r, linear);
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
    const T xi = signed_by<T>(p.xi, ROOT), eta = signed_by<T>(p.eta, ROOT), zeta = signed_by<T>(p.zeta, ROOT);
#pragma unroll
    for (int k = 0; k < 3; k++) m[k] = add(f[k], m[k]);
    m[3] = scale_add(xi, f[1], scale_add(eta, f[0], m[3]));
    m[4] = scale_add(xi, f[2], scale_add(zeta, f[0], m[4]));
    m[5] = scale_add(eta, f[2], scale_add(zeta, f[1], m[5]));
    m[6] = scale_add(signed_by<T>(p.eta == p.zeta, ROOT * ROOT), f[0], m[6]);
    m[6] = scale_add(signed_by<T>(p.xi == p.zeta, ROOT * ROOT), f[1], m[6]);
    m[6] = scale_add(signed_by<T>(p.xi == p.eta, ROOT * ROOT), f[2], m[6]);
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

template <class T>
DEVICE T flat(V3<T> a, V3<T> b) {
    return a[0] * b[1] - a[1] * b[0];
}

// The modes of a quadrilateral around the second axis, of nodes: of each its radius, its height,
// and what its radius has over that of the first node. Of the mean there is the radius alone.
template <class T>
DEVICE void ring_modes(const V3<T> (&x)[4], V3<T> (&m)[4]) {
    const T zero = T(0), quarter = T(0.25);
    const T radius = quarter * ((x[0][0] + x[1][0]) + (x[2][0] + x[3][0]));
    V3<T> at[4];
#pragma unroll
    for (int i = 0; i < 4; i++) at[i] = V3<T>{{x[i][2], x[i][1], zero}};
    const V3<T> lower = sub(at[1], at[0]), upper = sub(at[2], at[3]);
    const V3<T> left = sub(at[3], at[0]), right = sub(at[2], at[1]);
    m[0] = V3<T>{{radius, zero, zero}};
    m[1] = scale(quarter, add(lower, upper));
    m[2] = scale(quarter, add(left, right));
    m[3] = scale(quarter, sub(upper, lower));
}

constexpr double RING_WEIGHT = 4.0;

// The form whose values B(x, x) are gradients: of the radii of x, the tangents of y and, for hoop
// strains, the areas between tangents of both.
template <class T>
DEVICE void ring(const V3<T>* x, const V3<T>* y, V3<T>* g) {
    const T zero = T(0), three = T(3), radius = x[0][0];
    const V3<T> a = x[1], b = x[2], h = x[3], along = y[1], across = y[2], both = y[3];
    const T third[2] = {both[0] / three, both[1] / three};
    g[0] = V3<T>{{zero, zero, flat(a, across)}};
    g[1] = V3<T>{{mul_add(radius, across[1], a[0] * third[1]), -mul_add(radius, across[0], a[0] * third[0]), flat(a, both) / three}};
    g[2] = V3<T>{{-mul_add(radius, along[1], b[0] * third[1]), mul_add(radius, along[0], b[0] * third[0]), flat(h, across) / three}};
    g[3] = V3<T>{{(b[0] * across[1] - a[0] * along[1]) / three, (a[0] * along[0] - b[0] * across[0]) / three, zero}};
}

// A quadrilateral around the second axis, of a radian, by its modes.
template <class A>
DEVICE void axisymmetric(const V3<A>* x, Gradients<A, 4>& here) {
    ring(x, x, here.g);
    here.v = A(0);
#pragma unroll
    for (int k = 0; k < 4; k++) here.v = mul_add(x[k][0], here.g[k][2], here.v);
    here.v = A(RING_WEIGHT) * here.v;
}

template <class S, class A>
DEVICE void axisymmetric_growth(const Gradients<A, 4>& here, const V3<A>* x, const V3<S>* step, Growth<S, 4>& to) {
    const S quarter = S(0.25), weight = S(RING_WEIGHT);
    V3<S> m[4], others[4];
#pragma unroll
    for (int k = 0; k < 4; k++) m[k] = as<S>(x[k]);
    ring(m, step, to.dg);
    ring(step, step, to.q);
    ring(step, m, others);
    to.dv = to.bulge = S(0);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        to.dg[k] = add(to.dg[k], others[k]);
        to.q[k] = scale(quarter, to.q[k]);
        const S r = m[k][0], dr = step[k][0];
        to.dv = mul_add(r, to.dg[k][2], mul_add(dr, S(here.g[k][2]) + to.q[k][2], to.dv));
        to.bulge = mul_add(r, to.q[k][2], mul_add(quarter * dr, to.dg[k][2], to.bulge));
    }
    to.dv = weight * to.dv;
    to.bulge = weight * to.bulge;
}

} // namespace fem
