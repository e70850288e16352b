// Numbers of PRECISION bits, as kernels of tridiagonal systems have them: with the bits of the
// host. In planes they are words of 64 bits, lowest first, and a head. Operations are calls:
// kernels have many of them.
#pragma once

#include "mp/divide.cuh"
#include "mp/double.cuh"

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

DEVICE Word limb(const Number &x, int l) {
    return l < Number::WORDS ? (Word)x.digits[2 * l + 1] << 32 | x.digits[2 * l] : (unsigned)x.head;
}
DEVICE void set_limb(Number &x, int l, Word value) {
    if (l == Number::WORDS) {
        x.head = (int)value;
    } else {
        x.digits[2 * l] = (unsigned)value, x.digits[2 * l + 1] = (unsigned)(value >> 32);
    }
}

// A magnitude: significand · 2^exponent with a significand in [1/2, 1), or one that is zero,
// infinite or NaN (crates/linalg/src/backend/reading.rs).
struct Size {
    double significand;
    long long exponent;
};

DEVICE bool is_ordinary(double x) { return x > 0.0 && x < __longlong_as_double(0x7ffll << 52); }

// Of a significand in [1/2, 2), or one that is not ordinary.
DEVICE Size levelled(double significand, long long exponent) {
    if (!is_ordinary(significand)) return {significand, 0};
    return significand < 1.0 ? Size{significand, exponent} : Size{0.5 * significand, exponent + 1};
}

DEVICE Size size_of(const Number &x) {
    const double infinity = __longlong_as_double(0x7ffll << 52);
    if (mp::is_zero(x.head)) return {0.0, 0};
    if (!mp::is_finite(x.head)) return {mp::is_nan(x.head) ? infinity - infinity : infinity, 0};
    return levelled(__ull2double_rn(limb(x, Number::WORDS - 1)) * 0x1p-64, x.code());
}

DEVICE Size operator/(const Size &x, const Size &y) {
    return levelled(__ddiv_rn(x.significand, y.significand), x.exponent - y.exponent);
}

DEVICE bool operator>(const Size &x, const Size &y) {
    if (!is_ordinary(x.significand) || !is_ordinary(y.significand)) return x.significand > y.significand;
    return x.exponent > y.exponent || (x.exponent == y.exponent && x.significand > y.significand);
}

// The other one where one is NaN.
DEVICE Size larger(const Size &x, const Size &y) {
    return y > x || x.significand != x.significand ? y : x;
}
