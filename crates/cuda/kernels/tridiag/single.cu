// Tridiagonal systems, a thread for each (Thomas 1949). With PIVOTING, rows are exchanged by scaled
// partial pivoting.
#include "tridiag/tridiag.cuh"

DEVICE Size scale_of(const Row &r) { return larger(larger(size_of(r.lower), size_of(r.diagonal)), size_of(r.upper)); }

// Says why the unknowns are not finite; `pivot` is the row of the first pivot without inverse, or
// -1.
DEVICE_COLD void diagnose(const Batch &batch, long long s, long long pivot) {
    for (long long i = 0; i < batch.size; i++)
        if (!is_finite_row(batch, s, i)) return report(batch, s, NOT_FINITE, i);
    if (pivot >= 0) return report(batch, s, PIVOT, pivot);
    for (long long i = 0; i < batch.size; i++)
        if (!is_number(load(batch.x, index_of(batch, s, i), batch.plane))) return report(batch, s, UNKNOWN, i);
}

extern "C" __global__ void __launch_bounds__(128) solve(const __grid_constant__ Batch batch, const Array above, const Array beyond) {
    const long long s = (long long)blockIdx.x * blockDim.x + threadIdx.x, n = batch.size;
    if (s >= batch.systems || n == 0) return;
    const auto at = [&](long long i) { return index_of(batch, s, i); };
    long long pivot = -1;
    const auto inverted = [&](const Number &x, long long i) {
        const Number w = inverse(x);
        if (pivot < 0 && !is_number(w)) pivot = i;
        return w;
    };
    Number x;
    bool finite = true;
#if PIVOTING
    Row row = load_row(batch, s, 0);
    Size size = scale_of(row);
    Number first = row.diagonal, second = row.upper, right = row.right;
    for (long long i = 0; i + 1 < n; i++) {
        const Row next = load_row(batch, s, i + 1);
        const Size next_size = scale_of(next);
        const bool swap = size_of(next.lower) / next_size > size_of(first) / size;
        const Number zero = number(0.0);
        const Number p0 = swap ? next.lower : first, p1 = swap ? next.diagonal : second, p2 = swap ? next.upper : zero;
        const Number o0 = negated(swap ? first : next.lower), o1 = swap ? second : next.diagonal, o2 = swap ? zero : next.upper;
        const Number w = inverted(p0, i), q = product(p1, w), u = product(p2, w);
        const Number r = product(swap ? next.right : right, w);
        store(above, at(i), batch.plane, q);
        store(beyond, at(i), batch.plane, u);
        store(batch.x, at(i), batch.plane, r);
        right = fused(o0, r, swap ? right : next.right);
        first = fused(o0, q, o1);
        second = fused(o0, u, o2);
        if (!swap) size = next_size;
    }
    x = product(right, inverted(first, n - 1));
    Number after = number(0.0);
#else
    Number q, r;
    {
        const Row row = load_row(batch, s, 0);
        const Number w = inverted(row.diagonal, 0);
        q = product(row.upper, w), r = product(row.right, w);
    }
    for (long long i = 1; i < n; i++) {
        store(above, at(i - 1), batch.plane, q);
        store(batch.x, at(i - 1), batch.plane, r);
        const Row row = load_row(batch, s, i);
        const Number a = negated(row.lower);
        const Number w = inverted(fused(a, q, row.diagonal), i);
        q = product(row.upper, w), r = product(fused(a, r, row.right), w);
    }
    x = r;
#endif
    finite = is_number(x);
    store(batch.x, at(n - 1), batch.plane, x);
    for (long long i = n - 2; i >= 0; i--) {
        Number sum = load(batch.x, at(i), batch.plane);
#if PIVOTING
        if (i + 2 < n) sum = fused(negated(load(beyond, at(i), batch.plane)), after, sum);
        after = x;
#endif
        x = fused(negated(load(above, at(i), batch.plane)), x, sum);
        finite = finite && is_number(x);
        store(batch.x, at(i), batch.plane, x);
    }
    if (!finite) diagnose(batch, s, pivot);
}
