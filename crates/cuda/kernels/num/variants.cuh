// Named double-double algorithms of the literature (crates/num/src/multifloat/variants.rs, which
// has bounds and sources).

#pragma once

#include "num/eft.cuh"
#include "num/multifloat.cuh"

// 20 operations; small relative error whatever the cancellation.
DEVICE MultiFloat<2> add_ieee(const MultiFloat<2> &a, const MultiFloat<2> &b) {
    auto [s, s_error] = two_sum(a[0], b[0]);
    auto [t, t_error] = two_sum(a[1], b[1]);
    tie(s, s_error) = fast_two_sum(s, s_error + t);
    tie(s, s_error) = fast_two_sum(s, s_error + t_error);
    return {{s, s_error}};
}

// 11 operations; error small relative to |a| + |b| only.
DEVICE MultiFloat<2> add_cray(const MultiFloat<2> &a, const MultiFloat<2> &b) {
    auto [s, error] = two_sum(a[0], b[0]);
    tie(s, error) = fast_two_sum(s, error + (a[1] + b[1]));
    return {{s, error}};
}

// 9 operations; the algorithm behind the operator.
DEVICE MultiFloat<2> mul_accurate(const MultiFloat<2> &a, const MultiFloat<2> &b) {
    auto [p, error] = two_prod(a[0], b[0]);
    const Lane cross = a[0] * b[1] + a[1] * b[0];
    tie(p, error) = fast_two_sum(p, error + cross);
    return {{p, error}};
}

// 6 operations; limbs may overlap in the last bit.
DEVICE MultiFloat<2> mul_sloppy(const MultiFloat<2> &a, const MultiFloat<2> &b) {
    const Lane cross = a[0] * b[1] + a[1] * b[0];
    const Lane high = mul_add(a[0], b[0], cross);
    const Lane low = mul_add(a[0], b[0], -high) + cross;
    return {{high, low}};
}
