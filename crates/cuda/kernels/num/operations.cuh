// The short elementwise operations by the names of linalg's table (crates/linalg/src/operation.rs).

#pragma once

#include "num/arithmetic.cuh"
#include "num/sqrt.cuh"

namespace operation {

template <int N> DEVICE MultiFloat<N> neg(const MultiFloat<N> &x) { return -x; }
template <int N> DEVICE MultiFloat<N> abs(const MultiFloat<N> &x) { return ::abs(x); }
template <int N> DEVICE MultiFloat<N> sqrt(const MultiFloat<N> &x) { return ::sqrt(x); }
template <int N> DEVICE MultiFloat<N> add(const MultiFloat<N> &x, const MultiFloat<N> &y) { return x + y; }
template <int N> DEVICE MultiFloat<N> sub(const MultiFloat<N> &x, const MultiFloat<N> &y) { return x - y; }
template <int N> DEVICE MultiFloat<N> mul(const MultiFloat<N> &x, const MultiFloat<N> &y) { return x * y; }
template <int N> DEVICE MultiFloat<N> div(const MultiFloat<N> &x, const MultiFloat<N> &y) { return x / y; }

// The product is rounded before the sum.
template <int N> DEVICE MultiFloat<N> mul_add(const MultiFloat<N> &x, const MultiFloat<N> &y, const MultiFloat<N> &z) {
    return x * y + z;
}

} // namespace operation
