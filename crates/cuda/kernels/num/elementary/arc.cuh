// atan, atan2, asin, acos (crates/num/src/multifloat/elementary/arc.rs, which has method and
// bounds).

#pragma once

#include "num/arithmetic.cuh"
#include "num/compare.cuh"
#include "num/elementary/domain.cuh"
#include "num/elementary/quotient.cuh"
#include "num/elementary/series.cuh"
#include "num/elementary/wide.cuh"
#include "num/sqrt.cuh"
#include "num/tables.cuh"

namespace elementary {

// Coordinates below this are of moderate size.
constexpr double LARGE_COORDINATE = 0x1p120;
// Quotients of coordinates that are further apart than this exponent do not change a right angle.
constexpr int FAR = 240;

// The angle of the point (x, y) with coordinates of moderate size, not both zero; y = 0 counts as
// positive.
template <int N> DEVICE MultiFloat<N> angle(const MultiFloat<N> &y_signed, const MultiFloat<N> &x_signed) {
    const bool left = x_signed[0] < 0.0, below = y_signed[0] < 0.0;
    const auto x = negate_where(left, x_signed), y = negate_where(below, y_signed);
    // The octant: multiples of pi/2 to add, and the direction of the angle counted from there.
    const bool steep = x[0] < y[0], backwards = steep != left;
    const double quarters = steep ? 1.0 : left ? 2.0 : 0.0;
    const auto u = select(steep, x, y), v = select(steep, y, x);
    const Lane anchored = u[0] / v[0] * 128.0 + ANCHOR;
    const int entry = __double2loint(anchored);
    const Lane c = (anchored - ANCHOR) * (1.0 / 128.0);
    // u - c * v, exactly but for the last limb.
    List<3 * N> list;
    Lane error = 0.0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        const auto [p, next_error] = two_prod(v[i], c);
        list.push(u[i]);
        if (i > 0) list.push(-error);
        list.push(-p);
        error = next_error;
    }
    list.push(-error);
    const auto t = quotient(list.template condense<N>(), add_product(v, u, from_lane<N>(c)));
    const auto z = mul_finite(t, t);
    const auto h = mul_finite(z, evaluate<tables::arc::SERIES>(z));
    const auto small = negate_where(backwards, add_product(t, t, h));
    List<2 * N + 2> sum;
#pragma unroll
    for (int i = 0; i < N + 2; i++) {
        const Lane arc = negate_where(backwards, __ldg(&tables::arc::ARCS[i][entry]));
        sum.push(mul_add(quarters, tables::arc::HALF_PI_GRID[i], arc)); // the product is exact
        if (i < N) sum.push(small[i < N ? i : 0]);
    }
    return negate_where(below, sum.template condense<N>());
}

// The root of 1 - x^2 for |x| <= 1.
template <int N> DEVICE MultiFloat<N> cathetus(const MultiFloat<N> &x) {
    const auto one = from_lane<N>(1.0);
    return sqrt(mul_finite(add_finite(one, x), add_finite(one, -x)));
}

template <int N> DEVICE MultiFloat<N> right_angle() { return constant<N>(tables::constants::FRAC_PI_2); }

template <int N> DEVICE MultiFloat<N> atan(const MultiFloat<N> &x) {
    const Lane size = magnitude(x[0]);
    if (size < TINY || is_nan(x)) return x;
    if (size > 0x1p240) return copysign(right_angle<N>(), x);
    return angle(x, from_lane<N>(1.0));
}

// The angle where a coordinate is zero, infinite or NaN.
template <int N> DEVICE MultiFloat<N> special_angle(const MultiFloat<N> &y, const MultiFloat<N> &x) {
    if (is_nan(y) || is_nan(x)) return nan<N>();
    if (is_infinite(y) && is_infinite(x)) {
        const auto diagonal = constant<N>(tables::constants::FRAC_PI_4);
        return copysign(is_sign_negative(x) ? diagonal * from_lane<N>(3.0) : diagonal, y);
    }
    if (is_infinite(y) || (x[0] == 0.0 && y[0] != 0.0)) return copysign(right_angle<N>(), y);
    return copysign(is_sign_negative(x) ? constant<N>(tables::constants::PI) : from_lane<N>(0.0), y);
}

// A point of which the angle is sought, or where is_final the angle itself as y.
template <int N> struct Point {
    bool is_final;
    MultiFloat<N> y, x;

    DEVICE MultiFloat<N> angle() const { return is_final ? y : elementary::angle(y, x); }
};

DEVICE bool is_usual_point(Lane y, Lane x) {
    return is_moderate(y, LARGE_COORDINATE) && y != 0.0 && is_moderate(x, LARGE_COORDINATE);
}

// Any point, brought to coordinates of moderate size.
template <int N> DEVICE_COLD Point<N> moderate_point(MultiFloat<N> y, MultiFloat<N> x) {
    if (is_usual_point(y[0], x[0])) return {false, y, x};
    if (!has_exponent(y) || !has_exponent(x)) return {true, special_angle(y, x), x};
    const int x_exponent = frexp_exponent(x[0]) - 1;
    const int slope = frexp_exponent(y[0]) - 1 - x_exponent;
    if (slope > FAR) return {true, copysign(right_angle<N>(), y), x};
    if (slope >= -FAR) return {false, ldexp(y, -x_exponent), ldexp(x, -x_exponent)};
    if (is_sign_negative(x)) return {true, copysign(constant<N>(tables::constants::PI), y), x};
    const auto u = frexp(y), v = frexp(x);
    return {true, ldexp(quotient(u.mantissa, v.mantissa), u.exponent - v.exponent), x};
}

template <int N> DEVICE MultiFloat<N> atan2(const MultiFloat<N> &y, const MultiFloat<N> &x) {
    Point<N> point{false, y, x};
    if (!is_usual_point(y[0], x[0])) point = moderate_point(y, x);
    return point.angle();
}

template <int N> DEVICE MultiFloat<N> asin(const MultiFloat<N> &x) {
    Point<N> point{false, x, cathetus(x)};
    if (!is_moderate(x[0], 1.0) || x[0] == 0.0) {
        if (magnitude(x[0]) < TINY) return x;
        if (!(abs(x) <= from_lane<N>(1.0))) return nan<N>();
        point = moderate_point(point.y, point.x);
    }
    return point.angle();
}

template <int N> DEVICE MultiFloat<N> acos(const MultiFloat<N> &x) {
    Point<N> point{false, cathetus(x), x};
    if (!is_moderate(x[0], 1.0)) {
        if (!(abs(x) <= from_lane<N>(1.0))) return nan<N>();
        point = moderate_point(point.y, point.x);
    }
    return point.angle();
}

} // namespace elementary
