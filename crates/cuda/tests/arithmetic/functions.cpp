// The arithmetic of the kernels on arrays of numbers of LIMBS limbs that lie side by side.

#include "shim.h"

#include "dense/accumulate.cuh"
#include "num/compare.cuh"
#include "crt/crt.cuh"
#include "num/elementary.cuh"
#include "num/fma.cuh"
#include "dense/normalized.cuh"
#include "num/operations.cuh"
#include "num/variants.cuh"

using Number = MultiFloat<LIMBS>;

// A function of that name which evaluates the expression for each of `count` numbers x, y, z.
#define EXPORT(name, expression) \
    extern "C" void name(size_t count, const Number *a, const Number *b, const Number *c, Number *out) { \
        for (size_t i = 0; i < count; i++) { \
            const Number &x = a[i], &y = b[i], &z = c[i]; \
            (void)x, (void)y, (void)z; \
            out[i] = expression; \
        } \
    }

#define UNARY(name) EXPORT(nonius_##name, operation::name(x))
#define BINARY(name) EXPORT(nonius_##name, operation::name(x, y))
#define TERNARY(name) EXPORT(nonius_##name, operation::name(x, y, z))

UNARY(neg)
UNARY(abs)
UNARY(sqrt)
BINARY(add)
BINARY(sub)
BINARY(mul)
BINARY(div)
TERNARY(mul_add)

UNARY(exp)
UNARY(exp2)
UNARY(expm1)
UNARY(ln)
UNARY(log2)
UNARY(log10)
UNARY(log1p)
UNARY(cbrt)
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(atan)
UNARY(sinh)
UNARY(cosh)
UNARY(tanh)
UNARY(asinh)
UNARY(acosh)
UNARY(atanh)
BINARY(pow)
BINARY(hypot)
BINARY(atan2)

static Number number(double x) { return from_lane<LIMBS>(x); }

EXPORT(nonius_fma, fma(x, y, z))
EXPORT(nonius_compare, number(compare(x, y)))
EXPORT(nonius_renormalize, renormalize(x))
// The first limb of y is an integer.
EXPORT(nonius_ldexp, ldexp(x, (int)y[0]))
EXPORT(nonius_mantissa, frexp(x).mantissa)
EXPORT(nonius_exponent, number(frexp(x).exponent))

#if LIMBS > 1
// The first limb of y is an integer.
EXPORT(nonius_powi, elementary::powi(x, (int)y[0]))

static Number sine_and_cosine(const Number &x, bool cosine) {
    Number both[2];
    elementary::sin_cos(x, both[0], both[1]);
    return both[cosine];
}

EXPORT(nonius_sine_of_both, sine_and_cosine(x, false))
EXPORT(nonius_cosine_of_both, sine_and_cosine(x, true))
#endif

#if LIMBS == 2
EXPORT(nonius_add_ieee, add_ieee(x, y))
EXPORT(nonius_add_cray, add_cray(x, y))
EXPORT(nonius_mul_accurate, mul_accurate(x, y))
EXPORT(nonius_mul_sloppy, mul_sloppy(x, y))
#endif

// The running sum after each step: the product of x and y, in some steps of x's first limb and y,
// in others z; the last one in normal form.
extern "C" void nonius_accumulate(size_t count, const Number *x, const Number *y, const Number *z, Number *out) {
    auto sum = Accumulator<LIMBS>::zero();
    for (size_t i = 0; i < count; i++) {
        if (i % 4 == 3)
            sum.add(z[i]);
        else if (i % 4 == 2)
            sum.add_scaled(x[i][0], y[i]);
        else
            sum.add_product(x[i], y[i]);
        if ((i + 1) % sum.PERIOD == 0) sum.carry();
        out[i] = sum.sum;
    }
    if (count > 0) out[count - 1] = sum.normalized();
}

// The running sum of the products of x and y after each step.
#define EXPORT_SUM(name, Sum) \
    extern "C" void name(size_t count, const Number *x, const Number *y, const Number *, Number *out) { \
        auto sum = Sum<LIMBS>::zero(); \
        for (size_t i = 0; i < count; i++) { \
            sum.add_product(x[i], y[i]); \
            out[i] = sum.normalized(); \
        } \
    }

EXPORT_SUM(nonius_ieee_sum, Ieee)
#if LIMBS == 2
EXPORT_SUM(nonius_ieee_sloppy_sum, IeeeSloppy)
EXPORT_SUM(nonius_cray_sum, Cray)
EXPORT_SUM(nonius_sloppy_sum, Sloppy)
#endif

// Integers with 2^255 added, in eight words each.
extern "C" void nonius_crt_words(size_t count, const Number *x, unsigned *out) {
    for (size_t i = 0; i < count; i++) {
        unsigned words[8];
        crt::offset_words<8>(x[i], words);
        std::copy(words, words + 8, out + 8 * i);
    }
}

// Residues as signed bytes, and as 16 bits of low + 128 * high.
extern "C" void nonius_crt_bytes(size_t count, const int *sums, float reciprocal, int minus_modulus, int *out) {
    for (size_t i = 0; i < count; i++) out[i] = (int8_t)crt::residue_byte(sums[i], reciprocal, minus_modulus);
}

extern "C" void nonius_crt_pairs(size_t count, const int *sums, float reciprocal, int minus_modulus, int *out) {
    for (size_t i = 0; i < count; i++) {
        const crt::Digits digits = crt::two_digits(crt::residue_pair(sums[2 * i], sums[2 * i + 1], reciprocal, minus_modulus));
        out[3 * i] = digits.low, out[3 * i + 1] = digits.high, out[3 * i + 2] = digits.sum;
    }
}

// Sums of two residues each.
extern "C" void nonius_crt_sums(size_t count, const int *pairs, int modulus, int *out) {
    for (size_t i = 0; i < count; i++) out[i] = crt::balanced_sum(pairs[2 * i], pairs[2 * i + 1], modulus);
}

// The numbers of ten digits each, modulo the product, times a power of two.
extern "C" void nonius_crt_numbers(
    size_t count, const long long *values, const long long *product, double inverse, const int *units, Number *out) {
    for (size_t i = 0; i < count; i++) {
        long long rest[10];
        std::copy(values + 10 * i, values + 10 * i + 10, rest);
        const int quotient = crt::nearest_multiple(rest, inverse);
        for (int d = 0; d < 10; d++) rest[d] -= quotient * product[d];
        Lane digits[10];
        crt::balanced_digits(rest, digits);
        out[i] = crt::scaled_by_steps(crt::limbs<LIMBS>(digits), units[i]);
    }
}
