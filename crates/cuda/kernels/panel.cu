// Factorisation of a few columns: LU with partial pivoting, Cholesky.
//
// A thread holds a row of the panel in registers. Column after column is finished; what it contributes to the columns on
// its right is added to their running sums at once. An entry's sum meets the same terms in the same order as on the host,
// which finishes columns by one sum each, so the bits are the same.
//
// Rows do not move while the panel is factored: a thread keeps the place that its row has after the exchanges.

#include "accumulate.cuh"
#include "grid.cuh"
#include "matrix.cuh"
#include "sqrt.cuh"

constexpr int N = LIMBS;
// Most columns of a panel, and threads of a block. The host chooses.
constexpr int WIDTH = PANEL_WIDTH, THREADS = PANEL_THREADS;

// What the host reads when the panel is done.
struct Outcome {
    // The column without a pivot, or −1.
    long long column;
    double pivot;
    // The row exchanged with each row of the panel.
    long long exchanges[WIDTH];
};

// What a block offers as the next pivot: where the row is now, and its numbers from the pivot on.
struct Candidate {
    double size;
    long long place;
    MultiFloat<N> row[WIDTH];
};

struct Panel {
    long long rows, columns;
    Matrix<N> a;
    Outcome *outcome;
    // For every block two candidates, for even and odd columns.
    Candidate *candidates;
    unsigned *barrier;
};

// The larger wins, of equals the first.
DEVICE bool wins(double size, long long place, double other, long long other_place) {
    return size > other || (size == other && place < other_place);
}

DEVICE void better_of_warp(double &size, long long &place, int &owner) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, size, step);
        const long long other_place = __shfl_xor_sync(0xffffffffu, place, step);
        const int other_owner = __shfl_xor_sync(0xffffffffu, owner, step);
        if (wins(other, other_place, size, place)) size = other, place = other_place, owner = other_owner;
    }
}

// The best of the block, known to all its threads.
DEVICE void better_of_block(double &size, long long &place, int &owner) {
    __shared__ double sizes[THREADS / 32];
    __shared__ long long places[THREADS / 32];
    __shared__ int owners[THREADS / 32];
    better_of_warp(size, place, owner);
    if (threadIdx.x % 32 == 0) sizes[threadIdx.x / 32] = size, places[threadIdx.x / 32] = place, owners[threadIdx.x / 32] = owner;
    __syncthreads();
    size = sizes[0], place = places[0], owner = owners[0];
#pragma unroll
    for (int w = 1; w < THREADS / 32; w++)
        if (wins(sizes[w], places[w], size, place)) size = sizes[w], place = places[w], owner = owners[w];
    __syncthreads();
}

DEVICE void load_row(const Panel &p, long long row, Accumulator<N> (&sums)[WIDTH]) {
#pragma unroll
    for (int c = 0; c < WIDTH; c++)
#pragma unroll
        for (int l = 0; l < N; l++) sums[c].sum[l] = c < p.columns ? p.a.at(row, c)[l * p.a.plane] : 0.0;
}

// Adds to the running sums of the columns after the present one, which moves them one place to the front.
DEVICE void update(Accumulator<N> (&sums)[WIDTH], int column, int columns, const MultiFloat<N> &factor, const MultiFloat<N> *row) {
    const bool due = N > 1 && column > 0 && column % Accumulator<N>::PERIOD == 0;
#pragma unroll
    for (int c = 1; c < WIDTH; c++) {
        if (column + c >= columns) break;
        Accumulator<N> sum = sums[c];
        if (due) sum.carry();
        sum.add_product(factor, -row[c]);
        sums[c - 1] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) lu_panel(const __grid_constant__ Panel p) {
    __shared__ MultiFloat<N> pivot_row[WIDTH];
    const long long row = (long long)blockIdx.x * THREADS + threadIdx.x;
    const bool present = row < p.rows;
    long long place = row;
    unsigned passed = 0;
    Accumulator<N> sums[WIDTH];
    if (present) load_row(p, row, sums);
    for (int j = 0; j < p.columns; j++) {
        // −2: no candidate; −1: NaN, which is one only where it comes first.
        MultiFloat<N> first = sums[0].normalized();
        double size = fabs(first[0].value);
        if (!(size >= 0.0)) size = place == j ? infinity<N>()[0].value : -1.0;
        if (!present || place < j) size = -2.0;
        double best = size;
        long long best_place = place;
        int owner = threadIdx.x;
        better_of_block(best, best_place, owner);
        Candidate &mine = p.candidates[2 * blockIdx.x + j % 2];
        if (threadIdx.x == owner) {
            mine.size = best, mine.place = best_place;
#pragma unroll
            for (int c = 0; c < WIDTH; c++) {
                if (j + c >= p.columns) break;
                mine.row[c] = c == 0 ? first : sums[c].normalized();
            }
        }
        grid_barrier(p.barrier, passed);
        best = -3.0, best_place = p.rows, owner = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
            const Candidate &other = p.candidates[2 * b + j % 2];
            const double other_size = __ldcg(&other.size);
            const long long other_place = __ldcg(&other.place);
            if (wins(other_size, other_place, best, best_place)) best = other_size, best_place = other_place, owner = b;
        }
        better_of_block(best, best_place, owner);
        const Candidate &winner = p.candidates[2 * owner + j % 2];
        for (int e = threadIdx.x; e < WIDTH * N; e += THREADS) pivot_row[e / N][e % N] = __ldcg(&winner.row[0][0].value + e);
        __syncthreads();
        if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->exchanges[j] = best_place;
        const MultiFloat<N> pivot = pivot_row[0];
        if (pivot[0] == 0.0 || !is_finite(pivot)) {
            if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->column = j, p.outcome->pivot = pivot[0];
            return;
        }
        if (present && place >= j) {
            if (place == best_place) {
                // The row of U is done.
                place = j;
#pragma unroll
                for (int c = 0; c < WIDTH; c++) {
                    if (j + c >= p.columns) break;
                    p.a.store(row, j + c, pivot_row[c]);
                }
            } else {
                if (place == j) place = best_place;
                const MultiFloat<N> factor = first / pivot;
                p.a.store(row, j, factor);
                update(sums, j, p.columns, factor, pivot_row);
            }
        }
        __syncthreads();
    }
    // Rows that changed places.
    if (present && place != row) load_row(p, row, sums);
    grid_barrier(p.barrier, passed);
    if (present && place != row)
#pragma unroll
        for (int c = 0; c < WIDTH; c++)
            if (c < p.columns)
#pragma unroll
                for (int l = 0; l < N; l++) p.a.at(place, c)[l * p.a.plane] = sums[c].sum[l];
    if (row == 0) p.outcome->column = -1;
}

// Every block factors the square on top for itself, in its first threads; the others have rows below it. The block that
// writes the square is the first.
extern "C" __global__ void __launch_bounds__(THREADS) cholesky_panel(const __grid_constant__ Panel p) {
    __shared__ MultiFloat<N> pivot_column[WIDTH], shared_root;
    __shared__ double failed;
    __shared__ int failure;
    constexpr int BELOW = THREADS - WIDTH;
    const int lane = threadIdx.x;
    const bool in_square = lane < p.columns;
    const long long row = lane < WIDTH ? lane : p.columns + (long long)blockIdx.x * BELOW + lane - WIDTH;
    const bool present = lane < WIDTH ? in_square : row < p.rows;
    const bool writes = present && (lane >= WIDTH || blockIdx.x == 0);
    if (lane == 0) failure = 0;
    Accumulator<N> sums[WIDTH];
    // Only the lower triangle of the square is read.
#pragma unroll
    for (int c = 0; c < WIDTH; c++)
#pragma unroll
        for (int l = 0; l < N; l++) sums[c].sum[l] = present && c < p.columns && c <= row ? p.a.at(row, c)[l * p.a.plane] : 0.0;
    // The first block writes over what all of them read.
    unsigned passed = 0;
    grid_barrier(p.barrier, passed);
    for (int j = 0; j < p.columns; j++) {
        const MultiFloat<N> first = sums[0].normalized();
        if (lane == j) {
            if (!(first[0] > 0.0) || !is_finite(first)) failed = first[0], failure = 1;
            else {
                shared_root = sqrt(first);
                if (writes) p.a.store(row, j, shared_root);
            }
        }
        __syncthreads();
        if (failure) {
            if (blockIdx.x == 0 && lane == 0) p.outcome->column = j, p.outcome->pivot = failed;
            return;
        }
        MultiFloat<N> factor = from_lane<N>(0.0);
        if (present && row > j) {
            factor = first / shared_root;
            if (writes) p.a.store(row, j, factor);
            if (in_square) pivot_column[lane] = factor;
        }
        __syncthreads();
        if (present && row > j) update(sums, j, p.columns, factor, pivot_column + j);
        __syncthreads();
    }
    if (blockIdx.x == 0 && lane == 0) p.outcome->column = -1;
}

// Moves entries within every column: row `to` takes what row `from` held, of MOVES rows at most.
struct Moves {
    long long count, columns;
    Matrix<N> a;
    struct {
        unsigned to, from;
    } moves[MOVES];
};

extern "C" __global__ void __launch_bounds__(MOVES) move_rows(const __grid_constant__ Moves p) {
    const bool moves = threadIdx.x < p.count;
    for (long long j = blockIdx.x; j < p.columns; j += gridDim.x) {
        MultiFloat<N> x;
        if (moves) x = p.a.load(p.moves[threadIdx.x].from, j);
        __syncthreads();
        if (moves) p.a.store(p.moves[threadIdx.x].to, j, x);
        __syncthreads();
    }
}
