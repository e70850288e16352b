// sin, cos, tan (crates/num/src/multifloat/elementary/circular.rs, which has method and bounds).

#pragma once

#include "num/add.cuh"
#include "num/elementary/domain.cuh"
#include "num/elementary/huge.cuh"
#include "num/elementary/quotient.cuh"
#include "num/elementary/reduce.cuh"
#include "num/elementary/series.cuh"
#include "num/tables.cuh"

namespace elementary {

// Of any finite number.
template <int N> DEVICE ReducedAngle<N> reduce_angle(const MultiFloat<N> &x) {
    constexpr double STEPS_PER_UNIT = tables::circular::STEPS_PER_UNIT;
    const Lane anchored = x[0] * STEPS_PER_UNIT + ANCHOR;
    const int k = __double2loint(anchored);
    const auto r = subtract_multiple<N>(x, anchored - ANCHOR, tables::circular::STEP);
    // A small difference has lost too many bits, but what was not subtracted from is exact.
    const bool usual = magnitude(x[0]) < (LARGEST_MULTIPLE - 1.0) / STEPS_PER_UNIT && (k == 0 || magnitude(r[0]) > 0x1p-26);
    if (!usual) return reduce_huge(x);
    const int quadrant = divide_rounded(k, 7);
    return {quadrant, k - quadrant * 128, r};
}

// x = quadrant * pi/2 + a + r, with the sine and cosine of r, the latter less 1.
template <int N> struct Angle {
    int quadrant;
    MultiFloat<N> sin_a, cos_a, sin_r, cos_r;

    static DEVICE Angle of(const MultiFloat<N> &x) {
        const auto [quadrant, j, r] = reduce_angle(x);
        const int entry = abs(j);
        const auto z = mul_finite(r, r);
        const auto h = mul_finite(z, evaluate<tables::circular::SINE_SERIES>(z));
        return {
            quadrant, negate_where(j < 0, look_up<N>(tables::circular::SINES, entry)), look_up<N>(tables::circular::COSINES, entry),
            add_product(r, r, h), mul_finite(z, evaluate<tables::circular::COSINE_SERIES>(z))};
    }

    // sin(a + r) and cos(a + r), exchanged in odd quadrants, with the sign of the quadrant.
    DEVICE MultiFloat<N> sine_of(int quadrant) const {
        const bool is_cosine = quadrant & 1;
        // sin(a + r) = sin a + sin a * (cos r - 1) + cos a * sin r; cos(a + r) with cos a, -sin a
        // in the places of sin a, cos a.
        const auto a = select(is_cosine, cos_a, sin_a);
        const auto b = select(is_cosine, -sin_a, cos_a);
        return negate_where(quadrant & 2, add_finite(add_product(a, a, cos_r), mul_finite(b, sin_r)));
    }

    DEVICE MultiFloat<N> sin(const MultiFloat<N> &x) const { return keep_zero(x, sine_of(quadrant)); }

    DEVICE MultiFloat<N> cos() const { return sine_of(quadrant + 1); }
};

template <int N> DEVICE MultiFloat<N> sin(const MultiFloat<N> &x) {
    return is_finite(x) ? Angle<N>::of(x).sin(x) : nan<N>();
}

template <int N> DEVICE MultiFloat<N> cos(const MultiFloat<N> &x) {
    return is_finite(x) ? Angle<N>::of(x).cos() : nan<N>();
}

template <int N> DEVICE void sin_cos(const MultiFloat<N> &x, MultiFloat<N> &sine, MultiFloat<N> &cosine) {
    if (!is_finite(x)) {
        sine = cosine = nan<N>();
        return;
    }
    const auto angle = Angle<N>::of(x);
    const auto s = angle.sin(x);
    cosine = angle.cos();
    sine = s;
}

template <int N> DEVICE MultiFloat<N> tan(const MultiFloat<N> &x) {
    if (!is_finite(x)) return nan<N>();
    if (magnitude(x[0]) < TINY) return x;
    const auto angle = Angle<N>::of(x);
    return keep_zero(x, quotient(angle.sine_of(angle.quadrant), angle.cos()));
}

} // namespace elementary
