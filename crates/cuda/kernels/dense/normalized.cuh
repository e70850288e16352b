// Sums of products that normalise every term (crates/linalg/src/accumulate/normalized.rs, which has
// methods, bounds and sources).
//
// The interface is Accumulator's. There is nothing to carry; PERIOD is how many steps a kernel may
// unroll, so that the code stays in the instruction cache.

#pragma once

#include "num/add.cuh"
#include "num/mul.cuh"
#include "num/variants.cuh"

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

// Sums of two limbs that save operations in the addition, in the product, or in both.
template <int N, bool CRAY, bool SLOPPY> struct Cheap {
    static_assert(N == 2, "cheap sums have two limbs");
    static constexpr int PERIOD = CRAY && SLOPPY ? 8 : 4;

    MultiFloat<N> sum;

    static DEVICE Cheap zero() { return {from_lane<N>(0.0)}; }

    DEVICE void add_product(const MultiFloat<N> &a, const MultiFloat<N> &b) {
        const MultiFloat<N> product = SLOPPY ? mul_sloppy(a, b) : mul_accurate(a, b);
        sum = CRAY ? add_cray(sum, product) : add_ieee(sum, product);
    }

    DEVICE void carry() {}

    DEVICE MultiFloat<N> normalized() const { return sum; }
};

// 20, 26, 17 operations a term.
template <int N> using Cray = Cheap<N, true, false>;
template <int N> using IeeeSloppy = Cheap<N, false, true>;
template <int N> using Sloppy = Cheap<N, true, true>;
