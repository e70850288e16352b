// Sums over vectors and their largest entries, with the order and the bits of crates/linalg/src/cpu/reduce.rs: blocks of 4096 entries, in
// each eight partial sums, or 32 of a single limb, added pairwise, and so are the blocks.
//
// A thread has one partial sum; a warp sums one block or several. The second kernel adds the blocks of a column; a sum that is not
// finite is formed again by one thread with the operators, which know NaN and infinity.

#include "accumulate.cuh"
#include "compare.cuh"
#include "matrix.cuh"
#include "factor.cuh"
#include "scale.cuh"
#include "sqrt.cuh"

constexpr int BLOCK = 4096, PARTIALS = LIMBS == 1 ? 32 : 8;
constexpr int GROUPS = 32 / PARTIALS;

// What is summed: products with the vector y, squares, the entries themselves, their magnitudes.
enum Terms { PRODUCTS, SQUARES, ENTRIES, MAGNITUDES };

// The power of two that brings the largest entry of a vector near 1, where its square might overflow or lose limbs.
struct Shift {
    int exponent;

    // For the vector whose largest entry has index *largest.
    __device__ Shift(const Matrix &x, const long long *largest) : exponent(0) {
        if (largest == nullptr || *largest < 0) return;
        const double first = *x.at(*largest, 0);
        if (!(fabs(first) <= 1.7976931348623157e308) || first == 0.0) return;
        const int e = ilogb(first);
        if (e < -200 || e >= 400) exponent = e;
    }

    __device__ Number apply(const Number &x) const { return exponent == 0 ? x : ldexp(x, -exponent); }
    __device__ Number undo(const Number &x) const { return exponent == 0 ? x : ldexp(x, exponent); }
};

template <int TERMS> __device__ __forceinline__ void add_term(Accumulator<LIMBS> &sum, const Number &x, const Number &y) {
    if (TERMS == PRODUCTS) {
        sum.add_product(x, y);
    } else if (TERMS == SQUARES) {
        sum.add_product(x, x);
    } else if (TERMS == ENTRIES) {
        sum.add(x);
    } else {
        sum.add(negate_where(x[0] < 0.0, x));
    }
}

// The sum of lane's x and that of the lane `distance` above.
__device__ __forceinline__ Number add_from_above(const Number &x, int distance) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_down_sync(0xffffffffu, (double)x[l], distance);
    return x + y;
}

// The sums of the blocks of each column of x; y is one column. Entry (block, column) of `sums`.
template <int TERMS>
__device__ __forceinline__ void block_sums(const Matrix &x, const Matrix &y, const Matrix &sums, const long long *largest) {
    constexpr int PERIOD = LIMBS == 1 ? 16 : Accumulator<LIMBS>::PERIOD;
    const Shift shift(x, largest);
    const auto at = [&](const Matrix &vector, long long i, long long j) {
        const Number number = vector.load(i, j);
        return TERMS == SQUARES ? shift.apply(number) : number;
    };
    const int partial = threadIdx.x % PARTIALS;
    const long long block = (long long)blockIdx.x * GROUPS + threadIdx.x / PARTIALS;
    const long long begin = min(block * BLOCK, x.rows), end = min(begin + BLOCK, x.rows);
    for (long long j = blockIdx.y; j < x.cols; j += gridDim.y) {
        Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
        long long first = begin;
        for (; first + PERIOD * PARTIALS <= end; first += PERIOD * PARTIALS) {
            Number a[PERIOD], b[PERIOD];
#pragma unroll
            for (int k = 0; k < PERIOD; k++) {
                const long long i = first + k * PARTIALS + partial;
                a[k] = at(x, i, j);
                b[k] = TERMS == PRODUCTS ? at(y, i, 0) : a[k];
            }
#pragma unroll
            for (int k = 0; k < PERIOD; k++) add_term<TERMS>(sum, a[k], b[k]);
            if (LIMBS > 1) sum.carry();
        }
        // Beyond the end the terms are zero.
        for (int k = 0; first < end; first += PARTIALS, k++) {
            const long long i = first + partial;
            Number a = from_lane<LIMBS>(0.0), b = a;
            if (i < end) {
                a = at(x, i, j);
                b = TERMS == PRODUCTS ? at(y, i, 0) : a;
            }
            add_term<TERMS>(sum, a, b);
            if (LIMBS > 1 && (k + 1) % PERIOD == 0) sum.carry();
        }
        Number total = LIMBS == 1 ? sum.sum : sum.normalized();
#pragma unroll
        for (int distance = 1; distance < PARTIALS; distance *= 2) total = add_from_above(total, distance);
        if (partial == 0 && begin < end) sums.store(block, j, total);
    }
}

#define BLOCK_SUMS(name, terms) \
    extern "C" __global__ void __launch_bounds__(32) \
        name(const Matrix x, const Matrix y, const Matrix sums, const long long *largest) { \
        block_sums<terms>(x, y, sums, largest); \
    }
BLOCK_SUMS(sum_products, PRODUCTS)
BLOCK_SUMS(sum_squares, SQUARES)
BLOCK_SUMS(sum_entries, ENTRIES)
BLOCK_SUMS(sum_magnitudes, MAGNITUDES)

// The sum of column j term by term, from the first to the last.
static __device__ __noinline__ Number sum_in_order(const Matrix &x, const Matrix &y, long long j, int terms) {
    Number sum = from_lane<LIMBS>(0.0);
    for (long long i = 0; i < x.rows; i++) {
        const Number a = x.load(i, j);
        Number term = a;
        if (terms == PRODUCTS) term = a * y.load(i, 0);
        if (terms == MAGNITUDES) term = abs(a);
        sum = sum + term;
    }
    return sum;
}

// output(j) <- alpha * (sum of column j) + beta * output(j), where factors 1 are not multiplied by and the output is not read for
// beta = 0. With squares, the root of the sum. `sums` holds a column of block sums for each column of x and as much room again
// below; it is spoilt. One block of threads for each column.
extern "C" __global__ void __launch_bounds__(256)
    finish(const Matrix x, const Matrix y, const Matrix sums, const long long *largest, const Matrix output, const Factor alpha,
           const Factor beta, long long terms) {
    const Shift shift(x, largest);
    for (long long j = blockIdx.x; j < x.cols; j += gridDim.x) {
        long long count = (x.rows + BLOCK - 1) / BLOCK;
        long long from = 0, to = count;
        while (count > 1) {
            for (long long i = threadIdx.x; i < (count + 1) / 2; i += blockDim.x) {
                Number sum = sums.load(from + 2 * i, j);
                if (2 * i + 1 < count) sum = sum + sums.load(from + 2 * i + 1, j);
                sums.store(to + i, j, sum);
            }
            __syncthreads();
            const long long other = from;
            from = to;
            to = other;
            count = (count + 1) / 2;
        }
        if (threadIdx.x != 0) continue;
        Number sum = count == 0 ? from_lane<LIMBS>(0.0) : sums.load(from, j);
        if (terms == SQUARES) {
            // Finite entries have finite squares after the shift.
            const Number top = *largest < 0 ? sum : abs(x.load(*largest, 0));
            sum = !is_finite(top) || top[0] == 0.0 ? top : shift.undo(sqrt(sum));
        } else if (!is_finite(sum)) {
            sum = sum_in_order(x, y, j, (int)terms);
        }
        combine(alpha, sum, beta, output, j, 0);
    }
}

// Whether |x| > |y|, with numbers < NaN < infinity.
__device__ __forceinline__ bool is_greater(const Number &x, const Number &y) {
    const Number a = abs(x), b = abs(y);
    if (is_nan(b)) return is_infinite(a);
    return a > b || (is_nan(a) && !is_infinite(b));
}

// The better of two indices, -1 being none: that of the greater entry, of equals the first.
__device__ __forceinline__ long long better(const Matrix &x, long long i, long long k) {
    if (i < 0 || k < 0) return max(i, k);
    const Number a = x.load(i, 0), b = x.load(k, 0);
    if (is_greater(a, b)) return i;
    if (is_greater(b, a)) return k;
    return min(i, k);
}

// The index of the greatest of the entries whose indices `candidates` lists, or of all entries where it is null; one result for each
// block of threads.
extern "C" __global__ void __launch_bounds__(256)
    iamax(const Matrix x, const long long *candidates, long long count, long long *results) {
    __shared__ long long best[256];
    long long mine = -1;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        mine = better(x, mine, candidates == nullptr ? i : candidates[i]);
    best[threadIdx.x] = mine;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) best[threadIdx.x] = better(x, best[threadIdx.x], best[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) results[blockIdx.x] = best[0];
}
