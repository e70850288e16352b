// Numbers of PRECISION bits for space.cu and spmv.cu: what is different between them and limbs.
// With IEEE every product and every sum is rounded by itself.
#pragma once

#include "sparse/log.cuh"
#include "mp/divide.cuh"
#include "mp/fixed.cuh"
#include "mp/vector.cuh"

using Number = mp::Number<PRECISION>;

struct Vector : mp::Vector {
    DEVICE int head(long long i) const { return heads[i]; }
    DEVICE Number load(long long i) const { return mp::Vector::load<PRECISION>(i); }
    DEVICE void store(long long i, const Number &x) const { mp::Vector::store(i, x); }
};

// The same where other blocks of the same kernel write.
struct FreshVector : Vector {
    DEVICE int head(long long i) const { return __ldcg(heads + i); }

    DEVICE Number load(long long i) const {
        Number x;
        x.head = head(i);
#pragma unroll mp::unrolled(Number::WORDS)
        for (int q = 0; q < Number::WORDS; q++) {
            const mp::Word word = __ldcg(words + i + q * plane);
            x.digits[2 * q] = (unsigned)word, x.digits[2 * q + 1] = (unsigned)(word >> 32);
        }
        return x;
    }
};

DEVICE Number zero() { return Number::zero(); }
DEVICE Number negated(const Number &x, bool negate) { return x.negated(negate); }
DEVICE Number divide(const Number &x, const Number &y) { return mp::divide(x, y); }
DEVICE Number root(const Number &x) { return mp::root(x); }

DEVICE Number fused(const Number &x, const Number &y, const Number &z) {
#if IEEE
    return mp::multiply_then_add(x, y, z);
#else
    return mp::multiply_add(x, y, z);
#endif
}

// Rounded to 53 bits.
DEVICE Reading reading(const Number &x) {
    double magnitude = __hiloint2double(0x7ff00000, 0);
    if (mp::is_nan(x.head)) return {__hiloint2double(0x7ff80000, 0), 0};
    const mp::Number<53> near = mp::round<53>(x.digits, false, x.code() - 32 * Number::D, x.is_negative());
    const bool number = mp::is_number(x.head);
    const unsigned low = near.digits[0], high = near.digits[1];
    if (number) magnitude = __hiloint2double((int)((high & 0x7fffffff) >> 11 | 1022u << 20), (int)__funnelshift_r(low, high, 11));
    if (mp::is_zero(x.head)) magnitude = 0.0;
    return {x.is_negative() ? -magnitude : magnitude, number ? near.code() : 0};
}

// x·2^exponent as an f64.
DEVICE double nearest(const Number &x, long long exponent) { return reading(x).scaled(exponent); }

// x·2^exponent, exactly.
DEVICE Number widened_double(double x, long long exponent, const Vector &) {
    const Reading read = Reading::of(x);
    const bool negative = is_sign_negative(Lane(x));
    if (!read.is_ordinary())
        return Number::special(read.significand == 0.0 ? mp::head(mp::ZERO, negative) : is_nan(Lane(x)) ? mp::NOT_A_NUMBER : mp::head(mp::INFINITE, negative));
    Number number = Number::zero();
    const unsigned high = upper_half(Lane(read.significand)) & 0xfffff | 1u << 20, low = (unsigned)__double2loint(read.significand);
    number.digits[Number::D - 1] = __funnelshift_l(low, high, 11);
    number.digits[Number::D - 2] = low << 11;
    number.head = mp::finite_head(read.exponent + exponent, negative);
    return mp::is_number(number.head) ? number : Number::special(number.head);
}

// Entries whose products are summed before they are rounded, threads of a block, and blocks of
// entries that it takes.
constexpr int BLOCK = 1024, SUM_THREADS = 256, SUM_BLOCKS = 1;

template <int N> DEVICE mp::Wide<N> from_above(const mp::Wide<N> &x, int distance) {
    mp::Wide<N> y;
#pragma unroll mp::unrolled(N)
    for (int i = 0; i < N; i++) y[i] = __shfl_down_sync(~0u, x[i], distance);
    return y;
}

#if IEEE

DEVICE Number number_from_above(const Number &x, int distance) { return {__shfl_down_sync(~0u, x.head, distance), from_above(x.digits, distance)}; }

#include "sparse/stepwise_sums.cuh"

#else

// What warps hand over to the first one.
constexpr int WARPS = SUM_THREADS / 32;

DEVICE void merge_from_above(mp::Census &census, int distance) {
    census.merge(
        __shfl_down_sync(~0u, census.greatest, distance), __shfl_down_sync(~0u, census.terms, distance),
        __shfl_down_sync(~0u, census.flags(), distance));
}

DEVICE void sum_blocks(const Vector &x, const Vector &y, long long n, const Vector &sums) {
    using Sum = mp::Fixed<PRECISION, 10>;
    __shared__ int greatest[WARPS];
    __shared__ unsigned terms[WARPS], flags[WARPS], digits[Sum::N][WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long begin = (long long)blockIdx.x * BLOCK, end = min(begin + BLOCK, n);
    mp::Census census = mp::Census::none();
    for (long long i = begin + threadIdx.x; i < end; i += SUM_THREADS) census.see(x.heads[i], y.heads[i]);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) merge_from_above(census, distance);
    if (lane == 0) greatest[warp] = census.greatest, terms[warp] = census.terms, flags[warp] = census.flags();
    __syncthreads();
    census = mp::Census::none();
#pragma unroll
    for (int w = 0; w < WARPS; w++) census.merge(greatest[w], terms[w], flags[w]);
    if (census.is_settled()) {
        if (threadIdx.x == 0) sums.store(blockIdx.x, Number::special(census.settled()));
        return;
    }
    const mp::Unit unit = Sum::unit(census);
    Sum sum = Sum::zero();
#pragma unroll 1
    for (long long i = begin + threadIdx.x; i < end; i += SUM_THREADS) sum.add_product(x.load(i), y.load(i), census, unit);
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2) mp::add(sum.sum, from_above(sum.sum, distance), false, false);
    if (lane == 0)
        for (int d = 0; d < Sum::N; d++) digits[d][warp] = sum.sum[d];
    __syncthreads();
    if (threadIdx.x != 0) return;
#pragma unroll 1
    for (int w = 1; w < WARPS; w++) {
        mp::Wide<Sum::N> other;
        for (int d = 0; d < Sum::N; d++) other[d] = digits[d][w];
        mp::add(sum.sum, other, false, false);
    }
    sums.store(blockIdx.x, sum.rounded(unit));
}

#endif
