// Numbers with the significand of an f64 and exponents far beyond its range
// (crates/linalg/src/backend/reading.rs, whose bits they have).
#pragma once

#include "num/lane.cuh"

// significand·2^exponent, with a significand from 1/2 to 1, zero, infinite or NaN. Only the first
// of these has an exponent of its own; that of the others is 0.
struct Reading {
    double significand;
    long long exponent;

    DEVICE static Reading zero() { return {0.0, 0}; }
    DEVICE static Reading infinite() { return {__hiloint2double(0x7ff00000, 0), 0}; }

    DEVICE static Reading of(double x) {
        if (x == 0.0 || !is_finite(Lane(x))) return {x, 0};
        long long exponent = 0;
        if (!is_normal(Lane(x))) x = __dmul_rn(x, 0x1p100), exponent = -100;
        const unsigned high = upper_half(Lane(x));
        return {__hiloint2double((int)((high & 0x800fffffu) | 1022u << 20), __double2loint(x)), exponent + (int)(high >> 20 & 0x7ff) - 1022};
    }

    // x·2^e
    DEVICE static Reading of(double x, long long e) { return of(x).times_power(e); }

    DEVICE bool is_ordinary() const { return is_finite(Lane(significand)) && significand != 0.0; }

    DEVICE Reading times_power(long long e) const { return {significand, is_ordinary() ? exponent + e : 0}; }

    // Times 2^e, as an f64.
    DEVICE double scaled(long long e) const {
        if (!is_ordinary()) return significand;
        // In two steps, of which the last alone can leave the range.
        const int all = (int)min(max(exponent + e, -4000ll), 4000ll);
        return ldexp(ldexp(significand, all / 2), all - all / 2);
    }

    // False where either is NaN.
    DEVICE bool at_most(const Reading &limit) const {
        const double x = significand, y = limit.significand;
        if (!is_ordinary() || !limit.is_ordinary() || (x < 0.0) != (y < 0.0)) return x <= y;
        if (exponent == limit.exponent) return x <= y;
        return (exponent < limit.exponent) != (x < 0.0);
    }
};

// Without a choice between references, which CUDA 13.0 compiles wrongly (rns/number.cuh).
DEVICE Reading operator+(const Reading &x, const Reading &y) {
    const bool other = x.exponent < y.exponent;
    const double high = other ? y.significand : x.significand, low = other ? x.significand : y.significand;
    const long long top = other ? y.exponent : x.exponent, bottom = other ? x.exponent : y.exponent;
    if (high == 0.0 || !is_finite(Lane(low))) return Reading::of(__dadd_rn(high, low), bottom);
    const int down = (int)min(top - bottom, 1000ll);
    return Reading::of(__dadd_rn(high, __dmul_rn(low, power_of_two(-down))), top);
}

DEVICE Reading operator/(const Reading &x, const Reading &y) {
    return Reading::of(__ddiv_rn(x.significand, y.significand), x.exponent - y.exponent);
}

// False where either is NaN.
DEVICE bool operator>(const Reading &x, const Reading &y) { return y.at_most(x) && !x.at_most(y); }

// The larger one, or the other one where one is NaN.
DEVICE Reading larger(const Reading &x, const Reading &y) {
    const bool other = y > x || is_nan(Lane(x.significand));
    return {other ? y.significand : x.significand, other ? y.exponent : x.exponent};
}
