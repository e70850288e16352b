// Integers from numbers, residues from integers, numbers from integers (crates/num/src/rns, which
// has method and bounds).
//
// All integers here are exact, so that any way to compute them gives the bits of nonius-num. Sums
// of bytes times weights are started from the bits of a float: 1.5·2^23 + x for a sum x below 2^22
// in magnitude, which costs no conversion.

#pragma once

#include "num/multifloat.cuh"
#include "num/eft.cuh"

namespace crt {

// The bits of 1.5·2^23, and the number.
constexpr int FLOAT_ANCHOR_BITS = 0x4b400000;
constexpr float FLOAT_ANCHOR = 12582912.0f;

DEVICE double power(int e) { return __longlong_as_double((1023ll + e) << 52); }

// The integer Σ rint(limb) in two's complement, for limbs in normal form whose sum is below 2^(32·W
// − 2) in magnitude; 2^(32·W − 1) is added, so that all words are digits to base 2^32.
template <int W, int N> DEVICE void offset_words(MultiFloat<N> rest, unsigned (&words)[W]) {
    double digits[W];
#pragma unroll
    for (int i = W - 1; i >= 0; i--) {
        // Adding 1.5·2^(52 + e) rounds to a multiple of 2^e.
        const double unit = power(32 * i), anchor = ANCHOR * unit;
        Lane sum = 0.0;
#pragma unroll
        for (int l = 0; l < N; l++) {
            // Limb l is below 2^(32·W − 2 − 53·l).
            if (32 * W - 1 - 53 * l < 32 * i) continue;
            const Lane high = (rest[l] + anchor) - anchor;
            rest[l] = rest[l] - high;
            sum = l == 0 ? high : sum + high;
        }
        digits[i] = mul_add(sum, power(-32 * i), ANCHOR);
    }
    long long carry = 0;
#pragma unroll
    for (int i = 0; i < W; i++) {
        const long long digit = __double_as_longlong(digits[i]) - 0x4338000000000000ll + carry;
        words[i] = (unsigned)digit;
        carry = digit >> 32;
    }
    words[W - 1] ^= 0x80000000u;
}

// A residue modulo m as a signed byte: the lowest byte of the result. `sum` is started from
// FLOAT_ANCHOR_BITS + o, where m divides FLOAT_ANCHOR + o, so that its float is congruent to what
// was added; 1/m is rounded to nearest.
//
// The quotient is off by less than (2^24·2^-24)/m before it is rounded, so that the residue is
// below m/2 + 1: it fits for m <= 253. For 255 the float 1/m is too large, which leaves −128
// to 127. For 256 any quotient will do.
DEVICE int residue_byte(int sum, float reciprocal, int minus_modulus) {
    const float quotient = __fmaf_rn(__int_as_float(sum), reciprocal, FLOAT_ANCHOR);
    // The anchor's bits, and the number itself, are multiples of 2^22.
    return sum + __float_as_int(quotient) * minus_modulus;
}

// A residue modulo m, up to a rounding of its quotient, of low + 128·high: in the lowest 16 bits of
// the result. Both sums are started from FLOAT_ANCHOR_BITS.
DEVICE int residue_pair(int low, int high, float reciprocal, int minus_modulus) {
    const float x = __fsub_rn(__int_as_float(low), FLOAT_ANCHOR), y = __fsub_rn(__int_as_float(high), FLOAT_ANCHOR);
    const float quotient = __fmaf_rn(__fmaf_rn(y, 128.0f, x), reciprocal, FLOAT_ANCHOR);
    return low + (high << 7) + __float_as_int(quotient) * minus_modulus;
}

// A residue modulo m of x + y: at most m/2 in magnitude, where neither x nor y is beyond m/2 by
// more than one.
DEVICE int balanced_sum(int x, int y, int modulus) {
    const int sum = x + y;
    return 2 * sum > modulus ? sum - modulus : 2 * sum < -modulus ? sum + modulus : sum;
}

// A residue in 16 bits as two balanced digits to base 128 and their sum.
struct Digits {
    int low, high, sum;
};

DEVICE Digits two_digits(int residue) {
    const int low = (residue << 25) >> 25;
    const int high = ((residue - low) << 16) >> 23;
    return {low, high, low + high};
}

// Balanced digits to base 2^48 of Σ values[i]·2^(48·i), as integers in doubles; what goes beyond
// the last is zero.
template <int D> DEVICE void balanced_digits(const long long (&values)[D], Lane (&digits)[D]) {
    long long carry = 0;
#pragma unroll
    for (int i = 0; i < D; i++) {
        const long long value = values[i] + carry;
        // Two digits to base 2^24, each from −2^23 + 1 to 2^23.
        carry = (value + ((1ll << 47) - (1ll << 23) - 1)) >> 48;
        const long long digit = value - (carry << 48);
        digits[i] = Lane(__longlong_as_double(digit + 0x4338000000000000ll)) - ANCHOR;
    }
}

// The multiple of the product of all moduli that lies nearest to Σ values[i]·2^(48·i); `inverse` is
// one over the product.
template <int D> DEVICE int nearest_multiple(const long long (&values)[D], double inverse) {
    Lane sum = (double)values[D - 1];
#pragma unroll
    for (int i = D - 2; i >= 0; i--) sum = mul_add(sum, 0x1p48, (double)values[i]);
    return rounded_product(sum, inverse);
}

// The number Σ digits[i]·2^(48·i).
template <int N, int D> DEVICE MultiFloat<N> limbs(Lane (&digits)[D]) {
#pragma unroll
    for (int i = 0; i < D; i++) digits[i] = digits[i] * power(48 * i);
    MultiFloat<N> x;
#pragma unroll
    for (int l = 0; l < N; l++) {
        Lane sum = 0.0;
#pragma unroll
        for (int i = 0; i < D; i++) tie(sum, digits[i]) = fast_two_sum(digits[i], sum);
        x[l] = sum;
    }
#pragma unroll
    for (int l = 1; l < N; l++) tie(x[l - 1], x[l]) = fast_two_sum(x[l - 1], x[l]);
    return x;
}

// x·2^unit, limb by limb, in four steps, because one power may be beyond the range of doubles.
template <int N> DEVICE MultiFloat<N> scaled_by_steps(MultiFloat<N> x, int unit) {
    const int quarter = divide_rounded(unit, 2);
    const Lane step = power_of_two(quarter), last = power_of_two(unit - 3 * quarter);
#pragma unroll
    for (int l = 0; l < N; l++) x[l] = x[l] * step * step * step * last;
    return x;
}

} // namespace crt
