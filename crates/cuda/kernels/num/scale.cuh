// Powers of two: ldexp, frexp, exponents (crates/num/src/multifloat/scale.rs).

#pragma once

#include "num/add.cuh"
#include "num/compare.cuh"
#include "num/renormalize.cuh"

// x * 2^k with one rounding at the most, for any k.
DEVICE Lane ldexp_f64(Lane x, int k) {
    constexpr double UP = 0x1p1023;
    // Two such steps and a last factor lose no bit that a single rounding would keep.
    constexpr double DOWN = 0x1p-969;
    if (k > 1023) {
        x = x * UP;
        k -= 1023;
        if (k > 1023) {
            x = x * UP;
            k = min(k - 1023, 1023);
        }
    } else if (k < -1022) {
        x = x * DOWN;
        k += 969;
        if (k < -1022) {
            x = x * DOWN;
            k = max(k + 969, -1022);
        }
    }
    return x * power_of_two(k);
}

// The e with 2^(e-1) <= |x| < 2^e, for finite x that is not zero.
DEVICE int frexp_exponent(Lane x) {
    const int field = (int)((upper_half(x) >> 20) & 0x7ffu);
    if (field != 0) return field - 1022;
    return (int)((upper_half(x * 0x1p64) >> 20) & 0x7ffu) - 1022 - 64;
}

template <int N> struct Frexp {
    MultiFloat<N> mantissa;
    int exponent;
};

// x = m * 2^e with the first limb of m in [1/2, 1); zeros, infinities and NaN are themselves and 0.
template <int N> DEVICE Frexp<N> frexp(const MultiFloat<N> &x) {
    if (x[0] == 0.0 || !is_finite(x)) return {x, 0};
    const int e = frexp_exponent(x[0]);
    MultiFloat<N> m;
#pragma unroll
    for (int i = 0; i < N; i++) m[i] = ldexp_f64(x[i], -e);
    return {m, e};
}

// Whether x has an exponent: it is finite and not zero.
template <int N> DEVICE bool has_exponent(const MultiFloat<N> &x) { return x[0] != 0.0 && is_finite(x); }

// x * 2^k where the first limb overflows: infinite, except that 2^1024 with a negative tail of more
// than a quarter unit is the largest f64 with a positive tail of less than half a unit.
template <int N> DEVICE_COLD MultiFloat<N> ldexp_to_the_limit(MultiFloat<N> x, int k) {
    constexpr double HALF_ULP = 0x1p-55; // of the predecessor of 1/2
    const Lane sign = is_sign_negative(x) ? -1.0 : 1.0;
    const auto [m, e] = frexp(x);
    const MultiFloat<N> infinite = from_lane<N>(infinity<1>()[0] * sign);
    if (m[0] != 0.5 * sign || (long long)e + k != 1025) return infinite;
    MultiFloat<N> lower;
#pragma unroll
    for (int i = 0; i < N; i++) lower[i] = i + 1 < N ? m[i + 1 < N ? i + 1 : 0] : Lane(0.0);
    const MultiFloat<N> tail = add_finite(lower, from_lane<N>(2.0 * HALF_ULP * sign));
    if (abs(tail) >= from_lane<N>(HALF_ULP)) return infinite;
    MultiFloat<N> z;
    z[0] = ldexp_f64((0.5 - 2.0 * HALF_ULP) * sign, 1025);
#pragma unroll
    for (int i = 1; i < N; i++) z[i] = ldexp_f64(tail[i - 1], 1025);
    return z;
}

// x * 2^k; exact unless it overflows (to infinity) or limbs fall below the smallest subnormal.
template <int N> DEVICE_COLD MultiFloat<N> ldexp(MultiFloat<N> x, int k) {
    const Lane first = ldexp_f64(x[0], k);
    if (!is_finite(first)) return is_finite(x) ? ldexp_to_the_limit(x, k) : from_lane<N>(first);
    if (first == 0.0) return from_lane<N>(first);
    MultiFloat<N> z;
#pragma unroll
    for (int i = 0; i < N; i++) z[i] = ldexp_f64(x[i], k);
    // Limbs rounded at the subnormal boundary may no longer be in normal form.
    return k < 0 ? renormalize(z) : z;
}
