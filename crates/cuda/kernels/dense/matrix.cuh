// Matrices in device memory: an entry is some lanes, which lie in planes or side by side
// (crates/cuda/src/kind.rs), with a stride from row to row and from column to column, so that a
// transpose is an exchange of strides.
//
// Numbers are sums of LIMBS limbs, or have PRECISION bits.

#pragma once

#ifdef PRECISION

#include "mp/number.cuh"

using Number = mp::Number<PRECISION>;
constexpr int LANES = Number::WORDS + 1;

DEVICE Number zero() { return Number::zero(); }
DEVICE Number one() { return Number::one(); }

#else

#include "num/multifloat.cuh"

using Number = MultiFloat<LIMBS>;
constexpr int LANES = LIMBS;

DEVICE Number zero() { return from_lane<LIMBS>(0.0); }
DEVICE Number one() { return from_lane<LIMBS>(1.0); }

#endif

// A rectangle. Lane l of entry (i, j) is data[l * plane + i * row + j * column].
struct Matrix {
    double *data;
    long long rows, cols;
    long long row, column;
    long long plane;

    // The place of the first lane of an entry.
    DEVICE double *at(long long i, long long j) const { return data + i * row + j * column; }

#ifdef PRECISION

    DEVICE const mp::Word *words(long long i, long long j) const { return (const mp::Word *)at(i, j); }
    DEVICE int head(long long i, long long j) const { return (int)words(i, j)[Number::WORDS]; }
    DEVICE Number load(long long i, long long j) const { return mp::load<PRECISION>(words(i, j)); }
    DEVICE void store(long long i, long long j, const Number &x) const { mp::store((mp::Word *)at(i, j), x); }

#else

    DEVICE Number load(long long i, long long j) const {
        const double *from = at(i, j);
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = from[l * plane];
        return x;
    }

    DEVICE void store(long long i, long long j, const Number &x) const {
        double *to = at(i, j);
#pragma unroll
        for (int l = 0; l < LIMBS; l++) to[l * plane] = x[l];
    }

#endif

    DEVICE Matrix transposed() const { return {data, cols, rows, column, row, plane}; }
};
