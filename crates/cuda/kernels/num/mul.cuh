// Multiplication of finite numbers: exact products of limbs, summed by branch-free networks
// (crates/num/src/multifloat/mul.rs, which has bounds and source).
//
// Where an operand or the product is not finite, the limbs may be NaN.

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

DEVICE MultiFloat<1> mul_finite(const MultiFloat<1> &x, const MultiFloat<1> &y) { return {{x[0] * y[0]}}; }

// 9 operations: the cross products are rounded separately, as in num.
DEVICE MultiFloat<2> mul_finite(const MultiFloat<2> &x, const MultiFloat<2> &y) {
    auto [p, e] = two_prod(x[0], y[0]);
    const Lane cross = x[0] * y[1] + x[1] * y[0];
    tie(p, e) = fast_two_sum(p, e + cross);
    return {{p, e}};
}

// 45 operations.
DEVICE MultiFloat<3> mul_finite(const MultiFloat<3> &x, const MultiFloat<3> &y) {
    const auto [p00, e00] = two_prod(x[0], y[0]);
    const auto [p01, e01] = two_prod(x[0], y[1]);
    const auto [p10, e10] = two_prod(x[1], y[0]);
    // Order u: e00, p01, p10. Order u^2: the rest, where rounded sums suffice.
    const auto [cross, cross_error] = two_sum(p01, p10);
    Lane second = (e01 + e10) + ((x[0] * y[2] + x[2] * y[0]) + x[1] * y[1]);
    auto [first, first_error] = two_sum(e00, cross);
    Lane z0, z1, z2;
    tie(z0, first) = fast_two_sum(p00, first);
    second = (first_error + cross_error) + second;
    tie(z1, z2) = two_sum(first, second);
    tie(z0, z1) = fast_two_sum(z0, z1);
    tie(z1, z2) = fast_two_sum(z1, z2);
    tie(z0, z1) = fast_two_sum(z0, z1);
    return {{z0, z1, z2}};
}

// 124 operations.
DEVICE MultiFloat<4> mul_finite(const MultiFloat<4> &x, const MultiFloat<4> &y) {
    const auto [p00, e00] = two_prod(x[0], y[0]);
    const auto [p01, e01] = two_prod(x[0], y[1]);
    const auto [p10, e10] = two_prod(x[1], y[0]);
    const auto [p02, e02] = two_prod(x[0], y[2]);
    const auto [p11, e11] = two_prod(x[1], y[1]);
    const auto [p20, e20] = two_prod(x[2], y[0]);
    // Mirror products first, which makes the whole commutative: a is of order u, b and c of u^2, d
    // of u^3.
    auto [a, a_error] = two_sum(p01, p10);
    auto [b, b_error] = two_sum(e01, e10);
    auto [c, c_error] = two_sum(p02, p20);
    const Lane d = (x[0] * y[3] + x[3] * y[0]) + (x[1] * y[2] + x[2] * y[1]);
    auto [z1, carry] = two_sum(e00, a);
    Lane z0, z2, z3, middle;
    tie(b, middle) = two_sum(b, p11);
    Lane third = (b_error + (e02 + e20)) + d;
    const Lane fourth = middle + (c_error + e11);
    tie(z0, z1) = fast_two_sum(p00, z1);
    tie(carry, a_error) = fast_two_sum(carry, a_error);
    tie(b, c) = two_sum(b, c);
    tie(z2, b) = two_sum(carry, b);
    const Lane tail = (a_error + fourth) + b;
    third = third + c;
    tie(z2, z3) = two_sum(z2, tail);
    tie(z1, z2) = two_sum(z1, z2);
    z3 = z3 + third;
    // Four limbs are left; three passes separate them.
    tie(z0, z1) = fast_two_sum(z0, z1);
    tie(z2, z3) = two_sum(z2, z3);
    tie(z1, z2) = two_sum(z1, z2);
    tie(z0, z1) = fast_two_sum(z0, z1);
    tie(z2, z3) = fast_two_sum(z2, z3);
    tie(z1, z2) = fast_two_sum(z1, z2);
    tie(z0, z1) = fast_two_sum(z0, z1);
    tie(z2, z3) = fast_two_sum(z2, z3);
    tie(z1, z2) = fast_two_sum(z1, z2);
    tie(z2, z3) = fast_two_sum(z2, z3);
    return {{z0, z1, z2, z3}};
}
