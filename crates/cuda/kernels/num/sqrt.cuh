// Square roots digit by digit (crates/num/src/multifloat/sqrt.rs, which has bounds and source).

#pragma once

#include "num/div.cuh"

// The roots of numbers of which `root` is that of the first limb and `exact` what it leaves.
DEVICE MultiFloat<2> sqrt_limbs(const MultiFloat<2> &x, Lane root, Lane exact, Lane half_reciprocal) {
    const auto [first, second] = fast_two_sum(root, (exact + x[1]) * half_reciprocal);
    return {{first, second}};
}

DEVICE MultiFloat<3> sqrt_limbs(const MultiFloat<3> &x, Lane root, Lane exact, Lane half_reciprocal) {
    const Lane doubled = root + root;
    auto [high, low] = two_sum(exact, x[1]);
    tie(high, low) = two_sum(high, x[2] + low);

    const auto [q1, rest] = digit(high, doubled, half_reciprocal);
    const Lane remainder = mul_add(-q1, q1, rest + low);
    return normalize(MultiFloat<3>{{root, q1}}, last_digits(remainder, doubled, q1 + q1, half_reciprocal));
}

DEVICE MultiFloat<4> sqrt_limbs(const MultiFloat<4> &x, Lane root, Lane exact, Lane half_reciprocal) {
    const Lane doubled = root + root;
    auto [high, error] = two_sum(exact, x[1]);
    auto [middle, low] = two_sum(x[2], error);
    tie(middle, low) = two_sum(middle, x[3] + low);
    tie(high, middle) = two_sum(high, middle);

    Lane difference_error;
    const auto [q1, rest] = digit(high, doubled, half_reciprocal);
    const auto [p, e] = two_prod(q1, q1);
    tie(high, error) = two_sum(rest, middle);
    tie(high, difference_error) = two_sum(high, -p);
    low = low + ((error + difference_error) - e);
    tie(high, low) = two_sum(high, low);

    const auto [q2, last_rest] = digit(high, doubled, half_reciprocal);
    const Lane second = q1 + q1;
    const Lane remainder = mul_add(-q2, second, last_rest + low);
    return normalize(MultiFloat<4>{{root, q1, q2}}, last_digits(remainder, doubled, second, half_reciprocal));
}

// The root where x[0] lies within 2^+-500.
template <int N> DEVICE MultiFloat<N> sqrt_finite(const MultiFloat<N> &x) {
    const Lane root = square_root(x[0]);
    const Lane half_reciprocal = 0.5 * reciprocal(root); // the bits of 0.5 / root
    return sqrt_limbs(x, root, mul_add(-root, root, x[0]), half_reciprocal);
}

// The root of any number: specials as in IEEE 754, extreme exponents by way of an even power of
// two.
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
