// Sums of products that normalise every term (crates/linalg/src/accumulate/normalized.rs, which has methods, bounds and sources).
//
// The interface is Accumulator's. There is nothing to carry; PERIOD is how many steps a kernel may unroll, so that the code
// stays in the instruction cache.

#pragma once

#include "add.cuh"
#include "mul.cuh"
#include "variants.cuh"

// 2, 29, 108, 248 operations a term.
template <int N> struct Ieee {
    static constexpr int PERIOD = N == 1 ? 16 : N == 2 ? 4 : 2;

    MultiFloat<N> sum;

    static DEVICE Ieee zero() { return {from_lane<N>(0.0)}; }

    DEVICE void add_product(const MultiFloat<N> &a, const MultiFloat<N> &b) {
        if constexpr (N == 2)
            sum = add_ieee(sum, mul_accurate(a, b));
        else
            sum = add_finite(sum, mul_finite(a, b));
    }

    DEVICE void carry() {}

    DEVICE MultiFloat<N> normalized() const { return sum; }
};

// 17 operations a term; for two limbs only.
template <int N> struct Sloppy {
    static_assert(N == 2, "sloppy sums have two limbs");
    static constexpr int PERIOD = 8;

    MultiFloat<N> sum;

    static DEVICE Sloppy zero() { return {from_lane<N>(0.0)}; }

    DEVICE void add_product(const MultiFloat<N> &a, const MultiFloat<N> &b) { sum = add_cray(sum, mul_sloppy(a, b)); }

    DEVICE void carry() {}

    DEVICE MultiFloat<N> normalized() const { return sum; }
};
