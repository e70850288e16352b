// Floating-point numbers of any precision whose significands are residues (crates/num/src/rns/float): a number in a thread, the tables of its format, and what is computed beside residues.
//
// F has what is known when a kernel is compiled: COUNT moduli, BITS of a significand, digits of DIGIT bits of which a row has COLUMNS, LANES words from one row of a table to the
// next, LOG = floor(log2 M).
#pragma once

#include "mp_divide.cuh"

namespace rns {

using mp::Word;

// Tables of a format, as crates/num/src/rns/float/format.rs makes them.
struct Tables {
    const unsigned *moduli, *inverses, *lower_shares, *one, *cofactors, *low_units, *high_units, *weights, *minus_product, *minus_digits, *powers,
        *half, *full;
    const Word *shares;
    Word mantissa;
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
    static constexpr int COUNT = F::COUNT, P = F::BITS, WORDS = (P + 63) / 64, GREATEST_POWER = F::LOG - 2 - P, WIDTH = 2 * COUNT;
    static constexpr int LOWEST_POWER = P + 1;

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
