// Numbers of LIMBS limbs in planes, and as arguments of kernels.

#pragma once

#include "layout.cuh"
#include "arithmetic.cuh"

using Number = MultiFloat<LIMBS>;

__device__ __forceinline__ Number load(const View &view, long long i, long long j) {
    const double *from = place(view, i, j);
    Number x;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) x.limb[l] = from[l * view.plane];
    return x;
}

__device__ __forceinline__ void store(const View &view, long long i, long long j, const Number &x) {
    double *to = place(view, i, j);
#pragma unroll
    for (int l = 0; l < LIMBS; l++) to[l * view.plane] = x.limb[l];
}

// A number as an argument.
struct Factor {
    double limb[4];

    __device__ __forceinline__ Number value() const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x.limb[l] = limb[l];
        return x;
    }

    __device__ __forceinline__ bool is(double number) const {
        bool equal = limb[0] == number;
#pragma unroll
        for (int l = 1; l < LIMBS; l++) equal = equal && limb[l] == 0.0;
        return equal;
    }
};

// output(i, j) <- alpha * sum + beta * output(i, j), where factors 1 are not multiplied by and the output is not read for beta = 0.
__device__ __forceinline__ void combine(
    const Factor &alpha, const Number &sum, const Factor &beta, const View &output, long long i, long long j) {
    Number result = alpha.is(1.0) ? sum : alpha.value() * sum;
    if (beta.is(1.0))
        result = load(output, i, j) + result;
    else if (!beta.is(0.0))
        result = beta.value() * load(output, i, j) + result;
    store(output, i, j, result);
}
