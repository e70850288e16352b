// Numbers of PRECISION bits, as kernels of tridiagonal systems have them: with the bits of the
// host. In planes they are words of 64 bits, lowest first, and a head. Operations are calls:
// kernels have many of them.
#pragma once

#include "mp/divide.cuh"
#include "mp/double.cuh"
#include "mp/planes.cuh"
#include "num/reading.cuh"

typedef mp::Word Word;
typedef mp::Number<PRECISION> Number;
constexpr int PLANES = Number::WORDS + 1;

// Numbers of many words lie in memory, not in registers. Loops stay loops then, and what kernels
// have in several places is a call, so that they are compiled in seconds.
#if PRECISION <= 256
#define UNROLLED _Pragma("unroll")
typedef const Number Operand;
#else
#define UNROLLED _Pragma("unroll 1")
typedef const Number &Operand;
#endif
#define STEP DEVICE_CALL

DEVICE Number number(double x) { return mp::of_double<PRECISION>(x); }
DEVICE Number negated(const Number &x) { return -x; }
DEVICE_COLD Number sum(Operand x, Operand y) { return x + y; }
DEVICE_COLD Number difference(Operand x, Operand y) { return x - y; }
DEVICE_COLD Number product(Operand x, Operand y) { return x * y; }
DEVICE_COLD Number quotient(Operand x, Operand y) { return mp::divide(x, y); }
DEVICE_COLD Number inverse(Operand x) { return mp::reciprocal(x); }
DEVICE_COLD Number fused(Operand x, Operand y, Operand z) { return x * y + z; }
DEVICE bool is_number(const Number &x) { return mp::is_finite(x.head); }
DEVICE bool is_zero(const Number &x) { return mp::is_zero(x.head); }

DEVICE Word limb(const Number &x, int l) { return mp::plane(x, l); }
DEVICE void set_limb(Number &x, int l, Word value) { mp::set_plane(x, l, value); }

// Magnitudes, as pivots are chosen by.
typedef Reading Size;

DEVICE Size size_of(const Number &x) {
    if (mp::is_zero(x.head)) return Reading::zero();
    if (mp::is_nan(x.head)) return {__hiloint2double(0x7ff80000, 0), 0};
    if (!mp::is_finite(x.head)) return Reading::infinite();
    return Reading::of(__dmul_rn(__ull2double_rn(x.digits.highest_word()), 0x1p-64), x.code());
}
