// The kernels' arithmetic on numbers of a fixed precision, as functions of this machine. Numbers
// lie one after the other, words and all.

#include "shim.h"

#include "mp/divide.cuh"
#include "mp/fixed.cuh"
#include "mp/vector.cuh"
#include "num/reading.cuh"

namespace {

struct Line {
    int *heads;
    mp::Word *words;
};

template <int BITS> mp::Vector vector(const Line &line, long long i) {
    constexpr int WORDS = mp::Number<BITS>::WORDS;
    return {line.heads + i, line.words + i * WORDS, 1};
}

template <int BITS> mp::Number<BITS> load(const Line &line, long long i) { return vector<BITS>(line, i).template load<BITS>(0); }

enum Operation { SUM, PRODUCT, FUSED, QUOTIENT, ROOT, RECIPROCAL, RECIPROCAL_OF_ROOT };

template <int BITS> void all(int operation, long long count, const Line &x, const Line &y, const Line &z, const Line &to) {
    for (long long i = 0; i < count; i++) {
        const auto a = load<BITS>(x, i), b = load<BITS>(y, i), c = load<BITS>(z, i);
        const auto result = operation == SUM        ? a + b
                            : operation == PRODUCT  ? a * b
                            : operation == FUSED    ? mp::multiply_add(a, b, c)
                            : operation == QUOTIENT ? mp::divide(a, b)
                            : operation == ROOT     ? mp::root(a)
                            : operation == RECIPROCAL || !mp::is_number(a.head) || a.is_negative()
                                ? mp::reciprocal(a)
                                : mp::reciprocal_of_root(mp::root_of(a));
        vector<BITS>(to, i).store(0, result);
    }
}

// One sum of products; x has OTHER bits.
template <int BITS, int OTHER> void dot(long long count, const Line &x, const Line &y, const Line &to) {
    mp::Census census = mp::Census::none();
    for (long long i = 0; i < count; i++) census.see(x.heads[i], y.heads[i]);
    const mp::Vector result = vector<BITS>(to, 0);
    if (census.is_settled()) return result.store(0, mp::Number<BITS>::special(census.settled()));
    using Sum = mp::Fixed<BITS, 10>;
    const mp::Unit unit = Sum::unit(census);
    Sum sum = Sum::zero();
    for (long long i = 0; i < count; i++) sum.add_product(load<OTHER>(x, i), load<BITS>(y, i), census, unit);
    result.store(0, sum.rounded(unit));
}

} // namespace

extern "C" void nonius_reading(long long count, const Reading *x, const Reading *y, Reading *sums, Reading *quotients, Reading *larger_ones, int *greater) {
    for (long long i = 0; i < count; i++)
        sums[i] = x[i] + y[i], quotients[i] = x[i] / y[i], larger_ones[i] = larger(x[i], y[i]), greater[i] = x[i] > y[i];
}

#define FUNCTIONS(bits) \
    extern "C" void nonius_mp_##bits( \
        int operation, long long count, const Line *x, const Line *y, const Line *z, const Line *to) { \
        all<bits>(operation, count, *x, *y, *z, *to); \
    } \
    extern "C" void nonius_mp_dot_##bits(long long count, const Line *x, const Line *y, const Line *to) { \
        dot<bits, bits>(count, *x, *y, *to); \
    } \
    extern "C" void nonius_mp_short_dot_##bits(long long count, const Line *x, const Line *y, const Line *to) { \
        dot<bits, 64>(count, *x, *y, *to); \
    }

FUNCTIONS(64)
FUNCTIONS(65)
FUNCTIONS(96)
FUNCTIONS(106)
FUNCTIONS(128)
FUNCTIONS(159)
FUNCTIONS(212)
FUNCTIONS(424)
FUNCTIONS(1500)
