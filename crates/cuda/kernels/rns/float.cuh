// Operations on floating-point numbers in residues, a number for each thread
// (crates/num/src/rns/float, which has methods and bounds, and the same bits).
#pragma once

#include "rns/number.cuh"

namespace rns {

template <class F> struct Arithmetic {
    using N = Number<F>;
    using Residues = typename N::Residues;
    static constexpr int COUNT = N::COUNT, P = N::P, LOG = F::LOG, DIGIT = F::DIGIT, WIDTH = N::WIDTH, DIGITS = F::COLUMNS, WORDS = N::WORDS;

    const Tables<F> t;

    DEVICE unsigned m(int i) const { return t.moduli()[i]; }
    DEVICE unsigned inverse(int i) const { return t.inverses()[i]; }

    template <class Row> DEVICE void multiply(Residues &x, const Row &by) const {
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = reduced((Word)x[i] * by[i], m(i), inverse(i));
    }

    template <class Row> DEVICE void add(Residues &x, const Row &y) const {
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = added(x[i], y[i], m(i));
    }

    template <class Row> DEVICE void subtract(Residues &x, const Row &y) const {
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = subtracted(x[i], y[i], m(i));
    }

    DEVICE void negate(Residues &x) const {
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = subtracted(0, x[i], m(i));
    }

    template <class Row> DEVICE bool equal(const Residues &x, const Row &y) const {
        bool equal = true;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) equal = equal && x[i] == y[i];
        return equal;
    }

    DEVICE bool is_zero(const Residues &x) const {
        unsigned any = 0;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) any |= x[i];
        return any == 0;
    }

    template <class Row> DEVICE Residues copy(const Row &row) const {
        Residues x;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = row[i];
        return x;
    }

    DEVICE_CALL void scale_up(Residues &x, int e) const {
        while (e > 0) {
            const int step = min(e, Tables<F>::GREATEST_POWER);
            multiply(x, t.power(step));
            e -= step;
        }
    }

    DEVICE void multiply_stored(Residues &x, const Residues &y) const {
        multiply(x, y);
        multiply(x, t.cofactors());
    }

    DEVICE Residues stored_power(int e) const {
        Residues x = copy(t.one());
        scale_up(x, e);
        return x;
    }

    DEVICE_CALL long long fraction(const Residues &x) const {
        Word sum = 0;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) sum += x[i] * t.shares()[i] + ((Word)x[i] * t.lower_shares()[i] >> 32);
        return (long long)sum;
    }

    DEVICE unsigned rank(const Residues &x) const {
        Word sum = 0;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) sum += x[i] * t.shares()[i] >> 32;
        return (unsigned)((sum + (1ull << 31)) >> 32);
    }

    DEVICE static Word magnitude(long long x) { return x < 0 ? 0 - (Word)x : (Word)x; }

    // An evaluation of Z * 2^shift that says enough, for |Z| < 2^most.
    DEVICE_CALL long long place(const Residues &x, int most, Word enough, int &shift) const {
        Residues scaled = x;
        shift = 0, most = max(most, 1);
        while (true) {
            scale_up(scaled, LOG - 2 - most - shift);
            shift = LOG - 2 - most;
            const long long found = fraction(scaled);
            if (magnitude(found) >= enough || most == 1) return found;
            const int length = 64 - __clzll((long long)(magnitude(found) + WIDTH));
            most = max(length + LOG + 1 - 64 - shift, 1);
        }
    }

    // −1, 0 or 1
    DEVICE int sign(const Residues &x, int most) const {
        if (is_zero(x)) return 0;
        int shift;
        const long long found = place(x, most, 2 * WIDTH, shift);
        return found < 0 ? -1 : found > 0;
    }

    // Z − 2^e, or −Z − 2^e
    DEVICE_CALL Residues less_power(const Residues &x, int e, bool negative) const {
        Residues rest = stored_power(e);
        if (negative) add(rest, x);
        else subtract(rest, x);
        negate(rest);
        return rest;
    }

    // Of Z that is not zero.
    DEVICE_CALL Measured measure(const Residues &x, int most) const {
        int shift;
        const long long found = place(x, most, 1ull << 36, shift);
        const bool negative = found < 0;
        const Word least = negative ? 0 - (Word)(found + WIDTH) : (Word)found, greatest = negative ? 0 - (Word)found : (Word)(found + WIDTH);
        const Long low = Long::product(least, t.mantissa());
        // greatest·(mantissa + 1)
        Long high = Long::product(greatest, t.mantissa());
        high = high.plus(greatest);
        const int scale = LOG - 127 - shift, below = low.length();
        const int power = max(below + scale, 0);
        bool longer = high.reaches(below);
        if (longer) longer = sign(less_power(x, power, negative), min(power + 1, LOG - 2)) >= 0;
        const int length = longer ? power + 1 : power, down = length - scale - 62;
        return {negative, length, Bounds::of(low.shifted(down), high.shifted(down) + 1)};
    }

    // The lowest digits of Z, `count` of them or up to three more.
    DEVICE_CALL void digits(const Residues &x, unsigned *to, int count) const {
        const unsigned q = rank(x);
        Word carry = 0;
        for (int l = 0; l < count; l += 4) {
            const Four minus = four(t.minus_product() + l);
            Word sums[4];
            for (int j = 0; j < 4; j++) sums[j] = (Word)q * minus.words[j];
#pragma unroll rns::unrolled(COUNT)
            for (int i = 0; i < COUNT; i++) {
                const Four weights = four(t.weights(i) + l);
                for (int j = 0; j < 4; j++) sums[j] += (Word)x[i] * weights.words[j];
            }
            for (int j = 0; j < 4; j++) {
                const Word sum = sums[j] + carry;
                to[l + j] = (unsigned)(sum & ((1ull << DIGIT) - 1));
                carry = sum >> DIGIT;
            }
        }
    }

    // (Z − what the digits say) / 2^k, where that is an integer.
    DEVICE_CALL void less_digits(const unsigned *digits, int count, int k, Residues &x) const {
#pragma unroll rns::unrolled(COUNT / 4)
        for (int i = 0; i < COUNT; i += 4) {
            Word sums[4];
            for (int j = 0; j < 4; j++) sums[j] = i + j < COUNT ? x[i + j] : 0;
            for (int l = 0; l < count; l++) {
                const Four minus = four(t.minus_digit(l) + i);
                for (int j = 0; j < 4; j++) sums[j] += (Word)digits[l] * minus.words[j];
            }
            for (int j = 0; j < 4; j++)
                if (i + j < COUNT) x[i + j] = reduced(sums[j], m(i + j), inverse(i + j));
        }
        multiply(x, t.power(32 - k));
    }

    // Z / 2^k to nearest, ties to even; whether nothing was lost, and whether it was rounded up.
    DEVICE_CALL void divide_by_power(Residues &x, int k, bool &exact, bool &up) const {
        unsigned d[DIGITS];
        const int needed = (k + 1 + DIGIT - 1) / DIGIT;
        digits(x, d, needed);
        const bool odd = d[k / DIGIT] >> k % DIGIT & 1, half = d[(k - 1) / DIGIT] >> (k - 1) % DIGIT & 1;
        const int top = k / DIGIT, offset = k % DIGIT;
        if (offset != 0) d[top] &= (1u << offset) - 1;
        const int kept = offset == 0 ? top : top + 1, last = (k - 1) / DIGIT, lower = (k - 1) % DIGIT;
        bool tail = (d[last] & ((1u << lower) - 1)) != 0;
        for (int l = 0; l < last; l++) tail = tail || d[l] != 0;
        less_digits(d, kept, k, x);
        up = half && (tail || odd);
        if (up) add(x, t.one());
        exact = !half && !tail;
    }

    DEVICE_CALL N settle(Residues &x, int head, Bounds bounds) const {
        if (!mp::is_number(head)) return N::special(head);
        if (bounds.high - bounds.low > WIDEST) bounds = measure(x, P).bounds;
        return {head, bounds, x};
    }

    // The number Z * 2^unit of that length, rounded.
    DEVICE_CALL N finish(Residues &x, const Measured &z, long long unit) const {
        long long exponent = unit + z.length;
        Bounds bounds = z.bounds;
        if (z.length < P) scale_up(x, P - z.length);
        if (z.length > P) {
            bool exact, up;
            divide_by_power(x, z.length - P, exact, up);
            if (!exact) bounds = bounds.rounded(P);
            if (up && bounds.high == UNIT && equal(x, t.full())) x = copy(t.half()), bounds = Bounds::half(), exponent++;
        }
        return settle(x, mp::finite_head(exponent, z.negative), bounds);
    }

    // Of Z > 0 within [low, high] * 2^scale.
    DEVICE_CALL Measured resolve(const Residues &x, Word low, Word high, int scale) const {
        const int below = 64 - __clzll((long long)low);
        bool longer = below < 64 && high >> below != 0;
        if (longer) {
            const Word power = 1ull << below, width = max(power - low, high - power);
            const Residues rest = less_power(x, max(below + scale, 0), false);
            longer = sign(rest, max(64 - __clzll((long long)width) + scale, 1)) >= 0;
        }
        const int bits = longer ? below + 1 : below;
        Bounds bounds;
        if (bits >= 62) {
            const int down = bits - 62;
            bounds = Bounds::of(low >> down, (high >> down) + ((high & ((1ull << down) - 1)) != 0 ? 1 : 0));
        } else {
            const int up = 62 - bits;
            bounds = Bounds::of(low << up, high >> (64 - up) ? ~0ull : high << up);
        }
        return {false, bits + scale, bounds};
    }

    DEVICE static Word shifted_down(Word x, int d) { return d >= 64 ? 0 : x >> d; }
    DEVICE static Word shifted_up(Word x, int d) { return d >= 64 ? (x != 0) : (x >> d) + ((x & ((1ull << d) - 1)) != 0 ? 1 : 0); }
    DEVICE static Word less(Word x, Word y) { return x > y ? x - y : 0; }

    DEVICE bool is_half(const N &x) const { return x.bounds.low == UNIT / 2 && equal(x.y, t.half()); }

    DEVICE N sum(const N &first, const N &second) const {
        if (!mp::is_number(first.head) && !mp::is_number(second.head)) return N::special(mp::sum_of_specials(first.head, second.head));
        const bool swapped = first.code() < second.code();
        // Values: CUDA 13.0 computes wrong sums with references chosen so (seen at 424 bits).
        const N x = swapped ? second : first, y = swapped ? first : second;
        const bool opposite = (x.head ^ y.head) & 1;
        // A number and a zero, or what is not finite and a number.
        if (!mp::is_number(x.head)) return N::special(mp::is_nan(x.head) ? mp::NOT_A_NUMBER : x.head);
        if (!mp::is_number(y.head)) return x;
        const long long far = (long long)x.code() - y.code();
        if (far > P) {
            const bool counts = far == P + 1 && opposite;
            if (!(counts && is_half(x) && !is_half(y))) return x;
            Residues z = copy(t.full());
            subtract(z, t.one());
            return settle(z, mp::finite_head(x.code() - 1, x.is_negative()), Bounds::of(UNIT, UNIT).rounded(P).rounded(P));
        }
        const int distance = (int)far;
        Residues z = x.y;
        scale_up(z, distance);
        if (opposite) subtract(z, y.y);
        else add(z, y.y);
        const Word y_low = shifted_down(y.bounds.low, distance), y_high = shifted_up(y.bounds.high, distance);
        const Word low = opposite ? less(x.bounds.low, y_high) : x.bounds.low + y_low;
        const Word high = opposite ? less(x.bounds.high, y_low) : x.bounds.high + y_high;
        Measured measured;
        if (low > high / 2) {
            measured = resolve(z, low, high, P + distance - 62);
        } else {
            if (is_zero(z)) return N::special(mp::head(mp::ZERO, false));
            measured = measure(z, P + distance);
        }
        if (measured.negative) negate(z);
        measured.negative = measured.negative != x.is_negative();
        return finish(z, measured, (long long)y.code() - P);
    }

    DEVICE N product(const N &x, const N &y) const {
        if (!mp::is_number(x.head) || !mp::is_number(y.head)) return N::special(mp::product_of_specials(x.head, y.head));
        Residues z = x.y;
        multiply_stored(z, y.y);
        const Word low = Long::product(x.bounds.low, y.bounds.low).shifted(62);
        const Word high = Long::product(x.bounds.high, y.bounds.high).plus(UNIT - 1).shifted(62);
        Measured measured = resolve(z, low, high, 2 * P - 62);
        measured.negative = (x.head ^ y.head) & 1;
        return finish(z, measured, (long long)x.code() + y.code() - 2 * P);
    }

    // The residues of an integer below 2^64 beside those of a number: x times the integer.
    DEVICE void multiply_integer(Residues &x, Word integer) const {
        // Twice 2^64/2^32, of which one takes the place of the division by 2^32 of each product.
        multiply(x, t.low_units());
        multiply(x, t.low_units());
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++)
            x[i] = reduced((Word)reduced(integer, m(i), inverse(i)) * x[i], m(i), inverse(i));
    }

    // The product with an f64; P is 53 at least.
    DEVICE N product_with_double(double x, const N &y) const {
        const Double factor = Double::of(x);
        if (!mp::is_number(factor.head) || !mp::is_number(y.head)) return N::special(mp::product_of_specials(factor.head, y.head));
        Residues z = y.y;
        multiply_integer(z, factor.significand);
        const Word aligned = factor.significand << 9;
        const Word low = Long::product(y.bounds.low, aligned).shifted(62);
        const Word high = Long::product(y.bounds.high, aligned).plus(UNIT - 1).shifted(62);
        Measured measured = resolve(z, low, high, P + Double::BITS - 62);
        measured.negative = (factor.head ^ y.head) & 1;
        return finish(z, measured, (long long)(factor.head >> 1) + y.code() - (P + Double::BITS));
    }

    // x·2^exponent, exactly; P is 53 at least.
    DEVICE_CALL N from_double(double x, long long exponent) const {
        const Double value = Double::of(x);
        if (!mp::is_number(value.head)) return N::special(value.head);
        const int head = mp::finite_head((value.head >> 1) + exponent, value.head & 1);
        if (!mp::is_number(head)) return N::special(head);
        Residues z = copy(t.one());
        multiply_integer(z, value.significand);
        scale_up(z, P - Double::BITS);
        return {head, {value.significand << 9, value.significand << 9}, z};
    }

    // The significand of a number, rounded to an integer of 53 bits: it may be 2^53.
    DEVICE_CALL Word rounded_to_double(const N &x) const {
        Residues z = x.y;
        bool exact, up;
        if (P > Double::BITS) divide_by_power(z, P - Double::BITS, exact, up);
        unsigned d[DIGITS];
        digits(z, d, 3);
        Word integer = 0;
        for (int l = 0; l < 3 && l * DIGIT < 64; l++) integer |= (Word)d[l] << l * DIGIT;
        return integer;
    }

    // How the significands of two numbers compare: −1, 0 or 1.
    DEVICE int compare(const N &x, const N &y) const {
        if (x.bounds.low > y.bounds.high) return 1;
        if (x.bounds.high < y.bounds.low) return -1;
        Residues difference = x.y;
        subtract(difference, y.y);
        const Word width = max(less(x.bounds.high, y.bounds.low), less(y.bounds.high, x.bounds.low));
        return sign(difference, max(64 - __clzll((long long)width) + P - 62, 1));
    }

    // −1, 0 or 1; 2 where a number is NaN.
    DEVICE int compare_numbers(const N &x, const N &y) const {
        if (mp::is_nan(x.head) || mp::is_nan(y.head)) return 2;
        if (mp::is_zero(x.head) && mp::is_zero(y.head)) return 0;
        const bool minus_x = x.is_negative() && !mp::is_zero(x.head), minus_y = y.is_negative() && !mp::is_zero(y.head);
        if (minus_x != minus_y) return minus_x ? -1 : 1;
        int order = x.code() < y.code() ? -1 : x.code() > y.code();
        if (order == 0 && mp::is_number(x.head)) order = compare(x, y);
        // Of zeros and negative numbers.
        return minus_x ? -order : order;
    }

    DEVICE long long middle(const Residues &x) const { return fraction(x) + COUNT; }

    DEVICE bool nearest(long long remainder, long long divisor) const {
        return 2 * ((long long)magnitude(remainder) + WIDTH) < divisor - WIDTH;
    }

    DEVICE_CALL Residues digit_residues(long long digit) const {
        const Word low = magnitude(digit) & ((1ull << 21) - 1), high = magnitude(digit) >> 21;
        Residues x;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = reduced(low * t.low_units()[i] + high * t.high_units()[i], m(i), inverse(i));
        multiply(x, t.power(0));
        if (digit < 0) negate(x);
        return x;
    }

    DEVICE int compare_twice(const Residues &d, bool negative, const Residues &y) const {
        Residues difference = d;
        if (negative) negate(difference);
        const Residues once = difference;
        add(difference, once);
        subtract(difference, y);
        return sign(difference, LOG - 2);
    }

    // words + x * 2^up, or less that.
    DEVICE static void add_shifted(Word *words, Word x, int up, bool subtract) {
        int index = up / 64;
        const int offset = up % 64;
        Word parts[2] = {x << offset, offset ? x >> (64 - offset) : 0};
        Word carry = 0;
        for (int part = 0; index < WORDS; index++, part++) {
            const Word y = part < 2 ? parts[part] : 0, before = words[index];
            const Word after = subtract ? before - y - carry : before + y + carry;
            carry = subtract ? (before < y || (before == y && carry)) : (after < before || (after == before && carry));
            words[index] = after;
        }
    }

    DEVICE static Word bits_at(const Word *words, int start) {
        const int index = start / 64, offset = start % 64;
        const Word low = words[index] >> offset;
        return offset && index + 1 < WORDS ? low | words[index + 1] << (64 - offset) : low;
    }

    // Residues of an integer below 2^p, and the bounds of a significand.
    DEVICE_CALL Residues encode(const Word *words, Bounds &bounds) const {
        unsigned d[DIGITS];
        constexpr int NEEDED = (P + DIGIT - 1) / DIGIT;
        for (int l = 0; l < NEEDED; l++) d[l] = (unsigned)(bits_at(words, l * DIGIT) & ((1ull << DIGIT) - 1));
        Residues x;
#pragma unroll rns::unrolled(COUNT)
        for (int i = 0; i < COUNT; i++) x[i] = 0;
        less_digits(d, NEEDED, 0, x);
        negate(x);
        if (P >= 62) {
            constexpr int START = P >= 62 ? P - 62 : 0;
            const Word top = bits_at(words, START) & (UNIT - 1);
            bool rest = (words[START / 64] & ((1ull << START % 64) - 1)) != 0;
            for (int w = 0; w < START / 64; w++) rest = rest || words[w] != 0;
            bounds = Bounds::of(top, top + (rest ? 1 : 0));
        } else {
            const Word top = words[0] << (P >= 62 ? 0 : 62 - P);
            bounds = Bounds::of(top, top);
        }
        return x;
    }

    DEVICE N quotient(const N &x, const N &y) const {
        if (!mp::is_number(x.head) || !mp::is_number(y.head)) return N::special(mp::quotient_of_specials(x.head, y.head));
        const int s = compare(x, y) < 0 ? P : P - 1, filling = LOG - 4 - P;
        Residues d = x.y, divisor = y.y;
        scale_up(d, filling);
        scale_up(divisor, filling);
        const long long whole = middle(divisor);
        Word words[WORDS];
        for (int w = 0; w < WORDS; w++) words[w] = 0;
        for (int rest = s; rest > 0;) {
            const int step = min(rest, 40);
            rest -= step;
            const long long delta = quotient_digit(middle(d), step, whole);
            add_shifted(words, magnitude(delta), rest, delta < 0);
            Residues change = digit_residues(delta);
            multiply(change, divisor);
            multiply(d, t.power(step));
            subtract(d, change);
        }
        const long long last = middle(d);
        if (!nearest(last, whole) && compare_twice(d, last < 0, divisor) > 0) add_shifted(words, 1, 0, last < 0);
        Bounds bounds;
        Residues z = encode(words, bounds);
        return settle(z, mp::finite_head((long long)x.code() - y.code() + (P - s), (x.head ^ y.head) & 1), bounds);
    }

    DEVICE N root(const N &x) const {
        if (mp::is_zero(x.head) || mp::is_nan(x.head)) return N::special(x.head);
        if (x.is_negative()) return N::special(mp::NOT_A_NUMBER);
        if (!mp::is_number(x.head)) return N::special(x.head);
        const int odd = x.code() & 1, filling = LOG - 4 - P;
        int known = min(30, P), rest = P - known;
        Word words[WORDS];
        for (int w = 0; w < WORDS; w++) words[w] = 0;
        add_shifted(words, integer_root(x.bounds.low >> odd >> (62 - 2 * known)), rest, false);
        Residues d = x.y;
        scale_up(d, P - odd);
        Bounds bounds;
        Residues twice = encode(words, bounds), change = twice;
        multiply_stored(change, twice);
        subtract(d, change);
        scale_up(d, LOG - 4 - P - rest);
        scale_up(twice, filling + 1);
        Residues unit = stored_power(rest + filling);
        while (rest > 0) {
            const int step = min(min(rest, 40), known - 6);
            rest -= step, known += step;
            const long long delta = quotient_digit(middle(d), step, middle(twice));
            add_shifted(words, magnitude(delta), rest, delta < 0);
            Residues digit = digit_residues(delta);
            multiply(unit, t.power(-step));
            change = unit;
            multiply(change, digit);
            add(twice, change);
            multiply(digit, twice);
            multiply(d, t.power(step));
            subtract(d, digit);
            add(twice, change);
        }
        const long long last = middle(d);
        if (!nearest(last, middle(twice))) {
            const bool negative = last < 0;
            const int beyond = compare_twice(d, negative, twice);
            if (beyond > 0 || (negative && beyond == 0)) add_shifted(words, 1, 0, negative);
        }
        Residues z = encode(words, bounds);
        return settle(z, mp::finite_head(((long long)x.code() + odd) / 2, false), bounds);
    }

    // x * 2^k
    DEVICE N scaled(const N &x, int k) const {
        if (!mp::is_number(x.head)) return x;
        const int head = mp::finite_head((long long)x.code() + k, x.is_negative());
        return mp::is_number(head) ? N{head, x.bounds, x.y} : N::special(head);
    }
};

} // namespace rns
