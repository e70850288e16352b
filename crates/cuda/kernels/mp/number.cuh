// Numbers of a precision that is fixed when a kernel is compiled, in a thread's registers
// (crates/num/src/mp): each operation rounds correctly, with the bits of the host.
//
// Words are taken as digits of 32 bits, which the multiplier has. Shifts by a number of digits that
// is known at run time only go by powers of two of them, so that no digit needs an address.
#pragma once

#include "mp/mp.cuh"

namespace mp {

// Loops over more digits than this stay loops, and their digits in memory.
constexpr int UNROLLED = 40;
DEVICE constexpr int unrolled(int digits) { return digits <= UNROLLED ? digits : 1; }

// A magnitude: digits of 32 bits, lowest first.
template <int N> struct Wide {
    unsigned digit[N];

    DEVICE unsigned &operator[](int i) { return digit[i]; }
    DEVICE const unsigned &operator[](int i) const { return digit[i]; }

    DEVICE static Wide zero() {
        Wide x;
#pragma unroll unrolled(N)
        for (int i = 0; i < N; i++) x[i] = 0;
        return x;
    }

    DEVICE bool is_negative() const { return digit[N - 1] >> 31; }

    // The two highest digits.
    DEVICE Word highest_word() const { return (Word)digit[N - 1] << 32 | digit[N - 2]; }
};

DEVICE constexpr int power_above(int n) {
    int power = 1;
    while (power < n) power *= 2;
    return power;
}

// x / 2^down, cut; ORs what is cut off to `lost`.
template <int N> DEVICE void shift_down(Wide<N> &x, unsigned down, unsigned &lost) {
    constexpr int ALL = power_above(N);
    if (down >= 32u * ALL) {
#pragma unroll unrolled(N)
        for (int i = 0; i < N; i++) lost |= x[i], x[i] = 0;
        return;
    }
#pragma unroll
    for (int step = ALL / 2; step > 0; step /= 2) {
        const bool shift = down & (32u * step);
#pragma unroll unrolled(N)
        for (int i = 0; i < N; i++) {
            if (i < step) lost |= shift ? x[i] : 0;
            const unsigned above = i + step < N ? x[i + step < N ? i + step : 0] : 0;
            x[i] = shift ? above : x[i];
        }
    }
    const unsigned bits = down % 32;
    lost |= x[0] & ((1u << bits) - 1);
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) x[i] = __funnelshift_r(x[i], i + 1 < N ? x[i + 1 < N ? i + 1 : 0] : 0, bits);
}

// Shifts up until the highest bit is set; says by how many bits. Zero stays.
template <int N> DEVICE int normalize(Wide<N> &x) {
    int up = 0;
#pragma unroll
    for (int step = power_above(N) / 2; step > 0; step /= 2) {
        unsigned high = 0;
#pragma unroll unrolled(N)
        for (int i = 0; i < N; i++)
            if (i >= N - step) high |= x[i];
        const bool shift = high == 0;
        up += shift ? 32 * step : 0;
#pragma unroll unrolled(N)
        for (int i = N - 1; i >= 0; i--) {
            const unsigned below = i >= step ? x[i >= step ? i - step : 0] : 0;
            x[i] = shift ? below : x[i];
        }
    }
    const int bits = __clz((int)x[N - 1]);
    if (bits == 32) return up;
#pragma unroll unrolled(N)
    for (int i = N - 1; i >= 0; i--) x[i] = __funnelshift_l(i > 0 ? x[i > 0 ? i - 1 : 0] : 0, x[i], bits);
    return up + bits;
}

// x + y, or x + ~y, and a carry.
template <int N> DEVICE void add(Wide<N> &x, const Wide<N> &y, bool complement, bool carry) {
    const unsigned flip = complement ? ~0u : 0;
    unsigned over = carry ? 1 : 0;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) {
        const Word sum = (Word)x[i] + (y[i] ^ flip) + over;
        x[i] = (unsigned)sum;
        over = (unsigned)(sum >> 32);
    }
}

// −x, or ~x where something lies below.
template <int N> DEVICE void negate(Wide<N> &x, bool inexact) {
    unsigned over = inexact ? 0 : 1;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) {
        const Word sum = (Word)~x[i] + over;
        x[i] = (unsigned)sum;
        over = (unsigned)(sum >> 32);
    }
}

// Products of more digits are apart, and their rows in a loop: compilers take minutes otherwise.
constexpr int MOST_HERE = 400;

template <int A, int B> DEVICE Wide<A + B> multiply_here(const Wide<A> &x, const Wide<B> &y) {
    Wide<A + B> product = Wide<A + B>::zero();
#pragma unroll A * B > MOST_HERE ? 1 : unrolled(A)
    for (int i = 0; i < A; i++) {
        unsigned carry = 0;
#pragma unroll unrolled(B)
        for (int j = 0; j < B; j++) {
            const Word sum = (Word)x[i] * y[j] + product[i + j] + carry;
            product[i + j] = (unsigned)sum;
            carry = (unsigned)(sum >> 32);
        }
        product[i + B] = carry;
    }
    return product;
}

// The same as a function of its own, for where it stands in several places.
template <int A, int B> DEVICE_COLD Wide<A + B> multiply_apart(const Wide<A> x, const Wide<B> y) { return multiply_here(x, y); }

template <int A, int B> DEVICE Wide<A + B> multiply(const Wide<A> &x, const Wide<B> &y) {
    if constexpr (A * B > MOST_HERE) return multiply_apart(x, y);
    else return multiply_here(x, y);
}

// The highest digits of x, or all of them above zeros.
template <int N, int M> DEVICE Wide<N> highest(const Wide<M> &x) {
    Wide<N> y;
#pragma unroll unrolled(N)
    for (int i = 0; i < N; i++) y[i] = i + M >= N ? x[i + M >= N ? i + M - N : 0] : 0;
    return y;
}

DEVICE bool is_number(int head) { return head >> 1 >= -GREATEST && head >> 1 <= GREATEST; }
DEVICE bool is_zero(int head) { return head >> 1 == ZERO; }
DEVICE bool is_nan(int head) { return head >> 1 > INFINITE; }
DEVICE bool is_finite(int head) { return head >> 1 < INFINITE; }
constexpr int NOT_A_NUMBER = (INFINITE + 1) * 2;

DEVICE int finite_head(long long e, bool negative) {
    return head(e > GREATEST ? INFINITE : e < -GREATEST ? ZERO : (int)e, negative);
}

// A number of BITS bits.
template <int BITS> struct Number {
    static constexpr int WORDS = (BITS + 63) / 64, D = 2 * WORDS, PADDING = 64 * WORDS - BITS;

    int head;
    Wide<D> digits;

    DEVICE static Number special(int head) { return {head, Wide<D>::zero()}; }
    DEVICE static Number zero() { return special(mp::head(ZERO, false)); }

    DEVICE static Number one() {
        Number x = special(mp::head(1, false));
        x.digits[D - 1] = 1u << 31;
        return x;
    }

    DEVICE bool is_negative() const { return head & 1; }
    DEVICE int code() const { return head >> 1; }
    DEVICE Number negated(bool negate) const { return {head ^ (negate ? 1 : 0), digits}; }
};

// The head of a number times 2^by.
DEVICE int scaled_head(int head, long long by) { return is_number(head) ? finite_head((head >> 1) + by, head & 1) : head; }

// x·2^by
template <int BITS> DEVICE Number<BITS> scaled(const Number<BITS> &x, long long by) {
    const int head = scaled_head(x.head, by);
    return is_number(head) ? Number<BITS>{head, x.digits} : Number<BITS>::special(head);
}

// A number whose words lie one after the other, the head behind them.
template <int BITS> DEVICE Number<BITS> load(const Word *from) {
    Number<BITS> x;
#pragma unroll unrolled(Number<BITS>::WORDS)
    for (int q = 0; q < Number<BITS>::WORDS; q++) {
        const Word word = from[q];
        x.digits[2 * q] = (unsigned)word, x.digits[2 * q + 1] = (unsigned)(word >> 32);
    }
    x.head = (int)from[Number<BITS>::WORDS];
    return x;
}

template <int BITS> DEVICE void store(Word *to, const Number<BITS> &x) {
#pragma unroll unrolled(Number<BITS>::WORDS)
    for (int q = 0; q < Number<BITS>::WORDS; q++) to[q] = (Word)x.digits[2 * q + 1] << 32 | x.digits[2 * q];
    to[Number<BITS>::WORDS] = (unsigned)x.head;
}

// (x + θ)·2^unit, or its negative, to nearest, ties to even; 0 < θ < 1 where `inexact` says so,
// else θ = 0. The zero of no digits has the sign.
template <int BITS, int N> DEVICE Number<BITS> round_here(Wide<N> x, bool inexact, long long unit, bool negative) {
    constexpr int D = Number<BITS>::D, PADDING = Number<BITS>::PADDING;
    const int up = normalize(x);
    if (x[N - 1] == 0) return Number<BITS>::special(head(ZERO, negative));
    Number<BITS> result = {0, highest<D>(x)};
    // What is cut off: digits below the result's, and padding.
    unsigned half = 0, rest = inexact ? 1 : 0;
#pragma unroll unrolled(N)
    for (int i = 0; i < N - D; i++) {
        const bool top = PADDING == 0 && i == N - D - 1;
        half |= top ? x[i] >> 31 : 0;
        rest |= top ? x[i] << 1 : x[i];
    }
#pragma unroll
    for (int i = 0; 32 * i < PADDING; i++) {
        constexpr int LAST = PADDING == 0 ? 0 : (PADDING - 1) / 32, BIT = PADDING == 0 ? 0 : (PADDING - 1) % 32;
        const unsigned digit = result.digits[i];
        half |= i == LAST ? digit >> BIT & 1 : 0;
        rest |= i == LAST ? digit & ((1u << BIT) - 1) : digit;
        result.digits[i] = i == LAST ? digit & (unsigned)(~0ull << (BIT + 1)) : 0;
    }
    const unsigned odd = result.digits[PADDING / 32] >> PADDING % 32 & 1;
    unsigned over = half & (odd | (rest != 0));
    over <<= PADDING % 32;
#pragma unroll unrolled(D)
    for (int i = PADDING / 32; i < D; i++) {
        const unsigned sum = result.digits[i] + over;
        over = sum < over ? 1 : 0;
        result.digits[i] = sum;
    }
    long long e = unit + 32ll * N - up;
    if (over) result.digits[D - 1] = 1u << 31, e++;
    result.head = finite_head(e, negative);
    return is_number(result.head) ? result : Number<BITS>::special(result.head);
}

template <int BITS, int N> DEVICE_COLD Number<BITS> round_apart(const Wide<N> x, bool inexact, long long unit, bool negative) {
    return round_here<BITS>(x, inexact, unit, negative);
}

// Digits of sums and roundings that are not apart.
constexpr int MOST_DIGITS_HERE = 32;

template <int BITS, int N> DEVICE Number<BITS> round(const Wide<N> &x, bool inexact, long long unit, bool negative) {
    if constexpr (N > MOST_DIGITS_HERE) return round_apart<BITS>(x, inexact, unit, negative);
    else return round_here<BITS>(x, inexact, unit, negative);
}

// The head of a product of which a factor is zero or not finite.
DEVICE int product_of_specials(int x, int y) {
    const bool negative = (x ^ y) & 1;
    if (is_nan(x) || is_nan(y)) return NOT_A_NUMBER;
    if (is_finite(x) && is_finite(y)) return head(ZERO, negative);
    return is_zero(x) || is_zero(y) ? NOT_A_NUMBER : head(INFINITE, negative);
}

// The head of a sum of which an operand is not finite, or both are zero.
DEVICE int sum_of_specials(int x, int y) {
    if (is_nan(x) || is_nan(y)) return NOT_A_NUMBER;
    const bool opposite = (x ^ y) & 1;
    if (is_finite(x) && is_finite(y)) return opposite ? head(ZERO, false) : x;
    if (!is_finite(x) && !is_finite(y)) return opposite ? NOT_A_NUMBER : x;
    return is_finite(x) ? y : x;
}

DEVICE bool is_special_sum(int x, int y) { return !is_finite(x) || !is_finite(y) || (is_zero(x) && is_zero(y)); }

// ±x + ±y for fractions x·2^(ex − 32·A) and y·2^(ey − 32·B), of which one at most is zero, rounded.
// Their highest bit but one may be the first that is set.
//
// The window has two bits above the greater one. Below, it holds all of it and 62 bits more: where
// the smaller one is cut off, at most two bits cancel.
template <int BITS, int A, int B>
DEVICE Number<BITS> rounded_sum_here(const Wide<A> &x, long long ex, bool minus_x, const Wide<B> &y, long long ey, bool minus_y) {
    constexpr int N = (A > B ? A : B) + 2;
    const long long top = max(ex, ey) + 2;
    Wide<N> a = highest<N>(x), b = highest<N>(y);
    unsigned lost_a = 0, lost_b = 0;
    shift_down(a, (unsigned)min(top - ex, 1ll << 30), lost_a);
    shift_down(b, (unsigned)min(top - ey, 1ll << 30), lost_b);
    const bool inexact = (lost_a | lost_b) != 0;
    // −(m + θ) = ~m + (1 − θ)
    if (minus_x) negate(a, lost_a != 0);
    add(a, b, minus_y, minus_y && lost_b == 0);
    const bool negative = a.is_negative();
    if (negative) negate(a, inexact);
    return round<BITS>(a, inexact, top - 32ll * N, negative);
}

template <int BITS, int A, int B>
DEVICE_COLD Number<BITS> rounded_sum_apart(const Wide<A> x, long long ex, bool minus_x, const Wide<B> y, long long ey, bool minus_y) {
    return rounded_sum_here<BITS>(x, ex, minus_x, y, ey, minus_y);
}

template <int BITS, int A, int B>
DEVICE Number<BITS> rounded_sum(const Wide<A> &x, long long ex, bool minus_x, const Wide<B> &y, long long ey, bool minus_y) {
    if constexpr ((A > B ? A : B) > MOST_DIGITS_HERE) return rounded_sum_apart<BITS>(x, ex, minus_x, y, ey, minus_y);
    else return rounded_sum_here<BITS>(x, ex, minus_x, y, ey, minus_y);
}

template <int BITS> DEVICE Number<BITS> operator-(const Number<BITS> &x) { return x.negated(true); }

template <int BITS> DEVICE Number<BITS> operator+(const Number<BITS> &x, const Number<BITS> &y) {
    if (is_special_sum(x.head, y.head)) return Number<BITS>::special(sum_of_specials(x.head, y.head));
    return rounded_sum<BITS>(x.digits, x.code(), x.is_negative(), y.digits, y.code(), y.is_negative());
}

template <int BITS> DEVICE Number<BITS> operator-(const Number<BITS> &x, const Number<BITS> &y) { return x + -y; }

// x·y, not rounded: digits below the exponent e, or where there are none a head. Beyond the range
// it is infinite or zero.
template <int N> struct Product {
    Wide<N> digits;
    long long e;
    int head;
};

template <int BITS, int OTHER>
DEVICE Product<Number<BITS>::D + Number<OTHER>::D> exact_product(const Number<BITS> &x, const Number<OTHER> &y) {
    constexpr int N = Number<BITS>::D + Number<OTHER>::D;
    if (!is_number(x.head) || !is_number(y.head)) return {Wide<N>::zero(), ZERO, product_of_specials(x.head, y.head)};
    const Wide<N> digits = multiply(x.digits, y.digits);
    const long long e = (long long)x.code() + y.code();
    // Whether it is in the range is a matter of its first bit.
    const int head = finite_head(e - (digits.is_negative() ? 0 : 1), (x.head ^ y.head) & 1);
    if (!is_number(head)) return {Wide<N>::zero(), ZERO, head};
    return {digits, e, head};
}

// x·y, rounded before it is known whether it is in the range: rounding may lead into it.
template <int BITS, int OTHER> DEVICE Number<BITS> multiply(const Number<BITS> &x, const Number<OTHER> &y) {
    if (!is_number(x.head) || !is_number(y.head)) return Number<BITS>::special(product_of_specials(x.head, y.head));
    const long long unit = (long long)x.code() + y.code() - 32 * (Number<BITS>::D + Number<OTHER>::D);
    return round<BITS>(multiply(x.digits, y.digits), false, unit, (x.head ^ y.head) & 1);
}

template <int BITS> DEVICE Number<BITS> operator*(const Number<BITS> &x, const Number<BITS> &y) { return multiply<BITS, BITS>(x, y); }

// x·y + z, rounded once to the bits of z; a product beyond the range counts as infinite or zero.
template <int BITS, int SUM> DEVICE Number<SUM> multiply_add(const Number<BITS> &x, const Number<BITS> &y, const Number<SUM> &z) {
    const auto product = exact_product(x, y);
    if (is_special_sum(product.head, z.head)) return Number<SUM>::special(sum_of_specials(product.head, z.head));
    return rounded_sum<SUM>(product.digits, product.e, product.head & 1, z.digits, z.code(), z.is_negative());
}

// x·y + z with both operations rounded.
template <int BITS> DEVICE Number<BITS> multiply_then_add(const Number<BITS> &x, const Number<BITS> &y, const Number<BITS> &z) {
    return x * y + z;
}

} // namespace mp
