// y <- alpha * A * x + beta * y, row by row: a thread takes the columns one after the other, as
// crates/linalg/src/cpu/gemv.rs does.
//
// So few threads have too little of A under way to keep the memory busy, unless each asks for its
// entries long before it needs them: a warp copies the entries of its rows, and those of x, to
// shared memory, several groups of columns ahead.

#include "dense/accumulate.cuh"
#include "dense/copy.cuh"
#include "dense/matrix.cuh"
#include "dense/factor.cuh"

// The product of row i term by term, with the operators.
static __device__ __noinline__ Number row_in_order(const Matrix &a, const Matrix &x, long long i) {
    Number sum = from_lane<LIMBS>(0.0);
    for (long long j = 0; j < a.cols; j++) sum = sum + a.load(i, j) * x.load(j, 0);
    return sum;
}

// Rows of a warp, which is a block; columns of a group; groups under way or in use: 32 KiB of
// entries.
constexpr int ROWS = 32, GROUP = LIMBS <= 2 ? 16 : 8, STAGES = 128 / (GROUP * LIMBS);
constexpr int PERIOD = LIMBS == 1 ? GROUP : Accumulator<LIMBS>::PERIOD;
static_assert(GROUP % PERIOD == 0, "carries fall on the ends of groups or between");

// A ring of groups of columns.
struct Ring {
    double entries[STAGES][GROUP][LIMBS][ROWS];
    double factors[STAGES][GROUP][LIMBS];

    // Begins the copies of a group: entries of the thread's row, which is read if present, and a
    // part of x.
    DEVICE void fetch(const Matrix &a, const Matrix &x, long long row, bool present, long long group) {
        const int stage = group % STAGES, lane = threadIdx.x;
        const long long first = group * GROUP;
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            const bool inside = present && first + k < a.cols;
            const double *from = inside ? a.at(row, first + k) : a.data;
#pragma unroll
            for (int l = 0; l < LIMBS; l++) copy_limb(shared_address(&entries[stage][k][l][lane]), from + (inside ? l * a.plane : 0), inside);
        }
        for (int e = lane; e < GROUP * LIMBS; e += ROWS) {
            const int k = e / LIMBS, l = e % LIMBS;
            const bool inside = first + k < a.cols;
            copy_limb(shared_address(&factors[stage][k][l]), inside ? x.at(first + k, 0) + l * x.plane : x.data, inside);
        }
        commit_copies();
    }

    DEVICE void add_product(Accumulator<LIMBS> &sum, int stage, int k) const {
        Number entry, factor;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) entry[l] = entries[stage][k][l][threadIdx.x], factor[l] = factors[stage][k][l];
        sum.add_product(entry, factor);
        if (LIMBS > 1 && (k + 1) % PERIOD == 0) sum.carry();
    }
};

extern "C" __global__ void __launch_bounds__(ROWS)
    gemv(const Matrix a, const Matrix x, const Matrix y, const Factor alpha, const Factor beta) {
    __shared__ Ring ring;
    const long long row = (long long)blockIdx.x * ROWS + threadIdx.x;
    const bool present = row < a.rows;
    for (int group = 0; group < STAGES - 1; group++) ring.fetch(a, x, row, present, group);
    Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
    const long long whole = a.cols / GROUP;
    for (long long group = 0; group < whole; group++) {
        wait_for_copies<STAGES - 2>();
        __syncwarp();
        ring.fetch(a, x, row, present, group + STAGES - 1);
#pragma unroll
        for (int k = 0; k < GROUP; k++) ring.add_product(sum, group % STAGES, k);
    }
    wait_for_copies<0>();
    __syncwarp();
    for (int k = 0; k < a.cols % GROUP; k++) ring.add_product(sum, whole % STAGES, k);
    if (!present) return;
    Number total = LIMBS == 1 ? sum.sum : sum.normalized();
    if (!is_finite(total)) total = row_in_order(a, x, row);
    combine(alpha, total, beta, y, row, 0);
}

// y <- beta * y; y is not read for beta = 0.
extern "C" __global__ void __launch_bounds__(256) scale_vector(const Matrix y, const Factor beta) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < y.rows; i += step) {
        if (beta.is_zero())
            y.store(i, 0, from_lane<LIMBS>(0.0));
        else if (!beta.is_one())
            y.store(i, 0, beta.value() * y.load(i, 0));
    }
}
