// Numbers as unevaluated sums of f64 limbs (crates/num/src/multifloat/mod.rs, which has normal
// form, specials and limits).
//
// N is 2, 3 or 4; N = 1 is f64, so that a kernel is one template for all precisions. Inside the
// arithmetic the type also carries up to 6 limbs on their way.

#pragma once

#include "num/lane.cuh"

template <int N> struct MultiFloat {
    Lane limb[N];

    DEVICE Lane &operator[](int i) { return limb[i]; }
    DEVICE const Lane &operator[](int i) const { return limb[i]; }
};

// The first K limbs of x, or all of them followed by zeros.
template <int K, int N> DEVICE MultiFloat<K> resize(const MultiFloat<N> &x) {
    MultiFloat<K> z;
#pragma unroll
    for (int i = 0; i < K; i++) z[i] = i < N ? x[i < N ? i : 0] : Lane(0.0);
    return z;
}

// A single limb followed by zeros.
template <int N> DEVICE MultiFloat<N> from_lane(Lane first) { return resize<N>(MultiFloat<1>{{first}}); }

// An integer of magnitude below 2^31.
template <int N> DEVICE MultiFloat<N> integer_number(int k) { return from_lane<N>(from_integer(k)); }

template <int N> DEVICE MultiFloat<N> nan() { return from_lane<N>(__longlong_as_double(0x7ff8000000000000ll)); }

template <int N> DEVICE MultiFloat<N> infinity() { return from_lane<N>(__longlong_as_double(0x7ff0000000000000ll)); }

template <int N> DEVICE MultiFloat<N> negate_where(bool mask, const MultiFloat<N> &x) {
    MultiFloat<N> z;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = negate_where(mask, x[i]);
    return z;
}

template <int N> DEVICE MultiFloat<N> select(bool mask, const MultiFloat<N> &x, const MultiFloat<N> &y) {
    MultiFloat<N> z;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = select(mask, x[i], y[i]);
    return z;
}

template <int N> DEVICE MultiFloat<N> operator-(const MultiFloat<N> &x) {
    MultiFloat<N> z;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = -x[i];
    return z;
}

// Multiplies by a power of two, or its negative. Limbs that underflow may leave the normal form,
// which ldexp restores.
template <int N> DEVICE MultiFloat<N> scale(const MultiFloat<N> &x, Lane power) {
    MultiFloat<N> z;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = x[i] * power;
    return z;
}

template <int N> DEVICE MultiFloat<N> abs(const MultiFloat<N> &x) {
    MultiFloat<N> z = negate_where(x[0] < 0.0, x);
    z[0] = magnitude(x[0]);
    return z;
}

template <int N> DEVICE bool is_finite(const MultiFloat<N> &x) { return is_finite(x[0]); }

template <int N> DEVICE bool is_nan(const MultiFloat<N> &x) { return is_nan(x[0]); }

template <int N> DEVICE bool is_infinite(const MultiFloat<N> &x) { return !is_finite(x) && !is_nan(x); }

template <int N> DEVICE bool is_sign_negative(const MultiFloat<N> &x) { return is_sign_negative(x[0]); }

template <int N> DEVICE MultiFloat<N> copysign(const MultiFloat<N> &x, const MultiFloat<N> &sign) {
    return negate_where(is_sign_negative(x) != is_sign_negative(sign), x);
}
