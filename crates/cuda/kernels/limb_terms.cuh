// Terms of lines of a sparse matrix with values of VALUES limbs, times vectors of LIMBS limbs (crates/linalg/src/cpu/spmv/limbs.rs has the same bits).
#pragma once

#include "limb_space.cuh"
#include "sparse.cuh"

// Threads that share a line: its terms are summed in order.
constexpr int SHARES = 1;

using Values = Vector;

DEVICE Number widened(const Values &values, long long at) {
    Number x = zero();
#pragma unroll
    for (int l = 0; l < VALUES; l++) x[l] = values.data[at + l * values.plane];
    return x;
}

// The sum by the operators, without terms that the matrix lacks.
static __device__ __noinline__ Number line_in_order(const Sparse &a, const Values &values, const Vector &x, long long line) {
    Number sum = zero();
    const long long steps = a.steps(line);
    for (long long k = 0; k < steps; k++) {
        const long long at = a.place(line, k), column = a.column(line, k, at);
        const Number value = widened(values, at);
        if (column < 0 || (FORMAT == DIA && value[0] == 0.0)) continue;
        sum = sum + value * x.load(column);
    }
    return sum;
}

DEVICE Number line_product(const Sparse &a, const Values &values, const Vector &x, long long line) {
    constexpr int PERIOD = Accumulator<LIMBS>::PERIOD;
    Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
    const long long steps = a.steps(line);
    int until_carry = PERIOD;
#pragma unroll 4
    for (long long k = 0; k < steps; k++) {
        const long long at = a.place(line, k), column = a.column(line, k, at);
        // Where a diagonal leaves the matrix, its value is zero, and that of the vector is any: loads without a condition can be under way together.
        const Number factor = x.load(FORMAT == DIA ? max(column, 0ll) : column);
        if (VALUES == 1)
            sum.add_scaled(values.data[at], factor);
        else
            sum.add_product(widened(values, at), factor);
        if (LIMBS > 1 && --until_carry == 0) sum.carry(), until_carry = PERIOD;
    }
    const Number total = LIMBS == 1 ? sum.sum : sum.normalized();
    return is_finite(total) ? total : line_in_order(a, values, x, line);
}

// (start - the products of the line) * inverse, for a triangle: a warp forms the products together and takes them off one after the other.
template <class Other>
DEVICE Number solved(const Sparse &a, const Values &values, const Other &x, long long line, const Number &start, const Values &inverses) {
    Number rest = start;
    const int steps = (int)a.steps(line), lane = threadIdx.x % 32;
#pragma unroll 1
    for (int first = 0; first < steps; first += 32) {
        Number product = zero();
        if (first + lane < steps) {
            const long long at = a.place(line, first + lane);
            product = widened(values, at) * x.load(a.column(line, first + lane, at));
        }
#pragma unroll 1
        for (int k = 0; k < min(32, steps - first); k++) {
            Number term;
#pragma unroll
            for (int l = 0; l < LIMBS; l++) term[l] = __shfl_sync(~0u, (double)product[l], k);
            rest = rest - term;
        }
    }
    return rest * widened(inverses, line);
}
