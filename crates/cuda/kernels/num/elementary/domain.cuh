// Ranges of arguments (crates/num/src/multifloat/elementary/domain.rs).

#pragma once

#include "num/lane.cuh"

namespace elementary {

// Below this, odd functions x + O(x^3) are x: the rest is less than a hundredth of the last place.
constexpr double TINY = 0x1p-112;

// Whether x is zero or of a magnitude in [TINY, limit).
DEVICE bool is_moderate(Lane x, double limit) {
    const Lane size = magnitude(x);
    return (size >= TINY && size < limit) || x == 0.0;
}

// Whether x is positive and so far from the ends of the range that scaling by powers of two is
// exact.
DEVICE bool in_range(Lane x) { return upper_half(x) - 0x01700000u < 0x7d000000u; } // 2^-1000 to 2^1000

} // namespace elementary
