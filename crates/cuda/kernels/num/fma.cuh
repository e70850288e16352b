// a * b + c with one rounding at the end (crates/num/src/multifloat/fma.rs).

#pragma once

#include "num/exact.cuh"

// Some tens of times as slow as a * b + c.
template <int N> DEVICE_COLD MultiFloat<N> fma(MultiFloat<N> a, MultiFloat<N> b, MultiFloat<N> c) {
    const bool zero_product = a[0] == 0.0 || b[0] == 0.0, factors = is_finite(a) && is_finite(b);
    if (zero_product && factors && has_exponent(c)) return c;
    if (N == 1 || zero_product || !factors || !is_finite(c)) return from_lane<N>(mul_add(a[0], b[0], c[0]));
    Exact sum = {};
#pragma unroll 1
    for (int i = 0; i < N; i++) sum.add(c[i]);
#pragma unroll 1
    for (int i = 0; i < N; i++) {
#pragma unroll 1
        for (int j = 0; j < N; j++) sum.add_product(a[i], b[j]);
    }
    return sum.template round<N>();
}
