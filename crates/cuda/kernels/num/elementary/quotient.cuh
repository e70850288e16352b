// Quotients to the last place (crates/num/src/multifloat/elementary/quotient.rs, which has the
// bound).

#pragma once

#include "num/div.cuh"

namespace elementary {

// x / y where the first limbs' magnitudes lie within 2^+-500, or x is zero.
template <int N> DEVICE MultiFloat<N> quotient(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    MultiFloat<N> q = div_finite(x, y);
    if constexpr (N == 2) {
        const auto [p, e] = two_prod(q[0], y[0]);
        const auto [p_low, e_low] = two_prod(q[1], y[0]);
        const auto [cross, cross_error] = two_prod(q[0], y[1]);
        // x - q * y: the first difference is exact, the next two nearly cancel, and their errors
        // are kept.
        const auto [high, high_error] = two_sum(x[0] - p, -e);
        const auto [low, low_error] = two_sum(x[1], -cross);
        const auto [sum, sum_error] = two_sum(high, low);
        const Lane errors = (high_error + low_error) + sum_error;
        const Lane remainder = (sum - p_low) + (errors - ((e_low + cross_error) + q[1] * y[1]));
        tie(q[0], q[1]) = fast_two_sum(q[0], q[1] + remainder / y[0]);
    }
    return q;
}

} // namespace elementary
