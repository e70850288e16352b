// C ← α·op(A)·op(B) + β·C, every multiply-add in the element's own arithmetic; also one triangle of
// it.
//
// The sums are those of the host's kernel, bit for bit: one SUM an entry, over k from first to
// last, carried at fixed multiples of its period (see nonius-linalg's `accumulate` for the bounds).
// SUM is Accumulator or a sum of normalized.cuh, which the host chooses. Sums that are not finite
// are computed anew by the operators.
//
// A block of threads computes a tile of C. Tiles of A and B come to shared memory by asynchronous
// copies, several stages ahead; rows and columns beyond the edge come as zeros. Copies of single
// limbs make all transposes, leading dimensions and sizes alike: a limb copied serves some hundreds
// of instructions.

#include "dense/accumulate.cuh"
#include "dense/copy.cuh"
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

// Begins the copy of rows `first…` of `matrix`, entries `k…` of each, to shared memory as
// [limb][k][row].
template <int COUNT, int PITCH>
DEVICE void copy_tile(unsigned to, const Matrix &matrix, bool rows_contiguous, int first, int rows, long long k, long long inner) {
#pragma unroll
    for (int e = 0; e * THREADS < COUNT * DEPTH; e++) {
        const int place = threadIdx.x + e * THREADS;
        if (COUNT * DEPTH % THREADS && place >= COUNT * DEPTH) break;
        const int i = rows_contiguous ? place % COUNT : place / DEPTH;
        const int l = rows_contiguous ? place / COUNT : place % DEPTH;
        const bool inside = first + i < rows && k + l < inner;
        const double *from = inside ? matrix.at(first + i, k + l) : matrix.data;
#pragma unroll
        for (int q = 0; q < N; q++)
            copy_limb(to + ((q * DEPTH + l) * PITCH + i) * 8, from + q * matrix.plane, inside);
    }
}

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

// `COUNT` limbs that neighbours in a row of threads share out in pairs, or one each.
template <int COUNT>
DEVICE void read_limbs(const double *row, int thread, MultiFloat<N> (&numbers)[COUNT], int q) {
    if constexpr (COUNT == 1) numbers[0][q] = row[thread];
    else
#pragma unroll
        for (int i = 0; i < COUNT; i += 2) {
            const double2 pair = *(const double2 *)(row + 2 * thread + i * SIDE);
            numbers[i][q] = pair.x, numbers[i + 1][q] = pair.y;
        }
}

// Which of its rows or columns `read_limbs` gives to a thread.
template <int COUNT>
DEVICE int place_of(int thread, int i) {
    return COUNT == 1 ? thread : 2 * thread + i / 2 * 2 * SIDE + i % 2;
}

// The sums of a tile, `HEIGHT × WIDTH` of them in each thread.
template <int HEIGHT, int WIDTH> struct InThreads {
    static constexpr int ROWS = SIDE * HEIGHT, COLUMNS = SIDE * WIDTH;
    // Columns that pass through shared memory at a time, and how many times.
    static constexpr int SLOTS = SIDE, TURNS = WIDTH;

    Sum sums[WIDTH][HEIGHT];
    int thread_row, thread_column;

    DEVICE InThreads() {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        thread_row = warp % (SIDE / 8) * 8 + lane % 8;
        thread_column = warp / (SIDE / 8) * 4 + lane / 8;
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
#pragma unroll
            for (int i = 0; i < HEIGHT; i++) sums[j][i] = Sum::zero();
    }

    // Adds the products of a stage, before which there were `before` terms of `k`.
    DEVICE void add(const double *a_tile, const double *b_tile, long long before, long long k) {
#pragma unroll 1
        for (int start = 0; start < DEPTH; start += RUN) {
#pragma unroll
            for (int l = 0; l < RUN; l++) {
                MultiFloat<N> a[HEIGHT], b[WIDTH];
#pragma unroll
                for (int q = 0; q < N; q++) {
                    read_limbs(a_tile + (q * DEPTH + start + l) * (ROWS + PADDING), thread_row, a, q);
                    read_limbs(b_tile + (q * DEPTH + start + l) * (COLUMNS + PADDING), thread_column, b, q);
                }
#pragma unroll
                for (int j = 0; j < WIDTH; j++)
#pragma unroll
                    for (int i = 0; i < HEIGHT; i++) sums[j][i].add_product(a[i], b[j]);
            }
            const long long done = before + start + RUN;
            if (N > 1 && done % PERIOD == 0 && done <= k) {
#pragma unroll
                for (int j = 0; j < WIDTH; j++)
#pragma unroll
                    for (int i = 0; i < HEIGHT; i++) sums[j][i].carry();
            }
        }
    }

    // Puts limb q of some columns into `ROWS` places each from `shared + q * SLOTS * ROWS` on.
    DEVICE void put(double *shared, int turn) const {
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
            if (j == turn)
#pragma unroll
                for (int i = 0; i < HEIGHT; i++)
#pragma unroll
                    for (int q = 0; q < N; q++)
                        shared[(q * SLOTS + thread_column) * ROWS + place_of<HEIGHT>(thread_row, i)] = sums[j][i].sum[q];
    }

    // Which column of the tile a slot has.
    static DEVICE int column_of(int slot, int turn) { return place_of<WIDTH>(slot, turn); }
};

// What sums the tiles, and the quarters of tiles.
#if defined(TENSOR_CORES) && __CUDA_ARCH__ >= 900
#include "dense/tensor_sums.cuh"
using Whole = OnTensorCores<ROWS, COLUMNS>;
using Quarter = OnTensorCores<ROWS / 2, COLUMNS / 2>;
#else
using Whole = InThreads<TILE_HEIGHT, TILE_WIDTH>;
using Quarter = InThreads<TILE_HEIGHT / 2, TILE_WIDTH / 2>;
#endif

// The tile of C that begins at (row, column).
template <class Sums>
DEVICE void compute_tile(const Product &p, int row, int column) {
    extern __shared__ __align__(16) double shared[];
    constexpr int ROWS = Sums::ROWS, COLUMNS = Sums::COLUMNS, SLOTS = Sums::SLOTS;
    // Rows of shared memory are padded: copies along k would all meet in one bank.
    constexpr int PITCH_A = ROWS + PADDING, PITCH_B = COLUMNS + PADDING;
    constexpr int STAGE = N * DEPTH * (PITCH_A + PITCH_B);
    static_assert(N * ROWS * SLOTS <= STAGES * STAGE, "results pass through shared memory");
    if (row >= p.m || column >= p.n) return;
    if (p.part == LOWER && row + ROWS <= column) return;
    if (p.part == UPPER && column + COLUMNS <= row) return;

    Sums sums;
    const unsigned base = shared_address(shared);
    auto copy_stage = [&](int step) {
        const unsigned to = base + step % STAGES * STAGE * 8;
        copy_tile<ROWS, PITCH_A>(to, p.a, p.rows_contiguous_a, row, p.m, (long long)step * DEPTH, p.k);
        const Matrix b = p.b.transposed();
        copy_tile<COLUMNS, PITCH_B>(to + N * DEPTH * PITCH_A * 8, b, p.columns_contiguous_b, column, p.n, (long long)step * DEPTH, p.k);
    };
    const int steps = (int)((p.k + DEPTH - 1) / DEPTH);
#pragma unroll
    for (int step = 0; step < STAGES - 1; step++) {
        if (step < steps) copy_stage(step);
        commit_copies();
    }
    for (int step = 0; step < steps; step++) {
        wait_for_copies<STAGES - 2>();
        __syncthreads();
        if (step + STAGES - 1 < steps) copy_stage(step + STAGES - 1);
        commit_copies();
        const double *a_tile = shared + step % STAGES * STAGE;
        sums.add(a_tile, a_tile + N * DEPTH * PITCH_A, (long long)step * DEPTH, p.k);
    }

    // Through shared memory, some columns at a time, so that the code that finishes an entry stands
    // once and neighbours write neighbours.
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

extern "C" __global__ void __launch_bounds__(THREADS, TILE_BLOCKS) gemm(const __grid_constant__ Product p) {
    if (p.only_if && !*p.only_if) return;
    int row, column;
    if (blockIdx.x < p.whole) {
        locate(p, blockIdx.x, row, column);
        compute_tile<Whole>(p, row, column);
    } else {
        const int quarter = blockIdx.x - p.whole;
        locate(p, p.whole + quarter / 4, row, column);
        compute_tile<Quarter>(p, row + quarter % 2 * (ROWS / 2), column + quarter / 2 % 2 * (COLUMNS / 2));
    }
}

// C ← β·C, or one triangle of it; with β = 0, C is not read.
extern "C" __global__ void scale_matrix(const __grid_constant__ Scaling p) {
    const MultiFloat<N> beta = p.factor.value();
    for (long long j = blockIdx.y; j < p.n; j += gridDim.y)
        for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < p.m; i += gridDim.x * blockDim.x) {
            if ((p.part == LOWER && i < j) || (p.part == UPPER && i > j)) continue;
            p.c.store(i, j, p.factor.is_zero() ? from_lane<N>(0.0) : beta * p.c.load(i, j));
        }
}
