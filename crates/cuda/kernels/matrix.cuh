// Matrices in device memory: limbs in planes, each plane with a stride from row to row and from column to column, so that
// a transpose is an exchange of strides.
#pragma once

#include "arithmetic.cuh"

// A rectangle of numbers of N limbs. Entry (i, j) has limb l at data[l·plane + i·row + j·column].
template <int N>
struct Matrix {
    double *data;
    long long plane;
    long long row;
    long long column;

    DEVICE double *at(long long i, long long j) const {
        return data + i * row + j * column;
    }

    DEVICE MultiFloat<N> load(long long i, long long j) const {
        const double *entry = at(i, j);
        MultiFloat<N> x;
#pragma unroll
        for (int l = 0; l < N; l++) x[l] = entry[l * plane];
        return x;
    }

    DEVICE void store(long long i, long long j, const MultiFloat<N> &x) const {
        double *entry = at(i, j);
#pragma unroll
        for (int l = 0; l < N; l++) entry[l * plane] = x[l];
    }
};

// A number as a kernel's argument.
template <int N>
struct Number {
    double limb[N];

    DEVICE MultiFloat<N> value() const {
        MultiFloat<N> x;
#pragma unroll
        for (int l = 0; l < N; l++) x[l] = limb[l];
        return x;
    }
};

template <int N>
DEVICE bool is_number(const MultiFloat<N> &x, double value) {
    bool equal = x[0] == value;
#pragma unroll
    for (int l = 1; l < N; l++) equal = equal && x[l] == 0.0;
    return equal;
}
