// Quotients and square roots of numbers of a fixed precision, rounded once
// (crates/num/src/mp/divide.rs has the same bits): by Newton's method, and digit by digit where
// that does not tell the rounding, as of exact results.
#pragma once

#include "mp/newton.cuh"
#include "mp/number.cuh"

namespace mp {

// x − q·y, which may be negative.
template <int N, int M> DEVICE void subtract_multiple(Wide<N> &x, unsigned q, const Wide<M> &y) {
    unsigned carry = 0, borrow = 0;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) {
        const Word product = (Word)q * (i < M ? y[i < M ? i : 0] : 0) + carry;
        carry = (unsigned)(product >> 32);
        const Word difference = (Word)x[i] - (unsigned)product - borrow;
        x[i] = (unsigned)difference;
        borrow = (unsigned)(difference >> 63);
    }
}

// Moves all digits one up, and `digit` to the lowest place.
template <int N> DEVICE void push(Wide<N> &x, unsigned digit) {
#pragma unroll unrolled(N)
    for (int i = N - 1; i > 0; i--) x[i] = x[i - 1];
    x[0] = digit;
}

template <int N, int M> DEVICE Wide<N> widened(const Wide<M> &x) {
    Wide<N> y;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) y[i] = i < M ? x[i < M ? i : 0] : 0;
    return y;
}

template <int N> DEVICE bool any(const Wide<N> &x) {
    unsigned any = 0;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) any |= x[i];
    return any != 0;
}

DEVICE unsigned quotient_digit(Word high, unsigned divisor) { return high >> 32 >= divisor ? ~0u : (unsigned)(high / divisor); }

// The head of a quotient of which a number is zero or not finite.
DEVICE int quotient_of_specials(int x, int y) {
    const bool negative = (x ^ y) & 1;
    if (is_nan(x) || is_nan(y) || (is_zero(x) && is_zero(y)) || (!is_finite(x) && !is_finite(y))) return NOT_A_NUMBER;
    return head(is_zero(x) || !is_finite(y) ? ZERO : INFINITE, negative);
}

// Long division (Knuth, The Art of Computer Programming 2, 4.3.1): of the significands' quotient,
// below 2, a bit and D + 1 digits.
template <int BITS> DEVICE_COLD Number<BITS> divide_by_digits(const Number<BITS> x, const Number<BITS> y) {
    constexpr int D = Number<BITS>::D;
    const Wide<D + 1> divisor = widened<D + 1>(y.digits);
    Wide<D + 1> rest = widened<D + 1>(x.digits);
    Wide<D + 2> quotient = Wide<D + 2>::zero();
    subtract_multiple(rest, 1, divisor);
    const bool below = rest.is_negative();
    if (below) add(rest, divisor, false, false);
    quotient[0] = below ? 0 : 1;
#pragma unroll 1
    for (int k = 0; k <= D; k++) {
        push(rest, 0);
        // Too large by two at the most, as the divisor's highest bit is set.
        unsigned q = quotient_digit((Word)rest[D] << 32 | rest[D - 1], y.digits[D - 1]);
        // Below zero the highest digit of the difference wraps around.
        Wide<D + 2> difference = widened<D + 2>(rest);
        subtract_multiple(difference, q, y.digits);
        while (difference.is_negative()) add(difference, widened<D + 2>(y.digits), false, false), q--;
        rest = widened<D + 1>(difference);
        push(quotient, q);
    }
    return round_apart<BITS>(quotient, any(rest), (long long)x.code() - y.code() - 32 * (D + 1), (x.head ^ y.head) & 1);
}

template <int BITS> DEVICE_COLD Number<BITS> divide(const Number<BITS> x, const Number<BITS> y) {
    constexpr int D = Number<BITS>::D;
    if (!is_number(x.head) || !is_number(y.head)) return Number<BITS>::special(quotient_of_specials(x.head, y.head));
    const Wide<D + 3> quotient = highest<D + 3>(multiply_apart(x.digits, reciprocal_of<D + 3>(y.digits)));
    if (!tells(quotient)) return divide_by_digits(x, y);
    return round_apart<BITS>(quotient, true, (long long)x.code() - y.code() - 32 * (D + 2), (x.head ^ y.head) & 1);
}

template <int BITS> DEVICE_COLD Number<BITS> reciprocal(const Number<BITS> x) {
    constexpr int D = Number<BITS>::D;
    if (!is_number(x.head)) return Number<BITS>::special(quotient_of_specials(head(1, false), x.head));
    const Wide<D + 3> quotient = highest<D + 3>(reciprocal_of<D + 3>(x.digits));
    if (!tells(quotient)) return divide_by_digits(Number<BITS>::one(), x);
    return round_apart<BITS>(quotient, true, -(long long)x.code() - 32 * (D + 2), x.is_negative());
}

// ⌊√x⌋ for x >= 2^62.
DEVICE unsigned integer_root(Word x) {
    Word root = (Word)__dsqrt_rn((double)x);
    root = min(root, (Word)~0u);
    while (root * root > x) root--;
    while (root < ~0u && (root + 1) * (root + 1) <= x) root++;
    return (unsigned)root;
}

// A digit of the root after the other. Of a fraction m from 1/4 to 1, whose root s is known to k
// digits, the rest r = B^k·(m − s²), with B = 2^32, is below 2s: the next digit is the greatest q
// for which B·r − 2sq − q²·B^-(k + 1), the next rest, is not negative.
template <int BITS> DEVICE_COLD Number<BITS> root_by_digits(const Number<BITS> x) {
    // Digits of the root, and of what stands beyond the point.
    constexpr int D = Number<BITS>::D, N = D + 1;
    const bool odd = x.code() & 1;
    // Two digits before the point.
    Wide<N + 2> rest = widened<N + 2>(highest<N>(x.digits));
    unsigned nothing = 0;
    if (odd) shift_down(rest, 1, nothing);
    const unsigned first = integer_root((Word)rest[N - 1] << 32 | rest[N - 2]);
    // 2s, with a digit before the point.
    Wide<N + 1> twice = Wide<N + 1>::zero();
    twice[N] = first >> 31, twice[N - 1] = first << 1;
    const Word square = (Word)first * first;
    const Word high = ((Word)rest[N - 1] << 32 | rest[N - 2]) - square;
    rest[N - 1] = (unsigned)(high >> 32), rest[N - 2] = (unsigned)high;
    push(rest, 0);
#pragma unroll 1
    for (int k = 1; k < N; k++) {
        push(rest, 0);
        const unsigned top = twice[N] << 31 | twice[N - 1] >> 1;
        unsigned q = quotient_digit((Word)rest[N + 1] << 63 | (Word)rest[N] << 31 | rest[N - 1] >> 1, top);
        subtract_multiple(rest, q, twice);
        // q² belongs to the places N − 2 − k and N − 1 − k.
        const auto square_of = [&](Word high_part, Word low_part) {
            Wide<N + 2> placed;
#pragma unroll unrolled(N)
            for (int i = 0; i < N + 2; i++)
                placed[i] = i == N - k ? (unsigned)high_part : i == N - 1 - k ? (unsigned)low_part : 0;
            return placed;
        };
        const Word q_square = (Word)q * q;
        add(rest, square_of(q_square >> 32, (unsigned)q_square), true, true);
        while (rest.is_negative()) {
            // With q − 1: 2s + (2q − 1)·B^-(k + 1) more.
            const Word step = 2 * (Word)q - 1;
            add(rest, widened<N + 2>(twice), false, false);
            add(rest, square_of(step >> 32, (unsigned)step), false, false);
            q--;
        }
        const Word twice_q = 2 * (Word)q;
#pragma unroll unrolled(N)
        for (int i = 0; i < N; i++) {
            if (i == N - k) twice[i] |= (unsigned)(twice_q >> 32);
            if (i == N - 1 - k) twice[i] = (unsigned)twice_q;
        }
    }
    shift_down(twice, 1, nothing);
    return round_apart<BITS>(twice, any(rest), ((long long)x.code() + (odd ? 1 : 0)) / 2 - 32 * N, false);
}

// A square root with more of it: 1/√x nearly, with D + 3 digits beyond the point, or none where
// the digits do not tell the rounding.
template <int BITS> struct Root {
    static constexpr int D = Number<BITS>::D, K = D + 3;

    Number<BITS> root;
    Wide<K + 1> reciprocal;
    bool known;
};

// For positive numbers.
template <int BITS> DEVICE_COLD Root<BITS> root_of(const Number<BITS> x) {
    constexpr int D = Root<BITS>::D, K = Root<BITS>::K;
    // From 1/4 to 1.
    Wide<D + 1> fraction = highest<D + 1>(x.digits);
    const int odd = x.code() & 1;
    unsigned nothing = 0;
    shift_down(fraction, odd, nothing);
    Root<BITS> result;
    result.reciprocal = root_reciprocal_of<K>(fraction);
    const Wide<D + 3> found = highest<D + 3>(multiply_apart(fraction, result.reciprocal));
    const long long e = ((long long)x.code() + odd) / 2;
    result.root = tells(found) ? round_apart<BITS>(found, true, e - 32 * (D + 2), false) : root_by_digits(x);
    // Rounded up to a power of two, it has another exponent.
    result.known = tells(found) && result.root.code() == e;
    return result;
}

template <int BITS> DEVICE_COLD Number<BITS> root(const Number<BITS> x) {
    if (is_zero(x.head) || is_nan(x.head)) return x;
    if (x.is_negative()) return Number<BITS>::special(NOT_A_NUMBER);
    return is_finite(x.head) ? root_of(x).root : x;
}

// The reciprocal of a root, rounded: one step from that of the number's, where the root's own
// rounding is small enough for one.
template <int BITS> DEVICE_COLD Number<BITS> reciprocal_of_root(const Root<BITS> &x) {
    constexpr int D = Root<BITS>::D, K = Root<BITS>::K, BEFORE = digits_before(K);
    if (BITS < 16 * K + 8 || BITS < 32 * BEFORE || !x.known) return reciprocal(x.root);
    const Wide<BEFORE + 1> y = highest<BEFORE + 1>(x.reciprocal);
    const Wide<K + 1> refined = corrected<K, BEFORE>(y, multiply_apart(highest<K + 1>(x.root.digits), y), false);
    const Wide<D + 3> found = highest<D + 3>(refined);
    return tells(found) ? round_apart<BITS>(found, true, -(long long)x.root.code() - 32 * (D + 2), false) : reciprocal(x.root);
}

} // namespace mp
