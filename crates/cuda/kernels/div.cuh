// Division by short quotients (crates/num/src/multifloat/div.rs, which has bounds and source).

#pragma once

#include "add.cuh"
#include "mul.cuh"
#include "scale.cuh"

// x / y for two limbs, given 1 / y[0].
DEVICE MultiFloat<2> div_2(const MultiFloat<2> &x, const MultiFloat<2> &y, Lane reciprocal) {
    Lane q = x[0] * reciprocal;
    auto [p, e] = two_prod(q, y[0]);
    const Lane remainder = ((x[0] - p) - e) + (x[1] - q * y[1]);
    tie(q, e) = fast_two_sum(q, remainder * reciprocal);
    return {{q, e}};
}

// r - q * y where q is within a few u^2 of r / y: three limbs but for those that do not count.
DEVICE Lane left_over(const MultiFloat<3> &r, const MultiFloat<2> &q, const MultiFloat<3> &y) {
    const auto [p00, e00] = two_prod(q[0], y[0]);
    const auto [p01, e01] = two_prod(q[0], y[1]);
    const auto [p10, e10] = two_prod(q[1], y[0]);
    const Lane first = r[0] - p00; // exact: p00 is within a few u of r[0]
    const auto [cross, cross_error] = two_sum(p01, p10);
    const auto [s, s_error] = two_sum(first, -e00);
    const auto [t, t_error] = two_sum(r[1], -cross);
    const auto [high, high_error] = two_sum(s, t);
    const Lane second = r[2] - mul_add(q[0], y[2], q[1] * y[1]);
    const Lane errors = (s_error + t_error) + (high_error - cross_error);
    return high + (errors + (second - (e01 + e10)));
}

// x / y where the first limbs' magnitudes lie within 2^+-500, or x is zero.
template <int N> DEVICE MultiFloat<N> div_finite(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    const Lane r = reciprocal(y[0]);
    const MultiFloat<2> head = resize<2>(y);
    const MultiFloat<2> q = div_2(resize<2>(x), head, r);
    if constexpr (N == 2) {
        return q;
    } else {
        const MultiFloat<N> remainder = add_finite(x, -mul_finite(resize<N>(q), y));
        const MultiFloat<2> q_low = div_2(resize<2>(remainder), head, r);
        MultiFloat<N> low = resize<N>(q_low);
        if constexpr (N == 4) {
            const Lane last = left_over(resize<3>(remainder), q_low, resize<3>(y)) * r;
            auto [second, third] = two_sum(q_low[1], last);
            tie(low[0], second) = fast_two_sum(q_low[0], second);
            tie(low[1], low[2]) = fast_two_sum(second, third);
        }
        return add_finite(resize<N>(q), low);
    }
}

// x / y for any operands: specials as in IEEE 754, extreme exponents brought to the middle of the range and back.
template <int N> DEVICE_COLD MultiFloat<N> div_scaled(MultiFloat<N> x, MultiFloat<N> y) {
    const Lane first = x[0] / y[0];
    if (!has_exponent(x) || !has_exponent(y)) return from_lane<N>(first);
    const auto [x_mantissa, x_exponent] = frexp(x);
    const auto [y_mantissa, y_exponent] = frexp(y);
    return ldexp(div_finite(x_mantissa, y_mantissa), x_exponent - y_exponent);
}
