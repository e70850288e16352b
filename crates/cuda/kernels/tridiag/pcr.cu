// Tridiagonal systems by parallel cyclic reduction as in the paper of 2012: a block for each
// system, a thread for each unknown, THREADS of them at the most, rows in shared memory. Those of
// numbers with words lie beside the batch.
#include "tridiag/tridiag.cuh"

// Rows of the block's system, by limbs.
struct Rows {
    Word *words;
    int n;

    DEVICE Number get(int part, int i) const {
        Number x;
        UNROLLED
        for (int l = 0; l < PLANES; l++) set_limb(x, l, words[(part * PLANES + l) * n + i]);
        return x;
    }
    DEVICE void put(int part, int i, const Number &x) const {
        UNROLLED
        for (int l = 0; l < PLANES; l++) words[(part * PLANES + l) * n + i] = limb(x, l);
    }
    DEVICE Row get(int i) const { return {get(0, i), get(1, i), get(2, i), get(3, i)}; }
    DEVICE void put(int i, const Row &r) const { put(0, i, r.lower), put(1, i, r.diagonal), put(2, i, r.upper), put(3, i, r.right); }
};

extern "C" __global__ void __launch_bounds__(THREADS) solve(const __grid_constant__ Batch batch, const Array beside) {
    __shared__ unsigned zero_pivot;
    const int n = (int)batch.size, i = threadIdx.x;
    const long long s = blockIdx.x;
#ifdef PRECISION
    Word *const memory = beside.data + s * 4 * PLANES * n;
#else
    extern __shared__ double memory[];
#endif
    const Rows rows = {(Word *)memory, n};
    const bool inside = i < n;
    if (i == 0) zero_pivot = ~0u;
    Row row = load_row(batch, s, i);
    __syncthreads();
    unsigned step = 0;
#pragma unroll 1
    for (int h = 1; h < n; h *= 2, step++) {
        if (inside) {
            rows.put(i, row);
            if (is_zero(row.diagonal)) atomicMin(&zero_pivot, step << 16 | (unsigned)i);
        }
        __syncthreads();
        if (inside) {
            if (i >= h) {
                const Row low = rows.get(i - h);
                const Number alpha = quotient(negated(row.lower), low.diagonal);
                row.lower = product(alpha, low.lower);
                row.diagonal = fused(alpha, low.upper, row.diagonal);
                row.right = fused(alpha, low.right, row.right);
            }
            if (i + h < n) {
                const Row high = rows.get(i + h);
                const Number gamma = quotient(negated(row.upper), high.diagonal);
                row.upper = product(gamma, high.upper);
                row.diagonal = fused(gamma, high.lower, row.diagonal);
                row.right = fused(gamma, high.right, row.right);
            }
        }
        __syncthreads();
    }
    if (inside && is_zero(row.diagonal)) atomicMin(&zero_pivot, step << 16 | (unsigned)i);
    __syncthreads();
    if (!inside) return;
    const Number x = quotient(row.right, row.diagonal);
    store(batch.x, index_of(batch, s, i), batch.plane, x);
    if (!is_finite_row(batch, s, i)) report(batch, s, NOT_FINITE, i);
    if (!is_number(x)) {
        if (zero_pivot != ~0u)
            report(batch, s, PIVOT, zero_pivot & 0xffff);
        else
            report(batch, s, UNKNOWN, i);
    }
}
