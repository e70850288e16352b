// Comparison by value (crates/num/src/multifloat/cmp.rs).
//
// Where two first limbs are neighbours the tails can outweigh their difference, and one value can
// have two limb sequences in normal form. The sign of the exact difference decides.

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

// The sign of x - y for first limbs of which the difference is exact.
//
// The difference is an expansion, which limbs are added to one by one: its components do not
// overlap and rise in magnitude, so the last that is not zero has its sign (Shewchuk, Adaptive
// precision floating-point arithmetic, 1997, theorem 10).
template <int N> DEVICE_COLD int sign_of_difference(MultiFloat<N> x, MultiFloat<N> y) {
    Lane e[2 * N - 1];
    e[0] = x[0] - y[0];
#pragma unroll
    for (int length = 1; length < 2 * N - 1; length++) {
        Lane carry = length % 2 == 1 ? x[(length + 1) / 2] : -y[length / 2];
#pragma unroll
        for (int i = 0; i < length; i++) tie(carry, e[i]) = two_sum(carry, e[i]);
        e[length] = carry;
    }
    int sign = 0;
#pragma unroll
    for (int i = 0; i < 2 * N - 1; i++) sign = e[i] > 0.0 ? 1 : e[i] < 0.0 ? -1 : sign;
    return sign;
}

// -1, 0, 1 as x is less than, equal to or greater than y; 2 where either is NaN.
template <int N> DEVICE int compare(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    if constexpr (N > 1) {
        // First limbs further apart than this cannot be overtaken by tails of half a unit each.
        const Lane margin = magnitude(x[0]) * 0x1p-51 + magnitude(y[0]) * 0x1p-51;
        if (magnitude(x[0] - y[0]) <= margin && is_finite(margin)) return sign_of_difference(x, y);
    }
    return x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : x[0] == y[0] ? 0 : 2;
}

template <int N> DEVICE bool operator<(const MultiFloat<N> &x, const MultiFloat<N> &y) { return compare(x, y) == -1; }
template <int N> DEVICE bool operator>(const MultiFloat<N> &x, const MultiFloat<N> &y) { return compare(x, y) == 1; }
template <int N> DEVICE bool operator<=(const MultiFloat<N> &x, const MultiFloat<N> &y) { return compare(x, y) <= 0; }
template <int N> DEVICE bool operator>=(const MultiFloat<N> &x, const MultiFloat<N> &y) { return (compare(x, y) | 1) == 1; }
template <int N> DEVICE bool operator==(const MultiFloat<N> &x, const MultiFloat<N> &y) { return compare(x, y) == 0; }
template <int N> DEVICE bool operator!=(const MultiFloat<N> &x, const MultiFloat<N> &y) { return compare(x, y) != 0; }
