// Upper bounds of magnitudes, of any exponent (crates/linalg/src/certified/magnitude.rs): what the
// host computes, operation by operation. Magnitude is in arguments.cuh, which files include before:
// m·2^e with 1/2 <= m < 1, or 0, or infinity.
#pragma once

#include "num/lane.cuh"

namespace bound {

constexpr double EPSILON = 0x1p-52, UP = 1.0 + 2.0 * EPSILON;

// 2^k for k from −1022 to 1023.
DEVICE double power_of_two(int k) { return __hiloint2double((1023 + k) << 20, 0); }

// x·2^-k for k from 0 to 200.
DEVICE double down(double x, int k) { return __dmul_rn(x, power_of_two(-k)); }

DEVICE bool is_finite(double x) { return ::is_finite(Lane(x)); }

DEVICE Magnitude infinite() { return {__hiloint2double(0x7ff00000, 0), 0}; }

DEVICE Magnitude make(double x, long long e) {
    if (x == 0.0) return {0.0, 0};
    if (!is_finite(x)) return infinite();
    if (!is_normal(Lane(x))) x = __dmul_rn(x, 0x1p100), e -= 100;
    const int exponent = (int)(upper_half(Lane(x)) >> 20) - 1022;
    return {__hiloint2double((int)((upper_half(Lane(x)) & 0xfffff) | 1022u << 20), __double2loint(x)), e + exponent};
}

DEVICE int rank(Magnitude x) { return (x.m > 0.0 ? 1 : 0) + (is_finite(x.m) ? 0 : 1); }

DEVICE bool less(Magnitude x, Magnitude y) {
    if (rank(x) != rank(y)) return rank(x) < rank(y);
    return rank(x) == 1 && (x.e != y.e ? x.e < y.e : x.m < y.m);
}

DEVICE Magnitude greater(Magnitude x, Magnitude y) { return less(x, y) ? y : x; }

DEVICE int gap(long long e, long long f) { return (int)min(max(e - f, 0ll), 200ll); }

DEVICE Magnitude plus(Magnitude x, Magnitude y) {
    const Magnitude large = greater(x, y), small = less(x, y) ? x : y;
    if (small.m == 0.0 || !is_finite(large.m)) return large;
    return make(__dmul_rn(__dadd_rn(large.m, down(small.m, gap(large.e, small.e))), UP), large.e);
}

DEVICE Magnitude times(Magnitude x, Magnitude y) {
    if (x.m == 0.0 || y.m == 0.0) return {0.0, 0};
    return make(__dmul_rn(__dmul_rn(x.m, y.m), UP), x.e + y.e);
}

DEVICE Magnitude shifted(Magnitude x, long long k) { return x.m > 0.0 && is_finite(x.m) ? Magnitude{x.m, x.e + k} : x; }

// A bound of x / (y − z), for a lower bound y and an upper bound z.
DEVICE Magnitude over_difference(Magnitude x, Magnitude y, Magnitude z) {
    if (!less(z, y)) return infinite();
    if (x.m == 0.0) return x;
    const double part = z.m == 0.0 ? 0.0 : down(z.m, gap(y.e, z.e));
    const double divisor = __dsub_rn(__dsub_rn(y.m, part), 4.0 * EPSILON);
    if (divisor <= 0.0) return infinite();
    return make(__dmul_rn(__ddiv_rn(x.m, divisor), UP), x.e - y.e);
}

// A lower bound of x − y, for a lower bound x and an upper bound y.
DEVICE Magnitude above_by(Magnitude x, Magnitude y) {
    if (y.m == 0.0 || x.m == 0.0) return x;
    if (!less(y, x)) return {0.0, 0};
    const double difference = __dsub_rn(__dsub_rn(x.m, down(y.m, gap(x.e, y.e))), 4.0 * EPSILON);
    return make(difference > 0.0 ? difference : 0.0, x.e);
}

} // namespace bound
