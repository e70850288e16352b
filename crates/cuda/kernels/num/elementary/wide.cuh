// One limb more than the format: exact sums of lists, and wide products
// (crates/num/src/multifloat/elementary/wide.rs, which has the bounds).

#pragma once

#include "num/elementary/limbs.cuh"
#include "num/mul.cuh"

namespace elementary {

// Numbers to be added up, in roughly falling order. All of LENGTH are pushed, one after the other:
// the place of each is known when it is compiled, so that the list lives in registers.
template <int LENGTH> struct List {
    Lane terms[LENGTH];
    int length = 0;

    DEVICE void push(Lane x) { terms[length++] = x; }

    // Moves the rounded sum of the terms from START on to the place START, their errors behind it.
    template <int START> DEVICE void pass() {
#pragma unroll
        for (int i = LENGTH - 2; i >= START; i--) tie(terms[i], terms[i + 1]) = two_sum(terms[i], terms[i + 1]);
    }

    // The sum with K limbs, in normal form but for ties.
    template <int K> DEVICE MultiFloat<K> condense() {
        pass<0>();
        if constexpr (K > 1) pass<1>();
        if constexpr (K > 2) pass<2>();
        if constexpr (K > 3) pass<3>();
        if constexpr (K > 4) pass<4>();
        if constexpr (LENGTH > K) terms[K - 1] = terms[K - 1] + terms[K];
        MultiFloat<K> z;
#pragma unroll
        for (int i = 0; i < K; i++) z[i] = terms[i];
#pragma unroll
        for (int i = 0; i < K - 1; i++) tie(z[i], z[i + 1]) = two_sum(z[i], z[i + 1]);
        return z;
    }
};

// N limbs and one more.
template <int N> struct Wide {
    MultiFloat<N + 1> limbs;

    static DEVICE Wide exact(const MultiFloat<N> &x) { return {resize<N + 1>(x)}; }

    template <int M> static DEVICE Wide constant(const double (&limbs)[M]) { return {elementary::constant<N + 1>(limbs)}; }

    template <int LENGTH> static DEVICE Wide condense(List<LENGTH> list) { return {list.template condense<N + 1>()}; }

    DEVICE MultiFloat<N> head() const { return resize<N>(limbs); }
};

DEVICE MultiFloat<5> mul_finite(const MultiFloat<5> &x, const MultiFloat<5> &y) {
    const auto [p00, e00] = two_prod(x[0], y[0]);
    // Mirror products first, which makes the whole commutative.
    const auto [p01, e01] = two_prod(x[0], y[1]);
    const auto [p10, e10] = two_prod(x[1], y[0]);
    const auto [p02, e02] = two_prod(x[0], y[2]);
    const auto [p20, e20] = two_prod(x[2], y[0]);
    const auto [p11, e11] = two_prod(x[1], y[1]);
    const auto [p03, e03] = two_prod(x[0], y[3]);
    const auto [p30, e30] = two_prod(x[3], y[0]);
    const auto [p12, e12] = two_prod(x[1], y[2]);
    const auto [p21, e21] = two_prod(x[2], y[1]);
    Lane b_error, f_error, g_error, h_error, i_error, p_error, q_error, r_error, s_error, t_error, u_error;
    // Orders 1 and 2, errors kept.
    auto [a, a_error] = two_sum(p01, p10);
    tie(a, b_error) = two_sum(a, e00);
    auto [c, c_error] = two_sum(p02, p20);
    auto [d, d_error] = two_sum(e01, e10);
    tie(c, f_error) = two_sum(c, p11);
    tie(d, g_error) = two_sum(d, a_error);
    tie(d, h_error) = two_sum(d, b_error);
    tie(c, i_error) = two_sum(c, d);
    // Order 3, its errors of order 4.
    auto [j, j_error] = two_sum(p03, p30);
    const auto [k, k_error] = two_sum(p12, p21);
    auto [l, l_error] = two_sum(e02, e20);
    auto [m, m_error] = two_sum(c_error, d_error);
    const auto [n, n_error] = two_sum(f_error, g_error);
    const auto [o, o_error] = two_sum(h_error, i_error);
    tie(j, p_error) = two_sum(j, k);
    tie(l, q_error) = two_sum(l, e11);
    tie(m, r_error) = two_sum(m, n);
    tie(m, s_error) = two_sum(m, o);
    tie(l, t_error) = two_sum(l, m);
    tie(j, u_error) = two_sum(j, l);
    // Order 4.
    const Lane products = (x[0] * y[4] + x[4] * y[0]) + (x[1] * y[3] + x[3] * y[1]) + x[2] * y[2];
    const Lane errors = (e03 + e30) + (e12 + e21);
    const Lane carried = ((j_error + k_error) + (l_error + m_error)) + ((n_error + o_error) + (p_error + q_error)) +
                         ((r_error + s_error) + (t_error + u_error));
    List<5> list;
    list.push(p00);
    list.push(a);
    list.push(c);
    list.push(j);
    list.push(products + (errors + carried));
    return list.condense<5>();
}

template <int N> DEVICE Wide<N> operator*(const Wide<N> &x, const Wide<N> &y) { return {mul_finite(x.limbs, y.limbs)}; }

} // namespace elementary
