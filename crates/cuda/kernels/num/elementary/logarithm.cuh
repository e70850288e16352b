// ln, log2, log10, log1p (crates/num/src/multifloat/elementary/logarithm.rs, which has method and
// bounds).

#pragma once

#include "num/add.cuh"
#include "num/arithmetic.cuh"
#include "num/elementary/domain.cuh"
#include "num/elementary/series.cuh"
#include "num/elementary/wide.cuh"
#include "num/scale.cuh"
#include "num/tables.cuh"

namespace elementary {

// ln x = e * ln 2 + table + r + w.
template <int N> struct Logarithm {
    int e;
    MultiFloat<N + 2> table;
    Wide<N> r;
    MultiFloat<N> w;

    // Of x * 2^scale for x in range.
    static DEVICE Logarithm of(const Wide<N> &x, int scale) {
        const int x_exponent = exponent(x.limbs[0]);
        const int above = x.limbs[0] * power_of_two(-x_exponent) > 0x1.6a09e667f3bcdp0; // the root of 2
        const Lane power = power_of_two(-x_exponent - above);
        const Lane first = x.limbs[0] * power;
        const int coarse = rounded_product(first, 128.0) - 90;
        Lane c = __ldg(&tables::logarithm::COARSE[0][coarse]);
        const int fine = rounded_product(first * c - 1.0, 8192.0) + 64;
        c = c * __ldg(&tables::logarithm::FINE[0][fine]);
        auto table = look_up<N + 2>(tables::logarithm::COARSE + 1, coarse);
        const auto fine_table = look_up<N + 2>(tables::logarithm::FINE + 1, fine);
#pragma unroll
        for (int i = 0; i < N + 2; i++) table[i] = table[i] + fine_table[i];
        // c * m - 1, of which the first difference is exact.
        List<2 * N + 1> list;
        auto [p, error] = two_prod(first, c);
        list.push(p - 1.0);
#pragma unroll
        for (int i = 1; i < N; i++) {
            const auto [next, next_error] = two_prod(x.limbs[i] * power, c);
            list.push(error);
            list.push(next);
            error = next_error;
        }
        list.push(error);
        list.push(x.limbs[N] * power * c);
        const auto r = Wide<N>::condense(list);
        const auto head = r.head();
        const auto w = mul_finite(head, mul_finite(head, evaluate<tables::logarithm::SERIES>(head)));
        return {x_exponent + above + scale, table, r, w};
    }

    // The sum of the terms of ln x, or of ln m.
    template <bool WITH_EXPONENT> DEVICE Wide<N> sum() const {
        MultiFloat<N + 2> table = this->table;
        if constexpr (WITH_EXPONENT) {
            const Lane k = from_integer(e);
            // The products are exact.
#pragma unroll
            for (int i = 0; i < N + 2; i++) table[i] = mul_add(k, tables::logarithm::LN_2_GRID[i], table[i]);
        }
        List<3 * N + 3> list;
        list.push(table[0]);
        list.push(r.limbs[0]);
        list.push(w[0]);
        list.push(table[1]);
        list.push(r.limbs[1]);
        list.push(table[2]);
        list.push(w[1]);
        if constexpr (N > 2) list.push(r.limbs[2]);
        list.push(table[3]);
        if constexpr (N > 2) {
            list.push(w[2]);
            list.push(table[4]);
        }
        if constexpr (N > 3) {
            list.push(r.limbs[3]);
            list.push(w[3]);
            list.push(table[5]);
        }
        list.push(r.limbs[N]);
        return Wide<N>::condense(list);
    }

    DEVICE Wide<N> natural() const { return sum<true>(); }

    DEVICE MultiFloat<N> ln() const { return natural().head(); }

    DEVICE MultiFloat<N> log2() const {
        const auto z = sum<false>() * Wide<N>::constant(tables::constants::LOG2_E);
        List<N + 2> list;
        list.push(from_integer(e));
#pragma unroll
        for (int i = 0; i <= N; i++) list.push(z.limbs[i]);
        return list.template condense<N>();
    }

    DEVICE MultiFloat<N> log10() const {
        auto z = (natural() * Wide<N>::constant(tables::constants::LOG10_E)).head();
        // Next to a number of 53 bits the exact result is that number: it is an integer, and the
        // rest noise.
        const Lane noise = magnitude(z[0]) * power_of_two(-53 * N - 8);
        const bool exact = magnitude(z[1]) < noise;
#pragma unroll
        for (int i = 1; i < N; i++) z[i] = select(exact, 0.0, z[i]);
        return z;
    }
};

template <int N> DEVICE_COLD Frexp<N> parts_of_extreme(MultiFloat<N> x) { return frexp(x); }

// Of a positive finite number.
template <int N> DEVICE Logarithm<N> logarithm(const MultiFloat<N> &x) {
    Frexp<N> parts{x, 0};
    if (!in_range(x[0])) parts = parts_of_extreme(x);
    return Logarithm<N>::of(Wide<N>::exact(parts.mantissa), parts.exponent);
}

template <int N> DEVICE bool is_positive_and_finite(const MultiFloat<N> &x) { return x[0] > 0.0 && is_finite(x); }

// The logarithm of what is not positive and finite.
template <int N> DEVICE MultiFloat<N> singular(Lane first) {
    const Lane infinite = infinity<1>()[0];
    return first == 0.0 ? from_lane<N>(-infinite) : first > 0.0 ? from_lane<N>(infinite) : nan<N>();
}

template <int N> DEVICE MultiFloat<N> ln(const MultiFloat<N> &x) {
    return is_positive_and_finite(x) ? logarithm(x).ln() : singular<N>(x[0]);
}

template <int N> DEVICE MultiFloat<N> log2(const MultiFloat<N> &x) {
    return is_positive_and_finite(x) ? logarithm(x).log2() : singular<N>(x[0]);
}

template <int N> DEVICE MultiFloat<N> log10(const MultiFloat<N> &x) {
    return is_positive_and_finite(x) ? logarithm(x).log10() : singular<N>(x[0]);
}

template <int N> DEVICE_COLD MultiFloat<N> log1p_of_extreme(MultiFloat<N> x) {
    // The 1 is far below the last place; or there are only -1 and its tail, of which the sum is
    // exact; or NaN; or less than -1.
    return x[0] > 0x1p999 ? ln(x) : ln(x + from_lane<N>(1.0));
}

template <int N> DEVICE MultiFloat<N> log1p(const MultiFloat<N> &x) {
    if (!in_range(x[0] + 1.0)) return log1p_of_extreme(x);
    // 1 + x, exactly; the second pass separates the limbs that are left where x is next to -1.
    MultiFloat<N + 1> sum = resize<N + 1>(x);
    sum[N] = 1.0;
#pragma unroll
    for (int i = 0; i < N; i++) tie(sum[i], sum[N]) = two_sum(sum[N], sum[i]);
#pragma unroll
    for (int i = 0; i < N; i++) tie(sum[i], sum[i + 1]) = two_sum(sum[i], sum[i + 1]);
    return keep_zero(x, Logarithm<N>::of({sum}, 0).ln());
}

} // namespace elementary
