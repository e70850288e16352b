// Numbers of any precision (crates/num/src/mp): a head and words of 64 bits, lowest first, the
// highest bit of the last one set.
//
// The lowest bit of a head is the sign. The others are the exponent e of a magnitude in [2^(e−1),
// 2^e), or a code that stands for zero, infinity or NaN.
#pragma once

#include "num/lane.cuh"

namespace mp {

typedef unsigned long long Word;

constexpr int ZERO = -(1 << 30), INFINITE = (1 << 30) - 2, GREATEST = 1 << 28;

DEVICE int head(int code, bool negative) { return (int)((unsigned)code << 1 | (negative ? 1u : 0u)); }

// 32 bits from a bit of `count` words up; those beyond the words are zero.
DEVICE unsigned bits_at(const Word *words, long long count, long long position) {
    const long long index = position >> 6;
    const int offset = (int)(position & 63);
    const Word low = index >= 0 && index < count ? words[index] : 0;
    if (offset <= 32) return (unsigned)(low >> offset);
    const Word high = index + 1 >= 0 && index + 1 < count ? words[index + 1] : 0;
    return (unsigned)(low >> offset | high << (64 - offset));
}

// Calls put(w, word w) for the `size` words of the integer nearest to a number times 2^up, ties
// away from zero, in two's complement.
template <class Put> DEVICE void integer(const Word *words, long long count, int head, long long up, int size, Put put) {
    const int code = head >> 1;
    const bool negative = head & 1, number = code >= -GREATEST && code <= GREATEST;
    // The lowest bit of the integer is bit `start` of the words; the one below it is half a unit.
    const long long start = 64 * count - code - up;
    const long long half = number ? bits_at(words, count, start - 1) & 1 : 0;
    // −(n + half) = ~n + 1 − half
    long long carry = negative ? 1 - half : half;
#pragma unroll
    for (int w = 0; w < size; w++) {
        const unsigned bits = number ? bits_at(words, count, start + 32 * w) : 0;
        const long long sum = (long long)(negative ? ~bits : bits) + carry;
        put(w, (unsigned)sum);
        carry = sum >> 32;
    }
}

// Where digits are: in registers of a thread.
template <int D> struct InRegisters {
    long long values[D];

    DEVICE static constexpr int count() { return D; }
    DEVICE long long &operator[](int i) { return values[i]; }
    DEVICE const long long &operator[](int i) const { return values[i]; }
};

// In memory, side by side with those of the other threads of a warp.
struct InMemory {
    long long *first;
    int size;

    DEVICE int count() const { return size; }
    DEVICE long long &operator[](int i) const { return first[32 * i]; }
};

// An integer in digits of 48 bits.
template <class Place> struct Digits {
    Place digit;

    DEVICE Word at(int i) const { return i >= 0 && i < digit.count() ? (Word)digit[i] : 0; }

    // Takes Σ digit[i]·2^(48·i) to digits from 0 to 2^48 − 1 of its magnitude; says whether it is
    // negative.
    DEVICE bool make_magnitude() {
        constexpr long long MASK = (1ll << 48) - 1;
        long long carry = 0;
#pragma unroll
        for (int i = 0; i < digit.count(); i++) {
            const long long value = digit[i] + carry;
            digit[i] = value & MASK, carry = value >> 48;
        }
        if (carry == 0) return false;
        carry = 1;
#pragma unroll
        for (int i = 0; i < digit.count(); i++) {
            const long long value = (digit[i] ^ MASK) + carry;
            digit[i] = value & MASK, carry = value >> 48;
        }
        return true;
    }

    DEVICE int length() const {
        int length = 0;
#pragma unroll
        for (int i = 0; i < digit.count(); i++)
            if (digit[i]) length = 48 * i + 64 - __clzll(digit[i]);
        return length;
    }

    // 64 bits from a bit up, which may be below the first.
    DEVICE Word bits_at(int position) const {
        const int index = (position + 48 * digit.count()) / 48 - digit.count(), offset = position - 48 * index;
        const Word low = at(index) >> offset | at(index + 1) << (48 - offset);
        // Beyond two digits there is something left only where the first gives fewer than 16 bits.
        return offset > 32 ? low | at(index + 2) << (96 - offset) : low;
    }

    // Whether a bit below is set.
    DEVICE bool any_below(int position) const {
        bool any = false;
#pragma unroll
        for (int i = 0; i < digit.count(); i++) {
            const int within = position - 48 * i;
            if (within >= 48) any |= digit[i] != 0;
            else if (within > 0) any |= (digit[i] & ((1ll << within) - 1)) != 0;
        }
        return any;
    }
};

// Writes the magnitude times 2^unit, rounded to nearest, ties to even, to `count` words that have
// `precision` bits; returns the head.
template <class Place> DEVICE int round_to(const Digits<Place> &x, bool negative, int unit, long long precision, long long count, Word *to) {
    const int length = x.length();
    const int cut = length - (int)precision;
    const bool half = x.bits_at(cut - 1) & 1, odd = x.bits_at(cut) & 1;
    Word carry = 0;
    const int padding = (int)(64 * count - precision);
    const bool up = length > 0 && half && (odd || x.any_below(cut - 1));
    Word last = 0;
    for (int q = 0; q < count; q++) {
        Word word = x.bits_at(length - 64 * ((int)count - q));
        if (q == 0) word = (word >> padding << padding), carry = up ? 1ull << padding : 0;
        const Word sum = word + carry;
        carry = sum < word ? 1 : 0;
        to[q] = last = sum;
    }
    int exponent = length + unit;
    if (carry) to[count - 1] = 1ull << 63, exponent++;
    if (length > 0 && exponent <= GREATEST && exponent >= -GREATEST) return head(exponent, negative);
    for (int q = 0; q < count; q++) to[q] = 0;
    if (length > 0 && exponent > GREATEST) return head(INFINITE, negative);
    return head(ZERO, length > 0 && negative);
}

} // namespace mp
