// Numbers in residues for space.cu and spmv.cu: what is different between them and others. Every
// product and every sum is rounded by itself.
#pragma once

#include "sparse/log.cuh"
#include "rns/vector.cuh"

// A number, and the tables of its format, unless it is a zero.
struct Number {
    rns::Number<Format> value;
    const unsigned *tables;
};

DEVICE rns::Arithmetic<Format> arithmetic_of(const Number &x, const Number &y) { return {{x.tables ? x.tables : y.tables}}; }

struct Vector : rns::Vector {
    DEVICE Number load(long long i) const { return {rns::Vector::load(i), tables}; }
    DEVICE void store(long long i, const Number &x) const { rns::Vector::store(i, x.value); }
};

// The same where other blocks of the same kernel write.
struct FreshVector : Vector {
    DEVICE Number load(long long i) const {
        rns::Number<Format> x;
        x.head = __ldcg(heads() + i), x.bounds = {__ldcg(bounds + i), __ldcg(bounds + i + plane)};
        for (int k = 0; k < Format::COUNT; k++) x.y[k] = __ldcg(residues() + i + k * plane);
        return {x, tables};
    }
};

DEVICE Number zero() { return {rns::Number<Format>::special(mp::head(mp::ZERO, false)), nullptr}; }
DEVICE Number negated(const Number &x, bool negate) { return {x.value.negated(negate), x.tables}; }
DEVICE Number of(const rns::Number<Format> &value, const rns::Arithmetic<Format> &arithmetic) { return {value, arithmetic.t.words}; }

DEVICE Number operator+(const Number &x, const Number &y) {
    const auto arithmetic = arithmetic_of(x, y);
    return of(arithmetic.sum(x.value, y.value), arithmetic);
}
DEVICE Number operator-(const Number &x, const Number &y) { return x + negated(y, true); }
DEVICE Number operator*(const Number &x, const Number &y) {
    const auto arithmetic = arithmetic_of(x, y);
    return of(arithmetic.product(x.value, y.value), arithmetic);
}
DEVICE Number times(double x, const Number &y) {
    const auto arithmetic = arithmetic_of(y, y);
    return of(arithmetic.product_with_double(x, y.value), arithmetic);
}
DEVICE Number divide(const Number &x, const Number &y) {
    const auto arithmetic = arithmetic_of(x, y);
    return of(arithmetic.quotient(x.value, y.value), arithmetic);
}
DEVICE Number root(const Number &x) {
    const auto arithmetic = arithmetic_of(x, x);
    return of(arithmetic.root(x.value), arithmetic);
}

// z + x y
DEVICE Number fused(const Number &x, const Number &y, const Number &z) { return z + x * y; }

// Rounded to 53 bits.
DEVICE Reading reading(const Number &x) {
    const int head = x.value.head;
    const bool negative = x.value.is_negative();
    double magnitude = __hiloint2double(0x7ff00000, 0);
    if (mp::is_nan(head)) return {__hiloint2double(0x7ff80000, 0), 0};
    if (mp::is_zero(head)) magnitude = 0.0;
    if (!mp::is_number(head)) return {negative ? -magnitude : magnitude, 0};
    // 2^53 is the half of the next exponent.
    rns::Word integer = arithmetic_of(x, x).rounded_to_double(x.value);
    const int longer = integer >> rns::Double::BITS != 0;
    integer >>= longer;
    magnitude = __longlong_as_double((long long)(integer & ((1ull << 52) - 1) | 1022ull << 52));
    return {negative ? -magnitude : magnitude, x.value.code() + longer};
}

// x·2^exponent as an f64.
DEVICE double nearest(const Number &x, long long exponent) { return reading(x).scaled(exponent); }

// x·2^exponent, exactly, for a vector of this format.
DEVICE Number widened_double(double x, long long exponent, const Vector &to) { return {to.arithmetic().from_double(x, exponent), to.tables}; }

// Entries of a block, threads that sum their products, and blocks of entries that those take.
constexpr int BLOCK = 1024, SUM_THREADS = 256, SUM_BLOCKS = 1;

DEVICE rns::Word shuffled(rns::Word x, int lane) {
    return (rns::Word)__shfl_sync(~0u, (unsigned)(x >> 32), lane) << 32 | __shfl_sync(~0u, (unsigned)x, lane);
}

// That of another lane of the warp; all have numbers of one format, or zeros.
DEVICE Number of_lane(const Number &x, int lane) {
    Number y;
    y.value.head = __shfl_sync(~0u, x.value.head, lane);
    y.value.bounds = {shuffled(x.value.bounds.low, lane), shuffled(x.value.bounds.high, lane)};
    for (int k = 0; k < Format::COUNT; k++) y.value.y[k] = __shfl_sync(~0u, x.value.y[k], lane);
    y.tables = (const unsigned *)shuffled((rns::Word)x.tables, lane);
    return y;
}

DEVICE Number number_from_above(const Number &x, int distance) { return of_lane(x, (threadIdx.x + distance) % 32); }

#include "sparse/stepwise_sums.cuh"
