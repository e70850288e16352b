// Numbers of LIMBS limbs for space.cu and spmv.cu: what is different between them and numbers of
// any precision.
#pragma once

#include "dense/block_sums.cuh"
#include "sparse/log.cuh"
#include "num/operations.cuh"

// Limbs in planes.
struct Vector {
    double *data;
    // Numbers from one limb to the next.
    long long plane;

    DEVICE Matrix matrix(long long n) const { return {data, n, 1, 1, n, plane}; }

    DEVICE Number load(long long i) const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = data[i + l * plane];
        return x;
    }

    DEVICE void store(long long i, const Number &x) const {
#pragma unroll
        for (int l = 0; l < LIMBS; l++) data[i + l * plane] = x[l];
    }
};

// The same where other blocks of the same kernel write.
struct FreshVector : Vector {
    DEVICE Number load(long long i) const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = __ldcg(data + i + l * plane);
        return x;
    }
};

DEVICE Number negated(const Number &x, bool negate) { return negate_where(negate, x); }
DEVICE Number fused(const Number &x, const Number &y, const Number &z) { return operation::mul_add(x, y, z); }
DEVICE Number divide(const Number &x, const Number &y) { return x / y; }
DEVICE Number root(const Number &x) { return sqrt(x); }

// By the first limb, which is as near as an f64 can be.
DEVICE Reading reading(const Number &x) { return Reading::of(x[0]); }

// x·2^exponent, rounded where it leaves the normal range; its first limb is as near to it as an f64
// can be.
DEVICE Number scaled(const Number &x, long long exponent) { return ldexp(x, (int)min(max(exponent, -8192ll), 8192ll)); }

DEVICE double nearest(const Number &x, long long exponent) { return scaled(x, exponent)[0]; }

DEVICE Number widened_double(double x, long long exponent, const Vector &) { return scaled(from_lane<LIMBS>(x), exponent); }

// Blocks of entries that a block of threads takes which sums products.
constexpr int SUM_BLOCKS = GROUPS;

DEVICE void sum_blocks(const Vector &x, const Vector &y, long long n, const Vector &sums) {
    block_sums<PRODUCTS>(x.matrix(n), y.matrix(n), sums.matrix((n + BLOCK - 1) / BLOCK), nullptr);
}
