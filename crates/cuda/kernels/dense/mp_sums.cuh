// Numbers of PRECISION bits for reduce.cu: sums over blocks of 1024 entries, each rounded once, as
// crates/linalg/src/cpu/mp/reduce.rs has them.
#pragma once

#include "dense/terms.cuh"
#include "mp/divide.cuh"
#include "mp/lines.cuh"

constexpr int BLOCK = 1024;
// Threads of a block, which sums one block of entries.
constexpr int SUM_THREADS = REDUCE_THREADS;

// The power of two that brings the largest entry of a vector near 1, so that squares are in the
// range.
struct Shift {
    int exponent;

    // For the vector whose largest entry has index *largest.
    DEVICE Shift(const Matrix &x, const long long *largest) : exponent(0) {
        if (largest == nullptr || *largest < 0) return;
        const int head = x.head(*largest, 0);
        if (mp::is_number(head)) exponent = head >> 1;
    }

    DEVICE int apply(int head) const { return mp::scaled_head(head, -exponent); }
    DEVICE Number undo(const Number &x) const { return mp::scaled(x, exponent); }
};

// Entries of a column from one on.
struct Entries {
    const Matrix &a;
    long long first, j;
    Shift shift;
    bool magnitudes;

    DEVICE int head(long long k) const { return shift.apply(a.head(first + k, j)) & (magnitudes ? ~1 : ~0); }
    DEVICE Number load(long long k) const {
        Number x = a.load(first + k, j);
        x.head = head(k);
        return x;
    }
};

struct Ones {
    DEVICE int head(long long) const { return mp::head(1, false); }
    DEVICE Number load(long long) const { return Number::one(); }
};

// The sums of the blocks of each column of x; y is one column. Entry (block, column) of `sums`.
template <int TERMS> DEVICE void block_sums(const Matrix &x, const Matrix &y, const Matrix &sums, const long long *largest) {
    const Shift shift(x, largest), none(x, nullptr);
    const long long first = (long long)blockIdx.x * BLOCK, count = min((long long)BLOCK, x.rows - first);
    for (long long j = blockIdx.y; j < x.cols; j += gridDim.y) {
        const Entries entries = {x, first, j, TERMS == SQUARES ? shift : none, TERMS == MAGNITUDES};
        Number sum;
        if constexpr (TERMS == PRODUCTS) sum = mp::dot_of_block<SUM_THREADS>(count, entries, Entries{y, first, 0, none, false});
        else if constexpr (TERMS == SQUARES) sum = mp::dot_of_block<SUM_THREADS>(count, entries, entries);
        else sum = mp::dot_of_block<SUM_THREADS>(count, entries, Ones());
        if (threadIdx.x == 0) sums.store(blockIdx.x, j, sum);
        __syncthreads();
    }
}

// The norm of a vector by the sum of its squares, and its largest entry.
DEVICE Number norm(const Number &largest, const Number &sum, const Shift &shift) {
    return mp::is_number(largest.head) ? shift.undo(mp::root(sum)) : largest.negated(largest.is_negative());
}

// Whether |x| > |y|, with numbers < NaN < infinity.
DEVICE bool is_greater(const Number &x, const Number &y) {
    const auto rank = [](int head) { return mp::is_finite(head) ? 0 : mp::is_nan(head) ? 1 : 2; };
    const int of_x = rank(x.head), of_y = rank(y.head);
    if (of_x != of_y) return of_x > of_y;
    if (of_x != 0 || x.code() != y.code()) return of_x == 0 && x.code() > y.code();
    bool greater = false;
#pragma unroll mp::unrolled(Number::D)
    for (int i = 0; i < Number::D; i++)
        greater = x.digits[i] > y.digits[i] || (greater && x.digits[i] == y.digits[i]);
    return greater;
}
