// Recurrences of first order in a block of threads, each of which has a chunk of their places: what
// the chunks before make of a thread's own.
//
// A chunk takes what comes in to slope · x + value. Such functions are composed in pairs, then in
// fours and so on (Kogge and Stone, A parallel algorithm for the efficient solution of a general
// class of recurrence equations, 1973): within a warp by shuffles, from warp to warp through shared
// memory. Slopes are the same for many recurrences, and what is composed of them is computed once.
#pragma once

#include "num/number.cuh"

constexpr int WARP = 32, LEVELS = 5;

// Larger than any number that a recurrence with bounds may have, and than what it has here.
constexpr double BOUNDLESS = 0x1p1000;

DEVICE int warp_of_block() { return threadIdx.x / WARP; }
DEVICE int warps_of_block() { return blockDim.x / WARP; }

// Which direction a recurrence takes: up from the first thread, or down from the last. Threads that
// it comes to before, in the warp.
template <bool UP> DEVICE int before_in_warp() {
    return UP ? threadIdx.x % WARP : WARP - 1 - threadIdx.x % WARP;
}

// A number of the thread that the recurrence comes to so far before; any where there is none in the
// warp.
template <bool UP> DEVICE Number of_thread_before(const Number &x, int distance) {
    Number z;
#pragma unroll
    for (int l = 0; l < LIMBS; l++)
        z[l] = UP ? __shfl_up_sync(~0u, x[l].value, distance)
                  : __shfl_down_sync(~0u, x[l].value, distance);
    return z;
}

// x to the least of slope · x + value and `high`, but no less than `low`, which is no greater.
struct Bounded {
    Number value, low, high;
};

template <bool UP> DEVICE Bounded of_thread_before(const Bounded &f, int distance) {
    return {
        of_thread_before<UP>(f.value, distance), of_thread_before<UP>(f.low, distance),
        of_thread_before<UP>(f.high, distance)
    };
}

// A comparison lets NaN through.
DEVICE Number at_least(const Number &x, const Number &low) { return x < low ? low : x; }
DEVICE Number at_most(const Number &x, const Number &high) { return high < x ? high : x; }

DEVICE Number applied(const Bounded &f, const Number &slope, const Number &x) {
    return at_least(at_most(fused(slope, x, f.value), f.high), f.low);
}

// `f` after `g`, where the slope is that of `f`.
DEVICE Bounded after(const Bounded &f, const Number &slope, const Bounded &g) {
    const bool falls = slope[0] < 0.0;
    return {
        fused(slope, g.value, f.value), applied(f, slope, select(falls, g.high, g.low)),
        applied(f, slope, select(falls, g.low, g.high))
    };
}

// What threads of a warp come to together, for the other warps.
struct Total {
    Number slope, sum;
    Bounded bounded;
};

// Slopes of chunks, composed.
struct Slopes {
    // Of those that a thread has composed when it reaches out so far; zero where there is no thread
    // to reach.
    Number levels[LEVELS];
    // Of all threads before in the warp.
    Number before;
};

// Leaves the warp's in its total.
template <bool UP> DEVICE Slopes composed(Number own, Total *totals) {
    const int before = before_in_warp<UP>();
    Slopes slopes;
#pragma unroll
    for (int l = 0; l < LEVELS; l++) {
        const bool reaches = before >= 1 << l;
        slopes.levels[l] = select(reaches, own, number(0.0));
        own = select(reaches, product(own, of_thread_before<UP>(own, 1 << l)), own);
    }
    if (before == WARP - 1) totals[warp_of_block()].slope = own;
    slopes.before = select(before == 0, number(1.0), of_thread_before<UP>(own, 1));
    return slopes;
}

// Which warps a recurrence comes to before, by their numbers in the order of the recurrence.
template <bool UP> DEVICE int warp_before(int i) { return UP ? i : warps_of_block() - 1 - i; }
template <bool UP> DEVICE int warps_before() {
    return UP ? warp_of_block() : warps_of_block() - 1 - warp_of_block();
}

// What comes in to a thread's chunk, where nothing comes in to the first; `sum` is what the chunk
// makes of nothing. A barrier.
template <bool UP> DEVICE Number carried(Number sum, const Slopes &slopes, Total *totals) {
#pragma unroll
    for (int l = 0; l < LEVELS; l++)
        sum = fused(slopes.levels[l], of_thread_before<UP>(sum, 1 << l), sum);
    const int before = before_in_warp<UP>();
    if (before == WARP - 1) totals[warp_of_block()].sum = sum;
    const Number in_warp = select(before == 0, number(0.0), of_thread_before<UP>(sum, 1));
    __syncthreads();
    Number x = number(0.0);
    for (int i = 0; i < warps_before<UP>(); i++) {
        const Total &total = totals[warp_before<UP>(i)];
        x = fused(total.slope, x, total.sum);
    }
    return fused(slopes.before, x, in_warp);
}

// The same with bounds.
template <bool UP> DEVICE Number carried(Bounded f, const Slopes &slopes, Total *totals) {
    const int before = before_in_warp<UP>();
#pragma unroll
    for (int l = 0; l < LEVELS; l++) {
        const Bounded composed = after(f, slopes.levels[l], of_thread_before<UP>(f, 1 << l));
        if (before >= 1 << l) f = composed;
    }
    if (before == WARP - 1) totals[warp_of_block()].bounded = f;
    const Bounded in_warp = of_thread_before<UP>(f, 1);
    __syncthreads();
    Number x = number(0.0);
    for (int i = 0; i < warps_before<UP>(); i++) {
        const Total &total = totals[warp_before<UP>(i)];
        x = applied(total.bounded, total.slope, x);
    }
    return before == 0 ? x : applied(in_warp, slopes.before, x);
}
