// asinh, acosh, atanh (crates/num/src/multifloat/elementary/inverse_hyperbolic.rs, which has method
// and bounds).

#pragma once

#include "num/compare.cuh"
#include "num/elementary/hyperbolic.cuh"
#include "num/elementary/logarithm.cuh"
#include "num/sqrt.cuh"

namespace elementary {

// From here on ln 2x has all limbs right.
constexpr double LARGE_FOR_ASINH = 0x1p240;

// ln 2x for positive x.
template <int N> DEVICE_COLD MultiFloat<N> ln_of_double(MultiFloat<N> x) {
    if (is_infinite(x)) return x;
    auto of_half = logarithm(x);
    of_half.e += 1;
    return of_half.ln();
}

template <int N> DEVICE MultiFloat<N> asinh(const MultiFloat<N> &x) {
    const Lane first = magnitude(x[0]);
    if (first < TINY || is_nan(x)) return x;
    if (!(first < LARGE_FOR_ASINH)) return copysign(ln_of_double(abs(x)), x);
    const auto size = abs(x);
    const auto square = mul_finite(size, size);
    const auto root = sqrt(add_integer(square, 1.0));
    return with_sign_of(x, log1p(add_finite(size, quotient(square, add_integer(root, 1.0)))));
}

template <int N> DEVICE MultiFloat<N> acosh(const MultiFloat<N> &x) {
    if (x[0] >= LARGE_FOR_ASINH) return ln_of_double(x);
    const int order = compare(x, from_lane<N>(1.0));
    if (order != 1) return order == 0 ? from_lane<N>(0.0) : nan<N>();
    const auto t = add_integer(x, -1.0);
    const auto root = sqrt(mul_finite(t, add_integer(t, 2.0)));
    return log1p(add_finite(t, root));
}

// Next to 1 and -1, where 1 - |x| is exact and the quotient could overflow; NaN beyond.
template <int N> DEVICE_COLD MultiFloat<N> atanh_next_to_one(MultiFloat<N> x) {
    const auto one = from_lane<N>(1.0), size = abs(x);
    if (!(size <= one)) return nan<N>();
    return copysign(scale(ln(size + one) - ln(one - size), 0.5), x);
}

template <int N> DEVICE MultiFloat<N> atanh(const MultiFloat<N> &x) {
    const Lane first = magnitude(x[0]);
    if (first < TINY || is_nan(x)) return x;
    if (!(first < 1.0)) return atanh_next_to_one(x);
    const auto size = abs(x);
    const auto w = quotient(scale(size, 2.0), add_integer(-size, 1.0));
    return with_sign_of(x, scale(log1p(w), 0.5));
}

} // namespace elementary
