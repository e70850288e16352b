// Vectors and single numbers for iterations that never leave the device
// (crates/linalg/src/cpu/space, which has the same bits): of LIMBS limbs, of PRECISION bits, or of
// residues modulo MODULI numbers.
//
// Nothing is done once the log that holds the space is met.

#if defined LIMBS
#include "sparse/limb_space.cuh"
#elif defined MODULI
#include "sparse/rns_space.cuh"
#else
#include "sparse/mp_space.cuh"
#endif

#include "arguments.cuh"

constexpr int THREADS = 256;

template <class Do> DEVICE void for_each(long long n, const Log *held, Do work) {
    if (is_held(held)) return;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) work(i);
}

// y <- y + a x, or y - a x
extern "C" __global__ void __launch_bounds__(THREADS)
    axpy(const Vector a, int minus, const Vector x, const Vector y, long long n, const Log *held) {
    const Number factor = negated(a.load(0), minus);
    for_each(n, held, [&](long long i) { y.store(i, fused(factor, x.load(i), y.load(i))); });
}

// y <- x + b y, or x - b y
extern "C" __global__ void __launch_bounds__(THREADS)
    xpay(const Vector x, const Vector b, int minus, const Vector y, long long n, const Log *held) {
    const Number factor = negated(b.load(0), minus);
    for_each(n, held, [&](long long i) { y.store(i, fused(factor, y.load(i), x.load(i))); });
}

// x <- a x
extern "C" __global__ void __launch_bounds__(THREADS) scale_entries(const Vector a, const Vector x, long long n, const Log *held) {
    const Number factor = a.load(0);
    for_each(n, held, [&](long long i) { x.store(i, factor * x.load(i)); });
}

// y[i] <- x[i] y[i]
extern "C" __global__ void __launch_bounds__(THREADS) multiply(const Vector x, const Vector y, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { y.store(i, x.load(i) * y.load(i)); });
}

// y <- x
extern "C" __global__ void __launch_bounds__(THREADS) copy(const Vector x, const Vector y, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { y.store(i, x.load(i)); });
}

// x <- 0
extern "C" __global__ void __launch_bounds__(THREADS) clear(const Vector x, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { x.store(i, zero()); });
}

// y <- x 2^exponent, in f64.
extern "C" __global__ void __launch_bounds__(THREADS)
    round_entries(const Vector x, long long exponent, double *y, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { y[i] = nearest(x.load(i), exponent); });
}

// y <- x 2^exponent, from f64.
extern "C" __global__ void __launch_bounds__(THREADS)
    widen_entries(const double *x, long long exponent, const Vector y, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { y.store(i, widened_double(x[i], exponent, y)); });
}

// to <- value
extern "C" __global__ void set(double value, const Vector to, const Log *held) {
    if (!is_held(held)) to.store(0, widened_double(value, 0, to));
}

// The sums of the products x[i] y[i] of each block of entries.
extern "C" __global__ void __launch_bounds__(SUM_THREADS)
    sum_products(const Vector x, const Vector y, long long n, const Vector sums, const Log *held) {
    if (!is_held(held)) sum_blocks(x, y, n, sums);
}

// to[k] <- the sum of the sums of blocks of range k of the entries, or where there are no ranges of
// all of them: added pairwise, neighbours first. A block of threads for each range, which begins
// where a block does; `sums` holds two numbers for each block of entries, and is spoilt.
extern "C" __global__ void __launch_bounds__(THREADS)
    add_sums(const Indices *ranges, long long n, const Vector sums, const Vector to, const Log *held) {
    if (is_held(held)) return;
    const Indices range = ranges == nullptr ? Indices{0, n} : ranges[blockIdx.x];
    long long count = (range.second - range.first + BLOCK - 1) / BLOCK, from = range.first / BLOCK, beside = from + (n + BLOCK - 1) / BLOCK;
#pragma unroll 1
    while (count > 1) {
        for (long long i = threadIdx.x; i < (count + 1) / 2; i += THREADS) {
            Number pair = sums.load(from + 2 * i);
            if (2 * i + 1 < count) pair = pair + sums.load(from + 2 * i + 1);
            sums.store(beside + i, pair);
        }
        __syncthreads();
        const long long next = beside;
        beside = from, from = next;
        count = (count + 1) / 2;
    }
    if (threadIdx.x == 0) to.store(blockIdx.x, count == 0 ? zero() : sums.load(from));
}

// x[i] <- x[i] + x[j] for each pair (i, j), one after the other, then to <- x[0]. One thread.
extern "C" __global__ void add_pairs(const Indices *pairs, long long count, const Vector x, const Vector to, const Log *held) {
    if (is_held(held)) return;
#pragma unroll 1
    for (long long k = 0; k < count; k++) x.store(pairs[k].first, x.load(pairs[k].first) + x.load(pairs[k].second));
    to.store(0, x.load(0));
}

// to[j] <- from[i] for each pair (i, j).
extern "C" __global__ void __launch_bounds__(THREADS)
    move_entries(const Indices *moves, long long n, const Vector from, const Vector to, const Log *held) {
    for_each(n, held, [&](long long k) { to.store(moves[k].second, from.load(moves[k].first)); });
}

// to[second + i] <- from[first + i]
extern "C" __global__ void __launch_bounds__(THREADS)
    place(const Vector from, long long first, const Vector to, long long second, long long n, const Log *held) {
    for_each(n, held, [&](long long i) { to.store(second + i, from.load(first + i)); });
}

// Operations on single numbers (NumberOp), the first itself, and its root.
enum Operation { ADD, SUB, MUL, DIV, ASSIGN, ROOT };

extern "C" __global__ void compute(int operation, const Vector a, const Vector b, const Vector to, const Log *held) {
    if (is_held(held)) return;
    const Number x = a.load(0), y = b.load(0);
    Number z = x;
    if (operation == ADD) z = x + y;
    if (operation == SUB) z = x - y;
    if (operation == MUL) z = x * y;
    if (operation == DIV) z = divide(x, y);
    if (operation == ROOT) z = root(x);
    to.store(0, z);
}

// A row of a log: the first `columns` numbers.
extern "C" __global__ void record(Log *log, int columns, const Vector a, const Vector b, const Vector c, const Vector d, const Log *held) {
    if (is_held(held)) return;
    const Reading row[4] = {reading(a.load(0)), reading(b.load(0)), reading(c.load(0)), reading(d.load(0))};
    log->append(row, columns);
}
