// Terms of lines of a sparse matrix with values in f64, times vectors in residues
// (crates/linalg/src/cpu/spmv/rns.rs has the same bits).
#pragma once

#include "sparse/rns_space.cuh"

struct Values {
    const double *data;
    long long plane;
};

#include "arguments.cuh"

#include "sparse/sparse.cuh"
#include "sparse/stepwise_terms.cuh"

// Threads that share a line: its terms are summed in order.
constexpr int SHARES = 1;

DEVICE Number line_product(const Sparse &a, const Values &values, const Vector &x, long long line) {
    Number sum = zero();
    const long long steps = steps_of(a, line);
#pragma unroll 1
    for (long long k = 0; k < steps; k++) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        if (column < 0 || (FORMAT == DIA && values.data[at] == 0.0)) continue;
        sum = sum + times(values.data[at], x.load(column));
    }
    return sum;
}

template <class Other>
DEVICE Number solved(const Sparse &a, const Values &values, const Other &x, long long line, const Number &start, const Values &inverses) {
    const auto term = [&](int k) {
        const long long at = place_of(a, line, k);
        return times(values.data[at], x.load(column_of(a, line, k, at)));
    };
    const Number rest = less_terms(start, (int)steps_of(a, line), term, [](const Number &x, int lane) { return of_lane(x, lane); });
    return times(inverses.data[line], rest);
}
