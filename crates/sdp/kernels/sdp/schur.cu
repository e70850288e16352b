// The Schur complement B_ij = F_i . (U F_j V) of semidefinite programs, in the lower triangle
// (crates/sdp/src/cpu/schur.rs).

#include "sdp/cone.cuh"

#include "arguments.cuh"

// Products of entries from which on a warp shares those of a pair of matrices.
constexpr unsigned LONG = CONE_LONG;

// F_i . (U F_k V) by products of entries: every `step`-th one from `first` on.
static __device__ __noinline__ Number pair_product(const Sparse &p, unsigned i, unsigned k, unsigned first, unsigned step) {
    const Entries &f = p.entries;
    const unsigned own = f.starts[i], other = f.starts[k];
    const unsigned width = f.starts[k + 1] - other, count = (f.starts[i + 1] - own) * width;
    Sum sum = Sum::zero();
    unsigned steps = 0;
    for (unsigned t = first; t < count; t += step) {
        const unsigned left = own + t / width, right = other + t % width;
        const unsigned row = f.rows[left], col = f.cols[left], a = f.rows[right], b = f.cols[right];
        // Entries of columns, since U and V are symmetric; four at most, of which a sum needs no
        // carry.
        Sum products = Sum::zero();
        products.add_product(p.u.load(a, row), p.v.load(b, col));
        if (a != b) products.add_product(p.u.load(b, row), p.v.load(a, col));
        if (row != col) {
            products.add_product(p.u.load(a, col), p.v.load(b, row));
            if (a != b) products.add_product(p.u.load(b, col), p.v.load(a, row));
        }
        sum.add_product(f.values.load(left, 0) * f.values.load(right, 0), total(products));
        if (CARRIES && ++steps == PERIOD) sum.carry(), steps = 0;
    }
    return total(sum);
}

// Adds to columns what entries of U and V alone make, a thread for a pair.
extern "C" __global__ void __launch_bounds__(THREADS) schur_sparse(const __grid_constant__ Sparse p) {
    const long long thread = (long long)blockIdx.x * THREADS + threadIdx.x, warps = (long long)gridDim.x * (THREADS / 32);
    const Entries &f = p.entries;
    for (long long column = blockIdx.y; column < p.column_count; column += gridDim.y) {
        const unsigned k = p.columns[column];
        const long long i = p.is_dealt ? k + thread / 32 + thread % 32 * warps : thread;
        const bool is_below = i < p.count && i >= k;
        unsigned cost = 0;
        if (is_below) cost = (f.starts[i + 1] - f.starts[i]) * (f.starts[k + 1] - f.starts[k]);
        Number sum = zero();
        if (is_below && cost < LONG) sum = pair_product(p, (unsigned)i, k, 0, 1);
        for (unsigned rest = __ballot_sync(ALL, cost >= LONG); rest != 0; rest &= rest - 1) {
            const int of = __ffs(rest) - 1;
            const unsigned matrix = __shfl_sync(ALL, (unsigned)i, of);
            const Number part = of_first_thread(add_up(pair_product(p, matrix, k, threadIdx.x % 32, 32), 32));
            if (threadIdx.x % 32 == of) sum = part;
        }
        if (!is_below) continue;
        const long long row = f.constraints[i], col = f.constraints[k];
        p.b.store(row, col, p.b.load(row, col) + sum);
    }
}

// V F_j where it is not zero: a block for rows of a column.
extern "C" __global__ void __launch_bounds__(THREADS) schur_left(const __grid_constant__ Left p) {
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= p.v.rows) return;
    for (long long number = blockIdx.y; number < p.count; number += gridDim.y) {
        const Line line = p.lines[number];
        Sum sum = Sum::zero();
        unsigned steps = 0;
        for (unsigned e = line.first; e < line.end; e++) {
            sum.add_product(p.values.load(p.entries[e], 0), p.v.load(i, p.rows[e]));
            if (CARRIES && ++steps == PERIOD) sum.carry(), steps = 0;
        }
        p.to.store((line.matrix - p.first) * p.v.rows + i, line.col, total(sum));
    }
}

// What the diagonal block adds, a block of threads to a column; of limbs with the bits of the host.
extern "C" __global__ void __launch_bounds__(THREADS) schur_diagonal(const __grid_constant__ OfDiagonal p) {
    for (long long j = blockIdx.x; j < p.b.cols; j += gridDim.x) {
        for (unsigned e = p.entries.starts[j]; e < p.entries.starts[j + 1]; e++) {
            const unsigned row = p.entries.rows[e];
            const Number weight = p.entries.values.load(e, 0) * p.uv.load(row, 0);
            // From this entry on: constraints ascend in a row, and none comes twice.
            for (unsigned at = p.numbers[e] + threadIdx.x; at < p.starts[row + 1]; at += THREADS) {
                const long long i = p.constraints[at];
                if (i < p.b.rows) p.b.store(i, j, p.b.load(i, j) + weight * p.entries.values.load(p.by_row[at], 0));
            }
            __syncthreads();
        }
    }
}
