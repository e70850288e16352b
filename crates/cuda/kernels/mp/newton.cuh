// Reciprocals and square roots by Newton's method: nearly right, and rounded where that tells the
// right rounding.
//
// y = 1/x, or 1/√x, lies between 1 and 2. It has K digits beyond the point and one before it, and
// is within 8 units of the last one. From pairs of f64 on, which are right to 93 bits, each step
// nearly doubles the digits that are right: from K to 2K − 1 at the most.
#pragma once

#include "mp/number.cuh"

namespace mp {

// y + y·e, or y + y·e/2, with TO digits beyond the point, for y with K: of e = 1 − p, below 2^(6 −
// 32·K) in size, p is given with TO + K + 1 digits beyond the point.
template <int TO, int K, int N> DEVICE Wide<TO + 1> corrected_here(const Wide<K + 1> &y, const Wide<N> &p, bool halve) {
    // Digits of e from one below the last of the result on; a unit of the lowest does not matter.
    constexpr int E = TO + 2 - K;
    const bool negative = !(p[TO + 1] >> 31);
    const unsigned flip = negative ? 0 : ~0u;
    Wide<E> e;
#pragma unroll unrolled(E)
    for (int i = 0; i < E; i++) e[i] = p[K + i] ^ flip;
    Wide<TO + 3> product = multiply_apart(y, e);
    unsigned lost = 0;
    if (halve) shift_down(product, 1, lost);
    Wide<TO + 1> result, change;
#pragma unroll unrolled(TO + 1)
    for (int i = 0; i <= TO; i++) {
        result[i] = i >= TO - K ? y[i >= TO - K ? i - (TO - K) : 0] : 0;
        change[i] = i + K + 1 < TO + 3 ? product[i + K + 1 < TO + 3 ? i + K + 1 : 0] : 0;
    }
    add(result, change, negative, negative);
    return result;
}

template <int TO, int K, int N> DEVICE_COLD Wide<TO + 1> corrected_apart(const Wide<K + 1> y, const Wide<N> p, bool halve) {
    return corrected_here<TO, K>(y, p, halve);
}

// Of digits in memory apart: with CUDA 13.0 y and the result have the same place otherwise (seen at
// 2560 bits and more).
template <int TO, int K, int N> DEVICE Wide<TO + 1> corrected(const Wide<K + 1> &y, const Wide<N> &p, bool halve) {
    if constexpr (TO >= UNROLLED) return corrected_apart<TO, K>(y, p, halve);
    else return corrected_here<TO, K>(y, p, halve);
}

// The number of digits from which a step leads to `digits` digits.
DEVICE constexpr int digits_before(int digits) { return digits / 2 + 1; }

// x as the sum of two f64, to 96 bits.
struct Pair {
    double high, low;

    template <int D> DEVICE static Pair of(const Wide<D> &x) {
        const Word top = x.highest_word();
        const Word rest = (top & 0x7ff) << 32 | (D > 2 ? x[D > 2 ? D - 3 : 0] : 0);
        return {__dmul_rn(__ull2double_rn(top & ~0x7ffull), 0x1p-64), __dmul_rn(__ull2double_rn(rest), 0x1p-96)};
    }
};

// y + change with three digits beyond the point, for 1 <= y <= 2.
DEVICE Wide<4> joined(double y, double change) {
    const Word whole = __double2ull_rn(__dmul_rn(y, 0x1p52));
    const long long part = __double2ll_rn(__dmul_rn(change, 0x1p96));
    const Word low = (whole << 44) + (Word)part;
    const Word carry = low < (Word)part ? 1 : 0, high = (whole >> 20) + carry - (part < 0 ? 1 : 0);
    return {{(unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32)}};
}

// 1/x for 1/2 <= x < 1.
template <int K, int D> DEVICE Wide<K + 1> reciprocal_of(const Wide<D> &x) {
    if constexpr (K == 3) {
        const Pair pair = Pair::of(x);
        const double y = __ddiv_rn(1.0, pair.high);
        const double e = __fma_rn(-pair.low, y, __fma_rn(-pair.high, y, 1.0));
        return joined(y, __dmul_rn(y, e));
    } else {
        constexpr int BEFORE = digits_before(K);
        const Wide<BEFORE + 1> y = reciprocal_of<BEFORE>(x);
        return corrected<K, BEFORE>(y, multiply_apart(highest<K + 1>(x), y), false);
    }
}

// 1/√x for 1/4 <= x < 1.
template <int K, int D> DEVICE Wide<K + 1> root_reciprocal_of(const Wide<D> &x) {
    if constexpr (K == 3) {
        const Pair pair = Pair::of(x);
        const double y = __ddiv_rn(1.0, __dsqrt_rn(pair.high));
        const double square = __dmul_rn(y, y), rest = __fma_rn(y, y, -square);
        const double e = __fma_rn(-pair.low, square, __fma_rn(-pair.high, rest, __fma_rn(-pair.high, square, 1.0)));
        return joined(y, __dmul_rn(__dmul_rn(y, e), 0.5));
    } else {
        constexpr int BEFORE = digits_before(K);
        const Wide<BEFORE + 1> y = root_reciprocal_of<BEFORE>(x);
        // x·y with K + 1 digits beyond the point.
        const Wide<K + 2> product = highest<K + 2>(multiply_apart(highest<K + 1>(x), y));
        return corrected<K, BEFORE>(y, multiply_apart(product, y), true);
    }
}

// Whether the digits of a number that is right to some units of the digit below the lowest say how
// it is rounded.
template <int N> DEVICE bool tells(const Wide<N> &x) { return x[0] != 0 && x[0] != ~0u; }

} // namespace mp
