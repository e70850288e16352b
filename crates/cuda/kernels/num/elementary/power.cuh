// x^y for real and integer y (crates/num/src/multifloat/elementary/power.rs, which has method and
// bounds).

#pragma once

#include "num/compare.cuh"
#include "num/elementary/exponential.cuh"
#include "num/elementary/logarithm.cuh"
#include "num/elementary/quotient.cuh"
#include "num/round.cuh"

namespace elementary {

// x of magnitude around 1 to the nearest multiple of half a unit of the last place.
template <int N> DEVICE MultiFloat<N> round_to_half_unit(MultiFloat<N> x) {
    // Adding and subtracting 3/2 * 2^52 units rounds numbers of less than 2^51 units; larger limbs
    // have no such bits.
    const Lane unit = power_of_two(exponent(x[0]) - 52 * N);
    const Lane anchor = unit * 0x1.8p52, small = unit * 0x1p51;
#pragma unroll
    for (int i = 1; i < N; i++) {
        const Lane rounded = (x[i] + anchor) - anchor;
        x[i] = select(small < magnitude(x[i]), x[i], rounded);
    }
    return renormalize(x);
}

// What a power comes to: (-1)^is_negative * (m * 2^e)^y for positive finite m, or where is_final m
// itself.
template <int N> struct PowerCase {
    bool is_final, is_negative;
    Frexp<N> base;
};

// Of x that is not positive and in range, or y that is not finite, with the special cases of C99.
template <int N> DEVICE_COLD PowerCase<N> power_case(MultiFloat<N> x, MultiFloat<N> y) {
    const auto one = from_lane<N>(1.0), size = abs(x);
    const bool is_negative = is_sign_negative(x) && is_odd(y);
    if (y[0] == 0.0 || x == one) return {true, false, {one, 0}};
    if (is_nan(x) || is_nan(y)) return {true, false, {nan<N>(), 0}};
    if (is_infinite(y) && size == one) return {true, is_negative, {one, 0}};
    if (size[0] == 0.0 || is_infinite(size) || is_infinite(y)) {
        // Infinite or zero, as the sign of y * ln x says.
        const bool infinite = (size > one) == (y[0] > 0.0);
        return {true, is_negative, {infinite ? infinity<N>() : from_lane<N>(0.0), 0}};
    }
    if (x[0] < 0.0 && !is_integer(y)) return {true, false, {nan<N>(), 0}};
    if (in_range(size[0])) return {false, is_negative, {size, 0}};
    return {false, is_negative, frexp(size)};
}

template <int N> DEVICE MultiFloat<N> pow(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    const bool usual = in_range(x[0]) && is_finite(y);
    PowerCase<N> power{false, false, {x, 0}};
    if (!usual) power = power_case(x, y);
    if (power.is_final) return negate_where(power.is_negative, power.base.mantissa);
    const auto logarithm = Logarithm<N>::of(Wide<N>::exact(power.base.mantissa), power.base.exponent).natural();
    const Lane estimate = logarithm.limbs[0] * y[0];
    if (magnitude(estimate) > 746.0)
        return negate_where(power.is_negative, estimate > 0.0 ? infinity<N>() : from_lane<N>(0.0));
    const auto z = logarithm * Wide<N>::exact(y);
    const auto reduced = Reduced<N>::natural(z.limbs);
    const auto significand = round_to_half_unit(reduced.significand());
    const bool in_middle = usual && magnitude(z.limbs[0]) < 708.0;
    return negate_where(
        power.is_negative, in_middle ? scale(significand, power_of_two(reduced.m)) : ldexp(significand, reduced.m));
}

// Whether a magnitude is at most the root of 2.
DEVICE bool is_below_root(Lane x) { return !(magnitude(x) > 0x1.6a09e667f3bcdp0); }

// x^n for |x| in [1/2, 2) and 0 < |n| <= 511, by the binary digits of n, highest first.
template <int N> DEVICE MultiFloat<N> powi_of_significand(const MultiFloat<N> &x, int n) {
    const unsigned size = n < 0 ? -(unsigned)n : n;
    const auto base = Wide<N>::exact(x);
    auto z = base;
    for (int bit = 62 - __clzll((long long)size); bit >= 0; bit--) {
        z = z * z;
        if (size >> bit & 1) z = z * base;
    }
    return n < 0 ? quotient(from_lane<N>(1.0), z.head()) : z.head();
}

// x^n for any x and n.
template <int N> DEVICE_COLD MultiFloat<N> powi_of_any(MultiFloat<N> x, int n) {
    if (!has_exponent(x) || n < -511 || n > 511) return pow(x, integer_number<N>(n));
    if (n == 0) return from_lane<N>(1.0);
    auto [m, e] = frexp(x);
    const int below = is_below_root(m[0] * 2.0);
    return ldexp(powi_of_significand(scale(m, below ? 2.0 : 1.0), n), (e - below) * n);
}

template <int N> DEVICE MultiFloat<N> powi(const MultiFloat<N> &x, int n) {
    if (n >= -511 && n <= 511 && n != 0 && in_range(magnitude(x[0]))) {
        const int e = exponent(x[0]) + 1 - is_below_root(x[0] * power_of_two(-exponent(x[0])));
        // The significand's power adds up to 256.
        if (abs(e * n) < 700) return scale(powi_of_significand(scale(x, power_of_two(-e)), n), power_of_two(e * n));
    }
    return powi_of_any(x, n);
}

} // namespace elementary
