// Corrections of approximate eigenvectors and singular vectors
// (nonius_linalg::backend::Diagonalize), a block for each column.

#include "dense/operators.cuh"
#include "num/reading.cuh"

// Sums of a vector: of the squares of its corrections, and of what its group keeps, each times a
// power of two.
struct Sums {
    double squares, kept;
    long long squares_exponent, kept_exponent;
};

#include "arguments.cuh"

// The host chooses.
constexpr int THREADS = DIAGONALIZE_THREADS, WARPS = THREADS / 32;

// Half of entry (i, j) of I - G.
DEVICE Number half_defect(const Matrix &gram, long long i, long long j) {
    const Number g = gram.load(max(i, j), min(i, j));
    return halved(i == j ? one() - g : -g);
}

#ifdef PRECISION

using Size = Reading;

// What is not finite counts as infinite.
DEVICE Size size_of(const Number &x) {
    if (mp::is_zero(x.head)) return Reading::zero();
    if (!mp::is_finite(x.head)) return Reading::infinite();
    return Reading::of(__dmul_rn(__ull2double_rn(x.digits.highest_word()), 0x1p-64), x.code());
}

DEVICE Size square(const Number &x) {
    const Size size = size_of(x);
    return Reading::of(__dmul_rn(size.significand, size.significand), 2 * size.exponent);
}

DEVICE Size quartered(const Size &x) { return x.times_power(-2); }

DEVICE Size of_lane_above(const Size &x, int distance) {
    return {__shfl_down_sync(0xffffffffu, x.significand, distance), __shfl_down_sync(0xffffffffu, x.exponent, distance)};
}

// Whether |x| exceeds 2^up times the tolerance.
DEVICE bool exceeds(const Number &x, const Values &of, int up) { return size_of(x) > Reading{of.tolerance, of.tolerance_exponent}.times_power(up); }

DEVICE void put(const Size &x, double &m, long long &e) { m = x.significand, e = x.exponent; }

#else

struct Size {
    double x;

    DEVICE static Size zero() { return {0.0}; }
    DEVICE Size operator+(const Size &other) const { return {x + other.x}; }
};

DEVICE Size square(const Number &x) { return {x[0].value * x[0].value}; }

DEVICE Size quartered(const Size &x) { return {0.25 * x.x}; }

DEVICE Size of_lane_above(const Size &x, int distance) { return {__shfl_down_sync(0xffffffffu, x.x, distance)}; }

DEVICE bool exceeds(const Number &x, const Values &of, int up) { return (up == 0 ? 1.0 : 0.5) * fabs(x[0].value) > of.near_tolerance; }

DEVICE void put(const Size &x, double &m, long long &e) { m = x.x, e = 0; }

#endif

// Adds up over the block; the first thread has the sum, the same whenever.
DEVICE Size block_sum(Size x) {
    __shared__ Size of_warps[WARPS];
    for (int distance = 16; distance > 0; distance /= 2) x = x + of_lane_above(x, distance);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
    __syncthreads();
    Size sum = Size::zero();
    if (threadIdx.x == 0)
        for (int w = 0; w < WARPS; w++) sum = sum + of_warps[w];
    return sum;
}

DEVICE void write_sums(Sums *sums, Size squares, Size kept) {
    squares = block_sum(squares);
    kept = block_sum(kept);
    if (threadIdx.x != 0) return;
    Sums &to = sums[blockIdx.x];
    put(squares, to.squares, to.squares_exponent);
    put(kept, to.kept, to.kept_exponent);
}

extern "C" __global__ void __launch_bounds__(THREADS) eigenvector_corrections(const __grid_constant__ Eigenvectors p) {
    const Values &of = p.spectrum;
    const long long j = blockIdx.x;
    const Number value = of.values.load(j, 0);
    const unsigned group = of.groups[j];
    Size squares = Size::zero(), kept = Size::zero();
#pragma unroll 1
    for (long long i = threadIdx.x; i < p.s.rows; i += THREADS) {
        Number x = half_defect(p.gram, i, j);
        if (i != j) {
            const Number other = of.values.load(i, 0);
            const Number d = p.s.load(max(i, j), min(i, j)) + (other + value) * x;
            if (of.groups[i] == group) kept = kept + square(d);
            else if (exceeds(d, of, 0)) x = x + d / (value - other);
        }
        squares = squares + square(x);
        if (p.e.data) p.e.store(i, j, x);
    }
    write_sums(p.sums, squares, kept);
}

extern "C" __global__ void __launch_bounds__(THREADS) singular_vector_corrections(const __grid_constant__ SingularVectors p) {
    const Values &of = p.spectrum;
    const long long j = blockIdx.x;
    const Number value = of.values.load(j, 0);
    const unsigned group = of.groups[j];
    Size squares = Size::zero(), kept = Size::zero();
#pragma unroll 1
    for (long long i = threadIdx.x; i < p.t.rows; i += THREADS) {
        Number f = half_defect(p.left, i, j), g = half_defect(p.right, i, j);
        if (i != j) {
            const Number other = of.values.load(i, 0), across = p.t.load(i, j), back = p.t.load(j, i);
            Number sum = f + g, difference = f - g;
            const Number symmetric = across + back + (other + value) * sum;
            const Number antisymmetric = across - back + (value - other) * difference;
            const bool together = of.groups[i] == group, about_zero = together && of.null == (long long)group;
            if (together) kept = kept + quartered(square(symmetric));
            else if (exceeds(symmetric, of, 1)) sum = sum + symmetric / (value - other);
            if (about_zero) kept = kept + quartered(square(antisymmetric));
            else if (exceeds(antisymmetric, of, 1)) difference = difference + antisymmetric / (value + other);
            f = halved(sum + difference);
            g = halved(sum - difference);
        }
        squares = squares + (square(f) + square(g));
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
