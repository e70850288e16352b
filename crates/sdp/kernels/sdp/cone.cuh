// Sums of few and of many threads, for programs with sparse symmetric matrices
// (crates/sdp/src/cone/program.rs).

#pragma once

#include "dense/factor.cuh"
#include "dense/matrix.cuh"

// Threads of a block, and those that share a short sum. The host chooses.
constexpr int THREADS = CONE_THREADS, WARPS = THREADS / 32, SHARE = CONE_SHARE;
constexpr unsigned ALL = 0xffffffffu;

#ifdef PRECISION
#include "sdp/mp_sums.cuh"
#else
#include "sdp/limb_sums.cuh"
#endif

// Adds up over as many threads as `width` says; the first has the sum.
DEVICE Number add_up(Number x, int width) {
#pragma unroll 1
    for (int distance = width / 2; distance > 0; distance /= 2) x = x + from_behind(x, distance, width);
    return x;
}
