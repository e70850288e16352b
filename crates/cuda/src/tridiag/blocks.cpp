// Kernels of tridiagonal systems that run here, block by block. The threads of a block go through
// the same shuffles and barriers, so that each may wait for all of them.
//
// Compile with the module as "module.cu", and with one of SINGLE, PCR, WHOLE, SPLIT and RING.

#include "threads.h"

#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static

constexpr int MOST_THREADS = 1024;

static void __syncthreads() { wait_for_block(); }
static void __syncwarp() { wait_for_block(); }

// What threads hand to each other: a second place, since the fastest write the next word before the
// slowest have read this one.
static unsigned long long exchange[2][MOST_THREADS];
static int exchanges[MOST_THREADS];

static const unsigned long long *exchanged(unsigned long long own) {
    const int thread = threadIdx.x, side = exchanges[thread]++ % 2;
    exchange[side][thread] = own;
    wait_for_block();
    return exchange[side];
}

// Among `width` threads.
static unsigned long long __shfl_up_sync(unsigned, unsigned long long x, int distance, int width) {
    const unsigned long long *const all = exchanged(x);
    return threadIdx.x % width >= distance ? all[threadIdx.x - distance] : x;
}

static unsigned long long __shfl_down_sync(unsigned, unsigned long long x, int distance, int width) {
    const unsigned long long *const all = exchanged(x);
    return threadIdx.x % width + distance < width ? all[threadIdx.x + distance] : x;
}

static void atomicMax(unsigned *to, unsigned x) { *to = std::max(*to, x); }
static void atomicMin(unsigned *to, unsigned x) { *to = std::min(*to, x); }
static void atomicCAS(unsigned *to, unsigned expected, unsigned x) {
    if (*to == expected) *to = x;
}

// The C library has functions of these names.
#define open open_rings
#define close close_rings

#include "module.cu"

// What the test hands over: what any of the kernels take, and how many threads and blocks.
struct Launch {
    long long blocks, threads;
    Batch batch, lasts;
    Array first, second;
    long long stride;
};

// A kernel of the module, by its number.
extern "C" void run(int kernel, const Launch *l) {
    for (int i = 0; i < l->blocks; i++) {
        blockIdx = {i, 0};
        std::fill(exchanges, exchanges + MOST_THREADS, 0);
        run_block((int)l->threads, [&] {
#if SINGLE
            solve(l->batch, l->first, l->second);
#elif PCR
            solve(l->batch, l->first);
#elif WHOLE
            solve(l->batch);
#elif SPLIT
            kernel == 0 ? condense(l->batch, l->lasts) : expand(l->batch, l->lasts);
#elif RING
            if (kernel == 0) open(l->batch, l->first, l->second);
            else if (kernel == 1) close(l->batch, l->first);
            else pivoted(l->batch, l->first, l->stride);
#endif
        });
    }
}
