// What the host reads of an iteration on the device (crates/linalg/src/backend/space.rs): rows of
// readings, until one is met.
#pragma once

#include "num/lane.cuh"

// significand·2^exponent, with a significand from 1/2 to 1, zero, infinite or NaN.
struct Reading {
    double significand;
    long long exponent;

    DEVICE static Reading of(double x) {
        if (x == 0.0 || !is_finite(Lane(x))) return {x, 0};
        long long exponent = 0;
        if (!is_normal(Lane(x))) x = __dmul_rn(x, 0x1p100), exponent = -100;
        const unsigned high = upper_half(Lane(x));
        return {__hiloint2double((int)((high & 0x800fffffu) | 1022u << 20), __double2loint(x)), exponent + (int)(high >> 20 & 0x7ff) - 1022};
    }

    // Times 2^e, as an f64.
    DEVICE double scaled(long long e) const {
        if (!is_ordinary()) return significand;
        // In two steps, of which the last alone can leave the range.
        const int all = (int)min(max(exponent + e, -4000ll), 4000ll);
        return ldexp(ldexp(significand, all / 2), all - all / 2);
    }

    DEVICE bool is_ordinary() const { return is_finite(Lane(significand)) && significand != 0.0; }

    DEVICE bool at_most(const Reading &limit) const {
        const double x = significand, y = limit.significand;
        if (!is_ordinary() || !limit.is_ordinary() || (x < 0.0) != (y < 0.0)) return x <= y;
        if (exponent == limit.exponent) return x <= y;
        return (exponent < limit.exponent) != (x < 0.0);
    }
};

struct Log {
    // Whether it is met, and rows since the host looked.
    unsigned met, rows;
    Reading limit;
    Reading readings[1];

    // A row of so many readings.
    template <int K> DEVICE void append(const Reading (&row)[K], int columns) {
        if (met) return;
        for (int k = 0; k < columns; k++) readings[(long long)rows * columns + k] = row[k];
        rows++;
        if (row[0].at_most(limit)) met = 1;
    }
};

// Whether nothing is to change any more.
DEVICE bool is_held(const Log *log) { return log != nullptr && *(const volatile unsigned *)&log->met != 0; }
