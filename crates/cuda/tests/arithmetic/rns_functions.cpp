// The kernels' arithmetic on floating-point numbers in residues, as functions of this machine.

#include "shim.h"

#include "rns/float.cuh"

namespace {

struct Format {
    static constexpr int COUNT = MODULI, BITS = PRECISION, DIGIT = DIGIT_BITS, COLUMNS = ROW_DIGITS, LANES = STRIDE, LOG = LOGARITHM;
};

using Number = rns::Number<Format>;

// A line of numbers: heads, bounds, and rows of LANES residues.
struct Line {
    int *heads;
    mp::Word *bounds;
    unsigned *residues;

    Number load(long long i) const {
        Number x;
        x.head = heads[i], x.bounds = {bounds[2 * i], bounds[2 * i + 1]};
        for (int k = 0; k < Format::COUNT; k++) x.y[k] = residues[i * Format::LANES + k];
        return x;
    }

    void store(long long i, const Number &x) const {
        heads[i] = x.head, bounds[2 * i] = x.bounds.low, bounds[2 * i + 1] = x.bounds.high;
        for (int k = 0; k < Format::COUNT; k++) residues[i * Format::LANES + k] = x.y[k];
    }
};

enum Operation { SUM, PRODUCT, QUOTIENT, ROOT, SCALED, DOUBLED, WIDENED, ORDER, ROUNDED };

} // namespace

// Of DOUBLED and WIDENED the second operand is an f64, which stands where lower bounds do.
extern "C" void nonius_rns(int operation, long long count, const unsigned *tables, const Line *x, const Line *y, const Line *to) {
    const rns::Arithmetic<Format> arithmetic = {{tables}};
    for (long long i = 0; i < count; i++) {
        const Number a = x->load(i), b = y->load(i);
        const double second = __longlong_as_double((long long)y->bounds[2 * i]);
        Number result = a;
        if (operation == SUM) result = arithmetic.sum(a, b);
        if (operation == PRODUCT) result = arithmetic.product(a, b);
        if (operation == QUOTIENT) result = arithmetic.quotient(a, b);
        if (operation == ROOT) result = arithmetic.root(a);
        if (operation == SCALED) result = arithmetic.scaled(a, -13);
        if (operation == DOUBLED) result = arithmetic.product_with_double(second, a);
        if (operation == WIDENED) result = arithmetic.from_double(second, 5);
        if (operation == ORDER) result = Number::special(arithmetic.compare_numbers(a, b));
        if (operation == ROUNDED && mp::is_number(a.head)) result.bounds.low = arithmetic.rounded_to_double(a);
        to->store(i, result);
    }
}
