// Sums of products of f64, exact whatever their exponents (crates/num/src/multifloat/exact.rs).

#pragma once

#include "num/multifloat.cuh"
#include "num/scale.cuh"

// A fixed-point number in two's complement, lowest word first. Slow, and in local memory.
struct Exact {
    typedef unsigned long long Word;

    static constexpr int WORDS = 68;
    // The weight of the lowest bit is 2^LOWEST.
    static constexpr int LOWEST = -64 * 34;
    // The position of the lowest bit of an f64.
    static constexpr int FLOOR = -1074 - LOWEST;

    Word words[WORDS];

    // x = +-significand * 2^exponent.
    struct Parts {
        bool negative;
        Word significand;
        int exponent;
    };

    static DEVICE Parts parts(Lane x) {
        const Word bits = (Word)__double_as_longlong(x);
        const int field = (int)(bits >> 52) & 0x7ff;
        const Word fraction = bits & ((1ull << 52) - 1);
        return {is_sign_negative(x), field == 0 ? fraction : fraction | 1ull << 52, max(field, 1) - 1075};
    }

    // Adds +-(high * 2^64 + low) * 2^exponent, which is below 2^106 times that power.
    DEVICE void add_integer(bool negative, Word high, Word low, int exponent) {
        const int position = exponent - LOWEST, bit = position % 64;
        const Word parts[3] = {
            low << bit, bit == 0 ? high : high << bit | low >> (64 - bit), bit == 0 ? 0 : high >> (64 - bit)};
        Word carry = 0;
        for (int i = 0, place = position / 64; place < WORDS && (i < 3 || carry != 0); i++, place++) {
            const Word part = i < 3 ? parts[i] : 0, before = words[place];
            if (negative) {
                words[place] = before - part - carry;
                carry = (before < part) | (before - part < carry);
            } else {
                words[place] = before + part + carry;
                carry = (before + part < part) | (words[place] < carry);
            }
        }
    }

    DEVICE void add(Lane x) {
        const Parts p = parts(x);
        add_integer(p.negative, 0, p.significand, p.exponent);
    }

    DEVICE void add_product(Lane x, Lane y) {
        const Parts p = parts(x), q = parts(y);
        const Word high = __umul64hi(p.significand, q.significand), low = p.significand * q.significand;
        add_integer(p.negative != q.negative, high, low, p.exponent + q.exponent);
    }

    DEVICE void negate() {
        Word carry = 1;
        for (int i = 0; i < WORDS; i++) {
            words[i] = ~words[i] + carry;
            carry = carry & (words[i] == 0);
        }
    }

    // The position of the highest bit of a number that is not negative; -1 for zero.
    DEVICE int highest_bit() const {
        int word = WORDS - 1;
        while (word >= 0 && words[word] == 0) word--;
        return word < 0 ? -1 : 64 * word + 63 - __clzll((long long)words[word]);
    }

    // `count` <= 53 bits from position `from` on.
    DEVICE Word bits(int from, int count) const {
        const int word = from / 64, bit = from % 64;
        const Word above = bit == 0 || word + 1 >= WORDS ? 0 : words[word + 1] << (64 - bit);
        return (words[word] >> bit | above) & ((1ull << count) - 1);
    }

    DEVICE bool any_below(int end) const {
        const int word = end / 64;
        bool any = (words[word] & ((1ull << end % 64) - 1)) != 0;
        for (int i = 0; i < word; i++) any = any || words[i] != 0;
        return any;
    }

    DEVICE void keep_below(int start) {
        const int word = start / 64;
        words[word] &= (1ull << start % 64) - 1;
        for (int i = word + 1; i < WORDS; i++) words[i] = 0;
    }

    // The nearest number of N limbs: each limb is what is left, rounded to nearest, ties to even.
    // Overflows to infinity; an underflow to zero keeps the sign; zero is +0.
    template <int N> DEVICE MultiFloat<N> round() {
        MultiFloat<N> z = from_lane<N>(0.0);
        bool negative = words[WORDS - 1] >> 63;
        if (negative) negate();
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int top = highest_bit();
            if (top < 0) return z;
            const int last = max(top - 52, FLOOR);
            const Word kept = top < last ? 0 : bits(last, top - last + 1);
            const bool up = bits(last - 1, 1) == 1 && ((kept & 1) == 1 || any_below(last - 1));
            const Lane limb = ldexp_f64((double)(long long)(kept + up), last + LOWEST);
            if (i == 0 || limb != 0.0) z[i] = negate_where(negative, limb);
            if (!is_finite(limb) || limb == 0.0) return z;
            keep_below(last);
            if (up) {
                // The limb is too large by what is missing to the next.
                negate();
                add_integer(false, 0, 1, last + LOWEST);
                negative = !negative;
            }
        }
        return z;
    }
};
