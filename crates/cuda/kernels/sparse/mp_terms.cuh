// Terms of lines of a sparse matrix with values of VALUES bits, times vectors of PRECISION bits
// (crates/linalg/src/cpu/spmv/mp.rs has the same bits).
#pragma once

#include "mp/shares.cuh"
#include "sparse/mp_space.cuh"

using Values = mp::Vector;

#include "arguments.cuh"

#include "sparse/sparse.cuh"
#include "sparse/stepwise_terms.cuh"

#if IEEE

// Threads that share a line: its terms are summed in order.
constexpr int SHARES = 1;

DEVICE Number line_product(const Sparse &a, const Values &values, const Vector &x, long long line) {
    Number sum = zero();
    const long long steps = steps_of(a, line);
#pragma unroll 1
    for (long long k = 0; k < steps; k++) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        if (column < 0 || (FORMAT == DIA && mp::is_zero(values.heads[at]))) continue;
        sum = mp::multiply<PRECISION, VALUES>(x.load(column), values.load<VALUES>(at)) + sum;
    }
    return sum;
}

DEVICE Number of_lane(const Number &x, int lane) {
    Number y;
    y.head = __shfl_sync(~0u, x.head, lane);
#pragma unroll mp::unrolled(Number::D)
    for (int i = 0; i < Number::D; i++) y.digits[i] = __shfl_sync(~0u, x.digits[i], lane);
    return y;
}

// (start - the products of the line) * inverse, for a triangle.
template <class Other>
DEVICE Number solved(const Sparse &a, const Values &values, const Other &x, long long line, const Number &start, const Values &inverses) {
    const auto term = [&](int k) {
        const long long at = place_of(a, line, k);
        return mp::multiply<PRECISION, VALUES>(x.load(column_of(a, line, k, at)), values.load<VALUES>(at));
    };
    const Number rest = less_terms(start, (int)steps_of(a, line), term, [](const Number &x, int lane) { return of_lane(x, lane); });
    return mp::multiply<PRECISION, VALUES>(rest, inverses.load<VALUES>(line));
}

#else

// Threads that share a line: sums are exact but for the unit, in any order.
constexpr int SHARES = SHARING;

// All threads of a warp come here, each with a line, where several share one; beyond the last line
// there is nothing to do.
template <class Other> DEVICE Number line_product(const Sparse &a, const Values &values, const Other &x, long long line) {
    const int share = threadIdx.x % SHARES;
    const long long steps = line < a.rows ? steps_of(a, line) : 0;
    mp::Census census = mp::Census::none();
    for (long long k = share; k < steps; k += SHARES) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        const int value = values.heads[at];
        if (column >= 0 && !(FORMAT == DIA && mp::is_zero(value))) census.see(value, x.head(column));
    }
    mp::merge_shares<SHARES>(census);
    using Sum = mp::Fixed<PRECISION, 31>;
    const mp::Unit unit = Sum::unit(census);
    Sum sum = Sum::zero();
#pragma unroll 1
    for (long long k = share; k < steps; k += SHARES) {
        const long long at = place_of(a, line, k), column = column_of(a, line, k, at);
        if (column >= 0 && !census.is_settled()) sum.add_product(values.load<VALUES>(at), x.load(column), census, unit);
    }
#pragma unroll
    for (int distance = 1; distance < SHARES; distance *= 2) mp::add(sum.sum, mp::of_share(sum.sum, distance), false, false);
    return census.is_settled() ? Number::special(census.settled()) : sum.rounded(unit);
}

// (start - the products of the line) * inverse, for a triangle, by the threads that share the line.
template <class Other>
DEVICE Number solved(const Sparse &a, const Values &values, const Other &x, long long line, const Number &start, const Values &inverses) {
    const Number rest = start - line_product(a, values, x, line);
    return mp::multiply<PRECISION, VALUES>(rest, inverses.load<VALUES>(line));
}

#endif
