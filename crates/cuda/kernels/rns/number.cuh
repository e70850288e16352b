// Floating-point numbers of any precision whose significands are residues
// (crates/num/src/rns/float): a number in a thread, the tables of its format, and what is computed
// beside residues.
//
// F has what is known when a kernel is compiled: COUNT moduli, BITS of a significand, digits of
// DIGIT bits of which a row has COLUMNS, LANES words from one row of a table to the next, LOG =
// floor(log2 M).
#pragma once

#include "mp/divide.cuh"

namespace rns {

using mp::Word;

// Loops over more residues than these are unrolled in part: they lie in memory then. Loops that
// fetch and put numbers are not: with CUDA 13.0 two numbers fetched so had the same place (seen at
// 424 bits and more).
DEVICE constexpr int unrolled(int count) { return count <= 16 ? count : 4; }

// Tables of a format in one line of words, as Constants::words of
// crates/num/src/rns/float/format.rs makes it.
template <class F> struct Tables {
    const unsigned *words;

    static constexpr int LANES = F::LANES, SHARES = 4, ROWS = SHARES + 2 * LANES, WEIGHTS = ROWS + 7 * LANES,
                         MINUS_PRODUCT = WEIGHTS + LANES * F::COLUMNS, MINUS_DIGITS = MINUS_PRODUCT + F::COLUMNS,
                         POWERS = MINUS_DIGITS + LANES * F::COLUMNS, LOWEST_POWER = F::BITS + 1, GREATEST_POWER = F::LOG - 2 - F::BITS,
                         HALF = POWERS + (LOWEST_POWER + (GREATEST_POWER > 32 ? GREATEST_POWER : 32) + 1) * LANES;

    DEVICE const unsigned *row(int k) const { return words + ROWS + k * LANES; }

    DEVICE Word mantissa() const { return *(const Word *)words; }
    DEVICE const Word *shares() const { return (const Word *)(words + SHARES); }
    DEVICE const unsigned *moduli() const { return row(0); }
    DEVICE const unsigned *inverses() const { return row(1); }
    DEVICE const unsigned *lower_shares() const { return row(2); }
    DEVICE const unsigned *one() const { return row(3); }
    DEVICE const unsigned *cofactors() const { return row(4); }
    DEVICE const unsigned *low_units() const { return row(5); }
    DEVICE const unsigned *high_units() const { return row(6); }
    DEVICE const unsigned *weights(int i) const { return words + WEIGHTS + i * F::COLUMNS; }
    DEVICE const unsigned *minus_product() const { return words + MINUS_PRODUCT; }
    DEVICE const unsigned *minus_digit(int l) const { return words + MINUS_DIGITS + l * LANES; }
    DEVICE const unsigned *power(int e) const { return words + POWERS + (e + LOWEST_POWER) * LANES; }
    DEVICE const unsigned *half() const { return words + HALF; }
    DEVICE const unsigned *full() const { return words + HALF + LANES; }
};

constexpr Word UNIT = 1ull << 62, WIDEST = 1ull << 35;

// X / 2^p lies within [low, high] / 2^62.
struct Bounds {
    Word low, high;

    DEVICE static Bounds of(Word low, Word high) { return {max(low, UNIT / 2), min(high, UNIT)}; }
    DEVICE static Bounds half() { return {UNIT / 2, UNIT / 2}; }

    DEVICE Bounds rounded(int bits) const {
        const Word half = bits < 61 ? 1ull << (61 - bits) : 1;
        return of(low - half, high + half);
    }
};

// t / 2^32 mod m
DEVICE unsigned reduced(Word t, unsigned m, unsigned inverse) {
    const unsigned quotient = (unsigned)t * inverse, below = (unsigned)((Word)quotient * m >> 32), high = (unsigned)(t >> 32);
    return high - below + (high < below ? m : 0);
}

DEVICE unsigned added(unsigned a, unsigned b, unsigned m) { return min(a + b, a + b - m); }
DEVICE unsigned subtracted(unsigned a, unsigned b, unsigned m) { return min(a - b, a - b + m); }

// Four words of a table, which one access to memory fetches.
struct alignas(16) Four {
    unsigned words[4];
};

DEVICE Four four(const unsigned *row) { return *(const Four *)row; }

// Significand of 53 bits and head of an f64: ±significand·2^(e − 53).
struct Double {
    static constexpr int BITS = 53;

    Word significand;
    int head;

    DEVICE static Double of(double x) {
        const Word bits = (Word)__double_as_longlong(x), fraction = bits & ((1ull << 52) - 1);
        const int code = (int)(bits >> 52 & 0x7ff);
        const bool negative = bits >> 63;
        if (code == 0x7ff) return {0, fraction ? mp::NOT_A_NUMBER : mp::head(mp::INFINITE, negative)};
        if (code == 0 && fraction == 0) return {0, mp::head(mp::ZERO, negative)};
        if (code != 0) return {fraction | 1ull << 52, mp::head(code - 1022, negative)};
        const int up = __clzll((long long)fraction) - 11;
        return {fraction << up, mp::head(-1021 - up, negative)};
    }
};

// A number of 128 bits.
struct Long {
    Word high, low;

    DEVICE static Long product(Word a, Word b) { return {__umul64hi(a, b), a * b}; }
    DEVICE int length() const { return high ? 128 - __clzll((long long)high) : 64 - __clzll((long long)low); }
    DEVICE Long plus(Word x) const { return {high + (low + x < x ? 1 : 0), low + x}; }

    DEVICE Word shifted(int down) const {
        if (down >= 128) return 0;
        if (down >= 64) return high >> (down - 64);
        return down == 0 ? low : low >> down | high << (64 - down);
    }

    // Whether a bit from `down` up is set.
    DEVICE bool reaches(int down) const { return length() > down; }
};

// (dividend * 2^k / divisor) to nearest, for a quotient of less than 2^62.
DEVICE_COLD long long quotient_digit(long long dividend, int k, long long divisor) {
    // dividend * 2^k + divisor / 2 in two's complement, k <= 40.
    const Long shifted = {(Word)(dividend >> 1 >> (63 - k)), (Word)dividend << k};
    const Long sum = shifted.plus((Word)(divisor / 2));
    const bool negative = (long long)sum.high < 0;
    Long rest = sum;
    if (negative) rest = {~sum.high + (sum.low == 0 ? 1 : 0), 0 - sum.low};
    // Division of the magnitude, bit by bit: its upper half is less than the divisor.
    Word remainder = rest.high, quotient = 0;
#pragma unroll 1
    for (int i = 63; i >= 0; i--) {
        remainder = remainder << 1 | (rest.low >> i & 1);
        const bool fits = remainder >= (Word)divisor;
        remainder -= fits ? (Word)divisor : 0;
        quotient = quotient << 1 | (fits ? 1 : 0);
    }
    // Rounded down where negative.
    return negative ? -(long long)(quotient + (remainder != 0 ? 1 : 0)) : (long long)quotient;
}

DEVICE Word integer_root(Word x) {
    Word root = (Word)__dsqrt_rn((double)x);
    while (root * root > x) root--;
    while ((root + 1) * (root + 1) <= x) root++;
    return root;
}

template <class F> struct Number {
    static constexpr int COUNT = F::COUNT, P = F::BITS, WORDS = (P + 63) / 64, WIDTH = 2 * COUNT;

    struct Residues {
        unsigned r[COUNT];
        DEVICE unsigned &operator[](int i) { return r[i]; }
        DEVICE const unsigned &operator[](int i) const { return r[i]; }
    };

    int head;
    Bounds bounds;
    Residues y;

    DEVICE static Number special(int head) {
        Number x;
        x.head = head, x.bounds = Bounds::half();
        for (int i = 0; i < COUNT; i++) x.y[i] = 0;
        return x;
    }

    DEVICE bool is_negative() const { return head & 1; }
    DEVICE int code() const { return head >> 1; }
    DEVICE Number negated(bool negate) const { return {head ^ (negate ? 1 : 0), bounds, y}; }
};

// What is known of an integer: its sign, its length in bits, and bounds of its magnitude.
struct Measured {
    bool negative;
    int length;
    Bounds bounds;
};

} // namespace rns
