// Elementwise operations on floating-point numbers in residues.

#include "rns/vector.cuh"

using Vector = rns::Vector;

#include "arguments.cuh"

using Number = rns::Number<Format>;

// A kernel for each operation; all take the same arguments, whether or not they look at y and k.
#define KERNEL(name, result) \
    extern "C" __global__ void __launch_bounds__(128) name(const Vector x, const Vector y, int k, const Vector z, long long n) { \
        const auto arithmetic = x.arithmetic(); \
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
