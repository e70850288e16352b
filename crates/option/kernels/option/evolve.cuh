// Stages of vectors that evolve under tridiagonal matrices (crates/option/src/evolve), and what a
// floor does, in the order of operations of crates/option/src/evolve/reference.rs.
#pragma once

#ifdef PRECISION

#include "option/words.cuh"

#else

#include "num/number.cuh"

DEVICE bool is_zero(const Number &x) { return x[0] == 0.0; }
DEVICE bool is_at_most_zero(const Number &x) { return x[0] <= 0.0; }
DEVICE bool is_at_least_zero(const Number &x) { return x[0] >= 0.0; }
DEVICE bool is_positive(const Number &x) { return x[0] > 0.0; }

#endif

enum Kind { STEPS, MAP, FLOOR };

// What the two nodes beside a crossing take.
struct Shares {
    Number own, next;
};

// Where the vector is above the obstacle at the last two nodes of four.
DEVICE_COLD Shares rising(const Number p, const Number q, const Number r, const Number s) {
    const Number half = number(0.5), two = number(2.0), three = number(3.0), six = number(6.0), one = number(1.0), zero = number(0.0);
    const Number b = (p + r) * half - q, c = ((s - p) + three * (q - r)) / six, a = ((r - q) - b) - c, line = q / (q - r);
    Number z = line;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        const Number value = q + z * (a + z * (b + z * c)), slope = a + z * (two * b + z * (three * c));
        z = z - value / slope;
    }
    if (!(is_at_least_zero(z) && is_at_most_zero(z - one))) z = line;
    const Number slope = a + z * (two * b + z * (three * c)), curvature = two * b + z * (six * c);
    if (!(is_positive(slope) && is_finite(slope) && is_finite(curvature))) return {zero, zero};
    const Number part = (z * (one - z)) * half, third = (half - z) / three;
    const Number sum = -(part * (slope + third * curvature)), moment = -(two * (part * (third * slope))), last = moment + z * sum;
    return {sum - last, last};
}

DEVICE Shares crossing(const Number &p, const Number &q, const Number &r, const Number &s) {
    const bool low = is_at_most_zero(p), high = is_at_most_zero(s);
    if (low == high || is_at_most_zero(q) != low || is_at_most_zero(r) != high) return {number(0.0), number(0.0)};
    if (low) return rising(p, q, r, s);
    const Shares shares = rising(s, r, q, p);
    return {shares.next, shares.own};
}
