// Matrices in device memory: limbs in planes, each plane with a stride from row to row and from column to column, so that
// a transpose is an exchange of strides.

#pragma once

#include "num/multifloat.cuh"

using Number = MultiFloat<LIMBS>;

// A rectangle. Limb l of entry (i, j) is data[l * plane + i * row + j * column].
struct Matrix {
    double *data;
    long long rows, cols;
    long long row, column;
    long long plane;

    // The place of the first limb of an entry.
    DEVICE double *at(long long i, long long j) const { return data + i * row + j * column; }

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

    DEVICE Matrix transposed() const { return {data, cols, rows, column, row, plane}; }
};
