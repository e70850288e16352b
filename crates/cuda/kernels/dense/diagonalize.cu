// Corrections of approximate eigenvectors and singular vectors (nonius_linalg::backend::Diagonalize), a block for each column.

#include "num/arithmetic.cuh"
#include "dense/matrix.cuh"

#include "arguments.cuh"

constexpr int N = LIMBS;
// The host chooses.
constexpr int THREADS = DIAGONALIZE_THREADS, WARPS = THREADS / 32;

DEVICE Number halved(Number x) {
#pragma unroll
    for (int l = 0; l < N; l++) x[l] = x[l] * 0.5;
    return x;
}

// Half of entry (i, j) of I - G.
DEVICE Number half_defect(const Matrix &gram, long long i, long long j) {
    const Number g = gram.load(max(i, j), min(i, j));
    return halved(i == j ? from_lane<N>(1.0) - g : -g);
}

DEVICE double square(const Number &x) { return x[0].value * x[0].value; }

// Adds up over the block; the first thread has the sum, the same whenever.
DEVICE double block_sum(double x) {
    __shared__ double of_warps[WARPS];
    for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
    __syncthreads();
    double sum = 0.0;
    if (threadIdx.x == 0)
        for (int w = 0; w < WARPS; w++) sum += of_warps[w];
    return sum;
}

DEVICE void write_sums(Sums *sums, double squares, double kept) {
    squares = block_sum(squares);
    kept = block_sum(kept);
    if (threadIdx.x == 0) sums[blockIdx.x] = {squares, kept};
}

extern "C" __global__ void __launch_bounds__(THREADS) eigenvector_corrections(const __grid_constant__ Eigenvectors p) {
    const Values &of = p.spectrum;
    const long long j = blockIdx.x;
    const Number value = of.values.load(j, 0);
    const unsigned group = of.groups[j];
    double squares = 0.0, kept = 0.0;
#pragma unroll 1
    for (long long i = threadIdx.x; i < p.s.rows; i += THREADS) {
        Number x = half_defect(p.gram, i, j);
        if (i != j) {
            const Number other = of.values.load(i, 0);
            const Number d = p.s.load(max(i, j), min(i, j)) + (other + value) * x;
            if (of.groups[i] == group) kept += square(d);
            else if (fabs(d[0].value) > of.tolerance) x = x + d / (value - other);
        }
        squares += square(x);
        if (p.e.data) p.e.store(i, j, x);
    }
    write_sums(p.sums, squares, kept);
}

extern "C" __global__ void __launch_bounds__(THREADS) singular_vector_corrections(const __grid_constant__ SingularVectors p) {
    const Values &of = p.spectrum;
    const long long j = blockIdx.x;
    const Number value = of.values.load(j, 0);
    const unsigned group = of.groups[j];
    double squares = 0.0, kept = 0.0;
#pragma unroll 1
    for (long long i = threadIdx.x; i < p.t.rows; i += THREADS) {
        Number f = half_defect(p.left, i, j), g = half_defect(p.right, i, j);
        if (i != j) {
            const Number other = of.values.load(i, 0), across = p.t.load(i, j), back = p.t.load(j, i);
            Number sum = f + g, difference = f - g;
            const Number symmetric = across + back + (other + value) * sum;
            const Number antisymmetric = across - back + (value - other) * difference;
            const bool together = of.groups[i] == group, about_zero = together && of.null == (long long)group;
            if (together) kept += 0.25 * square(symmetric);
            else if (0.5 * fabs(symmetric[0].value) > of.tolerance) sum = sum + symmetric / (value - other);
            if (about_zero) kept += 0.25 * square(antisymmetric);
            else if (0.5 * fabs(antisymmetric[0].value) > of.tolerance) difference = difference + antisymmetric / (value + other);
            f = halved(sum + difference);
            g = halved(sum - difference);
        }
        squares += square(f) + square(g);
        if (p.f.data) {
            p.f.store(i, j, f);
            p.g.store(i, j, g);
        }
    }
    write_sums(p.sums, squares, kept);
}

extern "C" __global__ void diagonal(const __grid_constant__ Diagonal p) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.to.rows) p.to.store(i, 0, p.from.load(i, i));
}
