// Division digit by digit, as on paper: a digit is a limb (crates/num/src/multifloat/div.rs, which
// has bounds and source).

#pragma once

#include "num/eft.cuh"
#include "num/scale.cuh"

// A digit of a quotient, and what is left.
struct Digit {
    Lane digit, rest;
};

// q = r / y to half a unit and a little, and r - q * y, exactly.
DEVICE Digit digit(Lane r, Lane y, Lane reciprocal) {
    Lane q = r * reciprocal;
    q = mul_add(mul_add(-q, y, r), reciprocal, q);
    return {q, mul_add(-q, y, r)};
}

// r / y in two limbs, off by some u^2.
DEVICE Pair last_digits(Lane r, Lane y0, Lane y1, Lane reciprocal) {
    const Lane q = r * reciprocal;
    const Lane remainder = mul_add(-q, y1, mul_add(-q, y0, r));
    return {q, remainder * reciprocal};
}

// The sum of N - 1 digits, of which each is zero or larger than the next, and of the last two, in
// normal form.
template <int N> DEVICE MultiFloat<N> normalize(MultiFloat<N> z, Pair last) {
    tie(z[N - 2], z[N - 1]) = fast_two_sum(z[N - 2], last.first);
    z[N - 1] = z[N - 1] + last.second;
#pragma unroll
    for (int i = N - 3; i >= 0; i--) tie(z[i], z[i + 1]) = fast_two_sum(z[i], z[i + 1]);
#pragma unroll
    for (int start = 1; start >= 0; start--) {
#pragma unroll
        for (int i = start; i < N - 1; i++) tie(z[i], z[i + 1]) = fast_two_sum(z[i], z[i + 1]);
    }
    return z;
}

DEVICE MultiFloat<2> div_limbs(const MultiFloat<2> &x, const MultiFloat<2> &y, Lane reciprocal) {
    const Lane q = x[0] * reciprocal;
    const Lane remainder = mul_add(-q, y[0], x[0]) + mul_add(-q, y[1], x[1]);
    const auto [first, second] = fast_two_sum(q, remainder * reciprocal);
    return {{first, second}};
}

DEVICE MultiFloat<3> div_limbs(const MultiFloat<3> &x, const MultiFloat<3> &y, Lane reciprocal) {
    const auto [q0, exact] = digit(x[0], y[0], reciprocal);
    // Order u: exact, x[1], p. Order u^2: the rest, where rounded sums suffice.
    const auto [p, e] = two_prod(q0, y[1]);
    Lane difference_error;
    auto [high, sum_error] = two_sum(exact, x[1]);
    tie(high, difference_error) = two_sum(high, -p);
    Lane low = (mul_add(-q0, y[2], x[2]) - e) + (sum_error + difference_error);
    tie(high, low) = two_sum(high, low);

    const auto [q1, rest] = digit(high, y[0], reciprocal);
    const Lane remainder = mul_add(-q1, y[1], rest + low);
    return normalize(MultiFloat<3>{{q0, q1}}, last_digits(remainder, y[0], y[1], reciprocal));
}

DEVICE MultiFloat<4> div_limbs(const MultiFloat<4> &x, const MultiFloat<4> &y, Lane reciprocal) {
    Lane a, b, c, d, difference_error;
    const auto [q0, exact] = digit(x[0], y[0], reciprocal);
    const auto [p1, e1] = two_prod(q0, y[1]);
    const auto [p2, e2] = two_prod(q0, y[2]);
    // Order u: exact, x[1], p1. Order u^2: their errors, e1, x[2], p2. Order u^3: the rest, where
    // rounded sums suffice.
    auto [high, sum_error] = two_sum(exact, x[1]);
    tie(high, difference_error) = two_sum(high, -p1);
    Lane middle, errors;
    tie(middle, a) = two_sum(x[2], -p2);
    tie(errors, b) = two_sum(sum_error, -e1);
    tie(middle, c) = two_sum(middle, errors);
    tie(middle, d) = two_sum(middle, difference_error);
    Lane low = ((mul_add(-q0, y[3], x[3]) - e2) + (a + b)) + (c + d);
    tie(middle, low) = two_sum(middle, low);
    tie(high, middle) = two_sum(high, middle);

    const auto [q1, rest] = digit(high, y[0], reciprocal);
    const auto [p, e] = two_prod(q1, y[1]);
    tie(high, sum_error) = two_sum(rest, middle);
    tie(high, difference_error) = two_sum(high, -p);
    low = (low + mul_add(-q1, y[2], -e)) + (sum_error + difference_error);
    tie(high, low) = two_sum(high, low);

    const auto [q2, last_rest] = digit(high, y[0], reciprocal);
    const Lane remainder = mul_add(-q2, y[1], last_rest + low);
    return normalize(MultiFloat<4>{{q0, q1, q2}}, last_digits(remainder, y[0], y[1], reciprocal));
}

// x / y where the first limbs' magnitudes lie within 2^+-500, or x is zero.
template <int N> DEVICE MultiFloat<N> div_finite(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    return div_limbs(x, y, reciprocal(y[0]));
}

// x / y for any operands: specials as in IEEE 754, extreme exponents brought to the middle of the
// range and back.
template <int N> DEVICE_COLD MultiFloat<N> div_scaled(MultiFloat<N> x, MultiFloat<N> y) {
    const Lane first = x[0] / y[0];
    if (!has_exponent(x) || !has_exponent(y)) return from_lane<N>(first);
    const auto [x_mantissa, x_exponent] = frexp(x);
    const auto [y_mantissa, y_exponent] = frexp(y);
    return ldexp(div_finite(x_mantissa, y_mantissa), x_exponent - y_exponent);
}
