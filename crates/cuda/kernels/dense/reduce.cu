// Sums over vectors and their largest entries, with the order and the bits of
// crates/linalg/src/cpu/reduce.rs and, for numbers of PRECISION bits, of .../mp/reduce.rs.
//
// The second kernel adds the blocks of a column.

#include "dense/factor.cuh"
#ifdef PRECISION
#include "dense/mp_sums.cuh"
#else
#include "dense/limb_sums.cuh"
#endif

#define BLOCK_SUMS(name, terms) \
    extern "C" __global__ void __launch_bounds__(SUM_THREADS) \
        name(const Matrix x, const Matrix y, const Matrix sums, const long long *largest) { \
        block_sums<terms>(x, y, sums, largest); \
    }
BLOCK_SUMS(sum_products, PRODUCTS)
BLOCK_SUMS(sum_squares, SQUARES)
BLOCK_SUMS(sum_entries, ENTRIES)
BLOCK_SUMS(sum_magnitudes, MAGNITUDES)

// output(j) <- alpha * (sum of column j) + beta * output(j), where factors 1 are not multiplied by
// and the output is not read for beta = 0. With squares, the root of the sum. `sums` holds a column
// of block sums for each column of x and as much room again below; it is spoilt. One block of
// threads for each column.
extern "C" __global__ void __launch_bounds__(256)
    finish(const Matrix x, const Matrix y, const Matrix sums, const long long *largest, const Matrix output, const Factor alpha,
           const Factor beta, long long terms) {
    const Shift shift(x, largest);
    for (long long j = blockIdx.x; j < x.cols; j += gridDim.x) {
        long long count = (x.rows + BLOCK - 1) / BLOCK;
        long long from = 0, to = count;
        while (count > 1) {
            for (long long i = threadIdx.x; i < (count + 1) / 2; i += blockDim.x) {
                Number sum = sums.load(from + 2 * i, j);
                if (2 * i + 1 < count) sum = sum + sums.load(from + 2 * i + 1, j);
                sums.store(to + i, j, sum);
            }
            __syncthreads();
            const long long other = from;
            from = to;
            to = other;
            count = (count + 1) / 2;
        }
        if (threadIdx.x != 0) continue;
        Number sum = zero();
        if (count > 0) sum = sums.load(from, j);
        if (terms == SQUARES && *largest >= 0) sum = norm(x.load(*largest, 0), sum, shift);
        combine(alpha, sum, beta, output, j, 0);
    }
}

// The better of two indices, -1 being none: that of the greater entry, of equals the first.
__device__ __forceinline__ long long better(const Matrix &x, long long i, long long k) {
    if (i < 0 || k < 0) return max(i, k);
    const Number a = x.load(i, 0), b = x.load(k, 0);
    if (is_greater(a, b)) return i;
    if (is_greater(b, a)) return k;
    return min(i, k);
}

// The index of the greatest of the entries whose indices `candidates` lists, or of all entries
// where it is null; one result for each block of threads.
extern "C" __global__ void __launch_bounds__(256)
    iamax(const Matrix x, const long long *candidates, long long count, long long *results) {
    __shared__ long long best[256];
    long long mine = -1;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        mine = better(x, mine, candidates == nullptr ? i : candidates[i]);
    best[threadIdx.x] = mine;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = better(x, best[threadIdx.x], best[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) results[blockIdx.x] = best[0];
}
