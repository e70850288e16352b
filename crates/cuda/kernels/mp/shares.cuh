// What neighbouring threads of a warp exchange that share a sum.
#pragma once

#include "mp/fixed.cuh"

namespace mp {

template <int N> DEVICE Wide<N> of_share(const Wide<N> &x, int distance) {
    Wide<N> y;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) y[i] = __shfl_xor_sync(~0u, x[i], distance);
    return y;
}

// What SHARES neighbouring threads have seen, all together.
template <int SHARES> DEVICE void merge_shares(Census &census) {
#pragma unroll
    for (int distance = 1; distance < SHARES; distance *= 2)
        census.merge(
            __shfl_xor_sync(~0u, census.greatest, distance), __shfl_xor_sync(~0u, census.terms, distance),
            __shfl_xor_sync(~0u, census.flags(), distance));
}

} // namespace mp
