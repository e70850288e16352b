// output <- OPERATION(x, y, z), entry by entry, for numbers of LIMBS limbs; ARITY operands are
// looked at.
//
// A thread takes two entries of a column at a time where every column of every plane begins at a
// multiple of 16 bytes, so that each access moves 16 bytes; otherwise, and in LONG operations,
// which the arithmetic units bound, it takes one.

#include "dense/entries.cuh"
#ifdef PRECISION
#include "mp/operations.cuh"
#elif LONG
#include "num/elementary.cuh"
#else
#include "num/operations.cuh"
#endif
#include "dense/factor.cuh"

#include "arguments.cuh"

#ifdef PRECISION

template <int COUNT> __device__ __forceinline__ void load(const Input &x, long long i, long long j, Number (&to)[COUNT]) {
    to[0] = x.entries.data == nullptr ? x.number.value() : x.entries.load(i, j);
}

template <int COUNT> __device__ __forceinline__ void store(const Matrix &view, long long i, long long j, const Number (&from)[COUNT]) { view.store(i, j, from[0]); }

#else

template <int COUNT> __device__ __forceinline__ void load(const Input &x, long long i, long long j, Number (&to)[COUNT]) {
#pragma unroll
    for (int l = 0; l < LIMBS; l++) {
        if (x.entries.data == nullptr) {
#pragma unroll
            for (int k = 0; k < COUNT; k++) to[k].limb[l] = x.number.limb[l];
            continue;
        }
        const double *from = x.entries.at(i, j) + l * x.entries.plane;
        if (COUNT == 2) {
            const double2 pair = *reinterpret_cast<const double2 *>(from);
            to[0].limb[l] = pair.x;
            to[COUNT - 1].limb[l] = pair.y;
        } else {
            to[0].limb[l] = *from;
        }
    }
}

template <int COUNT> __device__ __forceinline__ void store(const Matrix &view, long long i, long long j, const Number (&from)[COUNT]) {
#pragma unroll
    for (int l = 0; l < LIMBS; l++) {
        double *to = view.at(i, j) + l * view.plane;
        if (COUNT == 2) {
            *reinterpret_cast<double2 *>(to) = make_double2(from[0].limb[l], from[COUNT - 1].limb[l]);
        } else {
            *to = from[0].limb[l];
        }
    }
}

#endif

__device__ __forceinline__ Number apply(const Number &x, const Number &y, const Number &z) {
#if ARITY == 1
    return operation::OPERATION(x);
#elif ARITY == 2
    return operation::OPERATION(x, y);
#else
    return operation::OPERATION(x, y, z);
#endif
}

template <int COUNT>
__device__ __forceinline__ void load_all(
    const Input &x, const Input &y, const Input &z, long long i, long long j, Number (&a)[COUNT], Number (&b)[COUNT],
    Number (&c)[COUNT]) {
    load(x, i, j, a);
    if (ARITY > 1) load(y, i, j, b);
    if (ARITY > 2) load(z, i, j, c);
}

template <int COUNT>
__device__ __forceinline__ void entries(
    const Matrix &output, const Input &x, const Input &y, const Input &z, long long i, long long j) {
    Number a[COUNT], b[COUNT], c[COUNT];
    load_all(x, y, z, i, j, a, b, c);
#pragma unroll
    for (int k = 0; k < COUNT; k++) a[k] = apply(a[k], b[k], c[k]);
    store(output, i, j, a);
}

#if LONG
#define THREADS 128
#else
#define THREADS 256
#endif

#if !LONG && !defined(PRECISION)
extern "C" __global__ void __launch_bounds__(THREADS)
    pairs(const Matrix output, const Input x, const Input y, const Input z, long long) {
    for_each<2>(output, [&](long long i, long long j) {
        if (i + 1 < output.rows)
            entries<2>(output, x, y, z, i, j);
        else
            entries<1>(output, x, y, z, i, j);
    });
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    singles(const Matrix output, const Input x, const Input y, const Input z, long long) {
    for_each<1>(output, [&](long long i, long long j) { entries<1>(output, x, y, z, i, j); });
}

#ifndef PRECISION

// The operation again and again in registers. The last bit of each result flips that of the first
// operand, so that one waits for the other and none can be left out.
extern "C" __global__ void __launch_bounds__(THREADS)
    chain(const Matrix output, const Input x, const Input y, const Input z, long long repeats) {
    for_each<1>(output, [&](long long i, long long j) {
        Number a[1], b[1], c[1];
        load_all(x, y, z, i, j, a, b, c);
        for (long long r = 0; r < repeats; r++) {
            const Number result = apply(a[0], b[0], c[0]);
            long long bits = 0;
#pragma unroll
            for (int l = 0; l < LIMBS; l++) bits ^= __double_as_longlong(result.limb[l]);
            a[0].limb[0] = __longlong_as_double(__double_as_longlong(a[0].limb[0]) ^ (bits & 1));
        }
        store(output, i, j, a);
    });
}

#endif
