// Terms of lines of a sparse matrix with values of VALUES limbs, times vectors of LIMBS limbs
// (crates/linalg/src/cpu/spmv/limbs.rs has the same bits).
#pragma once

#include "sparse/limb_space.cuh"

using Values = Vector;

#include "arguments.cuh"

#include "sparse/sparse.cuh"
#include "sparse/stepwise_terms.cuh"

// Threads that share a line: its terms are summed in order.
constexpr int SHARES = 1;

DEVICE Number widened(const Values &values, long long at) {
    Number x = zero();
#pragma unroll
    for (int l = 0; l < VALUES; l++) x[l] = values.data[at + l * values.plane];
    return x;
}

// The sum by the operators, without terms that the matrix lacks.
static __device__ __noinline__ Number line_in_order(const Sparse &a, const Values &values, const Vector &x, long long line) {
    Number sum = zero();
    const long long steps = steps_of(a, line);
    for (long long k = 0; k < steps; k++) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        const Number value = widened(values, at);
        if (column < 0 || (FORMAT == DIA && value[0] == 0.0)) continue;
        sum = sum + value * x.load(column);
    }
    return sum;
}

DEVICE Number line_product(const Sparse &a, const Values &values, const Vector &x, long long line) {
    constexpr int PERIOD = Accumulator<LIMBS>::PERIOD;
    Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
    const long long steps = steps_of(a, line);
    int until_carry = PERIOD;
#pragma unroll 4
    for (long long k = 0; k < steps; k++) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        // Where a diagonal leaves the matrix, its value is zero, and that of the vector is any:
        // loads without a condition can be under way together.
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

DEVICE Number of_lane(const Number &x, int lane) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_sync(~0u, (double)x[l], lane);
    return y;
}

// (start - the products of the line) * inverse, for a triangle.
template <class Other>
DEVICE Number solved(const Sparse &a, const Values &values, const Other &x, long long line, const Number &start, const Values &inverses) {
    const auto term = [&](int k) {
        const long long at = place_of(a, line, k);
        return widened(values, at) * x.load(column_of(a, line, k, at));
    };
    const Number rest = less_terms(start, (int)steps_of(a, line), term, [](const Number &x, int lane) { return of_lane(x, lane); });
    return rest * widened(inverses, line);
}
