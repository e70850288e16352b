// Error-free transformations: sums and products of f64 together with their exact rounding errors
// (crates/num/src/eft.rs, which has sources and preconditions).

#pragma once

#include "num/lane.cuh"

// A rounded result and its error.
struct Pair {
    Lane first, second;
};

// Takes the parts of a pair: tie(s, e) = two_sum(a, b).
struct Tie {
    Lane &first, &second;

    DEVICE void operator=(Pair pair) const {
        first = pair.first;
        second = pair.second;
    }
};

DEVICE Tie tie(Lane &first, Lane &second) { return {first, second}; }

// s = fl(a + b) and s + e = a + b exactly. 6 operations.
DEVICE Pair two_sum(Lane a, Lane b) {
    const Lane s = a + b;
    const Lane b_virtual = s - a;
    const Lane a_virtual = s - b_virtual;
    return {s, (a - a_virtual) + (b - b_virtual)};
}

// two_sum in 3 operations, for a = 0, or b = 0, or an exponent of a not less than that of b.
DEVICE Pair fast_two_sum(Lane a, Lane b) {
    const Lane s = a + b;
    return {s, b - (s - a)};
}

// p = fl(a * b) and p + e = a * b exactly, unless e underflows. 2 operations.
DEVICE Pair two_prod(Lane a, Lane b) {
    const Lane p = a * b;
    return {p, mul_add(a, b, -p)};
}
