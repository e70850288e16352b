// C ← α·op(A)·op(B) + β·C in `f64` on tensor cores, of large operands; also one triangle of it. The
// sums are those of gemm_direct.cu.
//
// Both operands are packed first, into pieces of 128 lines and 16 terms. A piece has its entries in
// the order in which lanes multiply them, and zeros beyond the edges. So it comes to shared memory
// by one copy, whatever the operand's strides, and goes to registers 16 bytes at a time.

#include "dense/hopper.cuh"
#include "dense/tile.cuh"

#include "dense/tensor_sums.cuh"

static_assert(ROWS == COLUMNS && THREADS == 256 && DEPTH == 16, "pieces of both operands");
constexpr int PIECE = ROWS * DEPTH;

// Entries of a piece lie by groups of 16 rows of A, eight steps of k, four of these, lanes and
// halves of the group; of B by groups of eight columns, eight steps of k, lanes and halves.
template <int, int> struct Packed {
    const double2 *a, *b;

    DEVICE Packed(const double *a_tile, const double *b_tile, int g, int q) : a((const double2 *)a_tile + 4 * g + q), b((const double2 *)b_tile + 4 * g + q) {}

    DEVICE void left(int group, int step, double (&x)[4]) const {
#pragma unroll
        for (int e = 0; e < 2; e++) {
            const double2 pair = a[((group * 2 + step) * 2 + e) * 32];
            x[2 * e] = pair.x, x[2 * e + 1] = pair.y;
        }
    }

    DEVICE void right(int group, int step, double (&x)[2]) const {
        const double2 pair = b[(group * 2 + step) * 32];
        x[0] = pair.x, x[1] = pair.y;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS) pack_lines(const __grid_constant__ Packing p) {
    if (p.only_if && !*p.only_if) return;
    const long long steps = (p.from.cols + DEPTH - 1) / DEPTH;
    const long long line = blockIdx.x / steps * ROWS, term = blockIdx.x % steps * DEPTH;
    double *to = p.to + (long long)blockIdx.x * PIECE;
#pragma unroll
    for (int place = threadIdx.x; place < PIECE; place += THREADS) {
        const int half = place % 2, g = place / 8 % 8, q = place / 2 % 4;
        const long long i = line + (p.right ? place / 128 * 8 + g : place / 256 * 16 + half * 8 + g);
        const long long l = term + (p.right ? place / 64 % 2 * 8 + half * 4 + q : place / 64 % 4 * 4 + q);
        to[place] = i < p.from.rows && l < p.from.cols ? *p.from.at(i, l) : 0.0;
    }
}

#if __CUDA_ARCH__ >= 900

template <class Sums> DEVICE void compute_tile(const PackedProduct &packed, int row, int column) {
    extern __shared__ __align__(128) double shared[];
    __shared__ Barrier full[STAGES];
    constexpr int OF_A = Sums::ROWS * DEPTH, OF_B = Sums::COLUMNS * DEPTH, STAGE = OF_A + OF_B;
    static_assert(Sums::ROWS * Sums::SLOTS <= STAGES * STAGE, "results pass through shared memory");
    const Product &p = packed.product;
    if (!is_asked_for<Sums>(p, row, column)) return;
    const int steps = (int)((p.k + DEPTH - 1) / DEPTH);
    if (threadIdx.x == 0) {
        for (Barrier &barrier : full) barrier.start(1);
        publish_barriers();
    }
    __syncthreads();
    // Half a piece is what half of its lines have.
    const double *a = packed.left + (long long)(row / ROWS) * steps * PIECE + row % ROWS * DEPTH;
    const double *b = packed.right + (long long)(column / COLUMNS) * steps * PIECE + column % COLUMNS * DEPTH;
    auto copy_stage = [&](int step) {
        Barrier &barrier = full[step % STAGES];
        double *to = shared + step % STAGES * STAGE;
        barrier.expect(STAGE * sizeof(double));
        copy_bytes(shared_address(to), a + (long long)step * PIECE, OF_A * sizeof(double), barrier);
        copy_bytes(shared_address(to + OF_A), b + (long long)step * PIECE, OF_B * sizeof(double), barrier);
    };
    if (threadIdx.x == 0)
        for (int step = 0; step < min(STAGES - 1, steps); step++) copy_stage(step);
    Sums sums;
    for (int step = 0; step < steps; step++) {
        full[step % STAGES].wait(step / STAGES % 2);
        const double *a_tile = shared + step % STAGES * STAGE;
        sums.add(a_tile, a_tile + OF_A, (long long)step * DEPTH, p.k);
        __syncthreads();
        if (threadIdx.x == 0 && step + STAGES - 1 < steps) copy_stage(step + STAGES - 1);
    }
    write_tile(p, row, column, sums, shared);
}

#endif

extern "C" __global__ void __launch_bounds__(THREADS, 1) gemm_packed(const __grid_constant__ PackedProduct p) {
#if __CUDA_ARCH__ >= 900
    if (p.product.only_if && !*p.product.only_if) return;
    const Place place = place_of_block(p.product);
    if (place.is_whole) compute_tile<OnTensorCores<ROWS, COLUMNS, Packed>>(p, place.row, place.column);
    else compute_tile<OnTensorCores<ROWS / 2, COLUMNS / 2, Packed>>(p, place.row, place.column);
#endif
}
