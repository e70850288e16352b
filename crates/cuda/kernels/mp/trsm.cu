// Substitution: op(A)·X = B for a small triangle A of numbers of any precision and many right-hand
// sides, in place of B: the sums and bits of crates/linalg/src/cpu/mp/substitution.rs.

#include "dense/matrix.cuh"
#include "mp/divisor.cuh"
#include "mp/lines.cuh"

#include "arguments.cuh"

using Divisor = mp::Divisor<PRECISION>;

// SHARE threads have a right-hand side. A triangle has ORDER rows at most, a sum 2^LOG terms.
constexpr int THREADS = TRSM_THREADS, SHARE = TRSM_SHARE, RIGHTS = THREADS / SHARE, ORDER = TRSM_ORDER, LOG = 10;
static_assert(ORDER <= 1 << LOG, "a sum has fewer terms than the triangle has rows");

DEVICE int unknown(const Substitution &p, int step) { return p.forward ? step : (int)p.order - 1 - step; }

// What unknowns that are found contribute to unknown i: its row of A, and they themselves.
struct Factors {
    const Substitution &p;
    int i;

    DEVICE int head(long long k) const { return p.a.head(i, unknown(p, (int)k)); }
    DEVICE Number load(long long k) const { return p.a.load(i, unknown(p, (int)k)); }
};

struct Found {
    const Substitution &p;
    long long right;

    DEVICE int head(long long k) const { return p.b.head(unknown(p, (int)k), right); }
    DEVICE Number load(long long k) const { return p.b.load(unknown(p, (int)k), right); }
};

extern "C" __global__ void __launch_bounds__(THREADS) substitute(const __grid_constant__ Substitution p) {
    extern __shared__ mp::Word divisors[];
    __shared__ bool multiplies[ORDER];
    const int order = (int)p.order;
    if (!p.unit)
        for (int i = threadIdx.x; i < order; i += THREADS) {
            const Divisor divisor = Divisor::of(p.a.load(i, i));
            mp::store(divisors + i * LANES, divisor.number), multiplies[i] = divisor.multiplies;
        }
    __syncthreads();
    const long long right = (long long)blockIdx.x * RIGHTS + threadIdx.x / SHARE;
    const bool present = right < p.rights;
#pragma unroll 1
    for (int step = 0; step < order; step++) {
        const int i = unknown(p, step);
        const Number sum = mp::dot<SHARE, LOG>(present ? step : 0, Factors{p, i}, Found{p, right});
        if (present && threadIdx.x % SHARE == 0) {
            Number x = p.b.load(i, right);
            if (step > 0) x = x - sum;
            if (!p.unit) x = Divisor{mp::load<PRECISION>(divisors + i * LANES), multiplies[i]}.divide(x);
            p.b.store(i, right, x);
        }
        // The others of the warp see it.
        __syncwarp();
    }
}
