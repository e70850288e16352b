// What interior-point methods for semidefinite programs ask of matrices with blocks
// (crates/sdp/src/cone/backend.rs), but for the Schur complement.

#include "sdp/cone.cuh"

#include "arguments.cuh"

// A <- sum of x_i * F_i + alpha * F_0 where there are entries: a thread for each place, the sources
// in their order.
extern "C" __global__ void __launch_bounds__(THREADS) combine_matrices(const __grid_constant__ Combination p) {
    const long long place = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (place >= p.count) return;
    Number sum = zero();
    for (unsigned s = p.starts[place]; s < p.starts[place + 1]; s++) {
        const unsigned constraint = p.constraints[s];
        const Number weight = constraint < p.x.rows ? p.x.load(constraint, 0) : p.alpha.value();
        sum = sum + weight * p.values.load(p.entries[s], 0);
    }
    p.a.store(p.rows[place], p.cols[place], sum);
}

// How the mirror image of an entry of A counts: not at all, as the entry itself, by itself.
enum Images { NONE, SAME, OTHER };

struct Task {
    unsigned matrix, first, end;
    // The column of the result.
    long long column;
};

DEVICE Task task_of(const Products &p, long long number, long long column) {
    if (number >= p.count) return {0, 0, 0, 0};
    const unsigned matrix = p.tasks[number];
    const unsigned first = p.entries.starts[matrix], end = p.entries.starts[matrix + 1];
    if (p.columns == nullptr) return {matrix, first, end, 0};
    const unsigned from = p.columns[column];
    return {matrix, first, matrix < from ? first : end, p.entries.constraints[from]};
}

// The sum over every `step`-th entry from `first` on.
DEVICE Number partial_product(const Products &p, long long above, unsigned first, unsigned end, unsigned step) {
    Sum sum = Sum::zero();
    // Terms that are added at the same time may be two.
    const unsigned period = p.images == OTHER ? PERIOD / 2 : PERIOD;
    unsigned steps = 0;
    for (unsigned e = first; e < end; e += step) {
        const unsigned row = p.entries.rows[e], col = p.entries.cols[e];
        Number weight = p.entries.values.load(e, 0);
        if (p.images == SAME && row != col) weight = doubled(weight);
        sum.add_product(weight, p.a.load(above + row, col));
        if (p.images == OTHER && row != col) sum.add_product(weight, p.a.load(above + col, row));
        if (CARRIES && ++steps == period) sum.carry(), steps = 0;
    }
    return total(sum);
}

// Entry by entry, with the operators.
DEVICE_COLD Number product_in_order(const Products &p, long long above, unsigned first, unsigned end) {
    Number sum = zero();
    for (unsigned e = first; e < end; e++) {
        const unsigned row = p.entries.rows[e], col = p.entries.cols[e];
        Number weight = p.entries.values.load(e, 0);
        if (p.images == SAME && row != col) weight = doubled(weight);
        sum = sum + weight * p.a.load(above + row, col);
        if (p.images == OTHER && row != col) sum = sum + weight * p.a.load(above + col, row);
    }
    return sum;
}

// Adds to the result.
DEVICE void finish(const Products &p, const Task &task, long long above, Number sum) {
    if (!is_finite(sum)) sum = product_in_order(p, above, task.first, task.end);
    const long long row = p.entries.constraints[task.matrix];
    p.to.store(row, task.column, p.to.load(row, task.column) + sum);
}

// v_k <- v_k + F_k . A for matrices of few entries; of limbs with the bits of
// crates/sdp/src/cpu/limbs/weigh.rs where A is symmetric.
extern "C" __global__ void __launch_bounds__(THREADS) short_products(const __grid_constant__ Products p) {
    const long long number = ((long long)blockIdx.x * THREADS + threadIdx.x) / SHARE;
    const unsigned lane = threadIdx.x % SHARE;
    for (long long column = blockIdx.y; column < p.column_count; column += gridDim.y) {
        const Task task = task_of(p, number, column);
        const long long above = column * p.order;
        const bool is_shared = task.end - task.first >= SHARE;
        Number sum = zero();
        if (is_shared) sum = partial_product(p, above, task.first + lane, task.end, SHARE);
        sum = add_up(sum, SHARE);
        if (lane != 0 || task.first == task.end) continue;
        if (!is_shared) sum = product_in_order(p, above, task.first, task.end);
        finish(p, task, above, sum);
    }
}

// The same for matrices of many entries, a block for each.
extern "C" __global__ void __launch_bounds__(THREADS) long_products(const __grid_constant__ Products p) {
    __shared__ Number of_warps[WARPS];
    for (long long column = blockIdx.y; column < p.column_count; column += gridDim.y) {
        const Task task = task_of(p, blockIdx.x, column);
        if (task.first == task.end) continue;
        const long long above = column * p.order;
        const Number sum = add_up(partial_product(p, above, task.first + threadIdx.x, task.end, THREADS), 32);
        if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            Number all = of_warps[0];
#pragma unroll 1
            for (int w = 1; w < WARPS; w++) all = all + of_warps[w];
            finish(p, task, above, all);
        }
        __syncthreads();
    }
}

// The entries of a square that a thread looks at: visit(i, j).
template <class Visit> DEVICE void each(const Matrix &a, Visit visit) {
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.rows) return;
    for (long long j = blockIdx.y; j < a.cols; j += gridDim.y) visit(i, j);
}

// A <- (A + A^T) / 2
extern "C" __global__ void __launch_bounds__(THREADS) symmetrize(const __grid_constant__ Matrix a) {
    each(a, [&](long long i, long long j) {
        if (i >= j) return;
        const Number mean = halved(a.load(i, j) + a.load(j, i));
        a.store(i, j, mean);
        a.store(j, i, mean);
    });
}

// What is below the diagonal goes above it.
extern "C" __global__ void __launch_bounds__(THREADS) mirror(const __grid_constant__ Matrix a) {
    each(a, [&](long long i, long long j) {
        if (i > j) a.store(j, i, a.load(i, j));
    });
}

// Zeros above the diagonal.
extern "C" __global__ void __launch_bounds__(THREADS) clear_upper(const __grid_constant__ Matrix a) {
    each(a, [&](long long i, long long j) {
        if (i < j) a.store(i, j, zero());
    });
}

// A <- alpha * I
extern "C" __global__ void __launch_bounds__(THREADS) identity(const __grid_constant__ Diagonal p) {
    const Number alpha = p.alpha.value();
    each(p.a, [&](long long i, long long j) { p.a.store(i, j, i == j || p.is_column ? alpha : zero()); });
}

// The diagonal plus a vector: a thread for each entry.
extern "C" __global__ void __launch_bounds__(THREADS) add_to_diagonal(const __grid_constant__ Shifts p) {
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i < p.a.rows) p.a.store(i, i, p.a.load(i, i) + p.shifts.load(i, 0));
}

extern "C" __global__ void __launch_bounds__(THREADS) largest(const __grid_constant__ Largest p) {
    unsigned long long bits = 0;
    each(p.a, [&](long long i, long long j) {
        bits = max(bits, (unsigned long long)__double_as_longlong(size_at(p.a, i, j)));
    });
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2) bits = max(bits, __shfl_down_sync(ALL, bits, distance));
    if (threadIdx.x % 32 == 0 && bits > 0) atomicMax(p.bits, bits);
}
