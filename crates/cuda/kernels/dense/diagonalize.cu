// Corrections of approximate eigenvectors and singular vectors
// (nonius_linalg::backend::Diagonalize), a block for each column.

#include "dense/operators.cuh"

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

// Magnitudes beyond the range of f64: m·2^e; 0 has no exponent of its own.
struct Size {
    double m;
    long long e;

    DEVICE static Size zero() { return {0.0, -(1ll << 40)}; }

    // Without a choice between references, which CUDA 13.0 compiles wrongly (rns/number.cuh).
    DEVICE Size operator+(const Size &other) const {
        const bool above = e >= other.e;
        const double high = above ? m : other.m, low = above ? other.m : m;
        const long long top = above ? e : other.e, down = top - (above ? other.e : e);
        return {down > 1000 ? high : high + ldexp(low, -(int)down), top};
    }

    DEVICE Size of_lane_above(int distance) const { return {__shfl_down_sync(0xffffffffu, m, distance), __shfl_down_sync(0xffffffffu, e, distance)}; }
    DEVICE Size quartered() const { return {m, e - 2}; }
};

DEVICE double highest(const Number &x) {
    return __dmul_rn(__ull2double_rn((mp::Word)x.digits[Number::D - 1] << 32 | x.digits[Number::D - 2]), 0x1p-64);
}

DEVICE Size square(const Number &x) {
    if (!mp::is_finite(x.head)) return {__hiloint2double(0x7ff00000, 0), 0};
    const double m = highest(x);
    return m == 0.0 ? Size::zero() : Size{m * m, 2ll * x.code()};
}

// Whether |x| exceeds 2^up times the tolerance.
DEVICE bool exceeds(const Number &x, const Values &of, int up) {
    if (!mp::is_number(x.head)) return !mp::is_zero(x.head);
    if (of.tolerance == 0.0) return true;
    const long long above = x.code() - (of.tolerance_exponent + up);
    return above != 0 ? above > 0 : highest(x) > of.tolerance;
}

DEVICE void put(const Size &x, double &m, long long &e) { m = x.m, e = x.e; }

#else

struct Size {
    double x;

    DEVICE static Size zero() { return {0.0}; }
    DEVICE Size operator+(const Size &other) const { return {x + other.x}; }
    DEVICE Size of_lane_above(int distance) const { return {__shfl_down_sync(0xffffffffu, x, distance)}; }
    DEVICE Size quartered() const { return {0.25 * x}; }
};

DEVICE Size square(const Number &x) { return {x[0].value * x[0].value}; }

DEVICE bool exceeds(const Number &x, const Values &of, int up) { return (up == 0 ? 1.0 : 0.5) * fabs(x[0].value) > of.near_tolerance; }

DEVICE void put(const Size &x, double &m, long long &e) { m = x.x, e = 0; }

#endif

// Adds up over the block; the first thread has the sum, the same whenever.
DEVICE Size block_sum(Size x) {
    __shared__ Size of_warps[WARPS];
    for (int distance = 16; distance > 0; distance /= 2) x = x + x.of_lane_above(distance);
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
            if (together) kept = kept + square(symmetric).quartered();
            else if (exceeds(symmetric, of, 1)) sum = sum + symmetric / (value - other);
            if (about_zero) kept = kept + square(antisymmetric).quartered();
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
