// An f64 whose operators round each by itself (crates/num/src/lane.rs).
//
// A compiler may contract `a * b + c` of doubles to a fused multiply-add, and error-free
// transformations are wrong then. The operators of Lane are intrinsics, which no compiler
// contracts, whatever its options.

#pragma once

#define DEVICE __device__ __forceinline__
// For what runs seldom: out of line, so that the code around it stays short and keeps its
// registers.
#define DEVICE_COLD static __device__ __noinline__
// For long functions, members among them: copies in the code around them take compilers seconds.
#define DEVICE_CALL __device__ __noinline__

struct Lane {
    double value;

    Lane() = default;
    DEVICE constexpr Lane(double x) : value(x) {}
    DEVICE constexpr operator double() const { return value; }
};

#define LANE_OPERATOR(op, intrinsic) \
    DEVICE Lane operator op(Lane a, Lane b) { return intrinsic(a.value, b.value); } \
    DEVICE Lane operator op(Lane a, double b) { return intrinsic(a.value, b); } \
    DEVICE Lane operator op(double a, Lane b) { return intrinsic(a, b.value); }
LANE_OPERATOR(+, __dadd_rn)
LANE_OPERATOR(-, __dsub_rn)
LANE_OPERATOR(*, __dmul_rn)
LANE_OPERATOR(/, __ddiv_rn)
#undef LANE_OPERATOR

DEVICE Lane operator-(Lane a) { return -a.value; }

// a * b + c with one rounding.
DEVICE Lane mul_add(Lane a, Lane b, Lane c) { return __fma_rn(a, b, c); }

DEVICE Lane reciprocal(Lane a) { return __drcp_rn(a); }

DEVICE Lane square_root(Lane a) { return __dsqrt_rn(a); }

// The upper half of the bits: sign, exponent, 20 bits of the significand.
DEVICE unsigned upper_half(Lane x) { return (unsigned)__double2hiint(x); }

DEVICE Lane magnitude(Lane x) { return __hiloint2double((int)(upper_half(x) & 0x7fffffffu), __double2loint(x)); }

DEVICE Lane select(bool mask, Lane a, Lane b) { return mask ? a.value : b.value; }

DEVICE Lane negate_where(bool mask, Lane x) {
    return __hiloint2double((int)(upper_half(x) ^ (mask ? 0x80000000u : 0u)), __double2loint(x));
}

DEVICE bool is_finite(Lane x) { return (upper_half(x) & 0x7ff00000u) != 0x7ff00000u; }

DEVICE bool is_nan(Lane x) { return !(x.value == x.value); }

DEVICE bool is_sign_negative(Lane x) { return upper_half(x) >> 31; }

// Whether x is normal: finite, not zero, not subnormal. Integer operations run beside those on
// doubles.
DEVICE bool is_normal(Lane x) { return (upper_half(x) << 1) - 0x00200000u < 0xffc00000u; }

// Whether the magnitude lies in [2^-500, 2^500), so that squares and reciprocals stay in range.
DEVICE bool is_moderate(Lane x) { return (upper_half(x) & 0x7fffffffu) - 0x20b00000u < 0x3e800000u; }

// Its sum with a number of magnitude up to 2^51 is rounded to an integer, ties to even, which
// stands in the low bits.
constexpr double ANCHOR = 0x1.8p52;

// x * factor, exact or rounded once more, to the nearest integer, ties to even, which is below
// 2^31. The conversion proper has units of its own, and few of them.
DEVICE int rounded_product(Lane x, Lane factor) { return __double2loint(x * factor + ANCHOR); }

// An integer as a number.
DEVICE Lane from_integer(int k) {
    return Lane(__hiloint2double(0x43300000, (int)((unsigned)k ^ 0x80000000u))) - (0x1p52 + 0x1p31); // 2^52 + 2^31 + k
}

// 2^k for k in [-1022, 1023].
DEVICE Lane power_of_two(int k) { return __hiloint2double((k + 1023) << 20, 0); }

// The e with 2^e <= |x| < 2^(e+1), for normal numbers.
DEVICE int exponent(Lane x) { return (int)((upper_half(x) >> 20) & 0x7ffu) - 1023; }

// k / 2^shift to the nearest integer, ties to even, for magnitudes below 2^30.
DEVICE int divide_rounded(int k, int shift) { return (k + (1 << (shift - 1)) - 1 + ((k >> shift) & 1)) >> shift; }
