// Sums of products with every product and every sum rounded by itself, for numbers whose space says
// how one comes from a lane above: number_from_above.
#pragma once

// Partial sum t of a block takes its entries t, t + SUM_THREADS and so on; partial sums are added
// pairwise, neighbours first.
DEVICE void sum_blocks(const Vector &x, const Vector &y, long long n, const Vector &sums) {
    // What warps hand over to the first one.
    constexpr int WARPS = SUM_THREADS / 32;
    __shared__ Number partial[WARPS];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long begin = (long long)blockIdx.x * BLOCK, end = min(begin + BLOCK, n);
    Number sum = zero();
#pragma unroll 1
    for (long long i = begin + threadIdx.x; i < end; i += SUM_THREADS) sum = fused(x.load(i), y.load(i), sum);
#pragma unroll 1
    for (int distance = 1; distance < 32; distance *= 2) sum = sum + number_from_above(sum, distance);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp != 0) return;
    sum = partial[lane % WARPS];
#pragma unroll 1
    for (int distance = 1; distance < WARPS; distance *= 2) sum = sum + number_from_above(sum, distance);
    if (lane == 0) sums.store(blockIdx.x, sum);
}
