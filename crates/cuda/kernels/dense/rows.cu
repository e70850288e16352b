// Exchanges of rows.

#include "dense/matrix.cuh"

#include "arguments.cuh"

// Moves entries within every column: row `to` takes what row `from` held, of MOVES rows at most.
extern "C" __global__ void __launch_bounds__(MOVES) move_rows(const __grid_constant__ Moves p) {
    const bool moves = threadIdx.x < p.count;
    for (long long j = blockIdx.x; j < p.columns; j += gridDim.x) {
        Number x;
        if (moves) x = p.a.load(p.moves[threadIdx.x][1], j);
        __syncthreads();
        if (moves) p.a.store(p.moves[threadIdx.x][0], j, x);
        __syncthreads();
    }
}
