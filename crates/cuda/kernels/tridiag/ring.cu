// Periodic tridiagonal systems: by systems that are not (crates/linalg/src/tridiag/periodic.rs), or
// with row exchanges as matrices of bandwidth 2 (crates/linalg/src/reference/band.rs).
#include "tridiag/tridiag.cuh"

DEVICE Number gamma_of(const Number &diagonal) { return is_zero(diagonal) ? number(-1.0) : negated(diagonal); }

extern "C" __global__ void open(const __grid_constant__ Batch batch, const Array diagonal, const Array corner) {
    const long long s = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= batch.systems) return;
    const long long first = index_of(batch, s, 0), last = index_of(batch, s, batch.size - 1), plane = batch.plane;
    const Number b = load(batch.diagonal, first, plane), gamma = gamma_of(b), c = load(batch.upper, last, plane);
    const Number change = quotient(product(load(batch.lower, first, plane), c), gamma);
    store(diagonal, last, plane, difference(load(batch.diagonal, last, plane), change));
    store(diagonal, first, plane, difference(b, gamma));
#ifdef PRECISION
    // A zero is no word of zeros.
    for (long long i = 1; i + 1 < batch.size; i++) store(corner, index_of(batch, s, i), plane, number(0.0));
#endif
    store(corner, first, plane, gamma);
    store(corner, last, plane, c);
}

extern "C" __global__ void __launch_bounds__(128) close(const __grid_constant__ Batch batch, const Array correction) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, plane = batch.plane;
    // A warp for each system.
    const long long s = t / 32;
    if (s >= batch.systems) return;
    const long long first = index_of(batch, s, 0), last = index_of(batch, s, batch.size - 1);
    const Array &x = batch.x;
    const Number ratio = quotient(load(batch.lower, first, plane), gamma_of(load(batch.diagonal, first, plane)));
    const Number above = fused(ratio, load(x, last, plane), load(x, first, plane));
    const Number below = fused(ratio, load(correction, last, plane), load(correction, first, plane));
    const Number factor = quotient(above, sum(number(1.0), below));
    __syncwarp();
    if (threadIdx.x % 32 == 0 && !is_number(factor) && batch.faults != nullptr) atomicCAS(batch.faults + s, 0u, ~(PIVOT | (unsigned)(batch.size - 1)));
    for (long long i = threadIdx.x % 32; i < batch.size; i += 32) {
        const long long at = index_of(batch, s, i);
        store(x, at, plane, fused(negated(factor), load(correction, at, plane), load(x, at, plane)));
    }
}

// The place of unknown i in a folded ring of n, and the unknown at place k
// (crates/linalg/src/reference/band.rs).
DEVICE long long folded(long long n, long long i) { return i < (n + 1) / 2 ? 2 * i : 2 * (n - 1 - i) + 1; }
DEVICE long long unfolded(long long n, long long k) { return k % 2 == 0 ? k / 2 : n - 1 - k / 2; }

// A row from the column on that is eliminated next, its right-hand side, its size.
struct Active {
    Number entries[5];
    Number right;
    Size scale;

    DEVICE void put(long long place, const Number &x) {
        UNROLLED
        for (int j = 0; j < 5; j++)
            if (j == place) entries[j] = x;
    }
    DEVICE Size ratio() const { return size_of(entries[0]) / scale; }
};

// Row i of a ring, with the corners.
DEVICE Row load_ring(const Batch &batch, long long s, long long i) {
    const long long at = index_of(batch, s, i), plane = batch.plane;
    return {load(batch.lower, at, plane), load(batch.diagonal, at, plane), load(batch.upper, at, plane), load(batch.right, at, plane)};
}

// The row at place k, as it enters when `column` is next; zeros beyond the last one.
DEVICE Active entering(const Batch &batch, long long s, long long k, long long column) {
    const long long n = batch.size;
    Active active;
    UNROLLED
    for (int j = 0; j < 5; j++) active.entries[j] = number(0.0);
    active.right = number(0.0);
    active.scale = size_of(active.right);
    if (k >= n) return active;
    const long long i = unfolded(n, k);
    const Row row = load_ring(batch, s, i);
    active.put(folded(n, i) - column, row.diagonal);
    active.put(folded(n, (i + n - 1) % n) - column, row.lower);
    active.put(folded(n, (i + 1) % n) - column, row.upper);
    active.right = row.right;
    UNROLLED
    for (int j = 0; j < 5; j++) {
        const Size size = size_of(active.entries[j]);
        active.scale = size > active.scale ? size : active.scale;
    }
    return active;
}

DEVICE_COLD void diagnose_ring(const Batch &batch, long long s, long long pivot) {
    for (long long i = 0; i < batch.size; i++) {
        const Row r = load_ring(batch, s, i);
        if (!(is_number(r.lower) && is_number(r.diagonal) && is_number(r.upper) && is_number(r.right))) return report(batch, s, NOT_FINITE, i);
    }
    if (pivot >= 0) return report(batch, s, PIVOT, pivot);
    for (long long i = 0; i < batch.size; i++)
        if (!is_number(load(batch.x, index_of(batch, s, i), batch.plane))) return report(batch, s, UNKNOWN, i);
}

// A thread for each ring.
extern "C" __global__ void __launch_bounds__(128) pivoted(const __grid_constant__ Batch batch, const Array above, long long stride) {
    const long long s = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = batch.size, plane = batch.plane;
    if (s >= batch.systems) return;
    const auto at = [&](long long k) { return index_of(batch, s, unfolded(n, k)); };
    const auto diagonal_above = [&](int j) { return Array{above.data + j * stride}; };
    long long pivot = -1;
    Active active[3] = {entering(batch, s, 0, 0), entering(batch, s, 1, 0), entering(batch, s, 2, 0)};
    for (long long k = 0; k < n; k++) {
        int best = 0;
        Size largest = active[0].ratio();
        UNROLLED
        for (int candidate = 1; candidate < 3; candidate++) {
            const Size size = active[candidate].ratio();
            if (size > largest) best = candidate, largest = size;
        }
        UNROLLED
        for (int candidate = 1; candidate < 3; candidate++)
            if (best == candidate) {
                const Active first = active[0];
                active[0] = active[candidate], active[candidate] = first;
            }
        const Number w = inverse(active[0].entries[0]);
        if (pivot < 0 && !is_number(w)) pivot = unfolded(n, k);
        Number q[4];
        UNROLLED
        for (int j = 0; j < 4; j++) {
            q[j] = product(active[0].entries[j + 1], w);
            store(diagonal_above(j), at(k), plane, q[j]);
        }
        const Number r = product(active[0].right, w);
        store(batch.x, at(k), plane, r);
        UNROLLED
        for (int other = 1; other < 3; other++) {
            const Number factor = negated(active[other].entries[0]);
            UNROLLED
            for (int j = 0; j < 4; j++) active[other].entries[j] = fused(factor, q[j], active[other].entries[j + 1]);
            active[other].entries[4] = number(0.0);
            active[other].right = fused(factor, r, active[other].right);
        }
        active[0] = active[1], active[1] = active[2], active[2] = entering(batch, s, k + 3, k + 1);
    }
    bool finite = true;
    Number after[4];
    UNROLLED
    for (int j = 0; j < 4; j++) after[j] = number(0.0);
    for (long long k = n - 1; k >= 0; k--) {
        Number x = load(batch.x, at(k), plane);
        UNROLLED
        for (int j = 0; j < 4; j++)
            if (k + 1 + j < n) x = fused(negated(load(diagonal_above(j), at(k), plane)), after[j], x);
        finite = finite && is_number(x);
        store(batch.x, at(k), plane, x);
        after[3] = after[2], after[2] = after[1], after[1] = after[0], after[0] = x;
    }
    if (!finite) diagnose_ring(batch, s, pivot);
}
