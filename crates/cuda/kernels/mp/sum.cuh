// Sums of numbers of any precision (crates/num/src/mp), rounded.
#pragma once

#include "mp/mp.cuh"

namespace mp {

// Words of a number at the most: 4096 bits.
constexpr int MOST_WORDS = 64;

// A number that is read.
struct Operand {
    const Word *words;
    int count, head;

    DEVICE int code() const { return head >> 1; }
    DEVICE bool is_negative() const { return head & 1; }
    DEVICE bool is_number() const { return code() >= -GREATEST && code() <= GREATEST; }

    // 64 bits from a bit up; those beyond the words are zero.
    DEVICE Word bits_at(long long position) const {
        const long long index = position >> 6;
        const int offset = (int)(position & 63);
        const Word low = index >= 0 && index < count ? words[index] : 0;
        if (offset == 0) return low;
        const Word high = index + 1 >= 0 && index + 1 < count ? words[index + 1] : 0;
        return low >> offset | high << (64 - offset);
    }
};

// x + y, rounded to `bits` bits in `count` words, which may be those of an operand; returns the
// head, that of infinity where an operand is not finite.
//
// Error: with e above both exponents, operands are cut below 2^(e + 1 − 64·(count + 1)), and their
// sum is rounded to nearest, ties away from zero: at most 2^-bits·(|x + y| + 2^-56·max(|x|, |y|)).
static __device__ int add(const Operand &x, const Operand &y, int bits, int count, Word *to) {
    const bool has_x = x.is_number(), has_y = y.is_number();
    if (!has_x && !has_y || x.code() > GREATEST || y.code() > GREATEST) {
        for (int q = 0; q < count; q++) to[q] = 0;
        return head(has_x || has_y || max(x.code(), y.code()) > GREATEST ? INFINITE : ZERO, false);
    }
    const int top = max(has_x ? x.code() : -2 * GREATEST, has_y ? y.code() : -2 * GREATEST) + 1, length = count + 1;
    const bool subtract = x.is_negative() != y.is_negative();
    Word sum[MOST_WORDS + 1];
    Word carry = subtract ? 1 : 0;
    for (int q = 0; q < length; q++) {
        const long long unit = 64ll * (q - length) + top;
        const Word a = has_x ? x.bits_at(unit - x.code() + 64ll * x.count) : 0;
        const Word b = has_y ? y.bits_at(unit - y.code() + 64ll * y.count) : 0;
        const Word c = subtract ? ~b : b, partial = a + c, all = partial + carry;
        carry = (partial < a ? 1 : 0) + (all < partial ? 1 : 0);
        sum[q] = all;
    }
    bool negative = has_x ? x.is_negative() : subtract ? !y.is_negative() : y.is_negative();
    if (subtract && carry == 0) {
        negative = !negative;
        carry = 1;
        for (int q = 0; q < length; q++) {
            sum[q] = ~sum[q] + carry;
            carry = carry && sum[q] == 0 ? 1 : 0;
        }
    }
    int last = length - 1;
    while (last >= 0 && sum[last] == 0) last--;
    if (last < 0) {
        for (int q = 0; q < count; q++) to[q] = 0;
        return head(ZERO, false);
    }
    const Operand whole = {sum, length, 0};
    const int end = 64 * last + 64 - __clzll(sum[last]), padding = 64 * count - bits;
    int exponent = top - 64 * length + end;
    carry = whole.bits_at(end - bits - 1) & 1 ? 1ull << padding : 0;
    for (int q = 0; q < count; q++) {
        Word word = whole.bits_at(end - 64ll * (count - q));
        if (q == 0) word = word >> padding << padding;
        const Word rounded = word + carry;
        carry = rounded < word ? 1 : 0;
        to[q] = rounded;
    }
    if (carry) to[count - 1] = 1ull << 63, exponent++;
    return head(exponent, negative);
}

} // namespace mp
