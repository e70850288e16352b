// Numbers of LIMBS limbs: what is different between them and numbers of any precision
// (mp_sums.cuh).
#pragma once

#include "dense/accumulate.cuh"
#include "dense/operators.cuh"
#include "num/sqrt.cuh"

// A sum of products, and its steps between carries, where there is something to carry.
using Sum = Accumulator<LIMBS>;
enum { CARRIES = LIMBS > 1 };
constexpr unsigned PERIOD = Sum::PERIOD;

DEVICE Sum sum_from(const Number &x) { return {x}; }
DEVICE Number total(const Sum &sum) { return LIMBS == 1 ? sum.sum : sum.normalized(); }

DEVICE Number square_root(const Number &x) { return sqrt(x); }
DEVICE bool is_pivot(const Number &x) { return x[0] > 0.0 && is_finite(x); }

DEVICE bool is_nothing(const Number &x) { return x[0] == 0.0; }

// The power of two by which entries are multiplied whose squares are summed, of which this is the
// largest magnitude: as on the host (crates/linalg/src/reference/reduce.rs).
DEVICE int power_for_squares(double largest) {
    const int exponent = (int)(__double_as_longlong(largest) >> 52) - 1023;
    const bool is_special = largest == 0.0 || exponent == 1024;
    return is_special || (exponent >= -200 && exponent < 400) ? 0 : -exponent;
}

DEVICE Number times_power(const Number &x, int k) { return k == 0 ? x : ldexp(x, k); }

// 1 or 0.
DEVICE Number one_if(bool is_one) { return from_lane<LIMBS>(is_one); }

// The magnitude of an entry as an f64.
DEVICE double size_at(const Matrix &a, long long i, long long j) { return fabs(*a.at(i, j)); }

// The square of `order` rows that begins at `offset` in a column.
DEVICE Matrix square_at(const Matrix &column, unsigned offset, unsigned order) {
    return {column.data + offset, order, order, 1, order, column.plane};
}

// The number of the thread `distance` behind, among `width` threads.
DEVICE Number from_behind(const Number &x, int distance, int width) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_down_sync(ALL, x[l].value, distance, width);
    return y;
}

// The number of the first thread of a warp.
DEVICE Number of_first_thread(const Number &x) {
    Number y;
#pragma unroll
    for (int l = 0; l < LIMBS; l++) y[l] = __shfl_sync(ALL, x[l].value, 0);
    return y;
}
