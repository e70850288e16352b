// Argument reduction r = x - k * C for an integer k and a constant C
// (crates/num/src/multifloat/elementary/reduce.rs, which has source and bound).

#pragma once

#include "num/elementary/wide.cuh"

namespace elementary {

// Largest |k| for which subtract_multiple is accurate.
constexpr double LARGEST_MULTIPLE = 8388607.0; // 2^23 - 1

// x - k * C, for k next to x / C and k * C[0] as near to x[0]; C has short limbs, so that their
// products by k are exact. x has N limbs, or one more.
template <int N, int K> DEVICE MultiFloat<N> subtract_multiple(const MultiFloat<K> &x, Lane k, const double (&constant)[9]) {
    const auto [first, error] = two_sum(mul_add(-k, constant[0], x[0]), -k * constant[1]);
    // In falling order where k is large.
    List<7 + 2 * (N > 2) + 3 * (N > 3) + (K - N)> list;
    list.push(first);
    list.push(x[1]);
    list.push(-k * constant[2]);
    list.push(error);
    list.push(-k * constant[3]);
    if constexpr (N > 2) list.push(x[2]);
    list.push(-k * constant[4]);
    list.push(-k * constant[5]);
    if constexpr (N > 3) list.push(x[3]);
    if constexpr (N > 2) list.push(-k * constant[6]);
    if constexpr (N > 3) list.push(-k * constant[7]);
    if constexpr (K > N) list.push(x[N]);
    if constexpr (N > 3) list.push(-k * constant[8]);
    return list.template condense<N>();
}

} // namespace elementary
