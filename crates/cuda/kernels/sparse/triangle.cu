// z <- T^-1 r for a triangle T by rows, without its diagonal, whose inverses are given
// (crates/linalg/src/krylov/precondition/cholesky.rs has the same bits).
//
// One launch: a warp has a row, and goes on once the rows that it needs are there, as in Liu, Li,
// Hogg, Duff and Vinter, A synchronization-free algorithm for parallel sparse triangular solves
// (2016). Blocks begin in their order, and rows need those of earlier warps, so that some warp
// always goes on.

#define FORMAT 0

#if defined LIMBS
#include "sparse/limb_terms.cuh"
#elif defined MODULI
#include "sparse/rns_terms.cuh"
#else
#define SHARING 32
#include "sparse/mp_terms.cuh"
#endif

// Row i is there once ready[i] is `round`, which no earlier launch had. Backward, rows are taken
// from the last to the first. r may be z.
extern "C" __global__ void __launch_bounds__(128)
    solve(const __grid_constant__ Sparse a, const __grid_constant__ Values values, const __grid_constant__ Values inverses, const Vector r, const FreshVector z, unsigned *ready, unsigned round,
          int backward, const Log *held) {
    if (is_held(held)) return;
    const long long place = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (place >= a.rows) return;
    const long long row = backward ? a.rows - 1 - place : place;
    const Number start = r.load(row);
    const int lane = threadIdx.x % 32;
    for (long long k = a.starts[row] + lane; k < a.starts[row + 1]; k += 32)
        while (*(volatile unsigned *)(ready + a.columns[k]) != round) {}
    __threadfence();
    __syncwarp();
    const Number solution = solved(a, values, z, row, start, inverses);
    if (lane != 0) return;
    z.store(row, solution);
    __threadfence();
    *(volatile unsigned *)(ready + row) = round;
}
