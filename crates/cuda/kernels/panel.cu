// Factorisation of a few columns: LU with partial pivoting, Cholesky.
//
// A thread holds a row of the panel in registers; where there are more rows than threads that run at the same time, it has several
// rows and leaves them in memory. Column after column is finished; what it contributes to the columns on its right is added to
// their running sums at once. An entry's sum meets the same terms in the same order as on the host, which finishes columns by
// one sum each, so the bits are the same.
//
// Rows do not move while the panel is factored: a thread keeps the place that its row has after the exchanges. The host moves
// them.

#include "accumulate.cuh"
#include "arithmetic.cuh"
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

// Of Cholesky's panel `square` is a copy of the square on top; of LU's it is not used, and what follows is not of Cholesky's.
struct Panel {
    long long rows, columns;
    Matrix a, square;
    Outcome *outcome;
    // For every block two candidates, for even and odd columns.
    Candidate *candidates;
    unsigned *barrier;
    // Where each row is, if threads have several.
    long long *places;
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

// Whether sums carry before they take the product of a column.
DEVICE bool carry_is_due(int column) { return N > 1 && column > 0 && column % Accumulator<N>::PERIOD == 0; }

// Adds to the running sums of the columns after the present one, which moves them one place to the front.
DEVICE void update(Accumulator<N> (&sums)[WIDTH], int column, int columns, const MultiFloat<N> &factor, const MultiFloat<N> *row) {
    const bool due = carry_is_due(column);
#pragma unroll
    for (int c = 1; c < WIDTH; c++) {
        if (column + c >= columns) break;
        Accumulator<N> sum = sums[c];
        if (due) sum.carry();
        sum.add_product(factor, -row[c]);
        sums[c - 1] = sum;
    }
}

// A thread's one row, in registers, from the present column on.
struct HeldRow {
    const Panel &p;
    const long long row;
    long long row_place;
    MultiFloat<N> row_first;
    Accumulator<N> sums[WIDTH];

    DEVICE HeldRow(const Panel &p) : p(p), row((long long)blockIdx.x * THREADS + threadIdx.x), row_place(row) {
#pragma unroll
        for (int c = 0; c < WIDTH; c++)
#pragma unroll
            for (int l = 0; l < N; l++) sums[c].sum[l] = row < p.rows && c < p.columns ? p.a.at(row, c)[l * p.a.plane] : 0.0;
    }

    // Calls visit(row) for each row of the thread.
    template <class Visit> DEVICE void each(Visit visit) {
        if (row < p.rows) visit(row);
    }

    DEVICE long long &place(long long) { return row_place; }

    // Finishes the sum of the present column.
    DEVICE void finish(long long, int) { row_first = sums[0].normalized(); }

    // The finished sum, and that of a column after it.
    DEVICE MultiFloat<N> first(long long, int) { return row_first; }
    DEVICE MultiFloat<N> sum(long long, int, int c) { return sums[c].normalized(); }

    DEVICE void add(long long, int column, const MultiFloat<N> &factor, const MultiFloat<N> *pivot_row) {
        update(sums, column, p.columns, factor, pivot_row);
    }
};

// A thread's rows, one of as many as there are threads, their sums in the panel's memory.
struct StoredRows {
    const Panel &p;

    DEVICE StoredRows(const Panel &p) : p(p) {
        each([&](long long row) { place(row) = row; });
    }

    template <class Visit> DEVICE void each(Visit visit) {
        for (long long row = (long long)blockIdx.x * THREADS + threadIdx.x; row < p.rows; row += (long long)gridDim.x * THREADS) visit(row);
    }

    DEVICE long long &place(long long row) { return p.places[row]; }

    DEVICE void finish(long long row, int column) { p.a.store(row, column, sum(row, column, 0)); }

    DEVICE MultiFloat<N> first(long long row, int column) { return p.a.load(row, column); }
    DEVICE MultiFloat<N> sum(long long row, int column, int c) { return Accumulator<N>{p.a.load(row, column + c)}.normalized(); }

    DEVICE void add(long long row, int column, const MultiFloat<N> &factor, const MultiFloat<N> *pivot_row) {
        const bool due = carry_is_due(column);
#pragma unroll 1
        for (int c = 1; column + c < p.columns; c++) {
            Accumulator<N> sum{p.a.load(row, column + c)};
            if (due) sum.carry();
            sum.add_product(factor, -pivot_row[c]);
            p.a.store(row, column + c, sum.sum);
        }
    }
};

template <class Rows> DEVICE void factor_lu(const Panel &p) {
    __shared__ MultiFloat<N> pivot_row[WIDTH];
    unsigned passed = 0;
    Rows rows(p);
    for (int j = 0; j < p.columns; j++) {
        // −2: no candidate; −1: NaN, which is one only where it comes first.
        double best = -2.0;
        long long best_place = p.rows, best_row = -1;
        rows.each([&](long long row) {
            const long long place = rows.place(row);
            if (place < j) return;
            rows.finish(row, j);
            double size = fabs(rows.first(row, j)[0].value);
            if (!(size >= 0.0)) size = place == j ? infinity<N>()[0].value : -1.0;
            if (wins(size, place, best, best_place)) best = size, best_place = place, best_row = row;
        });
        int owner = threadIdx.x;
        better_of_block(best, best_place, owner);
        Candidate &mine = p.candidates[2 * blockIdx.x + j % 2];
        if (threadIdx.x == owner) {
            mine.size = best, mine.place = best_place;
            if (best_row >= 0) {
                mine.row[0] = rows.first(best_row, j);
#pragma unroll
                for (int c = 1; c < WIDTH; c++) {
                    if (j + c >= p.columns) break;
                    mine.row[c] = rows.sum(best_row, j, c);
                }
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
        rows.each([&](long long row) {
            long long &place = rows.place(row);
            if (place < j) return;
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
                const MultiFloat<N> factor = rows.first(row, j) / pivot;
                p.a.store(row, j, factor);
                rows.add(row, j, factor, pivot_row);
            }
        });
        __syncthreads();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->column = -1;
}

extern "C" __global__ void __launch_bounds__(THREADS) lu_panel(const __grid_constant__ Panel p) { factor_lu<HeldRow>(p); }

extern "C" __global__ void __launch_bounds__(THREADS) tall_lu_panel(const __grid_constant__ Panel p) { factor_lu<StoredRows>(p); }

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
    // Only the lower triangle of the square is read; of its copy, since the first block writes over it.
    const Matrix &from = lane < WIDTH ? p.square : p.a;
#pragma unroll
    for (int c = 0; c < WIDTH; c++)
#pragma unroll
        for (int l = 0; l < N; l++) sums[c].sum[l] = present && c < p.columns && c <= row ? from.at(row, c)[l * from.plane] : 0.0;
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
    Matrix a;
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
