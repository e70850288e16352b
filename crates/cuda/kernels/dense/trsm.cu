// Substitution: op(A)·X = B for a small triangle A and many right-hand sides, in place of B.
//
// The steps of the host's kernel, bit for bit: the products of an unknown's row with the unknowns
// already found are summed in their order, subtracted once, and the difference is divided by the
// diagonal. Sums of several unknowns go on side by side: an unknown that is found is added to all
// of them at once.

#include "dense/accumulate.cuh"
#include "num/arithmetic.cuh"
#include "dense/copy.cuh"
#include "dense/matrix.cuh"

#include "arguments.cuh"

constexpr int N = LIMBS;
// Threads of a block; SHARE of them share a right-hand side, and each has SUMS sums under way, in
// registers.
constexpr int THREADS = TRSM_THREADS, SHARE = TRSM_SHARE, SUMS = TRSM_SUMS, RIGHTS = THREADS / SHARE, WARPS = THREADS / 32;
// From one limb of an unknown to the next; odd, so that copies along the unknowns spread over the
// banks.
constexpr int PITCH = RIGHTS | 1;
// Steps between carries, of which one limb needs none.
constexpr int PERIOD = N == 1 ? 16 : Accumulator<N>::PERIOD;
static_assert(SHARE * SUMS % PERIOD == 0, "carries fall on the ends of blocks");

DEVICE int unknown(const Substitution &p, int step) {
    return p.forward ? step : p.order - 1 - step;
}

DEVICE MultiFloat<N> read(const double *from, int stride) {
    MultiFloat<N> x;
#pragma unroll
    for (int l = 0; l < N; l++) x[l] = from[l * stride];
    return x;
}

// The triangle in shared memory: columns in the order of the steps, each from the diagonal on.
struct Columns {
    double *numbers;
    int order;

    DEVICE double *at(int step, int column) const { return numbers + (column * order - column * (column + 1) / 2 + step) * N; }

    DEVICE MultiFloat<N> load(int step, int column) const {
        const double *from = at(step, column);
        MultiFloat<N> x;
        if constexpr (N % 2 == 0) {
#pragma unroll
            for (int l = 0; l < N; l += 2) {
                const double2 pair = *(const double2 *)(from + l);
                x[l] = pair.x, x[l + 1] = pair.y;
            }
        } else
            x = read(from, 1);
        return x;
    }
};

// The sum of an unknown's row by the operators.
DEVICE_COLD MultiFloat<N> sum_by_operators(const Substitution &p, int step, const double *found) {
    MultiFloat<N> sum = from_lane<N>(0.0);
    for (int k = 0; k < step; k++) {
        const MultiFloat<N> x = read(found + k * N * PITCH, PITCH);
        sum = sum + p.a.load(unknown(p, step), unknown(p, k)) * x;
    }
    return sum;
}

// Calls visit(i, j) for i below `inner`, whose neighbours neighbouring threads have, and j below
// `outer`.
template <class Visit> DEVICE void each(int inner, int outer, Visit visit) {
    for (int j = threadIdx.x / 32; j < outer; j += WARPS)
        for (int i = threadIdx.x % 32; i < inner; i += 32) visit(i, j);
}

DEVICE void copy_triangle(const Substitution &p, const Columns &triangle) {
    const int order = triangle.order;
    auto copy = [&](int step, int column) {
        if (step < column || (step == column && p.unit)) return;
        const double *from = p.a.at(unknown(p, step), unknown(p, column));
#pragma unroll
        for (int l = 0; l < N; l++) copy_limb(shared_address(triangle.at(step, column) + l), from + l * p.a.plane, true);
    };
    if (p.a.row == 1) each(order, order, copy);
    else each(order, order, [&](int column, int step) { copy(step, column); });
}

// Calls visit(step, right) for the block's right-hand sides.
template <class Visit> DEVICE void each_number(const Substitution &p, Visit visit) {
    if (p.b.row == 1) each(p.order, RIGHTS, visit);
    else each(RIGHTS, p.order, [&](int right, int step) { visit(step, right); });
}

// Finds the unknowns of one right-hand side, of which `found` has one after the other. `mine`
// numbers the threads that share it.
DEVICE void find(const Substitution &p, const Columns &triangle, double *found, int mine) {
    const int order = triangle.order;
    const unsigned sharing = (unsigned)((1ull << SHARE) - 1) << (threadIdx.x % 32 / SHARE * SHARE);
    for (int start = 0; start < order; start += SHARE * SUMS) {
        Accumulator<N> sums[SUMS];
        // The step of a sum that is `later` groups behind the first; where there is none, the last.
        auto step_of = [&](int first, int later) { return min(first + later * SHARE + mine, order - 1); };
#pragma unroll
        for (int s = 0; s < SUMS; s++) sums[s] = Accumulator<N>::zero();
        for (int run = 0; run < start; run += PERIOD) {
            if (N > 1 && run > 0)
#pragma unroll
                for (int s = 0; s < SUMS; s++) sums[s].carry();
#pragma unroll 2
            for (int k = run; k < run + PERIOD; k++) {
                const MultiFloat<N> x = read(found + k * N * PITCH, PITCH);
#pragma unroll
                for (int s = 0; s < SUMS; s++) sums[s].add_product(triangle.load(step_of(start, s), k), x);
            }
        }
#pragma unroll 1
        for (int first = start; first < min(start + SHARE * SUMS, order); first += SHARE) {
            MultiFloat<N> right = from_lane<N>(0.0);
            if (first + mine < order) right = read(found + (first + mine) * N * PITCH, PITCH);
#pragma unroll 1
            for (int step = first; step < min(first + SHARE, order); step++) {
                const int owner = step - first;
                if (N > 1 && step > 0 && step % PERIOD == 0)
#pragma unroll
                    for (int s = 0; s < SUMS; s++)
                        if (s > 0 || mine > owner) sums[s].carry();
                MultiFloat<N> sum = sums[0].normalized();
                if (mine == owner && !is_finite(sum)) sum = sum_by_operators(p, step, found);
                MultiFloat<N> x = right - sum;
                if (mine == owner) {
                    if (!p.unit) x = x / triangle.load(step, step);
#pragma unroll
                    for (int l = 0; l < N; l++) found[(step * N + l) * PITCH] = x[l];
                }
#pragma unroll
                for (int l = 0; l < N; l++) x[l] = __shfl_sync(sharing, x[l].value, owner, SHARE);
                // Sums of unknowns that do not exist go on as the last one's: nobody reads them.
#pragma unroll
                for (int s = 0; s < SUMS; s++)
                    if (s > 0 || mine > owner) sums[s].add_product(triangle.load(step_of(first, s), step), x);
            }
#pragma unroll
            for (int s = 1; s < SUMS; s++) sums[s - 1] = sums[s];
        }
        // What threads found is read by all that share it.
        __syncwarp(sharing);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) substitute(const __grid_constant__ Substitution p) {
    // Unknowns, before they are found the right-hand side, as [step][limb][right]; then the
    // triangle.
    extern __shared__ __align__(16) double shared[];
    const int order = (int)p.order;
    const Columns triangle = {shared + order * N * PITCH, order};
    const long long first_right = (long long)blockIdx.x * RIGHTS;
    const int rights = min((long long)RIGHTS, p.rights - first_right);
    copy_triangle(p, triangle);
    each_number(p, [&](int step, int right) {
        const double *from = p.b.at(unknown(p, step), first_right + right);
#pragma unroll
        for (int l = 0; l < N; l++) copy_limb(shared_address(shared + (step * N + l) * PITCH + right), from + l * p.b.plane, right < rights);
    });
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
    find(p, triangle, shared + threadIdx.x / SHARE, threadIdx.x % SHARE);
    __syncthreads();
    each_number(p, [&](int step, int right) {
        if (right < rights) p.b.store(unknown(p, step), first_right + right, read(shared + step * N * PITCH + right, PITCH));
    });
}
