// Limb by limb: look-up, constants, signs (crates/num/src/multifloat/elementary/limbs.rs).

#pragma once

#include "num/multifloat.cuh"

namespace elementary {

// The first K limbs of an entry of a table.
template <int K, int M> DEVICE MultiFloat<K> look_up(const double (*table)[M], int entry) {
    MultiFloat<K> z;
#pragma unroll
    for (int i = 0; i < K; i++) z[i] = __ldg(&table[i][entry]);
    return z;
}

// The first K limbs of a constant.
template <int K, int M> DEVICE MultiFloat<K> constant(const double (&limbs)[M]) {
    MultiFloat<K> z;
#pragma unroll
    for (int i = 0; i < K; i++) z[i] = limbs[i];
    return z;
}

// z with the zeros of x, signs included.
template <int N> DEVICE MultiFloat<N> keep_zero(const MultiFloat<N> &x, MultiFloat<N> z) {
    z[0] = select(x[0] == 0.0, x[0], z[0]);
    return z;
}

// z >= 0 with the sign of x, zeros included.
template <int N> DEVICE MultiFloat<N> with_sign_of(const MultiFloat<N> &x, const MultiFloat<N> &z) {
    return keep_zero(x, negate_where(x[0] < 0.0, z));
}

} // namespace elementary
