// Addition of finite numbers: branch-free accumulation networks (crates/num/src/multifloat/add.rs,
// which has bounds and source).
//
// Where an operand or the sum is not finite, the limbs may be NaN.

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

DEVICE MultiFloat<1> add_finite(const MultiFloat<1> &x, const MultiFloat<1> &y) { return {{x[0] + y[0]}}; }

// 20 operations.
DEVICE MultiFloat<2> add_finite(const MultiFloat<2> &x, const MultiFloat<2> &y) {
    auto [s0, e0] = two_sum(x[0], y[0]);
    auto [s1, e1] = two_sum(x[1], y[1]);
    tie(s0, s1) = fast_two_sum(s0, s1);
    const Lane low = (e0 + e1) + s1;
    tie(s0, s1) = fast_two_sum(s0, low);
    return {{s0, s1}};
}

// 63 operations.
DEVICE MultiFloat<3> add_finite(const MultiFloat<3> &x, const MultiFloat<3> &y) {
    // Limb-wise sums and their errors.
    auto [s0, e0] = two_sum(x[0], y[0]);
    auto [s1, e1] = two_sum(x[1], y[1]);
    auto [s2, e2] = two_sum(x[2], y[2]);
    // Carries travel one place down a layer.
    tie(s0, s1) = fast_two_sum(s0, s1);
    e0 = e0 + e2;
    tie(e1, s2) = two_sum(e1, s2);
    tie(s0, e1) = fast_two_sum(s0, e1);
    tie(e0, s1) = two_sum(e0, s1);
    s1 = s1 + s2;
    tie(s1, e1) = two_sum(s1, e1);
    tie(e0, s1) = two_sum(e0, s1);
    tie(s0, e0) = fast_two_sum(s0, e0);
    s1 = s1 + e1;
    // Three limbs are left; two passes separate them.
    tie(e0, s1) = fast_two_sum(e0, s1);
    tie(s0, e0) = fast_two_sum(s0, e0);
    tie(e0, s1) = fast_two_sum(e0, s1);
    return {{s0, e0, s1}};
}

// 124 operations.
DEVICE MultiFloat<4> add_finite(const MultiFloat<4> &x, const MultiFloat<4> &y) {
    // Limb-wise sums and their errors.
    auto [s0, e0] = two_sum(x[0], y[0]);
    auto [s1, e1] = two_sum(x[1], y[1]);
    auto [s2, e2] = two_sum(x[2], y[2]);
    auto [s3, e3] = two_sum(x[3], y[3]);
    // Carries travel one place down a layer.
    tie(s0, s1) = fast_two_sum(s0, s1);
    e0 = e0 + e3;
    tie(e1, s2) = two_sum(e1, s2);
    tie(e2, s3) = two_sum(e2, s3);
    tie(e0, s3) = two_sum(e0, s3);
    tie(s1, e1) = fast_two_sum(s1, e1);
    tie(s2, e2) = two_sum(s2, e2);
    tie(s0, s1) = fast_two_sum(s0, s1);
    tie(e1, s2) = fast_two_sum(e1, s2);
    tie(e0, e1) = two_sum(e0, e1);
    tie(s1, s3) = fast_two_sum(s1, s3);
    s2 = s2 + e2;
    tie(e0, s1) = two_sum(e0, s1);
    tie(e1, s2) = two_sum(e1, s2);
    tie(s0, e0) = fast_two_sum(s0, e0);
    tie(s1, e1) = two_sum(s1, e1);
    s2 = s2 + s3;
    // Five limbs are left; four passes separate and shorten them.
    tie(e0, s1) = fast_two_sum(e0, s1);
    tie(e1, s2) = two_sum(e1, s2);
    tie(s0, e0) = fast_two_sum(s0, e0);
    tie(s1, e1) = fast_two_sum(s1, e1);
    tie(e0, s1) = fast_two_sum(e0, s1);
    e1 = e1 + s2;
    tie(s0, e0) = fast_two_sum(s0, e0);
    tie(s1, e1) = fast_two_sum(s1, e1);
    tie(e0, s1) = fast_two_sum(e0, s1);
    tie(s1, e1) = fast_two_sum(s1, e1);
    return {{s0, e0, s1, e1}};
}
