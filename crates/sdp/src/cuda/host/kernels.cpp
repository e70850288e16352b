// The kernels of semidefinite programs, run here block by block: PRECISION and what the host
// chooses are defined as for a device.

#include "threads.h"

#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static

static struct {
    int x, y;
} gridDim;

// Where all threads of the block that are not done have come to.
static int arrived, passed;

static int waiting_threads() {
    return (int)std::count(block.done.begin(), block.done.end(), false);
}

// Who comes last waits too, so that the threads of a warp go on together.
static void __syncthreads() {
    const int turn = passed;
    arrived++;
    while (passed == turn) {
        if (arrived == waiting_threads()) arrived = 0, passed++;
        wait_for_block();
    }
}

// What every thread gives, in turns of two: a thread gives again when all have read.
constexpr int MOST_THREADS = CONE_THREADS;
static unsigned long long given[2][MOST_THREADS];
static int turns[MOST_THREADS];

template <class T> static T of_thread(T x, int other) {
    auto &all = given[turns[threadIdx.x]++ % 2];
    std::memcpy(&all[threadIdx.x], &x, sizeof x);
    wait_for_block();
    std::memcpy(&x, &all[other], sizeof x);
    return x;
}

template <class T> static T __shfl_sync(unsigned, T x, int lane) {
    return of_thread(x, threadIdx.x / 32 * 32 + lane);
}

// Beyond the width a thread has its own.
template <class T> static T __shfl_down_sync(unsigned, T x, int distance, int width = 32) {
    const bool is_inside = threadIdx.x % width + distance < width;
    return of_thread(x, is_inside ? threadIdx.x + distance : threadIdx.x);
}

static unsigned __ballot_sync(unsigned, bool vote) {
    const int first = threadIdx.x / 32 * 32;
    auto &all = given[turns[threadIdx.x]++ % 2];
    all[threadIdx.x] = vote;
    wait_for_block();
    unsigned votes = 0;
    for (int lane = 0; lane < 32; lane++) votes |= all[first + lane] ? 1u << lane : 0;
    return votes;
}

static int __ffs(int x) { return __builtin_ffs(x); }

static void atomicMax(unsigned long long *to, unsigned long long x) { *to = max(*to, x); }

namespace kernels {
#include "sdp/cone.cu"
#include "sdp/small.cu"
#include "sdp/schur.cu"
#include "sdp/second_order.cu"

struct Kernel {
    const char *name;
    void (*run)(const void *);
};

#define KERNEL(name, Type) {#name, [](const void *p) { name(*(const Type *)p); }}

static const Kernel ALL_KERNELS[] = {
    KERNEL(combine_matrices, Combination), KERNEL(short_products, Products),
    KERNEL(long_products, Products),       KERNEL(symmetrize, Matrix),
    KERNEL(mirror, Matrix),                KERNEL(clear_upper, Matrix),
    KERNEL(identity, Diagonal),            KERNEL(add_to_diagonal, Shifts),
    KERNEL(largest, Largest),              KERNEL(small_multiply, Small),
    KERNEL(small_symmetrize, Small),       KERNEL(small_identity, Small),
    KERNEL(small_factor, Small),           KERNEL(small_invert, Small),
    KERNEL(small_gram, Small),             KERNEL(small_congruence, Congruence),
    KERNEL(schur_sparse, Sparse),          KERNEL(schur_left, Left),
    KERNEL(schur_diagonal, OfDiagonal),
    KERNEL(second_order_identity, SecondOrder), KERNEL(second_order_root, SecondOrder),
    KERNEL(second_order_invert, SecondOrder),   KERNEL(second_order_square, SecondOrder),
    KERNEL(second_order_triple, SecondOrder),   KERNEL(second_order_least, SecondOrder),
    KERNEL(second_order_weights, SecondOrder),  KERNEL(second_order_products, OfCones),
    KERNEL(second_order_schur, OfCones),
};
} // namespace kernels

// Runs a kernel in blocks of a grid, one after the other; says whether there is one of that name.
extern "C" bool nonius_launch(const char *name, int x, int y, const void *arguments) {
    for (const auto &kernel : kernels::ALL_KERNELS) {
        if (std::strcmp(kernel.name, name) != 0) continue;
        gridDim = {x, y};
        for (int j = 0; j < y; j++)
            for (int i = 0; i < x; i++) {
                blockIdx = {i, j};
                run_block(CONE_THREADS, [&] { kernel.run(arguments); });
            }
        return true;
    }
    return false;
}
