// Brings limbs that overlap back into the normal form (crates/num/src/multifloat/renormalize.rs).

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

// The number that is the exact sum of limbs that may overlap, cancel, or lie in any order.
template <int N> DEVICE MultiFloat<N> renormalize(MultiFloat<N> x) {
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
#pragma unroll
        for (int i = N - 2; i >= 0; i--) tie(x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
    }
#pragma unroll
    for (int pass = 0; pass < N - 1; pass++) {
#pragma unroll
        for (int i = 0; i < N - 1; i++) tie(x[i], x[i + 1]) = two_sum(x[i], x[i + 1]);
    }
    return x;
}
