// Sums of few and of many threads, for programs with sparse symmetric matrices
// (crates/sdp/src/cone/program.rs).

#pragma once

#include "dense/accumulate.cuh"
#include "num/arithmetic.cuh"
#include "dense/factor.cuh"
#include "dense/matrix.cuh"

// Threads of a block, and those that share a short sum. The host chooses.
constexpr int THREADS = CONE_THREADS, WARPS = THREADS / 32, SHARE = CONE_SHARE;
constexpr unsigned ALL = 0xffffffffu;
// Steps of a sum between carries, where there is something to carry.
constexpr unsigned PERIOD = Accumulator<LIMBS>::PERIOD;

DEVICE Number total(const Accumulator<LIMBS> &sum) { return LIMBS == 1 ? sum.sum : sum.normalized(); }

// The number of the thread so far behind, of as many threads as `width` says.
DEVICE Number from_behind(const Number &x, int distance, int width) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_down_sync(ALL, x[l].value, distance, width);
    return y;
}

// Adds up over as many threads as `width` says; the first has the sum.
DEVICE Number add_up(Number x, int width) {
#pragma unroll 1
    for (int distance = width / 2; distance > 0; distance /= 2) x = x + from_behind(x, distance, width);
    return x;
}
