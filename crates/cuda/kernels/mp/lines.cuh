// Lines of matrices, and sums of products of two of them, rounded once.
#pragma once

#include "dense/matrix.cuh"
#include "mp/shares.cuh"

namespace mp {

struct Row {
    const Matrix &a;
    long long i;

    DEVICE int head(long long k) const { return a.head(i, k); }
    DEVICE Number<PRECISION> load(long long k) const { return a.load(i, k); }
};

struct Column {
    const Matrix &a;
    long long j;

    DEVICE int head(long long k) const { return a.head(k, j); }
    DEVICE Number<PRECISION> load(long long k) const { return a.load(k, j); }
};

// The sum of x(k)·y(k) for k < count, by SHARES neighbouring threads of a warp that all come here;
// each of them has it. Of up to 2^LOG terms.
template <int SHARES, int LOG = 31, class X, class Y> DEVICE Number<PRECISION> dot(long long count, const X &x, const Y &y) {
    const int share = threadIdx.x % SHARES;
    Census census = Census::none();
    for (long long k = share; k < count; k += SHARES) census.see(x.head(k), y.head(k));
    merge_shares<SHARES>(census);
    using Sum = Fixed<PRECISION, LOG>;
    const Unit unit = Sum::unit(census);
    Sum sum = Sum::zero();
    if (!census.is_settled())
#pragma unroll 1
        for (long long k = share; k < count; k += SHARES) sum.add_product(x.load(k), y.load(k), census, unit);
#pragma unroll
    for (int distance = 1; distance < SHARES; distance *= 2) add(sum.sum, of_share(sum.sum, distance), false, false);
    return census.is_settled() ? Number<PRECISION>::special(census.settled()) : sum.rounded(unit);
}

// The same by all THREADS threads of a block; the first one has it.
template <int THREADS, class X, class Y> DEVICE Number<PRECISION> dot_of_block(long long count, const X &x, const Y &y) {
    constexpr int WARPS = THREADS / 32;
    using Sum = Fixed<PRECISION, 31>;
    __shared__ int greatest[WARPS];
    __shared__ unsigned terms[WARPS], flags[WARPS], digits[Sum::N][WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    Census census = Census::none();
    for (long long k = threadIdx.x; k < count; k += THREADS) census.see(x.head(k), y.head(k));
    merge_shares<32>(census);
    if (lane == 0) greatest[warp] = census.greatest, terms[warp] = census.terms, flags[warp] = census.flags();
    __syncthreads();
    census = Census::none();
#pragma unroll
    for (int w = 0; w < WARPS; w++) census.merge(greatest[w], terms[w], flags[w]);
    if (census.is_settled()) return Number<PRECISION>::special(census.settled());
    const Unit unit = Sum::unit(census);
    Sum sum = Sum::zero();
#pragma unroll 1
    for (long long k = threadIdx.x; k < count; k += THREADS) sum.add_product(x.load(k), y.load(k), census, unit);
#pragma unroll 1
    for (int distance = 1; distance < 32; distance *= 2) add(sum.sum, of_share(sum.sum, distance), false, false);
    if (lane == 0)
        for (int d = 0; d < Sum::N; d++) digits[d][warp] = sum.sum[d];
    __syncthreads();
    if (threadIdx.x != 0) return Number<PRECISION>::zero();
#pragma unroll 1
    for (int w = 1; w < WARPS; w++) {
        Wide<Sum::N> other;
        for (int d = 0; d < Sum::N; d++) other[d] = digits[d][w];
        add(sum.sum, other, false, false);
    }
    return sum.rounded(unit);
}

} // namespace mp
