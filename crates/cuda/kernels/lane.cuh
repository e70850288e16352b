// An f64 whose operators round each by itself (crates/num/src/lane.rs).
//
// A compiler may contract `a * b + c` of doubles to a fused multiply-add, and error-free transformations are wrong then. The
// operators of Lane are intrinsics, which no compiler contracts, whatever its options.

#pragma once

#define DEVICE __device__ __forceinline__
// For what runs seldom: out of line, so that the code around it stays short and keeps its registers.
#define DEVICE_COLD static __device__ __noinline__

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

DEVICE bool is_finite(Lane x) { return (upper_half(x) & 0x7ff00000u) != 0x7ff00000u; }

DEVICE bool is_nan(Lane x) { return !(x.value == x.value); }

DEVICE bool is_sign_negative(Lane x) { return upper_half(x) >> 31; }

// Whether x is normal: finite, not zero, not subnormal. Integer operations run beside those on doubles.
DEVICE bool is_normal(Lane x) { return (upper_half(x) << 1) - 0x00200000u < 0xffc00000u; }

// Whether the magnitude lies in [2^-500, 2^500), so that squares and reciprocals stay in range.
DEVICE bool is_moderate(Lane x) { return (upper_half(x) & 0x7fffffffu) - 0x20b00000u < 0x3e800000u; }

// Its low bits are an integer of magnitude below 2^31 that was added to it.
constexpr double ANCHOR = 6755399441055744.0; // 1.5 * 2^52

// The nearest integer, ties to even, for |x| <= 2^51.
DEVICE Lane round_small(Lane x) { return (x + ANCHOR) - ANCHOR; }

// An integral x of magnitude below 2^31. Faster than the conversion, which has units of its own, and few of them.
DEVICE int integer(Lane x) { return __double2loint(x + ANCHOR); }

// 2^k for integral k in [-1022, 1023].
DEVICE Lane exp2_integer(Lane k) { return __hiloint2double((integer(k) + 1023) << 20, 0); }

// The exponent e with 2^e <= |x| < 2^(e+1), for normal numbers.
DEVICE Lane exponent(Lane x) {
    const int field = (int)((upper_half(x) >> 20) & 0x7ffu);
    return Lane(__hiloint2double(0x43300000, field)) - (4503599627370496.0 + 1023.0); // 2^52 + field
}
