// C <- alpha * op(A) * op(B) + beta * C where every entry is a sum of products with one rounding:
// the sums and bits of crates/linalg/src/cpu/gemm/mp/direct.rs.

#include "dense/entries.cuh"
#include "dense/factor.cuh"
#include "mp/lines.cuh"

#include "arguments.cuh"

enum Part { ALL, LOWER, UPPER };

DEVICE bool is_in(int part, long long i, long long j) { return part == ALL || (part == LOWER ? i >= j : i <= j); }

constexpr int THREADS = GEMM_THREADS;

// SHARES threads for an entry.
template <int SHARES> DEVICE void multiply(const Product &p) {
    if (p.only_if && *p.only_if == 0) return;
    const long long entry = ((long long)blockIdx.x * THREADS + threadIdx.x) / SHARES, i = entry % p.m, j = entry / p.m;
    const bool present = j < p.n && is_in(p.part, i, j);
    // Threads of a warp stay together for their sums.
    const Number sum = mp::dot<SHARES>(present ? p.k : 0, mp::Row{p.a, i}, mp::Column{p.b, j});
    if (present && threadIdx.x % SHARES == 0) combine(p.alpha, sum, p.beta, p.c, i, j);
}

extern "C" __global__ void __launch_bounds__(THREADS) gemm(const __grid_constant__ Product p) { multiply<1>(p); }

// A block for an entry.
extern "C" __global__ void __launch_bounds__(THREADS) gemm_few(const __grid_constant__ Product p) {
    if (p.only_if && *p.only_if == 0) return;
    const long long entry = blockIdx.x, i = entry % p.m, j = entry / p.m;
    if (!is_in(p.part, i, j)) return;
    const Number sum = mp::dot_of_block<THREADS>(p.k, mp::Row{p.a, i}, mp::Column{p.b, j});
    if (threadIdx.x == 0) combine(p.alpha, sum, p.beta, p.c, i, j);
}

extern "C" __global__ void __launch_bounds__(THREADS) gemm_some(const __grid_constant__ Product p) { multiply<8>(p); }

template <class F> DEVICE void for_each_in(int part, const Matrix &c, F f) {
    for_each(c.rows, c.cols, [&](long long i, long long j) {
        if (is_in(part, i, j)) f(i, j);
    });
}

// C <- beta * C
extern "C" __global__ void __launch_bounds__(THREADS) scale_matrix(const __grid_constant__ Scaling p) {
    for_each_in((int)p.part, p.c, [&](long long i, long long j) { p.c.store(i, j, p.factor.is_zero() ? zero() : p.factor.value() * p.c.load(i, j)); });
}

// C <- alpha * P + beta * C for products that residues have; where these refuse, C stays as it is.
extern "C" __global__ void __launch_bounds__(THREADS) update(const __grid_constant__ Update p) {
    if (p.refused && *p.refused != 0) return;
    for_each_in((int)p.part, p.c, [&](long long i, long long j) { combine(p.alpha, p.product.load(i, j), p.beta, p.c, i, j); });
}
