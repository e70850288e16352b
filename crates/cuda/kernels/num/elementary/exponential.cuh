// exp, exp2, expm1 (crates/num/src/multifloat/elementary/exponential.rs, which has method and
// bounds).

#pragma once

#include "num/add.cuh"
#include "num/elementary/reduce.cuh"
#include "num/elementary/series.cuh"
#include "num/scale.cuh"
#include "num/tables.cuh"

namespace elementary {

// e^x = 2^m * 2^(j/64) * (1 + q), with j + 32 as an index and |q| < 2^-6.
template <int N> struct Reduced {
    int m, index;
    MultiFloat<N> q;

    // Of |x| <= 1000; x has N limbs, or one more.
    template <int K> static DEVICE Reduced natural(const MultiFloat<K> &x) {
        const Lane anchored = x[0] * tables::exponential::STEPS_PER_UNIT + ANCHOR;
        return from_steps(
            __double2loint(anchored), subtract_multiple<N>(x, anchored - ANCHOR, tables::exponential::STEP));
    }

    // Of x * ln 2 for |x| <= 1100.
    static DEVICE Reduced binary(const MultiFloat<N> &x) {
        const Lane anchored = x[0] * 4096.0 + ANCHOR, k = anchored - ANCHOR;
        List<N> list;
        list.push(mul_add(-k, 1.0 / 4096.0, x[0]));
#pragma unroll
        for (int i = 1; i < N; i++) list.push(x[i]);
        const auto ln_2 = constant<N>(tables::constants::LN_2);
        return from_steps(__double2loint(anchored), mul_finite(list.template condense<N>(), ln_2));
    }

    static DEVICE Reduced from_steps(int k, const MultiFloat<N> &r) {
        const int high = divide_rounded(k, 6), m = divide_rounded(high, 6);
        const auto h = mul_finite(r, evaluate<tables::exponential::SERIES>(r));
        const auto p = add_product(r, r, h);
        const auto t = look_up<N>(tables::exponential::FINE_POWERS, k - high * 64 + 32);
        return {m, high - m * 64 + 32, add_product(add_finite(t, p), t, p)};
    }

    // 2^(j/64) * (1 + q), in [0.7, 1.42].
    DEVICE MultiFloat<N> significand() const {
        const auto t = look_up<N>(tables::exponential::POWERS, index);
        return renormalize(add_product(t, t, q));
    }
};

// The exponential of a number that is too large, too small, or NaN.
template <int N> DEVICE MultiFloat<N> beyond(Lane first) {
    return first > 0.0 ? infinity<N>() : first < 0.0 ? from_lane<N>(0.0) : nan<N>();
}

template <int N> DEVICE MultiFloat<N> exp(const MultiFloat<N> &x) {
    const Lane size = magnitude(x[0]);
    if (!(size <= 746.0)) return beyond<N>(x[0]);
    const auto reduced = Reduced<N>::natural(x);
    const auto significand = reduced.significand();
    return size < 708.0 ? scale(significand, power_of_two(reduced.m)) : ldexp(significand, reduced.m);
}

template <int N> DEVICE MultiFloat<N> exp2(const MultiFloat<N> &x) {
    const Lane size = magnitude(x[0]);
    if (!(size <= 1076.0)) return beyond<N>(x[0]);
    const auto reduced = Reduced<N>::binary(x);
    const auto significand = reduced.significand();
    return size < 1021.0 ? scale(significand, power_of_two(reduced.m)) : ldexp(significand, reduced.m);
}

template <int N> DEVICE_COLD MultiFloat<N> exp_of_large(MultiFloat<N> x) { return exp(x); }

template <int N> DEVICE MultiFloat<N> expm1(const MultiFloat<N> &x) {
    if (!(magnitude(x[0]) < 708.0)) {
        // e^x is below the last place of -1.
        return x[0] < 0.0 ? -from_lane<N>(1.0) : exp_of_large(x);
    }
    const auto reduced = Reduced<N>::natural(x);
    const auto t = scale(look_up<N + 1>(tables::exponential::POWERS, reduced.index), power_of_two(reduced.m));
    // 2^m * 2^(j/64) - 1: zero for m = j = 0.
    const auto [first, error] = two_sum(t[0], -1.0);
    List<N + 2> list;
    list.push(first);
    list.push(error);
#pragma unroll
    for (int i = 1; i <= N; i++) list.push(t[i]);
    return keep_zero(x, add_finite(list.template condense<N>(), mul_finite(resize<N>(t), reduced.q)));
}

} // namespace elementary
