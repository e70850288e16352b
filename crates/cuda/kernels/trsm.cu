// Substitution: op(A)·X = B for a small triangle A and many right-hand sides, in place of B.
//
// The steps of the host's kernel, bit for bit: the products of an unknown's row with the unknowns already found are summed in
// their order, subtracted once, and the difference is divided by the diagonal. Sums of several unknowns go on side by
// side: an unknown that is found is added to all of them at once.

#include "accumulate.cuh"
#include "arithmetic.cuh"
#include "copy.cuh"
#include "matrix.cuh"

constexpr int N = LIMBS;
// RIGHTS right-hand sides make a block of threads, SHARE threads share one, each has SUMS sums under way.
constexpr int RIGHTS = TRSM_RIGHTS, SHARE = TRSM_SHARE, SUMS = 4;
constexpr int THREADS = RIGHTS * SHARE;
// From one limb of an unknown to the next; odd, so that copies along the unknowns spread over the banks.
constexpr int PITCH = RIGHTS + 1;
// Steps between carries, of which one limb needs none.
constexpr int PERIOD = N == 1 ? 16 : Accumulator<N>::PERIOD;
static_assert(SHARE * SUMS % PERIOD == 0, "carries fall on the ends of blocks");

struct Substitution {
    long long rights, order;
    // Whether unknowns are found from the first to the last, and whether the diagonal is 1 and not read.
    int forward, unit;
    // op(A), and B with a row for each unknown and a column for each right-hand side.
    Matrix a, b;
};

DEVICE int unknown(const Substitution &p, int step) {
    return p.forward ? step : p.order - 1 - step;
}

DEVICE MultiFloat<N> read(const double *from, int stride) {
    MultiFloat<N> x;
#pragma unroll
    for (int l = 0; l < N; l++) x[l] = from[l * stride];
    return x;
}

// The sum of an unknown's row by the operators.
DEVICE_COLD MultiFloat<N> sum_by_operators(const Substitution &p, int step, const double *found) {
    MultiFloat<N> sum = from_lane<N>(0.0);
    for (int k = 0; k < step; k++) {
        const MultiFloat<N> x = read(found + k * N * PITCH, PITCH);
        sum = sum + p.a.load(unknown(p, step), unknown(p, k)) * x;
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS) substitute(const __grid_constant__ Substitution p) {
    const int order = (int)p.order;
    // Unknowns, before they are found the right-hand side, as [step][limb][right]; then the triangle, row after row up to
    // the diagonal.
    extern __shared__ __align__(16) double shared[];
    double *triangle = shared + order * N * PITCH;
    for (int place = threadIdx.x; place < order * order; place += THREADS) {
        const int step = place / order, k = place % order;
        if (k > step || (k == step && p.unit)) continue;
        const double *from = p.a.at(unknown(p, step), unknown(p, k));
#pragma unroll
        for (int l = 0; l < N; l++) copy_limb(shared_address(triangle + (step * (step + 1) / 2 + k) * N + l), from + l * p.a.plane, true);
    }
    const long long first_right = (long long)blockIdx.x * RIGHTS;
    // Neighbouring threads copy neighbouring numbers.
    const bool down = p.b.row == 1;
    for (int place = threadIdx.x; place < order * RIGHTS; place += THREADS) {
        const int step = down ? place % order : place / RIGHTS, right = down ? place / order : place % RIGHTS;
        if (first_right + right >= p.rights) continue;
        const double *from = p.b.at(unknown(p, step), first_right + right);
#pragma unroll
        for (int l = 0; l < N; l++) copy_limb(shared_address(shared + (step * N + l) * PITCH + right), from + l * p.b.plane, true);
    }
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
    const int mine = threadIdx.x % SHARE;
    const long long right = first_right + threadIdx.x / SHARE;
    const bool present = right < p.rights;
    double *found = shared + threadIdx.x / SHARE;
    auto row_of = [&](int step) { return triangle + step * (step + 1) / 2 * N; };
    for (int start = 0; start < order; start += SHARE * SUMS) {
        Accumulator<N> sums[SUMS];
#pragma unroll
        for (int s = 0; s < SUMS; s++) sums[s] = Accumulator<N>::zero();
        auto add = [&](int k, int step, Accumulator<N> &sum) {
            sum.add_product(read(row_of(step) + k * N, 1), read(found + k * N * PITCH, PITCH));
        };
        for (int run = 0; run < start; run += PERIOD) {
            if (N > 1 && run > 0)
#pragma unroll
                for (int s = 0; s < SUMS; s++) sums[s].carry();
#pragma unroll 4
            for (int k = run; k < run + PERIOD; k++)
#pragma unroll
                for (int s = 0; s < SUMS; s++) add(k, min(start + s * SHARE + mine, order - 1), sums[s]);
        }
#pragma unroll
        for (int s = 0; s < SUMS; s++)
#pragma unroll 1
            for (int owner = 0; owner < SHARE; owner++) {
                const int step = start + s * SHARE + owner;
                if (step >= order) break;
                // Sums of unknowns that are found already, or do not exist, go on with whatever is there: nobody reads them.
                MultiFloat<N> factors[SUMS];
#pragma unroll
                for (int t = s; t < SUMS; t++) factors[t] = read(row_of(min(start + t * SHARE + mine, order - 1)) + step * N, 1);
                if (N > 1 && step > 0 && step % PERIOD == 0)
#pragma unroll
                    for (int t = s; t < SUMS; t++)
                        if (t > s || mine > owner) sums[t].carry();
                if (mine == owner && present) {
                    MultiFloat<N> sum = sums[s].normalized();
                    if (!is_finite(sum)) sum = sum_by_operators(p, step, found);
                    MultiFloat<N> x = read(found + step * N * PITCH, PITCH) - sum;
                    if (!p.unit) x = x / read(row_of(step) + step * N, 1);
#pragma unroll
                    for (int l = 0; l < N; l++) found[(step * N + l) * PITCH] = x[l];
                    p.b.store(unknown(p, step), right, x);
                }
                __syncwarp();
                const MultiFloat<N> x = read(found + step * N * PITCH, PITCH);
#pragma unroll
                for (int t = s; t < SUMS; t++) sums[t].add_product(factors[t], x);
            }
    }
}
