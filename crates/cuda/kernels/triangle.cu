// z <- T^-1 r for a triangle T by rows, without its diagonal, whose inverses are given (crates/linalg/src/krylov/precondition/cholesky.rs has the same bits).
//
// One launch: a thread has a row and goes on once the rows that it needs are there, as in Liu, Li, Hogg, Duff and Vinter, A synchronization-free algorithm for parallel sparse triangular
// solves (2016). Blocks begin in their order, and rows need those of earlier blocks or of their own, so that some thread always goes on.

#define FORMAT 0

#ifdef LIMBS
#include "limb_terms.cuh"
#else
#define SHARING 1
#include "mp_terms.cuh"
#endif

// Row i is there once ready[i] is `round`, which no earlier launch had. Backward, rows are taken from the last to the first. r may be z.
extern "C" __global__ void __launch_bounds__(128)
    solve(const __grid_constant__ Sparse a, const __grid_constant__ Values values, const __grid_constant__ Values inverses, const Vector r, const FreshVector z, unsigned *ready, unsigned round,
          int backward, const Log *held) {
    if (is_held(held)) return;
    const long long place = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long row = backward ? a.rows - 1 - place : place;
    bool done = place >= a.rows;
    long long next = done ? 0 : a.starts[row];
    const long long end = done ? 0 : a.starts[row + 1];
    const Number start = done ? zero() : r.load(row);
    // The threads of a warp go round together, so that none waits for another that it keeps from going on.
    while (__any_sync(~0u, !done)) {
        if (!done) {
            while (next < end && *(volatile unsigned *)(ready + a.columns[next]) == round) next++;
            if (next == end) {
                __threadfence();
                z.store(row, solved(a, values, z, row, start, inverses));
                __threadfence();
                *(volatile unsigned *)(ready + row) = round;
                done = true;
            }
        }
    }
}
