// Tiles of C ← α·op(A)·op(B) + β·C: where they lie, and how sums become entries.
#pragma once

#include "dense/accumulate.cuh"
#include "dense/factor.cuh"
#include "dense/normalized.cuh"

#include "arguments.cuh"

// A tile of C has SIDE × SIDE threads with TILE_HEIGHT × TILE_WIDTH entries each; DEPTH steps of k
// make a stage, of which STAGES are in shared memory, in rows with PADDING more places than
// numbers; a multiprocessor has TILE_BLOCKS blocks. The host chooses, and allows TENSOR_CORES for
// sums that are chains of fused multiply-adds.
constexpr int N = LIMBS, SIDE = TILE_SIDE, DEPTH = TILE_DEPTH, STAGES = TILE_STAGES, PADDING = TILE_PADDING;
constexpr int THREADS = SIDE * SIDE;
constexpr int ROWS = SIDE * TILE_HEIGHT, COLUMNS = SIDE * TILE_WIDTH;
using Sum = SUM<N>;
constexpr int PERIOD = Sum::PERIOD;
// Steps between places where a carry may fall.
constexpr int RUN = PERIOD < DEPTH ? PERIOD : DEPTH;
static_assert(N == 1 || (DEPTH % RUN == 0 && PERIOD % RUN == 0), "carries fall on the ends of runs");
static_assert(SIDE % 8 == 0, "warps of 8 by 4");

enum Part { ALL, LOWER, UPPER };

// The entry of op(A)·op(B) by the operators.
DEVICE_COLD MultiFloat<N> product_by_operators(const Product &p, int i, int j) {
    MultiFloat<N> sum = from_lane<N>(0.0);
    for (long long l = 0; l < p.k; l++) sum = sum + p.a.load(i, l) * p.b.load(l, j);
    return sum;
}

DEVICE void finish(const Product &p, int i, int j, const Sum &total) {
    MultiFloat<N> sum = total.normalized();
    if (!is_finite(sum)) sum = product_by_operators(p, i, j);
    if (p.alpha.is_minus_one()) sum = -sum;
    else if (!p.alpha.is_one()) sum = p.alpha.value() * sum;
    if (!p.beta.is_zero()) {
        MultiFloat<N> c = p.c.load(i, j);
        if (!p.beta.is_one()) c = p.beta.value() * c;
        sum = c + sum;
    }
    p.c.store(i, j, sum);
}

// Finishes the entries of the tile of C that begins at (row, column), from its sums. They go
// through shared memory, some columns at a time, so that the code that finishes an entry stands
// once and neighbours write neighbours.
template <class Sums> DEVICE void write_tile(const Product &p, int row, int column, const Sums &sums, double *shared) {
    constexpr int ROWS = Sums::ROWS, SLOTS = Sums::SLOTS;
#pragma unroll 1
    for (int turn = 0; turn < Sums::TURNS; turn++) {
        __syncthreads();
        sums.put(shared, turn);
        __syncthreads();
#pragma unroll 1
        for (int place = threadIdx.x; place < ROWS * SLOTS; place += THREADS) {
            const int slot = place / ROWS;
            const int i = row + place % ROWS, j = column + Sums::column_of(slot, turn);
            if (i >= p.m || j >= p.n || (p.part == LOWER && i < j) || (p.part == UPPER && i > j)) continue;
            Sum sum;
#pragma unroll
            for (int q = 0; q < N; q++) sum.sum[q] = shared[(q * SLOTS + slot) * ROWS + place % ROWS];
            finish(p, i, j, sum);
        }
    }
}

// What a block of threads computes: the tile, or the quarter of one, that begins there.
struct Place {
    int row, column;
    bool is_whole;
};

// Where a tile lies, in entries of C. First come the tiles that lie wholly inside C, in groups of
// columns of tiles, which keep in the cache what they share; then those on the lower edge, then
// those on the right.
DEVICE void locate(const Product &p, int tile, int &row, int &column) {
    constexpr int GROUP = 8;
    const int down = p.m / ROWS, across = p.n / COLUMNS, inside = down * across;
    if (tile < inside) {
        const int group = tile / (GROUP * down), within = tile % (GROUP * down);
        const int columns = min(GROUP, across - group * GROUP);
        row = within / columns * ROWS, column = (group * GROUP + within % columns) * COLUMNS;
    } else if (tile - inside < across && p.m % ROWS) {
        row = down * ROWS, column = (tile - inside) * COLUMNS;
    } else {
        row = (tile - inside - (p.m % ROWS ? across : 0)) * ROWS, column = across * COLUMNS;
    }
}

DEVICE Place place_of_block(const Product &p) {
    Place place;
    place.is_whole = blockIdx.x < p.whole;
    if (place.is_whole) locate(p, blockIdx.x, place.row, place.column);
    else {
        const int quarter = blockIdx.x - p.whole;
        locate(p, p.whole + quarter / 4, place.row, place.column);
        place.row += quarter % 2 * (ROWS / 2), place.column += quarter / 2 % 2 * (COLUMNS / 2);
    }
    return place;
}

// Whether a tile has entries that are asked for.
template <class Sums> DEVICE bool is_asked_for(const Product &p, int row, int column) {
    if (row >= p.m || column >= p.n) return false;
    return !(p.part == LOWER && row + Sums::ROWS <= column) && !(p.part == UPPER && column + Sums::COLUMNS <= row);
}
