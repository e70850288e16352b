// Pairs of f32: hi + lo with |lo| at most half a unit in the last place of hi, 48 bits or more.
// Sums and products are within 2^-45 of the larger operand, roots and quotients within 2^-44
// (Joldes, Muller, Popescu, Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic, 2017).
#pragma once

#include "num/lane.cuh"

namespace fem {

struct alignas(8) Pair {
    float hi, lo;

    Pair() = default;
    DEVICE constexpr Pair(float hi, float lo) : hi(hi), lo(lo) {}
    DEVICE constexpr explicit Pair(float x) : hi(x), lo(0.0f) {}
    DEVICE constexpr explicit Pair(int x) : hi(float(x)), lo(0.0f) {}
    // The nearest pair; of a constant the compiler finds it.
    DEVICE constexpr explicit Pair(double x) : hi(float(x)), lo(float(x - double(float(x)))) {}

    DEVICE explicit operator float() const { return hi; }
    DEVICE explicit operator double() const { return double(hi) + double(lo); }
};

// x + y of |x| at least |y| or zero.
DEVICE Pair fast_two_sum(float x, float y) {
    const float sum = __fadd_rn(x, y);
    return {sum, __fsub_rn(y, __fsub_rn(sum, x))};
}

// x + y exactly.
DEVICE Pair two_sum(float x, float y) {
    const float sum = __fadd_rn(x, y), other = __fsub_rn(sum, x);
    return {sum, __fadd_rn(__fsub_rn(x, __fsub_rn(sum, other)), __fsub_rn(y, other))};
}

// What states in f64 have of a number: of a pair the 53 bits from the first one of hi on.
// Runs that go on from a state have the bits of others, since all remember numbers so.
template <class T> DEVICE T kept(T x) { return x; }
DEVICE Pair kept(Pair x) {
    const int hi = __float_as_int(x.hi), lo = __float_as_int(x.lo);
    // Bits of lo beyond them; a subnormal lo ends where the smallest normal numbers do.
    const int beyond = (hi >> 23 & 0xff) - max(lo >> 23 & 0xff, 1) - 29;
    return {x.hi, __int_as_float(beyond <= 0 ? lo : beyond < 24 ? lo & -(1 << beyond) : 0)};
}

DEVICE Pair operator-(Pair x) { return {-x.hi, -x.lo}; }

DEVICE Pair operator+(Pair x, Pair y) {
    const Pair sum = two_sum(x.hi, y.hi);
    return fast_two_sum(sum.hi, __fadd_rn(sum.lo, __fadd_rn(x.lo, y.lo)));
}

DEVICE Pair operator-(Pair x, Pair y) { return x + -y; }

DEVICE Pair operator+(Pair x, float y) {
    const Pair sum = two_sum(x.hi, y);
    return fast_two_sum(sum.hi, __fadd_rn(sum.lo, x.lo));
}

// x·y, not normalised.
DEVICE Pair raw_product(Pair x, Pair y) {
    const float product = __fmul_rn(x.hi, y.hi);
    float rest = __fmaf_rn(x.hi, y.hi, -product);
    rest = __fmaf_rn(x.hi, y.lo, rest);
    return {product, __fmaf_rn(x.lo, y.hi, rest)};
}

DEVICE Pair operator*(Pair x, Pair y) {
    const Pair product = raw_product(x, y);
    return fast_two_sum(product.hi, product.lo);
}

// x·y + z; the product is not normalised before it is added.
DEVICE Pair mul_add(Pair x, Pair y, Pair z) {
    const Pair product = raw_product(x, y), sum = two_sum(product.hi, z.hi);
    return fast_two_sum(sum.hi, __fadd_rn(sum.lo, __fadd_rn(product.lo, z.lo)));
}

DEVICE Pair operator/(Pair x, Pair y) {
    const float quotient = __fdiv_rn(x.hi, y.hi);
    float rest = __fmaf_rn(-quotient, y.hi, x.hi);
    rest = __fmaf_rn(-quotient, y.lo, __fadd_rn(rest, x.lo));
    return fast_two_sum(quotient, __fdiv_rn(rest, y.hi));
}

DEVICE Pair root(Pair x) {
    const float near = __fsqrt_rn(x.hi);
    if (!(near > 0.0f)) return {near, 0.0f};
    const float rest = __fadd_rn(__fmaf_rn(-near, near, x.hi), x.lo);
    return fast_two_sum(near, __fdiv_rn(rest, __fadd_rn(near, near)));
}

DEVICE bool operator<(Pair x, Pair y) { return x.hi < y.hi || (x.hi == y.hi && x.lo < y.lo); }
DEVICE bool operator>(Pair x, Pair y) { return y < x; }

DEVICE Pair magnitude(Pair x) { return x.hi < 0.0f ? -x : x; }

} // namespace fem
