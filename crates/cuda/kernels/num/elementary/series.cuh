// Sums of power series with a width that grows towards the leading term
// (crates/num/src/multifloat/elementary/series.rs, which has the bounds).

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

namespace elementary {

// c + x * y for |x * y| <= |c| / 2, or c = 0, or x * y = 0; almost in normal form. 14, 57, 137
// operations.
DEVICE MultiFloat<2> add_product(const MultiFloat<2> &c, const MultiFloat<2> &x, const MultiFloat<2> &y) {
    const auto [p, e] = two_prod(x[0], y[0]);
    auto [s, s_error] = fast_two_sum(c[0], p);
    Lane low = (s_error + c[1]) + (e + (x[0] * y[1] + x[1] * y[0]));
    tie(s, low) = fast_two_sum(s, low);
    return {{s, low}};
}

DEVICE MultiFloat<3> add_product(const MultiFloat<3> &c, const MultiFloat<3> &x, const MultiFloat<3> &y) {
    const auto [p00, e00] = two_prod(x[0], y[0]);
    const auto [p01, e01] = two_prod(x[0], y[1]);
    const auto [p10, e10] = two_prod(x[1], y[0]);
    Lane a_error, d_error;
    auto [s0, a] = fast_two_sum(c[0], p00);
    auto [b, b_error] = two_sum(p01, p10);
    tie(a, a_error) = two_sum(a, c[1]);
    tie(b, d_error) = two_sum(b, e00);
    auto [s1, s_error] = two_sum(a, b);
    const Lane products = (x[0] * y[2] + x[2] * y[0]) + x[1] * y[1];
    const Lane errors = (a_error + s_error) + (b_error + d_error);
    Lane s2 = (c[2] + errors) + ((e01 + e10) + products);
    tie(s0, s1) = fast_two_sum(s0, s1);
    tie(s1, s2) = two_sum(s1, s2);
    tie(s0, s1) = fast_two_sum(s0, s1);
    return {{s0, s1, s2}};
}

DEVICE MultiFloat<4> add_product(const MultiFloat<4> &c, const MultiFloat<4> &x, const MultiFloat<4> &y) {
    const auto [p00, e00] = two_prod(x[0], y[0]);
    const auto [p01, e01] = two_prod(x[0], y[1]);
    const auto [p10, e10] = two_prod(x[1], y[0]);
    const auto [p02, e02] = two_prod(x[0], y[2]);
    const auto [p11, e11] = two_prod(x[1], y[1]);
    const auto [p20, e20] = two_prod(x[2], y[0]);
    Lane a_error, d_error, k_error, l_error, m_error;
    auto [s0, a] = fast_two_sum(c[0], p00);
    // Order 1.
    auto [b, b_error] = two_sum(p01, p10);
    tie(a, a_error) = two_sum(a, c[1]);
    tie(b, d_error) = two_sum(b, e00);
    auto [s1, s_error] = two_sum(a, b);
    // Order 2.
    auto [f, f_error] = two_sum(e01, e10);
    const auto [g, g_error] = two_sum(p02, p20);
    const auto [h, h_error] = two_sum(p11, c[2]);
    auto [i, i_error] = two_sum(b_error, d_error);
    const auto [j, j_error] = two_sum(a_error, s_error);
    tie(f, k_error) = two_sum(f, g);
    tie(i, l_error) = two_sum(i, j);
    tie(f, m_error) = two_sum(f, i);
    auto [s2, n_error] = two_sum(h, f);
    // Order 3.
    const Lane products = (x[0] * y[3] + x[3] * y[0]) + (x[1] * y[2] + x[2] * y[1]);
    const Lane errors =
        ((f_error + g_error) + (h_error + i_error)) + ((j_error + k_error) + ((l_error + m_error) + n_error));
    Lane s3 = (c[3] + errors) + (((e02 + e20) + e11) + products);
    tie(s0, s1) = fast_two_sum(s0, s1);
    tie(s1, s2) = two_sum(s1, s2);
    tie(s2, s3) = two_sum(s2, s3);
    tie(s0, s1) = fast_two_sum(s0, s1);
    tie(s1, s2) = fast_two_sum(s1, s2);
    tie(s2, s3) = fast_two_sum(s2, s3);
    return {{s0, s1, s2, s3}};
}

// Terms FROM to END of a polynomial of the tables, on top of the sum of those behind, by Horner's
// rule with as many limbs as s has.
template <class Polynomial, int FROM, int END, int K, int N>
DEVICE MultiFloat<K> add_terms(MultiFloat<K> s, const MultiFloat<N> &x) {
#pragma unroll
    for (int i = END - 1; i >= FROM; i--) {
        if constexpr (K == 1) {
            s[0] = s[0] * x[0] + Polynomial::coefficient(i, 0);
        } else {
            MultiFloat<K> c;
#pragma unroll
            for (int limb = 0; limb < K; limb++) c[limb] = Polynomial::coefficient(i, limb);
            s = add_product(c, s, resize<K>(x));
        }
    }
    return s;
}

// The polynomial at x, from one limb for the last terms to N for the first.
template <class Polynomial, int N> DEVICE MultiFloat<N> evaluate(const MultiFloat<N> &x) {
    constexpr auto &terms = Polynomial::terms;
    constexpr int LAST = terms[N - 1] - 1;
    const MultiFloat<1> last{{Polynomial::coefficient(LAST, 0)}};
    const auto s = resize<2>(add_terms<Polynomial, terms[N - 2], LAST>(last, x));
    if constexpr (N == 2) {
        return add_terms<Polynomial, 0, terms[0]>(s, x);
    } else {
        const auto t = resize<3>(add_terms<Polynomial, terms[N - 3], terms[N - 2]>(s, x));
        if constexpr (N == 3) {
            return add_terms<Polynomial, 0, terms[0]>(t, x);
        } else {
            const auto w = resize<4>(add_terms<Polynomial, terms[0], terms[1]>(t, x));
            return add_terms<Polynomial, 0, terms[0]>(w, x);
        }
    }
}

} // namespace elementary
