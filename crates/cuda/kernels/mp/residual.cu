// max_i |B − A·X|_ij for each j, from products A·X in numbers of any precision; B is of limbs or of
// such numbers.

#include "mp/sum.cuh"

#include "arguments.cuh"

#include "mp/entries.cuh"

using mp::Operand;
using mp::Short;
using mp::Word;

// A magnitude: a code and the highest word of a number; 0 and 0 for zero.
struct Size {
    long long code;
    Word highest;

    DEVICE bool operator<(const Size &other) const { return code != other.code ? code < other.code : highest < other.highest; }
};

constexpr Size ZERO = {mp::ZERO, 0};

DEVICE Size larger(const Size &x, const Size &y) { return x < y ? y : x; }

// |b − x|: words and head of x become those of the difference.
DEVICE Size difference(const Residuals &p, Operand x, Word *words, long long i, long long j) {
    x.head ^= 1;
    const auto add = [&](const Operand &b) { x = {words, (int)p.product.count, mp::add(x, b, (int)p.product.bits, (int)p.product.count, words)}; };
    if (p.numbers.data) add(mp::at(p.numbers, i, j));
    for (long long l = 0; l < p.limbs; l++) {
        double limb = l == 0 && i == j ? 1.0 : 0.0;
        if (p.b) limb = p.b[i + j * p.column + l * p.plane];
        const Short b(limb, 0);
        add(b.operand());
    }
    if (x.code() > mp::GREATEST) return {mp::INFINITE, 0};
    return x.is_number() ? Size{x.code(), x.words[x.count - 1]} : ZERO;
}

// Blocks for each column of the product, which are those of B from `first` on.
extern "C" __global__ void __launch_bounds__(RESIDUAL_THREADS) largest_residuals(const __grid_constant__ Residuals p) {
    __shared__ Size parts[RESIDUAL_THREADS];
    Word words[mp::MOST_WORDS];
    const long long j = blockIdx.x;
    Size largest = ZERO;
    for (long long i = threadIdx.x; i < p.product.rows; i += RESIDUAL_THREADS)
        largest = larger(largest, difference(p, mp::at(p.product, i, j), words, i, p.first + j));
    parts[threadIdx.x] = largest;
    for (int half = RESIDUAL_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) parts[threadIdx.x] = larger(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    if (threadIdx.x != 0) return;
    const Size found = parts[0];
    const bool infinite = found.code == mp::INFINITE, zero = found.code == mp::ZERO;
    p.largest[p.first + j] = infinite ? __hiloint2double(0x7ff00000, 0) : __dmul_rn(__ull2double_rn(found.highest), 0x1p-64);
    p.exponents[p.first + j] = infinite || zero ? 0 : found.code;
}
