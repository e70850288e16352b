// The inverse of a triangle: blocks on its diagonal first, each by one thread block, then pairs of
// neighbours, [A 0; C B]⁻¹ = [A⁻¹ 0; −B⁻¹·C·A⁻¹ B⁻¹].

#include "dense/accumulate.cuh"
#include "dense/matrix.cuh"
#include "num/arithmetic.cuh"

#include "arguments.cuh"

// Rows of a block: the host's.
constexpr int SIDE = TRIANGLE_SIDE;
using Sum = Accumulator<LIMBS>;

// A thread has a column of the inverse of a lower triangle: the upper one is its transpose. `both`
// has the triangle below its diagonal and the transpose of the inverse above.
extern "C" __global__ void __launch_bounds__(SIDE) invert_blocks(const __grid_constant__ Blocks p) {
    __shared__ Number both[SIDE][SIDE + 1], diagonal[SIDE];
    const long long first = (long long)blockIdx.x * SIDE;
    const int size = (int)min((long long)SIDE, p.from.rows - first), t = threadIdx.x;
    const Matrix from = p.upper ? p.from.transposed() : p.from, to = p.upper ? p.to.transposed() : p.to;
    if (t < size)
        for (int j = 0; j < size; j++) {
            // Neighbours in a warp read neighbours in memory.
            const int row = p.upper ? j : t, column = p.upper ? t : j;
            if (row > column) both[row][column] = from.load(first + row, first + column);
            if (row == column) diagonal[row] = p.unit ? one() : from.load(first + row, first + row);
        }
    __syncthreads();
    if (t >= size) return;
    const Number own = one() / diagonal[t];
    for (int i = t + 1; i < size; i++) {
        Sum sum = Sum::zero();
        sum.add_product(both[i][t], own);
        for (int k = t + 1; k < i; k++) {
            sum.add_product(both[i][k], both[t][k]);
            if ((k - t + 1) % Sum::PERIOD == 0) sum.carry();
        }
        both[t][i] = -sum.normalized() / diagonal[i];
    }
    // Above the diagonal there are zeros.
    to.store(first + t, first + t, own);
    for (int i = t + 1; i < size; i++) to.store(first + i, first + t, both[t][i]);
}

// A thread has 2 x 2 entries of a tile.
constexpr int TILE = TRIANGLE_TILE, DEPTH = 16, ACROSS = TILE / 2, THREADS = ACROSS * ACROSS;
static_assert(SIDE % TILE == 0, "blocks consist of tiles");
static_assert(Sum::PERIOD >= DEPTH || DEPTH % Sum::PERIOD == 0, "carries fall on the ends of runs");

// The entries of a tile for some k, those outside as zeros.
using Piece = Number[DEPTH][TILE + 1];

// One of both products that make an inverse of those of two neighbours: C·A⁻¹, whose transpose
// comes to the place beyond the diagonal, or −B⁻¹ times that.
extern "C" __global__ void __launch_bounds__(THREADS) join_blocks(const __grid_constant__ Join p) {
    __shared__ Piece left, right;
    const Matrix from = p.upper ? p.from.transposed() : p.from, to = p.upper ? p.to.transposed() : p.to;
    const long long first = blockIdx.y * 2 * p.side, next = first + p.side;
    const int side = (int)p.side, rows = (int)min(p.side, p.from.rows - next), tiles = side / TILE;
    const int row = blockIdx.x / tiles * TILE, column = blockIdx.x % tiles * TILE;
    if (row >= rows) return;
    const int begin = p.last ? 0 : column, end = p.last ? min(rows, row + TILE) : side;
    const int across = threadIdx.x % ACROSS, down = threadIdx.x / ACROSS;
    Sum sums[2][2];
    for (auto &of_row : sums)
        for (Sum &sum : of_row) sum = Sum::zero();
    for (int k = begin; k < end; k += DEPTH) {
        __syncthreads();
        for (int place = threadIdx.x; place < TILE * DEPTH; place += THREADS) {
            const int line = place % TILE, l = place / TILE, i = row + line, j = column + line, at = k + l;
            Number a = zero(), b = a;
            if (at < end) {
                if (i < rows && !(p.last && at > i)) a = p.last ? to.load(next + i, next + at) : from.load(next + i, first + at);
                if (p.last) b = to.load(first + j, next + at);
                else if (at >= j) b = to.load(first + at, first + j);
            }
            left[l][line] = a, right[l][line] = b;
        }
        __syncthreads();
#pragma unroll 4
        for (int l = 0; l < DEPTH; l++) {
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) sums[i][j].add_product(left[l][down + i * ACROSS], right[l][across + j * ACROSS]);
            if ((l + 1) % Sum::PERIOD == 0 || l + 1 == DEPTH)
                for (auto &of_row : sums)
                    for (Sum &sum : of_row) sum.carry();
        }
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = row + down + i * ACROSS, c = column + across + j * ACROSS;
            if (r >= rows) continue;
            const Number sum = sums[i][j].normalized();
            if (p.last) to.store(next + r, first + c, -sum);
            else to.store(first + c, next + r, sum);
        }
}
