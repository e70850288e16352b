// What kernels for numbers of either kind ask of them beside + - * and /.
#pragma once

#include "dense/matrix.cuh"

#ifdef PRECISION

#include "mp/divide.cuh"

DEVICE Number operator/(const Number &x, const Number &y) { return mp::divide(x, y); }

DEVICE Number halved(const Number &x) { return mp::scaled(x, -1); }
DEVICE Number doubled(const Number &x) { return mp::scaled(x, 1); }

#else

#include "num/arithmetic.cuh"

DEVICE Number halved(const Number &x) { return scale(x, 0.5); }
DEVICE Number doubled(const Number &x) { return scale(x, 2.0); }

#endif
