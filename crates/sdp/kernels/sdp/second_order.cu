// Second-order cones, rows of columns, by their algebra (crates/sdp/src/cpu/second_order.rs): a
// block of threads for each.

#include "sdp/cone.cuh"

#include "arguments.cuh"

// The cones of a block of threads.
template <class Visit> DEVICE void each_cone(const SecondOrder &p, Visit visit) {
    for (long long number = blockIdx.x; number < p.count; number += gridDim.x) {
        visit(p.cones[number]);
        __syncthreads();
    }
}

// The rows of a thread, the first for one of them: visit(row, is_first).
template <class Visit> DEVICE void each_row(const ConeRows &rows, Visit visit) {
    for (unsigned i = threadIdx.x; i < rows.order; i += THREADS) visit(rows.first + i, i == 0);
}

// The sum of what all threads have, for each of them.
DEVICE_COLD Number sum_of_block(const Number x) {
    __shared__ Number of_warps[WARPS];
    const Number of_warp = add_up(x, 32);
    // After the sum before.
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = of_warp;
    __syncthreads();
    Number sum = of_warps[0];
#pragma unroll 1
    for (int w = 1; w < WARPS; w++) sum = sum + of_warps[w];
    return sum;
}

// The largest of what all threads have, for each of them.
DEVICE_COLD double largest_of_block(double x) {
    __shared__ double of_warps[WARPS];
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2) x = max(x, __shfl_down_sync(ALL, x, distance));
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
    __syncthreads();
    double largest = of_warps[0];
#pragma unroll 1
    for (int w = 1; w < WARPS; w++) largest = max(largest, of_warps[w]);
    return largest;
}

// The sum of term(sum, row) over rows from `first` on, for each thread.
template <class Term> DEVICE Number sum_over(unsigned first, unsigned end, Term term) {
    Sum sum = Sum::zero();
    unsigned steps = 0;
#pragma unroll 1
    for (unsigned row = first + threadIdx.x; row < end; row += THREADS) {
        term(sum, row);
        if (CARRIES && ++steps == PERIOD) sum.carry(), steps = 0;
    }
    return sum_of_block(total(sum));
}

static __device__ __noinline__ Number dot(const Matrix &x, const Matrix &y, const ConeRows &rows) {
    return sum_over(rows.first, rows.first + rows.order, [&](Sum &sum, unsigned row) { sum.add_product(x.load(row, 0), y.load(row, 0)); });
}

// The first entry, and the norm of the others.
struct Parts {
    Number first, norm;
};

static __device__ __noinline__ Parts parts_of(const Matrix &x, const ConeRows &rows) {
    const unsigned second = rows.first + 1, end = rows.first + rows.order;
    double largest = 0.0;
    for (unsigned row = second + threadIdx.x; row < end; row += THREADS) largest = max(largest, size_at(x, row, 0));
    // A power of two by which squares neither overflow nor lose limbs that count.
    const int power = power_for_squares(largest_of_block(largest));
    const Number square = sum_over(second, end, [&](Sum &sum, unsigned row) {
        const Number entry = times_power(x.load(row, 0), power);
        sum.add_product(entry, entry);
    });
    return {x.load(rows.first, 0), times_power(square_root(square), -power)};
}

// det x, of its parts.
DEVICE Number det_of(const Parts &x) { return (x.first - x.norm) * (x.first + x.norm); }

// u_0 v_0 - (the product of the others), of terms none of which is negative where both are in the
// cone.
static __device__ __noinline__ Number polar_det(const Matrix &u, const Matrix &v, const ConeRows &rows) {
    const Parts x = parts_of(u, rows), y = parts_of(v, rows);
    const Number of_lengths = halved((x.first + x.norm) * (y.first - y.norm) + (x.first - x.norm) * (y.first + y.norm));
    if (is_nothing(x.norm) || is_nothing(y.norm)) return of_lengths;
    const Number apart = sum_over(rows.first + 1, rows.first + rows.order, [&](Sum &sum, unsigned row) {
        const Number difference = u.load(row, 0) / x.norm - v.load(row, 0) / y.norm;
        sum.add_product(difference, difference);
    });
    return of_lengths + halved(x.norm * y.norm * apart);
}

// C <- alpha * (1, 0)
extern "C" __global__ void __launch_bounds__(THREADS) second_order_identity(const __grid_constant__ SecondOrder p) {
    const Number alpha = p.alpha.value();
    each_cone(p, [&](const ConeRows &rows) {
        each_row(rows, [&](unsigned row, bool is_first) { p.to.store(row, 0, is_first ? alpha : zero()); });
    });
}

// C <- the square root of U.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_root(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Parts x = parts_of(p.u, rows);
        const Number gap = x.first - x.norm;
        const bool is_inside = is_pivot(gap);
        if (!is_inside && threadIdx.x == 0) *p.failed = 1;
        if (!is_inside) return;
        const Number first = square_root(halved(x.first + square_root(gap) * square_root(x.first + x.norm)));
        const Number twice = doubled(first);
        each_row(rows, [&](unsigned row, bool is_first) { p.to.store(row, 0, is_first ? first : p.u.load(row, 0) / twice); });
    });
}

// C <- the inverse of U.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_invert(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Number det = det_of(parts_of(p.u, rows));
        each_row(rows, [&](unsigned row, bool is_first) {
            const Number entry = p.u.load(row, 0);
            p.to.store(row, 0, (is_first ? entry : -entry) / det);
        });
    });
}

// C <- the square of U.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_square(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Number first = dot(p.u, p.u, rows), twice = doubled(p.u.load(rows.first, 0));
        each_row(rows, [&](unsigned row, bool is_first) { p.to.store(row, 0, is_first ? first : twice * p.u.load(row, 0)); });
    });
}

// C <- alpha * {U, D, V} + beta * C
extern "C" __global__ void __launch_bounds__(THREADS) second_order_triple(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Number of_u = dot(p.u, p.d, rows), of_v = dot(p.v, p.d, rows), det = polar_det(p.u, p.v, rows);
        each_row(rows, [&](unsigned row, bool is_first) {
            const Number last = det * p.d.load(row, 0);
            const Number sum = of_u * p.v.load(row, 0) + of_v * p.u.load(row, 0) + (is_first ? -last : last);
            combine(p.alpha, sum, p.beta, p.to, row, 0);
        });
    });
}

// C <- the least eigenvalue of {U, D, U} times V.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_least(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Number twice = doubled(dot(p.u, p.d, rows)), det = det_of(parts_of(p.u, rows));
        each_row(rows, [&](unsigned row, bool is_first) {
            const Number last = det * p.d.load(row, 0);
            p.to.store(row, 0, twice * p.u.load(row, 0) + (is_first ? -last : last));
        });
        __syncthreads();
        const Parts product = parts_of(p.to, rows);
        const Number least = product.first - product.norm;
        // All have read the first entry.
        __syncthreads();
        each_row(rows, [&](unsigned row, bool) { p.to.store(row, 0, least * p.v.load(row, 0)); });
    });
}

// C <- det(U, V), in the first row its opposite: weights of rows by themselves in the Schur
// complement.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_weights(const __grid_constant__ SecondOrder p) {
    each_cone(p, [&](const ConeRows &rows) {
        const Number det = polar_det(p.u, p.v, rows);
        each_row(rows, [&](unsigned row, bool is_first) { p.to.store(row, 0, is_first ? -det : det); });
    });
}

// Products of U, and of V, with the entries of each part: a warp for each.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_products(const __grid_constant__ OfCones p) {
    const long long warps = (long long)gridDim.x * WARPS;
    for (long long task = (long long)blockIdx.x * WARPS + threadIdx.x / 32; task < 2 * p.count; task += warps) {
        const ConePart part = p.parts[task / 2];
        const Matrix &factor = task % 2 == 0 ? p.u : p.v;
        Sum sum = Sum::zero();
        unsigned steps = 0;
        for (unsigned e = part.first + threadIdx.x % 32; e < part.end; e += 32) {
            sum.add_product(p.entries.values.load(e, 0), factor.load(p.entries.rows[e], 0));
            if (CARRIES && ++steps == PERIOD) sum.carry(), steps = 0;
        }
        const Number all = add_up(total(sum), 32);
        if (threadIdx.x % 32 == 0) p.products.store(task, 0, all);
    }
}

// Adds the products of those products to the Schur complement, a block of threads to a column.
extern "C" __global__ void __launch_bounds__(THREADS) second_order_schur(const __grid_constant__ OfCones p) {
    for (long long j = blockIdx.x; j < p.b.cols; j += gridDim.x) {
        for (unsigned k = p.starts[j]; k < p.starts[j + 1]; k++) {
            const ConePart part = p.parts[k];
            const Number of_u = p.products.load(2 * (long long)k, 0), of_v = p.products.load(2 * (long long)k + 1, 0);
            // From this part of the cone on: constraints ascend, and none comes twice.
            for (unsigned at = part.at + threadIdx.x; at < part.last; at += THREADS) {
                const long long other = p.of_cones[at], i = p.constraints[other];
                const Number sum = of_u * p.products.load(2 * other + 1, 0) + of_v * p.products.load(2 * other, 0);
                p.b.store(i, j, p.b.load(i, j) + sum);
            }
            __syncthreads();
        }
    }
}
