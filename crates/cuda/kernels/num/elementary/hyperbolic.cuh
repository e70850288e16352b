// sinh, cosh, tanh (crates/num/src/multifloat/elementary/hyperbolic.rs, which has method and
// bounds).

#pragma once

#include "num/elementary/domain.cuh"
#include "num/elementary/exponential.cuh"
#include "num/elementary/quotient.cuh"

namespace elementary {

// From here on e^-|x| does not count against e^|x|.
constexpr double LARGE_FOR_COSH = 300.0;

// x + n for a small integer n.
template <int N> DEVICE MultiFloat<N> add_integer(const MultiFloat<N> &x, double n) { return add_finite(x, from_lane<N>(n)); }

// e^|x| / 2 for |x| >= LARGE_FOR_COSH.
template <int N> DEVICE_COLD MultiFloat<N> half_exponential(MultiFloat<N> x) {
    if (magnitude(x[0]) > 712.0) return infinity<N>();
    const auto reduced = Reduced<N>::natural(abs(x));
    return ldexp(reduced.significand(), reduced.m - 1);
}

template <int N> DEVICE MultiFloat<N> sinh(const MultiFloat<N> &x) {
    const Lane size = magnitude(x[0]);
    if (size < TINY || is_nan(x)) return x;
    if (!(size < LARGE_FOR_COSH)) return copysign(half_exponential(x), x);
    const auto m = expm1(abs(x));
    const auto doubled = add_finite(m, quotient(m, add_integer(m, 1.0)));
    return with_sign_of(x, scale(doubled, 0.5));
}

template <int N> DEVICE MultiFloat<N> cosh(const MultiFloat<N> &x) {
    if (is_nan(x)) return x;
    if (!(magnitude(x[0]) < LARGE_FOR_COSH)) return half_exponential(x);
    const auto e = exp(abs(x));
    return add_finite(scale(e, 0.5), quotient(from_lane<N>(0.5), e));
}

template <int N> DEVICE MultiFloat<N> tanh(const MultiFloat<N> &x) {
    const Lane size = magnitude(x[0]);
    if (size < TINY || is_nan(x)) return x;
    // From 80 on it is 1 or -1 to all limbs.
    if (!(size < 80.0)) return copysign(from_lane<N>(1.0), x);
    const auto m = expm1(scale(abs(x), 2.0));
    return with_sign_of(x, quotient(m, add_integer(m, 2.0)));
}

} // namespace elementary
