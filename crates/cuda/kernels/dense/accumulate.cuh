// Long sums of products, with the renormalisation put off (crates/linalg/src/accumulate.rs, which
// has method, bounds and source).
//
// A sum needs carry() after every PERIOD steps. Where it comes out not finite its lower limbs carry
// no meaning.

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"
#include "num/renormalize.cuh"

// The rounded sum of a and b and the parts of it that come from either (Knuth). 3 operations.
struct SumParts {
    Lane sum, of_a, of_b;
};

DEVICE SumParts sum_parts(Lane a, Lane b) {
    const Lane s = a + b;
    const Lane b_virtual = s - a;
    return {s, s - b_virtual, b_virtual};
}

template <int N> struct Accumulator {
    // Steps between carries; with one limb there is nothing to carry.
    static constexpr int PERIOD = N == 1 ? 0x7fffffff : N == 2 ? 16 : N == 3 ? 8 : 4;

    // Limbs that may overlap; their sum is the value.
    MultiFloat<N> sum;

    static DEVICE Accumulator zero() { return {from_lane<N>(0.0)}; }

    // Adds a * b. 1, 10, 41, 106 operations.
    DEVICE void add_product(const MultiFloat<N> &a, const MultiFloat<N> &b);

    // Adds a * b for a single limb a, with the bits of add_product. 1, 9, 27, 55 operations.
    DEVICE void add_scaled(Lane a, const MultiFloat<N> &b);

    // Adds x. 1, 8, 21, 40 operations.
    DEVICE void add(const MultiFloat<N> &x);

    // Moves what the lower limbs have gathered into the limbs above; the value stays.
    DEVICE void carry() {
#pragma unroll
        for (int i = 0; i < N - 1; i++) tie(sum[i], sum[i + 1]) = two_sum(sum[i], sum[i + 1]);
    }

    // The limbs in normal form.
    DEVICE MultiFloat<N> normalized() const {
        MultiFloat<N> s = sum;
        if constexpr (N == 2) {
            // What further steps would do: they leave a pair as it is, but for the sign of zero,
            // and where it is not finite.
            const auto [high, low] = two_sum(s[0], s[1]);
            return {{mul_add(low, 0.0, high), low}};
        }
        // Where the first limbs cancelled, this moves the rest to the front.
#pragma unroll
        for (int i = N - 2; i >= 0; i--) tie(s[i], s[i + 1]) = two_sum(s[i], s[i + 1]);
        return renormalize(s);
    }
};

template <> DEVICE void Accumulator<1>::add_product(const MultiFloat<1> &a, const MultiFloat<1> &b) {
    sum[0] = mul_add(a[0], b[0], sum[0]);
}

template <> DEVICE void Accumulator<2>::add_product(const MultiFloat<2> &a, const MultiFloat<2> &b) {
    const auto [s0, s_virtual, p_virtual] = sum_parts(sum[0], a[0] * b[0]);
    Lane e = mul_add(a[0], b[0], -p_virtual);
    e = mul_add(a[1], b[0], mul_add(a[0], b[1], e));
    sum[1] = sum[1] + (e + (sum[0] - s_virtual));
    sum[0] = s0;
}

template <> DEVICE void Accumulator<3>::add_product(const MultiFloat<3> &a, const MultiFloat<3> &b) {
    const auto [p00, e00] = two_prod(a[0], b[0]);
    const auto [s0, t0] = two_sum(sum[0], p00);
    // Order u, what is proportional to the sum last.
    const auto [cross, v01, v10] = sum_parts(a[0] * b[1], a[1] * b[0]);
    const Lane e01 = mul_add(a[0], b[1], -v01), e10 = mul_add(a[1], b[0], -v10);
    Lane x = cross, c1, c2;
    tie(x, c1) = two_sum(x, e00);
    tie(x, c2) = two_sum(x, t0);
    const auto [s1, c3] = two_sum(sum[1], x);
    // Order u^2, rounded.
    const Lane low = mul_add(a[1], b[1], mul_add(a[0], b[2], e01)) + mul_add(a[2], b[0], e10);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = sum[2] + ((c1 + low) + (c2 + c3));
}

template <> DEVICE void Accumulator<4>::add_product(const MultiFloat<4> &a, const MultiFloat<4> &b) {
    const auto [p00, e00] = two_prod(a[0], b[0]);
    const auto [p01, e01] = two_prod(a[0], b[1]);
    const auto [p10, e10] = two_prod(a[1], b[0]);
    const auto [s0, t0] = two_sum(sum[0], p00);
    // Order u, what is proportional to the sum last.
    auto [x, c0] = two_sum(p01, p10);
    Lane c1, c2;
    tie(x, c1) = two_sum(x, e00);
    tie(x, c2) = two_sum(x, t0);
    const auto [s1, c3] = two_sum(sum[1], x);
    // Order u^2, likewise.
    const auto [outer, v02, v20] = sum_parts(a[0] * b[2], a[2] * b[0]);
    const Lane e02 = mul_add(a[0], b[2], -v02), e20 = mul_add(a[2], b[0], -v20);
    const auto [z, c0_virtual, v11] = sum_parts(c0, a[1] * b[1]);
    const Lane d1 = mul_add(a[1], b[1], -v11) + (c0 - c0_virtual);
    auto [w, d2] = two_sum(e01, e10);
    Lane y = outer, d3, d4, d5, d6, d7;
    tie(y, d3) = two_sum(y, z);
    tie(w, d4) = two_sum(w, c1);
    tie(y, d5) = two_sum(y, w);
    tie(y, d6) = two_sum(y, c2);
    tie(y, d7) = two_sum(y, c3);
    const auto [s2, d8] = two_sum(sum[2], y);
    // Order u^3, rounded.
    const Lane left = mul_add(a[1], b[2], mul_add(a[0], b[3], e02));
    const Lane right = mul_add(a[2], b[1], mul_add(a[3], b[0], e20));
    const Lane low = (left + right) + d1;
    const Lane errors = (d2 + d3) + ((d4 + d5) + d6);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = sum[3] + ((errors + low) + (d7 + d8));
}

template <> DEVICE void Accumulator<1>::add_scaled(Lane a, const MultiFloat<1> &b) { sum[0] = mul_add(a, b[0], sum[0]); }

template <> DEVICE void Accumulator<2>::add_scaled(Lane a, const MultiFloat<2> &b) {
    const auto [s0, s_virtual, p_virtual] = sum_parts(sum[0], a * b[0]);
    const Lane e = mul_add(a, b[1], mul_add(a, b[0], -p_virtual));
    sum[1] = sum[1] + (e + (sum[0] - s_virtual));
    sum[0] = s0;
}

template <> DEVICE void Accumulator<3>::add_scaled(Lane a, const MultiFloat<3> &b) {
    const auto [p0, e0] = two_prod(a, b[0]);
    const auto [s0, t0] = two_sum(sum[0], p0);
    auto [x, e1] = two_prod(a, b[1]);
    Lane c1, c2;
    tie(x, c1) = two_sum(x, e0);
    tie(x, c2) = two_sum(x, t0);
    const auto [s1, c3] = two_sum(sum[1], x);
    const Lane low = mul_add(a, b[2], e1);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = sum[2] + ((c1 + low) + (c2 + c3));
}

template <> DEVICE void Accumulator<4>::add_scaled(Lane a, const MultiFloat<4> &b) {
    const auto [p0, e0] = two_prod(a, b[0]);
    const auto [p1, e1] = two_prod(a, b[1]);
    const auto [s0, t0] = two_sum(sum[0], p0);
    auto [x, c1] = two_sum(p1, e0);
    Lane c2;
    tie(x, c2) = two_sum(x, t0);
    const auto [s1, c3] = two_sum(sum[1], x);
    auto [y, e2] = two_prod(a, b[2]);
    const auto [w, d4] = two_sum(e1, c1);
    Lane d5, d6, d7;
    tie(y, d5) = two_sum(y, w);
    tie(y, d6) = two_sum(y, c2);
    tie(y, d7) = two_sum(y, c3);
    const auto [s2, d8] = two_sum(sum[2], y);
    const Lane low = mul_add(a, b[3], e2);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = sum[3] + (((d4 + d5) + d6 + low) + (d7 + d8));
}

template <> DEVICE void Accumulator<1>::add(const MultiFloat<1> &x) { sum[0] = sum[0] + x[0]; }

template <> DEVICE void Accumulator<2>::add(const MultiFloat<2> &x) {
    const auto [s0, t0] = two_sum(sum[0], x[0]);
    sum[0] = s0;
    sum[1] = sum[1] + (t0 + x[1]);
}

template <> DEVICE void Accumulator<3>::add(const MultiFloat<3> &x) {
    const auto [s0, t0] = two_sum(sum[0], x[0]);
    const auto [y, c0] = two_sum(x[1], t0);
    const auto [s1, c1] = two_sum(sum[1], y);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = sum[2] + ((c0 + x[2]) + c1);
}

template <> DEVICE void Accumulator<4>::add(const MultiFloat<4> &x) {
    const auto [s0, t0] = two_sum(sum[0], x[0]);
    const auto [y, c0] = two_sum(x[1], t0);
    const auto [s1, c1] = two_sum(sum[1], y);
    const auto [z, d0] = two_sum(x[2], c0);
    const auto [z1, d1] = two_sum(z, c1);
    const auto [s2, d2] = two_sum(sum[2], z1);
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = sum[3] + ((d0 + x[3]) + (d1 + d2));
}
