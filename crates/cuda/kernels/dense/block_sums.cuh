// Sums over blocks of vectors, with the order and the bits of crates/linalg/src/cpu/reduce.rs:
// blocks of 1024 entries, in each eight partial sums, or of 4096 single limbs with 32, added
// pairwise.
//
// A thread has one partial sum; a warp sums one block or several. The sum of a block that is not
// finite is formed again by one thread with the operators, which know NaN and infinity.

#pragma once

#include "dense/accumulate.cuh"
#include "dense/matrix.cuh"
#include "dense/terms.cuh"
#include "num/arithmetic.cuh"
#include "num/compare.cuh"
#include "num/scale.cuh"

constexpr int BLOCK = LIMBS == 1 ? 4096 : 1024, PARTIALS = LIMBS == 1 ? 32 : 8;
// Threads of a block, which is a warp, and the blocks of entries that it sums.
constexpr int SUM_THREADS = 32, GROUPS = SUM_THREADS / PARTIALS;

// The power of two that brings the largest entry of a vector near 1, where its square might
// overflow or lose limbs.
struct Shift {
    int exponent;

    // For the vector whose largest entry has index *largest.
    __device__ Shift(const Matrix &x, const long long *largest) : exponent(0) {
        if (largest == nullptr || *largest < 0) return;
        const double first = *x.at(*largest, 0);
        if (!(fabs(first) <= 1.7976931348623157e308) || first == 0.0) return;
        const int e = ilogb(first);
        if (e < -200 || e >= 400) exponent = e;
    }

    __device__ Number apply(const Number &x) const { return exponent == 0 ? x : ldexp(x, -exponent); }
    __device__ Number undo(const Number &x) const { return exponent == 0 ? x : ldexp(x, exponent); }
};

template <int TERMS> __device__ __forceinline__ void add_term(Accumulator<LIMBS> &sum, const Number &x, const Number &y) {
    if (TERMS == PRODUCTS) {
        sum.add_product(x, y);
    } else if (TERMS == SQUARES) {
        sum.add_product(x, x);
    } else if (TERMS == ENTRIES) {
        sum.add(x);
    } else {
        sum.add(negate_where(x[0] < 0.0, x));
    }
}

// The sum of lane's x and that of the lane `distance` above.
__device__ __forceinline__ Number add_from_above(const Number &x, int distance) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_down_sync(0xffffffffu, (double)x[l], distance);
    return x + y;
}

// The sum of the terms of column j from `begin` to `end`, one after the other.
template <int TERMS>
static __device__ __noinline__ Number sum_in_order(const Matrix &x, const Matrix &y, long long begin, long long end, long long j) {
    Number sum = from_lane<LIMBS>(0.0);
    for (long long i = begin; i < end; i++) {
        const Number a = x.load(i, j);
        Number term = a;
        if (TERMS == PRODUCTS) term = a * y.load(i, 0);
        if (TERMS == MAGNITUDES) term = abs(a);
        sum = sum + term;
    }
    return sum;
}

// The sums of the blocks of each column of x; y is one column. Entry (block, column) of `sums`.
template <int TERMS>
__device__ __forceinline__ void block_sums(const Matrix &x, const Matrix &y, const Matrix &sums, const long long *largest) {
    constexpr int PERIOD = LIMBS == 1 ? 16 : Accumulator<LIMBS>::PERIOD;
    const Shift shift(x, largest);
    const auto at = [&](const Matrix &vector, long long i, long long j) {
        const Number number = vector.load(i, j);
        return TERMS == SQUARES ? shift.apply(number) : number;
    };
    const int partial = threadIdx.x % PARTIALS;
    const long long block = (long long)blockIdx.x * GROUPS + threadIdx.x / PARTIALS;
    const long long begin = min(block * BLOCK, x.rows), end = min(begin + BLOCK, x.rows);
    for (long long j = blockIdx.y; j < x.cols; j += gridDim.y) {
        Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
        long long first = begin;
        // While a group of terms is summed, the next one is on its way.
        constexpr int GROUP = LIMBS <= 2 ? 8 : LIMBS == 3 ? 4 : 2;
        static_assert(PERIOD % GROUP == 0, "carries fall on the ends of groups");
        const long long whole = (end - begin) / (GROUP * PARTIALS);
        Number a[GROUP], b[GROUP];
        const auto fetch = [&](long long from) {
#pragma unroll
            for (int k = 0; k < GROUP; k++) {
                const long long i = from + k * PARTIALS + partial;
                a[k] = at(x, i, j);
                b[k] = TERMS == PRODUCTS ? at(y, i, 0) : a[k];
            }
        };
        if (whole > 0) fetch(first);
        int until_carry = PERIOD / GROUP;
        for (long long group = 0; group < whole; group++) {
            first += GROUP * PARTIALS;
            Number c[GROUP], d[GROUP];
#pragma unroll
            for (int k = 0; k < GROUP; k++) c[k] = a[k], d[k] = b[k];
            if (group + 1 < whole) fetch(first);
#pragma unroll
            for (int k = 0; k < GROUP; k++) add_term<TERMS>(sum, c[k], d[k]);
            if (LIMBS > 1 && --until_carry == 0) sum.carry(), until_carry = PERIOD / GROUP;
        }
        int steps = (int)(whole * GROUP % PERIOD);
        // Beyond the end the terms are zero.
        for (; first < end; first += PARTIALS) {
            const long long i = first + partial;
            Number a = from_lane<LIMBS>(0.0), b = a;
            if (i < end) {
                a = at(x, i, j);
                b = TERMS == PRODUCTS ? at(y, i, 0) : a;
            }
            add_term<TERMS>(sum, a, b);
            if (LIMBS > 1 && ++steps % PERIOD == 0) sum.carry();
        }
        Number total = LIMBS == 1 ? sum.sum : sum.normalized();
#pragma unroll
        for (int distance = 1; distance < PARTIALS; distance *= 2) total = add_from_above(total, distance);
        if (partial != 0 || begin >= end) continue;
        // The norm of what has no finite squares is known without them.
        if (TERMS != SQUARES && !is_finite(total)) total = sum_in_order<TERMS>(x, y, begin, end, j);
        sums.store(block, j, total);
    }
}
