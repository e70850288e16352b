// Sums of products as integers, rounded once (crates/num/src/mp/dot.rs, which has method and bound,
// and the same bits): integers are added in any order.
#pragma once

#include "mp/number.cuh"

namespace mp {

// What a sum has to know of its terms before it begins.
struct Census {
    // The greatest sum of the codes of two factors; terms of which no factor is zero.
    int greatest;
    unsigned terms;
    // Products that are not finite.
    bool nan, infinite, minus_infinite;

    DEVICE static Census none() { return {-2147483647 - 1, 0, false, false, false}; }

    DEVICE void see(int x, int y) {
        greatest = max(greatest, (x >> 1) + (y >> 1));
        terms += is_zero(x) || is_zero(y) ? 0 : 1;
        if (is_finite(x) && is_finite(y)) return;
        const int product = product_of_specials(x, y);
        nan = nan || is_nan(product);
        infinite = infinite || (!is_nan(product) && !(product & 1));
        minus_infinite = minus_infinite || (!is_nan(product) && (product & 1));
    }

    DEVICE unsigned flags() const { return (nan ? 1 : 0) | (infinite ? 2 : 0) | (minus_infinite ? 4 : 0); }

    DEVICE void merge(int other_greatest, unsigned other_terms, unsigned flags) {
        greatest = max(greatest, other_greatest);
        terms += other_terms;
        nan = nan || (flags & 1), infinite = infinite || (flags & 2), minus_infinite = minus_infinite || (flags & 4);
    }

    DEVICE bool is_settled() const { return flags() != 0 || terms == 0; }

    // The head of the sum where that is settled.
    DEVICE int settled() const {
        if (flags() == 0) return head(ZERO, false);
        return nan || (infinite && minus_infinite) ? NOT_A_NUMBER : head(INFINITE, minus_infinite);
    }
};

// The unit of a sum, and how far a product whose exponent is the greatest lies below the highest
// bit.
struct Unit {
    long long exponent;
    int down;
};

// A sum with BITS bits in the end, of up to 2^LOG products.
template <int BITS, int LOG> struct Fixed {
    static constexpr int WORDS = (BITS + 65 + 2 * LOG + 63) / 64, N = 2 * WORDS;

    Wide<N> sum;

    DEVICE static Fixed zero() { return {Wide<N>::zero()}; }

    DEVICE static Unit unit(const Census &census) {
        const int carries = census.terms <= 1 ? 0 : 32 - __clz((int)(census.terms - 1));
        const int width = (BITS + 65 + 2 * carries + 63) / 64;
        return {(long long)census.greatest + carries + 1 - 64ll * width, 64 * (WORDS - width) + carries + 1};
    }

    // Adds x·y, cut to the unit.
    template <int X, int Y> DEVICE void add_product(const Number<X> &x, const Number<Y> &y, const Census &census, const Unit &unit) {
        Wide<N> product = highest<N>(multiply(x.digits, y.digits));
        unsigned lost = 0;
        const long long down = (long long)census.greatest - ((long long)x.code() + y.code()) + unit.down;
        shift_down(product, (unsigned)min(down, 1ll << 30), lost);
        const bool negative = (x.head ^ y.head) & 1;
        add(sum, product, negative, negative);
    }

    DEVICE Number<BITS> rounded(const Unit &unit) const {
        Wide<N> magnitude = sum;
        const bool negative = magnitude.is_negative();
        if (negative) negate(magnitude, false);
        Number<BITS> result = round<BITS>(magnitude, false, unit.exponent, negative);
        if (is_zero(result.head)) result.head = head(ZERO, false);
        return result;
    }
};

} // namespace mp
