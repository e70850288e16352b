// max_i |B − A·X|_ij for each j, from products A·X in numbers of any precision; B is of limbs or of
// such numbers.

#include "mp/sum.cuh"

#include "arguments.cuh"

#include "mp/entries.cuh"
#include "num/reading.cuh"

using mp::Operand;
using mp::Short;
using mp::Word;

// |b − x|: words and head of x become those of the difference.
DEVICE Reading difference(const Residuals &p, Operand x, Word *words, long long i, long long j) {
    x.head ^= 1;
    const auto add = [&](const Operand &b) { x = {words, (int)p.product.count, mp::add(x, b, (int)p.product.bits, (int)p.product.count, words)}; };
    if (p.numbers.data) add(mp::at(p.numbers, i, j));
    for (long long l = 0; l < p.limbs; l++) {
        double limb = l == 0 && i == j ? 1.0 : 0.0;
        if (p.b) limb = p.b[i + j * p.column + l * p.plane];
        const Short b(limb, 0);
        add(b.operand());
    }
    if (x.code() > mp::GREATEST) return Reading::infinite();
    return x.is_number() ? Reading::of(__dmul_rn(mp::leading(x), 0x1p-64), x.code()) : Reading::zero();
}

// Blocks for each column of the product, which are those of B from `first` on.
extern "C" __global__ void __launch_bounds__(RESIDUAL_THREADS) largest_residuals(const __grid_constant__ Residuals p) {
    __shared__ Reading parts[RESIDUAL_THREADS];
    Word words[mp::MOST_WORDS];
    const long long j = blockIdx.x;
    Reading largest = Reading::zero();
    for (long long i = threadIdx.x; i < p.product.rows; i += RESIDUAL_THREADS)
        largest = larger(largest, difference(p, mp::at(p.product, i, j), words, i, p.first + j));
    parts[threadIdx.x] = largest;
    for (int half = RESIDUAL_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half) parts[threadIdx.x] = larger(parts[threadIdx.x], parts[threadIdx.x + half]);
    }
    if (threadIdx.x != 0) return;
    p.largest[p.first + j] = parts[0].significand;
    p.exponents[p.first + j] = parts[0].exponent;
}
