// Householder reflections of a few columns, by blocks that all run at the same time.
//
// What a column needs of the rows below its diagonal, the sum of its squares and its products with
// the columns on its right, is summed in one pass, which applies the reflection before: with v =
// x/p below the diagonal and 1 on it, vᵀa = a_j + (Σ x_i·a_i)/p. So there is one exchange of sums a
// column. Every block adds the sums of all blocks in the same order, and so has the same numbers.
//
// Columns are of about the same size, so that squares neither overflow nor vanish: factorisations
// scale them.

#include "dense/accumulate.cuh"
#include "num/arithmetic.cuh"
#include "num/compare.cuh"
#include "dense/matrix.cuh"
#include "dense/offers.cuh"
#include "num/sqrt.cuh"

constexpr int N = LIMBS;
// Most columns of a panel, and threads of a block. The host chooses.
constexpr int WIDTH = REFLECT_WIDTH, THREADS = REFLECT_THREADS;
constexpr int WARPS = THREADS / 32, CHUNKS = THREADS / WIDTH;

struct Sums {
    Packet limbs[WIDTH * N];
};

#include "arguments.cuh"

DEVICE void publish_sum(Sums &to, int c, const MultiFloat<N> &x, unsigned turn) {
#pragma unroll
    for (int l = 0; l < N; l++) publish_number(&to.limbs[c * N + l], x[l].value, turn);
}

DEVICE MultiFloat<N> await_sum(const Sums &from, int c, unsigned turn) {
    MultiFloat<N> x;
#pragma unroll
    for (int l = 0; l < N; l++) x[l] = await_number(&from.limbs[c * N + l], turn);
    return x;
}

DEVICE MultiFloat<N> from_lane_below(const MultiFloat<N> &x, int distance) {
    MultiFloat<N> y;
#pragma unroll
    for (int l = 0; l < N; l++) y[l] = __shfl_down_sync(0xffffffffu, x[l].value, distance);
    return y;
}

// The reflection of a column: rows below the diagonal are divided by `pivot` where that is not
// zero, and `factors[c]` times them is subtracted from the column c places on the right.
struct Reflection {
    MultiFloat<N> pivot, factors[WIDTH];
};

// The entry of v in a row below the diagonal, from that of the column.
DEVICE MultiFloat<N> divided(const MultiFloat<N> &x, const MultiFloat<N> &pivot) { return pivot[0] == 0.0 ? x : x / pivot; }

extern "C" __global__ void __launch_bounds__(THREADS) qr_panel(const __grid_constant__ QrPanel p) {
    __shared__ MultiFloat<N> of_warps[WARPS][WIDTH], of_chunks[CHUNKS][WIDTH], diagonal[WIDTH];
    __shared__ Reflection before;
    const int t = threadIdx.x, warp = t / 32;
    const long long first_row = (long long)blockIdx.x * THREADS + t, step = (long long)gridDim.x * THREADS;
    const int columns = (int)p.columns;
    const MultiFloat<N> zero = from_lane<N>(0.0), one = from_lane<N>(1.0);
    for (int j = 0; j < columns; j++) {
        const unsigned turn = j + 1;
        Sums &mine = p.sums[2 * blockIdx.x + j % 2], &on_diagonal = p.sums[2 * gridDim.x + j % 2];
        Accumulator<N> sums[WIDTH];
#pragma unroll
        for (int c = 0; c < WIDTH; c++) sums[c] = Accumulator<N>::zero();
        for (long long i = first_row; i < p.rows; i += step) {
            if (i < j) continue;
            MultiFloat<N> v = zero, x = zero;
            if (j > 0) {
                v = divided(p.a.load(i, j - 1), before.pivot);
                p.a.store(i, j - 1, v);
            }
#pragma unroll
            for (int c = 0; c < WIDTH; c++) {
                if (j + c >= columns) break;
                MultiFloat<N> a = p.a.load(i, j + c);
                if (j > 0) a = a - before.factors[c] * v;
                if (c == 0) x = a;
                if (i == j) {
                    // The first block writes what becomes of it.
                    publish_sum(on_diagonal, c, a, turn);
                } else {
                    if (j > 0) p.a.store(i, j + c, a);
                    sums[c].add_product(x, a);
                    sums[c].carry();
                }
            }
        }
#pragma unroll
        for (int c = 0; c < WIDTH; c++) {
            if (j + c >= columns) break;
            MultiFloat<N> sum = sums[c].normalized();
#pragma unroll 1
            for (int distance = 16; distance > 0; distance /= 2) sum = sum + from_lane_below(sum, distance);
            if (t % 32 == 0) of_warps[warp][c] = sum;
        }
        __syncthreads();
        const int c = t % WIDTH, chunk = t / WIDTH;
        const bool in_panel = j + c < columns;
        if (chunk == 0 && in_panel) {
            MultiFloat<N> sum = of_warps[0][c];
#pragma unroll 1
            for (int w = 1; w < WARPS; w++) sum = sum + of_warps[w][c];
            publish_sum(mine, c, sum, turn);
        }
        if (in_panel) {
            MultiFloat<N> sum = zero;
#pragma unroll 1
            for (unsigned b = chunk; b < gridDim.x; b += CHUNKS) sum = sum + await_sum(p.sums[2 * b + j % 2], c, turn);
            of_chunks[chunk][c] = sum;
            if (chunk == 0) diagonal[c] = await_sum(on_diagonal, c, turn);
        }
        __syncthreads();
        if (chunk == 0 && in_panel) {
            MultiFloat<N> sum = zero, squares = zero;
#pragma unroll 1
            for (int k = 0; k < CHUNKS; k++) sum = sum + of_chunks[k][c], squares = squares + of_chunks[k][0];
            const MultiFloat<N> top = diagonal[0], norm = sqrt(squares + top * top);
            const MultiFloat<N> beta = top[0] > 0.0 ? -norm : norm, pivot = top - beta;
            // vᵀv and vᵀa
            const bool flat = pivot[0] == 0.0;
            const MultiFloat<N> length = flat ? one : one + squares / pivot / pivot;
            const MultiFloat<N> product = flat ? diagonal[c] : diagonal[c] + sum / pivot;
            const MultiFloat<N> factor = (product + product) / length;
            // In the next pass the column after this one is the first.
            if (c > 0) before.factors[c - 1] = factor;
            else before.pivot = pivot;
            if (blockIdx.x == 0) p.a.store(j, j + c, c == 0 ? beta : diagonal[c] - factor);
        }
        __syncthreads();
    }
    for (long long i = first_row; i < p.rows; i += step)
        if (i >= columns) p.a.store(i, columns - 1, divided(p.a.load(i, columns - 1), before.pivot));
}
