// Cube roots and hypotenuses (crates/num/src/multifloat/elementary/root.rs, which has method and
// bounds).

#pragma once

#include "num/elementary/domain.cuh"
#include "num/elementary/power.cuh"
#include "num/elementary/series.cuh"
#include "num/elementary/wide.cuh"
#include "num/sqrt.cuh"
#include "num/tables.cuh"

namespace elementary {

// The cube root of a number whose first limb is in [1, 8).
template <int N> DEVICE MultiFloat<N> root_of_significand(const MultiFloat<N> &m) {
    // Within 4 % of m^(-1/3); each step squares the relative error and doubles it.
    Lane z = m[0] * 0.011 - 0.165;
    z = z * m[0] + 1.12;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        const Lane error = 1.0 - m[0] * z * z * z;
        z = z + z * (error * (1.0 / 3.0));
    }
    const Lane a = m[0] * z * z;
    // a^3 of three limbs is exact.
    const auto [square, square_low] = two_prod(a, a);
    const auto [p, p_error] = two_prod(square, a);
    const auto [q, q_error] = two_prod(square_low, a);
    List<4> list;
    list.push(p);
    list.push(p_error);
    list.push(q);
    list.push(q_error);
    const auto cube = list.template condense<N>();
    List<N + 4> difference;
    difference.push(m[0]);
    difference.push(-p);
    difference.push(m[1]);
    difference.push(-p_error);
    difference.push(-q);
#pragma unroll
    for (int i = 2; i < N; i++) difference.push(m[i]);
    difference.push(-q_error);
    const auto d = div_finite(difference.template condense<N>(), cube);
    const auto correction = mul_finite(d, evaluate<tables::root::SERIES>(d));
    const auto approximation = from_lane<N>(a);
    return round_to_half_unit(add_product(approximation, approximation, correction));
}

// floor(k / 3) for k > -3000.
DEVICE int third_of(int k) { return (k + 3000) / 3 - 1000; }

// |x| * 2^(-3 * third) in [1, 8).
template <int N> struct CubeParts {
    MultiFloat<N> significand;
    int third;
};

template <int N> DEVICE_COLD CubeParts<N> cube_parts_of_extreme(MultiFloat<N> x) {
    const auto [m, e] = frexp(x);
    const int third = third_of(e - 1);
    return {ldexp(abs(m), e - 3 * third), third};
}

template <int N> DEVICE MultiFloat<N> cbrt(const MultiFloat<N> &x) {
    const bool usual = in_range(magnitude(x[0]));
    CubeParts<N> parts;
    if (usual) {
        parts.third = third_of(exponent(x[0]));
        parts.significand = scale(abs(x), power_of_two(-3 * parts.third));
    } else {
        if (!has_exponent(x)) return x;
        parts = cube_parts_of_extreme(x);
    }
    const auto root = root_of_significand(parts.significand);
    if (usual) return scale(root, negate_where(x[0] < 0.0, power_of_two(parts.third)));
    return copysign(ldexp(root, parts.third), x);
}

// Whether x is zero or so large that its square has all limbs, where both are below 2^240.
DEVICE bool has_square(Lane x) { return magnitude(x) > 0x1p-240 || x == 0.0; }

template <int N> DEVICE MultiFloat<N> hypot_of_moderate(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    return sqrt(add_finite(mul_finite(x, x), mul_finite(y, y)));
}

template <int N> DEVICE_COLD MultiFloat<N> hypot_of_any(MultiFloat<N> x, MultiFloat<N> y) {
    if (is_infinite(x) || is_infinite(y)) return infinity<N>();
    if (is_nan(x) || is_nan(y)) return nan<N>();
    const int x_exponent = frexp_exponent(x[0]) - 1, y_exponent = frexp_exponent(y[0]) - 1;
    const int exponent = x[0] == 0.0 ? (y[0] == 0.0 ? 0 : y_exponent)
                         : y[0] == 0.0 ? x_exponent : max(x_exponent, y_exponent);
    return ldexp(hypot_of_moderate(ldexp(x, -exponent), ldexp(y, -exponent)), exponent);
}

template <int N> DEVICE MultiFloat<N> hypot(const MultiFloat<N> &x, const MultiFloat<N> &y) {
    const Lane x_size = magnitude(x[0]), y_size = magnitude(y[0]);
    const Lane larger = select(x_size < y_size, y_size, x_size);
    const bool usual = has_square(x[0]) && has_square(y[0]) && larger > 0x1p-240 && larger < 0x1p240;
    return usual ? hypot_of_moderate(x, y) : hypot_of_any(x, y);
}

} // namespace elementary
