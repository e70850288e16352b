// What kernels for numbers of either kind ask of them beside + - * and /.
#pragma once

#include "dense/matrix.cuh"

#ifdef PRECISION

#include "mp/divide.cuh"

DEVICE Number zero() { return Number::zero(); }
DEVICE Number one() { return Number::one(); }
DEVICE Number operator/(const Number &x, const Number &y) { return mp::divide(x, y); }

// x times 2^by.
DEVICE Number scaled(const Number &x, long long by) {
    if (!mp::is_number(x.head)) return x;
    const int head = mp::finite_head(x.code() + by, x.is_negative());
    return mp::is_number(head) ? Number{head, x.digits} : Number::special(head);
}

DEVICE Number halved(const Number &x) { return scaled(x, -1); }
DEVICE Number doubled(const Number &x) { return scaled(x, 1); }

#else

#include "num/arithmetic.cuh"

DEVICE Number zero() { return from_lane<LIMBS>(0.0); }
DEVICE Number one() { return from_lane<LIMBS>(1.0); }

DEVICE Number halved(const Number &x) { return scale(x, 0.5); }
DEVICE Number doubled(const Number &x) { return scale(x, 2.0); }

#endif
