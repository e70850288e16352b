// Factorisation of a few columns: LU with partial pivoting, Cholesky.
//
// A thread holds a row of the panel in registers; where there are more rows than threads that run
// at the same time, it has several rows and leaves them in memory. Column after column is finished;
// what it contributes to the columns on its right is added to their running sums at once. An
// entry's sum meets the same terms in the same order as on the host, which finishes columns by one
// sum each, so the bits are the same.
//
// Rows do not move while the panel is factored: a thread keeps the place that its row has after the
// exchanges. The host moves them.

#include "dense/accumulate.cuh"
#include "num/arithmetic.cuh"
#include "dense/matrix.cuh"
#include "dense/offers.cuh"
#include "num/sqrt.cuh"

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

// What a block offers as the next pivot: its size and place, and the limbs of its row from the
// pivot on.
struct Candidate {
    Packet offer, row[WIDTH * N];
};

// The first failure of a Cholesky factorisation: one more than its column, or 0 for none, and what
// stood in the pivot's place.
struct Failure {
    long long place;
    double pivot;
};

#include "arguments.cuh"

// Sizes as integers, in their order: no candidate; NaN, which is one only where it comes first;
// magnitudes.
constexpr unsigned long long NONE = 0, NOT_A_NUMBER = 1;

DEVICE unsigned long long size_of(const Lane &x, bool first) {
    const double size = fabs(x.value);
    if (!(size >= 0.0)) return first ? ~0ull : NOT_A_NUMBER;
    return (unsigned long long)__double_as_longlong(size) + 2;
}

// Whether sums carry before they take the product of a column.
DEVICE bool carry_is_due(int column) { return N > 1 && column > 0 && column % Accumulator<N>::PERIOD == 0; }

// Columns whose sums are added to side by side.
constexpr int TOGETHER = WIDTH < 8 ? WIDTH : 8;

// Adds to the running sums of the columns after the present one, which moves them one place to the
// front. Of `row` all numbers are read; sums beyond the last column carry no meaning.
DEVICE void update(Accumulator<N> (&sums)[WIDTH], int column, int columns, const MultiFloat<N> &factor, const MultiFloat<N> *row) {
    if (carry_is_due(column))
#pragma unroll
        for (int c = 1; c < WIDTH; c++) sums[c].carry();
#pragma unroll
    for (int first = 0; first < WIDTH; first += TOGETHER) {
        if (column + first >= columns) break;
#pragma unroll
        for (int c = first > 0 ? first : 1; c < first + TOGETHER; c++) {
            sums[c].add_product(factor, -row[c]);
            sums[c - 1] = sums[c];
        }
    }
}

// A thread's one row, in registers, from the present column on.
struct HeldRow {
    const LuPanel &p;
    const long long row;
    long long row_place;
    MultiFloat<N> row_first;
    Accumulator<N> sums[WIDTH];

    DEVICE HeldRow(const LuPanel &p) : p(p), row((long long)blockIdx.x * THREADS + threadIdx.x), row_place(row) {
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

    // The finished sum, and the running sum of a column after it.
    DEVICE MultiFloat<N> first(long long, int) { return row_first; }
    DEVICE const Accumulator<N> &sum(long long, int, int c) { return sums[c]; }

    DEVICE void add(long long, int column, const MultiFloat<N> &factor, const MultiFloat<N> *pivot_row) {
        update(sums, column, p.columns, factor, pivot_row);
    }
};

// A thread's rows, one of as many as there are threads, their sums in the panel's memory.
struct StoredRows {
    const LuPanel &p;

    DEVICE StoredRows(const LuPanel &p) : p(p) {
        each([&](long long row) { place(row) = row; });
    }

    template <class Visit> DEVICE void each(Visit visit) {
        for (long long row = (long long)blockIdx.x * THREADS + threadIdx.x; row < p.rows; row += (long long)gridDim.x * THREADS) visit(row);
    }

    DEVICE long long &place(long long row) { return p.places[row]; }

    DEVICE void finish(long long row, int column) { p.a.store(row, column, sum(row, column, 0).normalized()); }

    DEVICE MultiFloat<N> first(long long row, int column) { return p.a.load(row, column); }
    DEVICE Accumulator<N> sum(long long row, int column, int c) { return column + c < p.columns ? Accumulator<N>{p.a.load(row, column + c)} : Accumulator<N>::zero(); }

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

template <class Rows> DEVICE void factor_lu(const LuPanel &p) {
    __shared__ MultiFloat<N> pivot_row[WIDTH];
    __shared__ Accumulator<N> offered[WIDTH];
    __shared__ Best<THREADS> inside, outside;
    __shared__ int blocks[THREADS];
    for (int c = threadIdx.x; c < WIDTH; c += THREADS) pivot_row[c] = from_lane<N>(0.0);
    Rows rows(p);
    for (int j = 0; j < p.columns; j++) {
        const unsigned turn = j + 1;
        Offer best = {NONE, (unsigned)p.rows};
        long long best_row = -1;
        rows.each([&](long long row) {
            const long long place = rows.place(row);
            if (place < j) return;
            rows.finish(row, j);
            const Offer offer = {size_of(rows.first(row, j)[0], place == j), (unsigned)place};
            if (wins(offer, best)) best = offer, best_row = row;
        });
        const int owner = inside.of_block(best);
        // The owner's warp makes the offer.
        if (threadIdx.x / 32 == owner / 32) {
            Candidate &mine = p.candidates[2 * blockIdx.x + j % 2];
            if (threadIdx.x % 32 == 0) publish_offer(&mine.offer, best, turn);
            if (threadIdx.x == owner && best_row >= 0) {
                offered[0] = {rows.first(best_row, j)};
#pragma unroll
                for (int c = 1; c < WIDTH; c++) offered[c] = rows.sum(best_row, j, c);
            }
            __syncwarp();
            for (int c = threadIdx.x % 32; c < p.columns - j; c += 32) {
                const MultiFloat<N> x = c == 0 ? offered[0].sum : offered[c].normalized();
#pragma unroll
                for (int l = 0; l < N; l++) publish_number(&mine.row[c * N + l], x[l].value, turn);
            }
        }
        best = {NONE, (unsigned)p.rows};
        blocks[threadIdx.x] = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
            const Offer offer = await_offer(&p.candidates[2 * b + j % 2].offer, turn);
            if (wins(offer, best)) best = offer, blocks[threadIdx.x] = b;
        }
        const Candidate &winner = p.candidates[2 * blocks[outside.of_block(best)] + j % 2];
        const long long best_place = best.place;
        for (int e = threadIdx.x; e < (p.columns - j) * N; e += THREADS) pivot_row[e / N][e % N] = await_number(&winner.row[e], turn);
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
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->column = -1;
}

extern "C" __global__ void __launch_bounds__(THREADS) lu_panel(const __grid_constant__ LuPanel p) { factor_lu<HeldRow>(p); }

extern "C" __global__ void __launch_bounds__(THREADS) tall_lu_panel(const __grid_constant__ LuPanel p) { factor_lu<StoredRows>(p); }

// Every block factors the square on top for itself, in its first threads; the others have rows
// below it. The block that writes the square is the first.
extern "C" __global__ void __launch_bounds__(THREADS) cholesky_panel(const __grid_constant__ CholeskyPanel p) {
    __shared__ MultiFloat<N> pivot_column[WIDTH + TOGETHER], shared_first;
    constexpr int BELOW = THREADS - WIDTH;
    const int lane = threadIdx.x;
    const bool in_square = lane < p.columns;
    const long long row = lane < WIDTH ? lane : p.columns + (long long)blockIdx.x * BELOW + lane - WIDTH;
    const bool present = lane < WIDTH ? in_square : row < p.rows;
    const bool writes = present && (lane >= WIDTH || blockIdx.x == 0);
    Accumulator<N> sums[WIDTH];
    // Only the lower triangle of the square is read; of its copy, since the first block writes over
    // it.
    const Matrix &from = lane < WIDTH ? p.square : p.a;
#pragma unroll
    for (int c = 0; c < WIDTH; c++)
#pragma unroll
        for (int l = 0; l < N; l++) sums[c].sum[l] = present && c < p.columns && c <= row ? from.at(row, c)[l * from.plane] : 0.0;
    for (int j = 0; j < p.columns; j++) {
        const MultiFloat<N> first = sums[0].normalized();
        if (lane == j) shared_first = first;
        __syncthreads();
        const MultiFloat<N> square = shared_first;
        if (!(square[0] > 0.0) || !is_finite(square)) {
            // Panels come one after the other.
            if (blockIdx.x == 0 && lane == 0 && p.failure->place == 0) p.failure->place = p.column + j + 1, p.failure->pivot = square[0];
            return;
        }
        // Every thread takes the root: none waits for another's.
        const MultiFloat<N> root = sqrt(square);
        MultiFloat<N> factor = from_lane<N>(0.0);
        if (present && row >= j) {
            factor = row == j ? root : first / root;
            if (writes) p.a.store(row, j, factor);
            if (in_square) pivot_column[lane] = factor;
        }
        __syncthreads();
        if (present && row > j) update(sums, j, p.columns, factor, pivot_column + j);
    }
}
