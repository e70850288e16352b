// What kernels need that run here, block by block. The threads of a block go through the same
// shuffles and barriers, so that each may wait for all of them.

#include "threads.h"

#include <math.h>

#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static

constexpr int MOST_THREADS = 1024;

static struct {
    int x, y;
} gridDim;

[[maybe_unused]] static void __syncthreads() { wait_for_block(); }
[[maybe_unused]] static void __syncwarp() { wait_for_block(); }

// What threads hand to each other: a second place, since the fastest write the next number before
// the slowest have read this one.
static unsigned long long exchange[2][MOST_THREADS];
static int exchanges[MOST_THREADS];

// The number of another thread of the warp.
template <class T> T exchanged(T own, int thread) {
    const int side = exchanges[threadIdx.x]++ % 2;
    std::memcpy(&exchange[side][threadIdx.x], &own, sizeof own);
    wait_for_block();
    std::memcpy(&own, &exchange[side][thread], sizeof own);
    return own;
}

template <class T> T __shfl_xor_sync(unsigned, T x, int distance) { return exchanged(x, threadIdx.x ^ distance); }
template <class T> T __shfl_down_sync(unsigned, T x, int distance) {
    return exchanged(x, threadIdx.x % 32 + distance < 32 ? threadIdx.x + distance : threadIdx.x);
}

[[maybe_unused]] static void atomicMax(unsigned *to, unsigned x) { *to = std::max(*to, x); }

#include "module.cu"

// Calls a kernel for all blocks of a grid.
template <class Kernel> void run_grid(int columns, int rows, int threads, Kernel kernel) {
    gridDim = {columns, rows};
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            blockIdx = {x, y};
            run_block(threads, kernel);
        }
}
