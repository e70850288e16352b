// Numbers of PRECISION bits: what is different between them and limbs (limb_sums.cuh).
#pragma once

#include "dense/operators.cuh"
#include "mp/nearest.cuh"

// A sum of products, with 64 bits more than numbers have. It is rounded after each product, and
// once more in the end: of n products it is within (1 + n * 2^-63) * 2^-PRECISION times the sum of
// their magnitudes. Nothing is carried.
struct Sum {
    static constexpr int BITS = PRECISION + 64, D = mp::Number<BITS>::D;

    mp::Number<BITS> sum;

    DEVICE static Sum zero() { return {mp::Number<BITS>::zero()}; }

    DEVICE void add_product(const Number &x, const Number &y);

    DEVICE void carry() {}
};

// A function of its own: kernels add products in many places.
DEVICE_COLD mp::Number<Sum::BITS> with_product(const mp::Number<Sum::BITS> sum, const Number x, const Number y) {
    return mp::multiply_add(x, y, sum);
}

DEVICE void Sum::add_product(const Number &x, const Number &y) { sum = with_product(sum, x, y); }

enum { CARRIES = 0 };
constexpr unsigned PERIOD = 0x7fffffff;

DEVICE Sum sum_from(const Number &x) { return {{x.head, mp::highest<Sum::D>(x.digits)}}; }

DEVICE_COLD Number total(const Sum sum) {
    const auto &x = sum.sum;
    if (!mp::is_number(x.head)) return Number::special(x.head);
    return mp::round<PRECISION>(x.digits, false, x.code() - 32 * Sum::D, x.is_negative());
}

DEVICE bool is_finite(const Number &x) { return mp::is_finite(x.head); }
DEVICE Number square_root(const Number &x) { return mp::root(x); }
DEVICE bool is_pivot(const Number &x) { return mp::is_number(x.head) && !x.is_negative(); }

DEVICE bool is_nothing(const Number &x) { return mp::is_zero(x.head); }

// Squares are in the range of exponents as they are.
DEVICE int power_for_squares(double) { return 0; }
DEVICE Number times_power(const Number &x, int) { return x; }

// 1 or 0.
DEVICE Number one_if(bool is_one) { return is_one ? one() : zero(); }

// The magnitude of an entry as an f64.
DEVICE double size_at(const Matrix &a, long long i, long long j) {
    const mp::Word *words = a.words(i, j);
    return fabs(mp::nearest((int)words[Number::WORDS], words[Number::WORDS - 1]));
}

// The square of `order` rows that begins at `offset` in a column.
DEVICE Matrix square_at(const Matrix &column, unsigned offset, unsigned order) {
    return {column.at(offset, 0), order, order, LANES, (long long)LANES * order, 1};
}

// The number of another thread, whose words `exchange` knows.
template <class Exchange> DEVICE Number exchanged(const Number &x, Exchange exchange) {
    Number y;
    y.head = (int)exchange((unsigned)x.head);
#pragma unroll mp::unrolled(Number::D)
    for (int i = 0; i < Number::D; i++) y.digits[i] = exchange(x.digits[i]);
    return y;
}

// The number of the thread `distance` behind, among `width` threads.
DEVICE Number from_behind(const Number &x, int distance, int width) {
    return exchanged(x, [&](unsigned word) { return __shfl_down_sync(ALL, word, distance, width); });
}

// The number of the first thread of a warp.
DEVICE Number of_first_thread(const Number &x) {
    return exchanged(x, [](unsigned word) { return __shfl_sync(ALL, word, 0); });
}
