// Evolutions whose kernel runs here, block by block. The threads of a block go through the same
// shuffles and barriers, so that each may wait for all of them.
//
// Compile with LIMBS and THREADS as the kernel is.

#include "threads.h"

#define __global__
#define __launch_bounds__(...)
#define __shared__

constexpr int MOST_THREADS = 1024;

static void __syncthreads() { wait_for_block(); }

// What threads hand to each other: a second place, since the fastest write the next number before
// the slowest have read this one.
template <class T> struct Exchange {
    T numbers[2][MOST_THREADS];
    int uses[MOST_THREADS] = {};

    T *all(T own) {
        const int thread = threadIdx.x, side = uses[thread]++ % 2;
        numbers[side][thread] = own;
        wait_for_block();
        return numbers[side];
    }
};
static Exchange<double> exchange;
static Exchange<unsigned> words;

inline double __shfl_up_sync(unsigned, double x, int distance) {
    const double *const all = exchange.all(x);
    return threadIdx.x % 32 >= distance ? all[threadIdx.x - distance] : x;
}

inline double __shfl_down_sync(unsigned, double x, int distance) {
    const double *const all = exchange.all(x);
    return threadIdx.x % 32 + distance < 32 ? all[threadIdx.x + distance] : x;
}

inline unsigned __reduce_max_sync(unsigned, unsigned x) {
    const unsigned *const warp = words.all(x) + threadIdx.x / 32 * 32;
    return *std::max_element(warp, warp + 32);
}

inline bool __syncthreads_and(bool x) {
    const unsigned *const all = words.all(x);
    return std::all_of(all, all + blockDim.x, [](unsigned y) { return y != 0; });
}

inline void atomicMax(unsigned *to, unsigned x) { *to = std::max(*to, x); }

// Shared memory of a block, by the name that the kernel has for it.
extern "C" {
double memory[1 << 16];
}

#include "option/evolve_scan.cu"

// What the test hands over: as the kernel has it, and how many threads and blocks.
struct Launch {
    const Tile *tiles;
    const Stage *stages;
    const double *input;
    double *u, *work;
    const double *numbers;
    const int *firsts;
    unsigned *contacts, *failed;
    long long in_work, threads, blocks;
};

extern "C" void evolve_blocks(const Launch *l) {
    for (int i = 0; i < l->blocks; i++) {
        blockIdx = {i, 0}, exchange = {}, words = {};
        run_block((int)l->threads, [&] {
            evolve(
                l->tiles, l->stages, l->input, l->u, l->work, l->numbers, l->firsts, l->contacts,
                l->failed, (int)l->in_work
            );
        });
    }
}
