// Integers among the numbers (crates/num/src/multifloat/round.rs).

#pragma once

#include "num/multifloat.cuh"

// False for NaN and infinities.
DEVICE bool is_integer(Lane x) { return x - Lane(::trunc(x.value)) == 0.0; }

template <int N> DEVICE bool is_integer(const MultiFloat<N> &x) {
    bool integer = true;
#pragma unroll
    for (int i = 0; i < N; i++) integer = integer && is_integer(x[i]);
    return integer;
}

template <int N> DEVICE bool is_odd(const MultiFloat<N> &x) {
    // Limbs of an integer are integers; from 2^53 on they are even.
    bool odd = false;
#pragma unroll
    for (int i = 0; i < N; i++) odd = odd != !is_integer(x[i] * 0.5);
    return is_integer(x) && odd;
}
