// Square roots: the root of the head, then one Newton step from the exact residual (crates/num/src/multifloat/sqrt.rs, which has
// bounds and source).

#pragma once

#include "div.cuh"

// The root where x[0] lies within 2^+-500.
template <int N> DEVICE MultiFloat<N> sqrt_finite(const MultiFloat<N> &x) {
    const Lane first = square_root(x[0]);
    const Lane half_reciprocal = 0.5 * reciprocal(first); // the bits of 0.5 / first
    const auto [p, e] = two_prod(first, first);
    const Lane head_residual = ((x[0] - p) - e) + x[1];
    const auto [root, root_low] = fast_two_sum(first, head_residual * half_reciprocal);
    const MultiFloat<2> head{{root, root_low}};
    if constexpr (N == 2) {
        return head;
    } else {
        const MultiFloat<N> wide = resize<N>(head);
        const MultiFloat<N> residual = add_finite(x, -mul_finite(wide, wide));
        const MultiFloat<2> doubled{{root + root, root_low + root_low}};
        MultiFloat<2> correction = div_2(resize<2>(residual), doubled, half_reciprocal);
        if constexpr (N == 4) {
            const Lane left = left_over(resize<3>(residual), correction, resize<3>(doubled));
            tie(correction[0], correction[1]) = fast_two_sum(correction[0], correction[1] + left * half_reciprocal);
        }
        return add_finite(wide, resize<N>(correction));
    }
}

// The root of any number: specials as in IEEE 754, extreme exponents by way of an even power of two.
template <int N> DEVICE_COLD MultiFloat<N> sqrt_scaled(MultiFloat<N> x) {
    if (x[0] == 0.0 || is_nan(x)) return from_lane<N>(x[0]);
    if (x[0] < 0.0) return nan<N>();
    if (!is_finite(x)) return from_lane<N>(x[0]);
    const auto [mantissa, exponent] = frexp(x);
    const int odd = exponent & 1;
    return ldexp(sqrt_finite(ldexp(mantissa, odd)), (exponent - odd) / 2);
}

template <int N> DEVICE MultiFloat<N> sqrt(const MultiFloat<N> &x) {
    if constexpr (N == 1) {
        return {{square_root(x[0])}};
    } else {
        return is_moderate(x[0]) && !is_sign_negative(x) ? sqrt_finite(x) : sqrt_scaled(x);
    }
}
