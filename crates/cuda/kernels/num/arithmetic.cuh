// The operators + - * / with IEEE 754 semantics for NaN, infinities and signed zeros
// (crates/num/src/multifloat/arithmetic.rs, which has the bounds).
//
// Where a network meets an infinity its lower limbs turn into NaN, so a result that is not finite
// is formed anew from first limbs.

#pragma once

#include "num/add.cuh"
#include "num/div.cuh"
#include "num/mul.cuh"
#include "num/scale.cuh"

// A sum of which the network's is not finite: an operand is not, or the sum or a step on the way to
// it overflows.
template <int N> DEVICE_COLD MultiFloat<N> add_special(MultiFloat<N> x, MultiFloat<N> y) {
    if (!is_finite(x) || !is_finite(y)) return from_lane<N>(x[0] + y[0]);
    // Far from cancellation, so that the bits lost at the lower end of the range do not count.
    return ldexp(add_finite(scale(x, 0.25), scale(y, 0.25)), 2);
}

// A product of which the network's is not finite: an operand is not, or the product or a step on
// the way overflows.
template <int N> DEVICE_COLD MultiFloat<N> mul_special(MultiFloat<N> x, MultiFloat<N> y) {
    if (!is_finite(x) || !is_finite(y)) return from_lane<N>(x[0] * y[0]);
    const auto [x_mantissa, x_exponent] = frexp(x);
    const auto [y_mantissa, y_exponent] = frexp(y);
    return ldexp(mul_finite(x_mantissa, y_mantissa), x_exponent + y_exponent);
}

template <int N> DEVICE MultiFloat<N> operator+(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    MultiFloat<N> z = add_finite(x, y);
    if constexpr (N > 1) {
        if (!is_normal(z[0])) {
            if (!is_finite(z)) return add_special(x, y);
            // Of all zeros only (-0) + (-0) is negative.
            const Lane first = x[0] + y[0];
            if (z[0] == 0.0) z[0] = select(first == 0.0, first, 0.0);
        }
    }
    return z;
}

template <int N> DEVICE MultiFloat<N> operator-(const MultiFloat<N> &x, const MultiFloat<N> &y) { return x + -y; }

template <int N> DEVICE MultiFloat<N> operator*(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    MultiFloat<N> z = mul_finite(x, y);
    if constexpr (N > 1) {
        if (!is_normal(z[0])) {
            if (!is_finite(z)) return mul_special(x, y);
            // Zeros keep their sign.
            if (z[0] == 0.0) z[0] = x[0] * y[0];
        }
    }
    return z;
}

template <int N> DEVICE MultiFloat<N> operator/(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    if constexpr (N == 1) {
        return {{x[0] / y[0]}};
    } else {
        return is_moderate(x[0]) && is_moderate(y[0]) ? div_finite(x, y) : div_scaled(x, y);
    }
}
