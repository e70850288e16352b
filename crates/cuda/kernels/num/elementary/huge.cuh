// Argument reduction of any finite number modulo pi/2, in integers
// (crates/num/src/multifloat/elementary/huge.rs, which has source and bound).

#pragma once

#include "num/elementary/wide.cuh"
#include "num/tables.cuh"

namespace elementary {

typedef unsigned long long Word;

// 2 bits before the binary point, 638 after; two's complement, lowest word first.
struct Fixed {
    static constexpr int WORDS = 10;
    // Bits of the fraction of a step of pi/256: two bits of quadrant and seven of j come before.
    static constexpr int STEP_BITS = 64 * WORDS - 9;

    Word words[WORDS];

    DEVICE void add(const Fixed &y) {
        Word carry = 0;
        for (int i = 0; i < WORDS; i++) {
            const Word partial = words[i] + y.words[i], total = partial + carry;
            carry = (partial < y.words[i]) | (total < partial);
            words[i] = total;
        }
    }

    DEVICE void negate() {
        Word carry = 1;
        for (int i = 0; i < WORDS; i++) {
            words[i] = ~words[i] + carry;
            carry = carry & (words[i] == 0);
        }
    }
};

// The 64 bits of 2/pi up to the one of weight 2^-last; bits before the binary point are zero.
DEVICE Word word_of_two_over_pi(int last) {
    constexpr int COUNT = sizeof(tables::circular::TWO_OVER_PI) / sizeof(Word);
    if (last <= 0) return 0;
    // Bits of weight 2^-1 to 2^-64 stand in word 0.
    const int index = (last - 1) / 64, within = (last - 1) % 64 + 1;
    const Word word = index < COUNT ? tables::circular::TWO_OVER_PI[index] : 0;
    if (within == 64) return word;
    const Word before = index > 0 && index <= COUNT ? tables::circular::TWO_OVER_PI[index - 1] : 0;
    return word >> (64 - within) | before << within;
}

// x * 2/pi modulo 4, truncated, for x >= 0.
DEVICE Fixed quarter_turns(Lane x) {
    const Word bits = (Word)__double_as_longlong(x);
    const int field = (int)(bits >> 52);
    const Word fraction = bits & ((1ull << 52) - 1);
    const Word m = field == 0 ? fraction : fraction | 1ull << 52;
    const int e = max(field, 1) - 1075;
    // floor(2/pi * 2^(e + 638)) modulo 2^640, word by word, times m.
    const int last = e + 64 * Fixed::WORDS - 2;
    Fixed product;
    Word carry = 0;
    for (int i = 0; i < Fixed::WORDS; i++) {
        const Word word = word_of_two_over_pi(last - 64 * i);
        const Word low = word * m;
        product.words[i] = low + carry;
        carry = __umul64hi(word, m) + (product.words[i] < low);
    }
    return product;
}

// magnitude * 2^-638 * pi/2 with the sign given.
template <int N> DEVICE MultiFloat<N> to_radians(Fixed rest, double sign) {
    // Six pieces of 53 bits, each starting with the highest bit set.
    List<6> list;
    int top = Fixed::WORDS - 1;
#pragma unroll
    for (int piece = 0; piece < 6; piece++) {
        while (top > 0 && rest.words[top] == 0) top--;
        const Word word = rest.words[top];
        if (word == 0) {
            list.push(0.0);
            continue;
        }
        // Bits high to low, of which those below bit 0 do not exist.
        const int high = 64 * top + 63 - __clzll((long long)word), low = max(high - 52, 0);
        const int shift = low % 64, first = low / 64;
        const Word above = shift == 0 || first == top ? 0 : word << (64 - shift);
        const Word bits = rest.words[first] >> shift | above;
        rest.words[top] = first == top ? word & ((1ull << shift) - 1) : 0;
        if (first != top) rest.words[first] &= (1ull << shift) - 1;
        const Lane value = (double)(long long)bits; // exact
        list.push(sign * (value * power_of_two(low - (64 * Fixed::WORDS - 2))));
    }
    return (Wide<N>::condense(list) * Wide<N>::constant(tables::circular::HALF_PI)).head();
}

// x = quadrant * pi/2 + j * pi/256 + r, up to multiples of 2 pi; the quadrant modulo 4 in its low
// two bits.
template <int N> struct ReducedAngle {
    int quadrant, j;
    MultiFloat<N> r;
};

template <int N> DEVICE_COLD ReducedAngle<N> reduce_huge(MultiFloat<N> x) {
    Fixed sum = {};
    for (int i = 0; i < N; i++) {
        Fixed turns = quarter_turns(magnitude(x[i]));
        if (x[i] < 0.0) turns.negate();
        sum.add(turns);
    }
    // To the nearest step: half a step up, then the nine bits before the step's binary point.
    constexpr int SHIFT = Fixed::STEP_BITS - 64 * (Fixed::WORDS - 1);
    Word &last = sum.words[Fixed::WORDS - 1];
    const int steps = (int)((last + (1ull << (SHIFT - 1))) >> SHIFT);
    last -= (Word)steps << SHIFT;
    const bool negative = last >> 63;
    if (negative) sum.negate();
    // steps = 128 * quadrant + j, in [0, 512).
    return {(steps + 64) >> 7, ((steps + 64) & 127) - 64, to_radians<N>(sum, negative ? -1.0 : 1.0)};
}

} // namespace elementary
