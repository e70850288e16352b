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

#include "dense/copy.cuh"
#include "dense/tile.cuh"

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

// A stage of a tile, line after line of shared memory the entries of a row of B or a column of A.
template <int ROWS, int COLUMNS> struct Padded {
    static constexpr int PITCH_A = ROWS + PADDING, PITCH_B = COLUMNS + PADDING;
    const double *a, *b;

    DEVICE Padded(const double *a_tile, const double *b_tile, int g, int q) : a(a_tile + q * PITCH_A + g), b(b_tile + q * PITCH_B + g) {}

    DEVICE void left(int group, int step, double (&x)[4]) const {
#pragma unroll
        for (int e = 0; e < 4; e++) x[e] = a[(8 * step + e / 2 * 4) * PITCH_A + 16 * group + e % 2 * 8];
    }

    DEVICE void right(int group, int step, double (&x)[2]) const {
#pragma unroll
        for (int e = 0; e < 2; e++) x[e] = b[(8 * step + e * 4) * PITCH_B + 8 * group];
    }
};

using Whole = OnTensorCores<ROWS, COLUMNS, Padded>;
using Quarter = OnTensorCores<ROWS / 2, COLUMNS / 2, Padded>;
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
    if (!is_asked_for<Sums>(p, row, column)) return;

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
    write_tile(p, row, column, sums, shared);
}

extern "C" __global__ void __launch_bounds__(THREADS, TILE_BLOCKS) gemm(const __grid_constant__ Product p) {
    if (p.only_if && !*p.only_if) return;
    const Place place = place_of_block(p);
    if (place.is_whole) compute_tile<Whole>(p, place.row, place.column);
    else compute_tile<Quarter>(p, place.row, place.column);
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
