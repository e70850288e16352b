// The sums of a tile on tensor cores, which multiply 16 × 8 terms of `f64` by 8 × 8. Each of their
// sums is a chain of fused multiply-adds from the first term to the last. NVIDIA does not promise
// that: tests compare bits with the host's.
#pragma once

// C ← A·B + C, where lane 4·g + q has of C the entries (g, 2·q), (g, 2·q + 1), (g + 8, 2·q) and
// (g + 8, 2·q + 1), of A (g, q), (g + 8, q), (g, q + 4) and (g + 8, q + 4), of B (q, g) and
// (q + 4, g).
DEVICE void add_products(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

// As InThreads; a warp has a half of the rows and a quarter of the columns. A Stage knows where the
// terms of 16 rows of A are, and those of 8 columns of B, eight steps of k at a time.
template <int ROWS_, int COLUMNS_, template <int, int> class Stage> struct OnTensorCores {
    static constexpr int ROWS = ROWS_, COLUMNS = COLUMNS_, DOWN = 2, ACROSS = THREADS / 32 / DOWN;
    static constexpr int HEIGHT = ROWS / DOWN / 16, WIDTH = COLUMNS / ACROSS / 8;
    static constexpr int SLOTS = 8 * ACROSS, TURNS = WIDTH;
    static_assert(N == 1 && DEPTH % 8 == 0 && HEIGHT * DOWN * 16 == ROWS && WIDTH * SLOTS == COLUMNS, "whole products");

    double sums[WIDTH][HEIGHT][4];
    // The warp's quarter of the columns, and its first groups, of 16 rows and of eight columns.
    int quarter, down, across, g, q;

    DEVICE OnTensorCores() {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        quarter = warp / DOWN, down = warp % DOWN * HEIGHT, across = quarter * WIDTH, g = lane / 4, q = lane % 4;
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
#pragma unroll
            for (int i = 0; i < HEIGHT; i++)
#pragma unroll
                for (int e = 0; e < 4; e++) sums[j][i][e] = 0.0;
    }

    DEVICE void add(const double *a_tile, const double *b_tile, long long, long long) {
        const Stage<ROWS, COLUMNS> stage(a_tile, b_tile, g, q);
#pragma unroll
        for (int step = 0; step < DEPTH / 8; step++) {
            double a[HEIGHT][4];
#pragma unroll
            for (int i = 0; i < HEIGHT; i++) stage.left(down + i, step, a[i]);
#pragma unroll
            for (int j = 0; j < WIDTH; j++) {
                double b[2];
                stage.right(across + j, step, b);
#pragma unroll
                for (int i = 0; i < HEIGHT; i++) add_products(sums[j][i], a[i], b);
            }
        }
    }

    DEVICE void put(double *shared, int turn) const {
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
            if (j == turn)
#pragma unroll
                for (int i = 0; i < HEIGHT; i++)
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        shared[(8 * quarter + 2 * q + e % 2) * ROWS + 16 * (down + i) + g + e / 2 * 8] = sums[j][i][e];
    }

    static DEVICE int column_of(int slot, int turn) { return slot / 8 * (COLUMNS / ACROSS) + 8 * turn + slot % 8; }
};
