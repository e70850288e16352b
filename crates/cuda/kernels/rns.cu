// Elementwise operations on floating-point numbers in residues: COUNT moduli, BITS of a significand, and what else rns_float.cuh asks for.

#include "rns_float.cuh"

struct Format {
    static constexpr int COUNT = MODULI, BITS = PRECISION, DIGIT = DIGIT_BITS, COLUMNS = ROW_DIGITS, LANES = STRIDE, LOG = LOGARITHM;
};

using Number = rns::Number<Format>;
using Arithmetic = rns::Arithmetic<Format>;

// Heads, both bounds, and residues modulo each modulus side by side.
struct Vector {
    int *heads;
    mp::Word *low, *high;
    unsigned *residues;
    long long plane;

    DEVICE Number load(long long i) const {
        Number x;
        x.head = heads[i], x.bounds = {low[i], high[i]};
        for (int k = 0; k < Format::COUNT; k++) x.y[k] = residues[i + k * plane];
        return x;
    }

    DEVICE void store(long long i, const Number &x) const {
        heads[i] = x.head, low[i] = x.bounds.low, high[i] = x.bounds.high;
        for (int k = 0; k < Format::COUNT; k++) residues[i + k * plane] = x.y[k];
    }
};

// A kernel for each operation; all take the same arguments, whether or not they look at y and k.
#define KERNEL(name, result) \
    extern "C" __global__ void __launch_bounds__(128) \
        name(const __grid_constant__ rns::Tables t, const Vector x, const Vector y, int k, const Vector z, long long n) { \
        const Arithmetic arithmetic = {t}; \
        const long long step = (long long)gridDim.x * blockDim.x; \
        for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) z.store(i, result); \
    }

// x + y, or x - y where k is 1
KERNEL(add, arithmetic.sum(x.load(i), y.load(i).negated(k)))
KERNEL(multiply, arithmetic.product(x.load(i), y.load(i)))
KERNEL(divide, arithmetic.quotient(x.load(i), y.load(i)))
KERNEL(root, arithmetic.root(x.load(i)))
// x 2^k
KERNEL(scale, arithmetic.scaled(x.load(i), k))
// -1, 0 or 1, and 2 where a number is NaN, in place of a head
KERNEL(compare, Number::special(arithmetic.compare_numbers(x.load(i), y.load(i))))
