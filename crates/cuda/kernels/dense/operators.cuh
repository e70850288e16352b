// What kernels for numbers of either kind ask of them beside + - * and /.
#pragma once

#include "dense/matrix.cuh"

#ifdef PRECISION

#include "mp/divide.cuh"

DEVICE Number zero() { return Number::zero(); }
DEVICE Number one() { return Number::one(); }
DEVICE Number operator/(const Number &x, const Number &y) { return mp::divide(x, y); }

DEVICE Number halved(const Number &x) {
    if (!mp::is_number(x.head)) return x;
    const int head = mp::finite_head(x.code() - 1ll, x.is_negative());
    return mp::is_number(head) ? Number{head, x.digits} : Number::special(head);
}

#else

#include "num/arithmetic.cuh"

DEVICE Number zero() { return from_lane<LIMBS>(0.0); }
DEVICE Number one() { return from_lane<LIMBS>(1.0); }

DEVICE Number halved(Number x) {
#pragma unroll
    for (int l = 0; l < LIMBS; l++) x[l] = x[l] * 0.5;
    return x;
}

#endif
