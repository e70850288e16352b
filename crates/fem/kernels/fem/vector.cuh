// Vectors, matrices and symmetric tensors of three dimensions
// (crates/fem/src/solid/vector.rs), in f32, in pairs of f32 and in f64.
#pragma once

#include "fem/pair.cuh"

namespace fem {

DEVICE float mul_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
DEVICE double mul_add(double a, double b, double c) { return __fma_rn(a, b, c); }
DEVICE float root(float x) { return __fsqrt_rn(x); }
DEVICE double root(double x) { return __dsqrt_rn(x); }
DEVICE float magnitude(float x) { return fabsf(x); }
DEVICE double magnitude(double x) { return fabs(x); }

template <class T>
DEVICE T greater(T a, T b) { return a > b ? a : b; }
template <class T>
DEVICE T lesser(T a, T b) { return a < b ? a : b; }

// A constant in two parts times a number, rounded once: the rounding error of a constant alone
// would be there in every step.
DEVICE double times(double k, double x) { return k * x; }
DEVICE float times(double k, float x) { return mul_add(float(k), x, float(k - double(float(k))) * x); }
DEVICE float times(Pair k, float x) { return mul_add(k.hi, x, k.lo * x); }
DEVICE Pair times(Pair k, Pair x) { return k * x; }

template <class T> struct V3 {
    T x[3];
    DEVICE T& operator[](int k) { return x[k]; }
    DEVICE const T& operator[](int k) const { return x[k]; }
};

// Rows.
template <class T> struct M3 {
    V3<T> row[3];
    DEVICE V3<T>& operator[](int k) { return row[k]; }
    DEVICE const V3<T>& operator[](int k) const { return row[k]; }
};

// 11, 22, 33, 12, 23, 13.
template <class T> struct Symmetric {
    T x[6];
    DEVICE T& operator[](int k) { return x[k]; }
    DEVICE const T& operator[](int k) const { return x[k]; }
};

template <class T>
DEVICE V3<T> zero3() { return V3<T>{{T(0), T(0), T(0)}}; }
template <class T>
DEVICE M3<T> zero33() {
    return M3<T>{{zero3<T>(), zero3<T>(), zero3<T>()}};
}

// a × b + c
template <class T>
DEVICE V3<T> cross_add(V3<T> a, V3<T> b, V3<T> c) {
    return V3<T>{{mul_add(a[1], b[2], mul_add(-a[2], b[1], c[0])),
                  mul_add(a[2], b[0], mul_add(-a[0], b[2], c[1])),
                  mul_add(a[0], b[1], mul_add(-a[1], b[0], c[2]))}};
}

// a × b
template <class T>
DEVICE V3<T> cross(V3<T> a, V3<T> b) {
    return V3<T>{{mul_add(a[1], b[2], -(a[2] * b[1])), mul_add(a[2], b[0], -(a[0] * b[2])),
                  mul_add(a[0], b[1], -(a[1] * b[0]))}};
}

template <class T>
DEVICE T dot_add(V3<T> a, V3<T> b, T c) {
    return mul_add(a[0], b[0], mul_add(a[1], b[1], mul_add(a[2], b[2], c)));
}

template <class T>
DEVICE T dot(V3<T> a, V3<T> b) {
    return mul_add(a[0], b[0], mul_add(a[1], b[1], a[2] * b[2]));
}

template <class T>
DEVICE V3<T> add(V3<T> a, V3<T> b) {
    return V3<T>{{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}

template <class T>
DEVICE V3<T> sub(V3<T> a, V3<T> b) {
    return V3<T>{{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}

template <class T>
DEVICE V3<T> negative(V3<T> a) {
    return V3<T>{{-a[0], -a[1], -a[2]}};
}

template <class T>
DEVICE V3<T> scale(T k, V3<T> a) {
    return V3<T>{{k * a[0], k * a[1], k * a[2]}};
}

// k·a + b
template <class T>
DEVICE V3<T> scale_add(T k, V3<T> a, V3<T> b) {
    return V3<T>{{mul_add(k, a[0], b[0]), mul_add(k, a[1], b[1]), mul_add(k, a[2], b[2])}};
}

// A vector in other numbers.
template <class R, class T>
DEVICE V3<R> as(V3<T> a) {
    return V3<R>{{R(a[0]), R(a[1]), R(a[2])}};
}

template <class R, class T>
DEVICE Symmetric<R> as(Symmetric<T> a) {
    return Symmetric<R>{{R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(a[4]), R(a[5])}};
}

// Zero in place of what is tiny.
template <class S>
DEVICE S without_tiny(S x) {
    return magnitude(x) < S(1e-18) ? S(0) : x;
}

template <class S, class A>
DEVICE V3<S> change_as(V3<A> a) {
    return V3<S>{{without_tiny(S(a[0])), without_tiny(S(a[1])), without_tiny(S(a[2]))}};
}

// A·B
template <class T>
DEVICE M3<T> product(const M3<T>& a, const M3<T>& b) {
    M3<T> m;
#pragma unroll
    for (int i = 0; i < 3; i++)
        m[i] = scale_add(a[i][2], b[2], scale_add(a[i][1], b[1], scale(a[i][0], b[0])));
    return m;
}

// A·Bᵀ, of which only what a symmetric tensor keeps.
template <class T>
DEVICE Symmetric<T> symmetric_product(const M3<T>& a, const M3<T>& b) {
    return Symmetric<T>{{dot(a[0], b[0]), dot(a[1], b[1]), dot(a[2], b[2]), dot(a[0], b[1]),
                         dot(a[1], b[2]), dot(a[0], b[2])}};
}

template <class T>
DEVICE M3<T> full(const Symmetric<T>& s) {
    return M3<T>{{V3<T>{{s[0], s[3], s[5]}}, V3<T>{{s[3], s[1], s[4]}}, V3<T>{{s[5], s[4], s[2]}}}};
}

template <class T>
DEVICE M3<T> scale_matrix(T k, const M3<T>& m) {
    return M3<T>{{scale(k, m[0]), scale(k, m[1]), scale(k, m[2])}};
}

template <class T>
DEVICE void add_outer(M3<T>& m, V3<T> a, V3<T> b) {
#pragma unroll
    for (int i = 0; i < 3; i++) m[i] = scale_add(a[i], b, m[i]);
}

// The deviator, and the mean.
template <class T>
DEVICE Symmetric<T> deviator(const Symmetric<T>& s, T& mean) {
    // By a quotient: a third has a rounding error, which would be there in every step.
    mean = (s[0] + s[1] + s[2]) / T(3);
    return Symmetric<T>{{s[0] - mean, s[1] - mean, s[2] - mean, s[3], s[4], s[5]}};
}

// σ : ε
template <class T>
DEVICE T contraction(const Symmetric<T>& s, const Symmetric<T>& e) {
    T normal = mul_add(s[0], e[0], mul_add(s[1], e[1], s[2] * e[2]));
    T shear = mul_add(s[3], e[3], mul_add(s[4], e[4], s[5] * e[5]));
    return normal + shear + shear;
}

} // namespace fem
