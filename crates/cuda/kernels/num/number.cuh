// Numbers of LIMBS limbs, and operations on them of which kernels have many.
#pragma once

#include "num/arithmetic.cuh"

typedef double Word;
typedef MultiFloat<LIMBS> Number;
constexpr int PLANES = LIMBS;

DEVICE Number number(double x) { return from_lane<LIMBS>(x); }
DEVICE Number negated(const Number &x) { return -x; }
DEVICE Number difference(const Number &x, const Number &y) { return x - y; }

// Operations on three and four limbs are long: calls cost them little, and kernels without copies
// of them compile in a tenth of the time.
#if LIMBS > 2
#define OPERATION static __device__ __noinline__
#else
#define OPERATION DEVICE
#endif

OPERATION Number product(const Number x, const Number y) { return x * y; }
OPERATION Number quotient(const Number x, const Number y) { return x / y; }
#if LIMBS == 1
DEVICE Number inverse(const Number x) { return {{reciprocal(x[0])}}; }
DEVICE Number fused(const Number x, const Number y, const Number z) { return {{mul_add(x[0], y[0], z[0])}}; }
#else
DEVICE Number inverse(const Number x) { return quotient(number(1.0), x); }
OPERATION Number fused(const Number x, const Number y, const Number z) { return x * y + z; }
#endif
DEVICE bool is_number(const Number &x) { return is_finite(x[0]); }
DEVICE double size_of(const Number &x) { return magnitude(x[0]); }
DEVICE Word limb(const Number &x, int l) { return x[l]; }
DEVICE void set_limb(Number &x, int l, Word value) { x[l] = value; }
